/** A word that was meant as a command must not become a prompt: that would cost money and do something else. */
import { didYouMean } from '../../core/text/nearest.js'
import { commandLine } from '../../core/text/shell-word.js'
import { counterpartOf } from './counterparts.js'

export interface KnownCommand {
  readonly name: string
  readonly subcommands: readonly string[]
}

/**
 * What to say when the words look like a mistyped command: one word close to a command's name, alone or before one of
 * its subcommands; a subcommand without its command, alone or before one name; a command that others have. Undefined for
 * anything that reads like a prompt: several words, or one that holds several.
 */
export function guessCommand(words: readonly string[], commands: readonly KnownCommand[]): string | undefined {
  if (words[0] === 'help' && words.length <= 3) return guessHelp(words.slice(1), commands)
  const [first, second] = words
  if (first === undefined || /\s/.test(first) || words.length > 4) return undefined
  if (commands.some(({ name }) => name === first)) return undefined
  const owners = ownersOf(words, commands)
  if (owners.length > 0) return unknown(words, ...owners.map(owner => `"${commandLine('offshoot', owner, ...words)}"`))
  const other = second === undefined || runLike.test(second) ? counterpartOf(first) : undefined
  if (other !== undefined) return `There is no command "${first}". ${other} ${asPrompt(words)}`
  const near = didYouMean(
    first,
    commands.map(command => command.name),
  )
  const command = commands.find(({ name }) => name === near)
  if (!command) return undefined
  const isAlone = words.length === 1
  const follows =
    second !== undefined && (command.subcommands.includes(second) || didYouMean(second, command.subcommands))
  if (!isAlone && !follows) return undefined
  return unknown(words, `"${commandLine('offshoot', command.name, ...words.slice(1))}"`)
}

const unknown = (words: readonly string[], ...meant: readonly string[]): string =>
  `There is no command "${words[0]}". Did you mean ${meant.join(' or ')}? ${asPrompt(words)}`

const asPrompt = (words: readonly string[]): string =>
  `For a prompt of that text: ${commandLine('offshoot', '-p', '--', words.join(' '))}`

/** `list`, `show 3f2c81d0`, `explain Explore`: the commands that have it. `show me` is a prompt. */
function ownersOf([first = '', second, ...more]: readonly string[], commands: readonly KnownCommand[]): string[] {
  if (more.length > 0 || (second !== undefined && !isTopic(second))) return []
  return commands.filter(({ subcommands }) => subcommands.includes(first)).map(({ name }) => name)
}

/** As ids look, or their beginnings: no word of a sentence has letters and digits mixed so. */
const runLike = /^(?=\S*\d)(?=\S*[a-z])[\w-]{6,}$/i

/** One word that could be the name of something: not `help me`, and not a sentence in quotes. */
const isTopic = (word: string): boolean =>
  /^[\w@./~-]+$/.test(word) &&
  !/^(me|us|him|her|it|this|that|them|these|all|everything|please|out|up|yourself)$/i.test(word)

const noTopic = (name: string): string =>
  `There is no command "${name}"; "offshoot --help" lists them. For a prompt of that text: ${commandLine('offshoot', '-p', '--', `help ${name}`)}`

/** `help agnets`, `help agents nwe`; `help me` is a prompt. */
function guessHelp([name = '', sub]: readonly string[], commands: readonly KnownCommand[]): string | undefined {
  const names = commands.map(command => command.name)
  const near = names.includes(name) ? name : didYouMean(name, names)
  if (near === undefined) return sub === undefined && isTopic(name) ? noTopic(name) : undefined
  const subcommands = commands.find(command => command.name === near)!.subcommands
  const below = sub === undefined || subcommands.includes(sub) ? sub : didYouMean(sub, subcommands)
  const meant = ['offshoot', 'help', near, below].filter(Boolean).join(' ')
  return `There is no command "${[name, sub].filter(Boolean).join(' ')}". Did you mean "${meant}"?`
}
