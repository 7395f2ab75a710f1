/** What a hook's command begins with, as far as it can be read without a shell. */

export interface CommandLine {
  /** Of the first simple command, quotes taken off and variables that are known filled in. */
  readonly words: readonly string[]
  /** What stands after it: `||`, `&&`, `|`, `;`, `>`…; empty at the end. */
  readonly next: string
}

export function commandLineOf(command: string, env: Readonly<Record<string, string>>): CommandLine {
  const first = /^(?:[^"'\n;&|<>]|"[^"]*"|'[^']*')*/.exec(command)?.[0] ?? ''
  const words = [...first.matchAll(/(?:[^\s"']|"[^"]*"|'[^']*')+/g)].map(([word]) => word.replace(/["']/g, ''))
  return {
    words: words.map(word => word.replace(/\$\{?(\w+)\}?/g, (all, name: string) => env[name] ?? all)),
    next: /^(?:[|&]{1,2}|[;<>\n])?/.exec(command.slice(first.length))?.[0] ?? '',
  }
}
