/** `offshoot completion bash|zsh|fish`: what the shell needs to complete commands, options and their values. */
import { Argument, type Command } from 'commander'
import type { CommandDeps } from './command-deps.js'

export interface CompletionEntry {
  /** Words before it: `runs list`. */
  readonly path: string
  readonly words: readonly { readonly word: string; readonly about: string }[]
}

export function registerCompletionCommand(program: Command, deps: CommandDeps): void {
  program
    .command('completion')
    .description('print a completion script: offshoot completion bash >> ~/.bashrc')
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish']))
    .action((shell: 'bash' | 'zsh' | 'fish') => deps.write(scripts[shell](completionEntries(program))))
}

/** Every place a word can be completed, with the words that fit there. */
export function completionEntries(program: Command): readonly CompletionEntry[] {
  const entries: CompletionEntry[] = []
  const walk = (command: Command, path: string) => {
    entries.push({
      path,
      words: [
        ...command.commands.map(one => ({ word: one.name(), about: one.description() })),
        ...command.options
          .filter(option => option.long)
          .map(option => ({ word: option.long!, about: option.description })),
        ...command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices.map(word => ({ word, about: '' }))),
      ],
    })
    for (const one of command.commands) walk(one, `${path} ${one.name()}`.trim())
  }
  walk(program, '')
  return entries
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
const wordsOf = ({ words }: CompletionEntry): string => words.map(({ word }) => word).join(' ')

const scripts = {
  bash: (entries: readonly CompletionEntry[]): string => `_offshoot() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) ;; *) path="\${path:+$path }$word" ;; esac
  done
  case "$path" in
${entries.map(entry => `    ${quoted(entry.path)}) COMPREPLY=($(compgen -W ${quoted(wordsOf(entry))} -- "$current")) ;;`).join('\n')}
    *) COMPREPLY=($(compgen -f -- "$current")) ;;
  esac
}
complete -F _offshoot offshoot
`,
  zsh: (entries: readonly CompletionEntry[]): string => `#compdef offshoot
_offshoot() {
  local path="" word
  for word in "\${words[@]:1:$((CURRENT-2))}"; do
    case "$word" in -*) ;; *) path="\${path:+$path }$word" ;; esac
  done
  local -a found
  case "$path" in
${entries.map(entry => `    ${quoted(entry.path)}) found=(${entry.words.map(({ word, about }) => quoted(`${word}:${about.replaceAll(':', '\\:')}`)).join(' ')}) ;;`).join('\n')}
  esac
  if (( \${#found} )); then _describe offshoot found; else _files; fi
}
compdef _offshoot offshoot
`,
  fish: (entries: readonly CompletionEntry[]): string => `${entries.flatMap(fishLines).join('\n')}\n`,
}

function fishLines({ path, words }: CompletionEntry): readonly string[] {
  const parts = path.split(' ').filter(Boolean)
  const condition =
    parts.length === 0
      ? '__fish_use_subcommand'
      : parts.map(part => `__fish_seen_subcommand_from ${part}`).join('; and ')
  return words.map(({ word, about }) => {
    const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-f -a ${word}`
    return `complete -c offshoot -n ${quoted(condition)} ${what} -d ${quoted(about)}`
  })
}
