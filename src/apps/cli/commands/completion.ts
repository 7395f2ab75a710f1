/** `offshoot completion bash|zsh|fish`: what the shell needs to complete commands, options and their values. */
import { Argument, type Command, type Option } from 'commander'
import { knownSettings } from '../../../core/settings/settings-table.js'
import { quoteWord } from '../../../core/text/shell-word.js'
import type { CommandDeps } from '../command-deps.js'

/** What only the program itself knows, asked at the moment of completing. */
type Asked = 'agents' | 'runs' | 'models'

const asking: Readonly<Record<Asked, string>> = {
  agents: 'offshoot agents list --names 2>/dev/null',
  runs: 'offshoot runs list --ids 2>/dev/null',
  models: 'offshoot models list --names 2>/dev/null',
}

export interface CompletionEntry {
  /** Words before it: `runs list`. */
  readonly path: string
  readonly words: readonly { readonly word: string; readonly about: string }[]
  /** What its argument names. */
  readonly asks?: Asked
  /** Options that take a value, with the values there are when those are few. */
  readonly values: readonly OptionValue[]
}
interface OptionValue {
  readonly option: string
  readonly short?: string
  readonly choices: readonly string[]
  readonly asks?: Asked
}

export function registerCompletionCommand(program: Command, deps: CommandDeps): void {
  program
    .command('completion')
    .description('print a completion script: offshoot completion bash >> ~/.bashrc')
    .addArgument(new Argument('<shell>', 'whose completion').choices(['bash', 'zsh', 'fish']))
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
        ...command.registeredArguments.flatMap(choicesOf),
      ],
      ...asksOf(command.registeredArguments[0]?.name() ?? ''),
      values: options.map(optionValue).filter(({ asks }, at) => asks || options[at]!.required),
    })
    for (const one of command.commands) walk(one, `${path} ${one.name()}`.trim())
  }
  walk(program, '')
  return entries
}

const choicesOf = (argument: Argument): CompletionEntry['words'] =>
  argument.name() === 'key' ? settingKeys : (argument.argChoices ?? []).map(word => ({ word, about: '' }))

const settingKeys: CompletionEntry['words'] = [
  ...['deny', 'ask', 'allow'].map(list => ({ word: `permissions.${list}`, about: 'Rules about tools.' })),
  // Of a section whose names are anybody's the section is offered.
  ...Object.entries(knownSettings).map(([key, { about }]) => ({ word: key.replace(/\*$/, ''), about })),
]

const optionValue = ({ long, short, flags, argChoices = [] }: Option): OptionValue => ({
  option: long!,
  ...(short && { short }),
  choices: argChoices,
  ...asksOf(long === '--agent' ? 'agent' : (/[<[](\w+)[>\]]/.exec(flags)?.[1] ?? '')),
})

const asksOf = (argument: string): { readonly asks?: Asked } =>
  argument in askedBy ? { asks: askedBy[argument]! } : {}

const askedBy: Readonly<Record<string, Asked>> = { agent: 'agents', run: 'runs', model: 'models' }

const wordsOf = ({ words }: CompletionEntry): string => words.map(({ word }) => word).join(' ')

const spellings = ({ option, short }: OptionValue): readonly string[] => (short ? [option, short] : [option])
const spelled = (entries: readonly CompletionEntry[]): readonly string[] => [
  ...new Set(entries.flatMap(({ values }) => values.flatMap(spellings))),
]

const pathsOf = (entries: readonly CompletionEntry[]): readonly string[] =>
  entries.map(({ path }) => path).filter(path => path !== '')

/** The command before the cursor: no options, nothing that follows one which takes a value, and no arguments. */
const commandWords = (entries: readonly CompletionEntry[], before: string): string => `  local typed="" word previous=""
  for word in ${before}; do
    [ "$word" = "=" ] && continue
    case "$previous" in ${spelled(entries).join('|')}) previous=""; continue ;; esac
    case "\${typed:+$typed }$word" in ${pathsOf(entries).map(quoteWord).join('|')}) typed="\${typed:+$typed }$word" ;; esac
    previous="$word"
  done`

/**
 * By command and option: `--scope` of one command has other values than that of another. Where nothing is known of a value
 * it may be a file, and never a command or an option.
 */
function valueCases(
  entries: readonly CompletionEntry[],
  offer: (value: OptionValue) => string,
  offerFiles: string,
): string {
  const isKnown = ({ choices, asks }: OptionValue) => choices.length > 0 || asks !== undefined
  return entries
    .flatMap(({ path, values }) =>
      values.map(value => {
        const places = spellings(value).map(spelling => quoteWord(`${path}:${spelling}`))
        return `    ${places.join('|')}) ${isKnown(value) ? offer(value) : offerFiles}; return ;;`
      }),
    )
    .join('\n')
}

/** Between quotes of a shell: words that are known, and what the program is asked for. */
const bashWords = (words: string, asks: Asked | undefined): string =>
  `${quoteWord(words)}${asks ? `" $(${asking[asks]})"` : ''}`
const bashOffer = (words: string, asks: Asked | undefined): string =>
  `COMPREPLY=($(compgen -P "$given" -W ${bashWords(words, asks)} -- "$current"))`
const bashFiles = 'COMPREPLY=($(compgen -P "$given" -f -- "$current"))'
const zshLines = (asks: Asked): string => `\${(f)"$(${asking[asks]})"}`

const bashScript = (entries: readonly CompletionEntry[]): string => `_offshoot() {
  local current="\${COMP_WORDS[COMP_CWORD]}" given=""
${commandWords(entries, `"\${COMP_WORDS[@]:1:COMP_CWORD-1}"`)}
  case "$current" in
    =) current="" ;;
    --*=*) previous="\${current%%=*}"; given="$previous="; current="\${current#*=}" ;;
  esac
  case "$typed:$previous" in
${valueCases(entries, ({ choices, asks }) => bashOffer(choices.join(' '), asks), bashFiles)}
  esac
  COMPREPLY=()
  case "$typed" in
${entries.map(entry => `    ${quoteWord(entry.path)}) ${bashOffer(wordsOf(entry), entry.asks)} ;;`).join('\n')}
  esac
  [ "\${#COMPREPLY[@]}" -gt 0 ] || ${bashFiles}
}
complete -F _offshoot offshoot
`

const zshScript = (entries: readonly CompletionEntry[]): string => `#compdef offshoot
_offshoot() {
${commandWords(entries, `"\${words[@]:1:$((CURRENT-2))}"`)}
  case "\${words[CURRENT]}" in --*=*) previous="\${words[CURRENT]%%=*}"; compset -P '*=' ;; esac
  case "$typed:$previous" in
${valueCases(entries, ({ choices, asks }) => `compadd -- ${[...choices, ...(asks ? [zshLines(asks)] : [])].join(' ')}`, '_files')}
  esac
  local -a found
  case "$typed" in
${entries.map(entry => `    ${quoteWord(entry.path)}) found=(${zshFound(entry)}) ;;`).join('\n')}
  esac
  if (( \${#found} )); then _describe offshoot found; else _files; fi
}
compdef _offshoot offshoot
`

const fishScript = (entries: readonly CompletionEntry[]): string => `function __offshoot_at
  set -l typed ''
  set -l previous ''
  set -l before (commandline -opc)
  set -e before[1]
  for word in $before
    if contains -- "$previous" ${spelled(entries).join(' ')}
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
`

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript }

function zshFound({ words, asks }: CompletionEntry): string {
  const known = words.map(({ word, about }) => quoteWord(`${word}:${about.replaceAll(':', '\\:')}`))
  return [...known, ...(asks ? [`\${${zshLines(asks)}//:/\\\\:}`] : [])].join(' ')
}

function fishLines({ path, words, asks, values }: CompletionEntry): readonly string[] {
  const line = `complete -c offshoot -n ${quoteWord(`__offshoot_at "${path}"`)}`
  const known = words.map(({ word, about }) => {
    const value = values.find(({ option }) => option === word)
    const offered = value ? [...value.choices, ...(value.asks ? [`(${asking[value.asks]})`] : [])].join(' ') : ''
    const choices = offered === '' ? '' : ` -f -a ${quoteWord(offered)}`
    const short = value?.short ? ` -s ${value.short.slice(1)}` : ''
    const what = word.startsWith('--') ? `-l ${word.slice(2)}${short}${value ? ` -r${choices}` : ''}` : `-f -a ${word}`
    return `${line} ${what} -d ${quoteWord(about)}`
  })
  return [...known, ...(asks ? [`${line} -f -a ${quoteWord(`(${asking[asks]})`)}`] : [])]
}
