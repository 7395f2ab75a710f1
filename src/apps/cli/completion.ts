/** `offshoot completion bash|zsh|fish`: what the shell needs to complete commands, options and their values. */
import { Argument, type Command } from 'commander'
import { quoteWord } from '../../core/shell-word.js'
import type { CommandDeps } from './command-deps.js'

export interface CompletionEntry {
  /** Words before it: `runs list`. */
  readonly path: string
  readonly words: readonly { readonly word: string; readonly about: string }[]
  /** Options that take a value, with the values there are when those are few. */
  readonly values: readonly { readonly option: string; readonly choices: readonly string[] }[]
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
    const options = command.options.filter(option => option.long)
    entries.push({
      path,
      words: [
        ...command.commands.map(one => ({ word: one.name(), about: one.description() })),
        ...options.map(option => ({ word: option.long!, about: option.description })),
        ...command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices.map(word => ({ word, about: '' }))),
      ],
      values: options
        .filter(option => option.required)
        .map(option => ({ option: option.long!, choices: option.argChoices ?? [] })),
    })
    for (const one of command.commands) walk(one, `${path} ${one.name()}`.trim())
  }
  walk(program, '')
  return entries
}

const wordsOf = ({ words }: CompletionEntry): string => words.map(({ word }) => word).join(' ')

/** Options of all commands together. */
function valuesOf(entries: readonly CompletionEntry[]): ReadonlyMap<string, readonly string[]> {
  const known = new Map<string, readonly string[]>()
  for (const { option, choices } of entries.flatMap(entry => entry.values))
    known.set(option, [...new Set([...(known.get(option) ?? []), ...choices])])
  return known
}

const pathsOf = (entries: readonly CompletionEntry[]): readonly string[] =>
  entries.map(({ path }) => path).filter(path => path !== '')

/** The command before the cursor: no options, nothing that follows one which takes a value, and no arguments. */
const commandWords = (entries: readonly CompletionEntry[], before: string): string => `  local typed="" word previous=""
  for word in ${before}; do
    case "$previous" in ${[...valuesOf(entries).keys()].join('|')}) previous=""; continue ;; esac
    case "\${typed:+$typed }$word" in ${pathsOf(entries).map(quoteWord).join('|')}) typed="\${typed:+$typed }$word" ;; esac
    previous="$word"
  done`

const valueCases = (entries: readonly CompletionEntry[], offer: (choices: string) => string): string =>
  [...valuesOf(entries)]
    .filter(([, choices]) => choices.length > 0)
    .map(([option, choices]) => `    ${option}) ${offer(choices.join(' '))}; return ;;`)
    .join('\n')

const scripts = {
  bash: (entries: readonly CompletionEntry[]): string => `_offshoot() {
  local current="\${COMP_WORDS[COMP_CWORD]}"
${commandWords(entries, `"\${COMP_WORDS[@]:1:COMP_CWORD-1}"`)}
  case "$previous" in
${valueCases(entries, choices => `COMPREPLY=($(compgen -W ${quoteWord(choices)} -- "$current"))`)}
  esac
  COMPREPLY=()
  case "$typed" in
${entries.map(entry => `    ${quoteWord(entry.path)}) COMPREPLY=($(compgen -W ${quoteWord(wordsOf(entry))} -- "$current")) ;;`).join('\n')}
  esac
  [ "\${#COMPREPLY[@]}" -gt 0 ] || COMPREPLY=($(compgen -f -- "$current"))
}
complete -F _offshoot offshoot
`,
  zsh: (entries: readonly CompletionEntry[]): string => `#compdef offshoot
_offshoot() {
${commandWords(entries, `"\${words[@]:1:$((CURRENT-2))}"`)}
  case "$previous" in
${valueCases(entries, choices => `compadd ${choices}`)}
  esac
  local -a found
  case "$typed" in
${entries.map(entry => `    ${quoteWord(entry.path)}) found=(${entry.words.map(({ word, about }) => quoteWord(`${word}:${about.replaceAll(':', '\\:')}`)).join(' ')}) ;;`).join('\n')}
  esac
  if (( \${#found} )); then _describe offshoot found; else _files; fi
}
compdef _offshoot offshoot
`,
  fish: (entries: readonly CompletionEntry[]): string => `function __offshoot_at
  set -l typed ''
  set -l previous ''
  set -l before (commandline -opc)
  set -e before[1]
  for word in $before
    if contains -- "$previous" ${[...valuesOf(entries).keys()].join(' ')}
      set previous ''
      continue
    end
    set -l longer (string trim -- "$typed $word")
    contains -- "$longer" ${pathsOf(entries).map(quoteWord).join(' ')}; and set typed "$longer"
    set previous "$word"
  end
  test "$typed" = "$argv[1]"
end
${entries.flatMap(fishLines).join('\n')}
`,
}

function fishLines({ path, words, values }: CompletionEntry): readonly string[] {
  const condition = quoteWord(`__offshoot_at "${path}"`)
  return words.map(({ word, about }) => {
    const value = values.find(({ option }) => option === word)
    const choices = value && value.choices.length > 0 ? ` -f -a ${quoteWord(value.choices.join(' '))}` : ''
    const what = word.startsWith('--') ? `-l ${word.slice(2)}${value ? ` -r${choices}` : ''}` : `-f -a ${word}`
    return `complete -c offshoot -n ${condition} ${what} -d ${quoteWord(about)}`
  })
}
