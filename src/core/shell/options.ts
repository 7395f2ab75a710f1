/**
 * Command-line options told apart from operands, by a list of what a command is known to take.
 * A list is written `-a -n: --long --name: -f:path -w?`: a colon takes a value, `:path` a value that is a file, and a
 * question mark one that only counts when it is part of the same word: the next word is an operand.
 * Anything not on the list makes the reading fail, so what is not known is never guessed; and so does whatever the shell
 * may take apart into more words: one of these may be another option, or where a command begins.
 */
import { anyText } from '../text/glob.js'
import { isOneWord, isStatic, literalWord, type ShellWord } from './words.js'

export interface OptionReading {
  readonly operands: readonly ShellWord[]
  /** The last of the operands: those after `--`. */
  readonly paths: readonly ShellWord[]
  /** Values that name files. */
  readonly files: readonly ShellWord[]
  /** Options as listed (`-n`, `--name`), each with its value if it takes one. */
  readonly given: ReadonlyMap<string, ShellWord | undefined>
  /** Every value that was given, in order, with its option: of one that is given twice, `given` holds the last. */
  readonly values: readonly (readonly [option: string, value: ShellWord])[]
}

export interface OptionRules {
  readonly options: ReadonlyMap<string, OptionKind>
  /** Options end at the first operand, as for commands that run another one. */
  readonly stopsAtOperand?: boolean
  /** `-5` and the like are a plain option. */
  readonly takesNumbers?: boolean
  /** One dash begins a long option, as for find and java. */
  readonly hasSingleDashNames?: boolean
  /** `-ps` is not `-p -s`: after a flag's one letter the rest of the word means nothing, or something else. */
  readonly hasNoClusters?: boolean
  /** What may follow the letter of an option that takes a value, in the same word: tree reads other letters as options. */
  readonly gluedForm?: RegExp
  /** A word that may turn out to be an option is an operand all the same: none it has matters. */
  readonly hasHarmlessOptions?: boolean
  /** `--include=*.ts`: a wildcard makes several words of it, and each begins with the option. */
  readonly looseOptions?: readonly string[]
}

type OptionKind = 'flag' | 'value' | 'path' | 'optional'

export function optionList(text: string): ReadonlyMap<string, OptionKind> {
  const entries = text.split(/\s+/).filter(entry => entry !== '')
  return new Map(
    entries.map(entry => {
      if (entry.endsWith('?')) return [entry.slice(0, -1), 'optional']
      const [name, kind] = entry.split(':')
      return [name!, kind === undefined ? 'flag' : kind === 'path' ? 'path' : 'value']
    }),
  )
}

/** Undefined when an option is not on the list, or a word that could be an option is not known. */
export function readOptions(words: readonly ShellWord[], rules: OptionRules): OptionReading | undefined {
  const reading = {
    operands: [] as ShellWord[],
    files: [] as ShellWord[],
    given: new Map<string, ShellWord | undefined>(),
    values: [] as (readonly [string, ShellWord])[],
  }
  let index = 0
  for (; index < words.length; index++) {
    const word = words[index]!
    if (!word.shape.startsWith('-') || word.shape === '-') {
      if (word.shape.includes(anyText) && !isOneWord(word) && !word.found) return undefined
      if (!isStatic(word) && !word.found && !isSurelyOperand(word) && !isHarmless(word, rules)) return undefined
      reading.operands.push(word)
      if (rules.stopsAtOperand) break
      continue
    }
    if (!isStatic(word) && !word.shape.includes('=')) return undefined
    if (word.shape === '--') break
    const used = readOption(word, words[index + 1], rules, reading)
    if (used === undefined) return undefined
    index += used
  }
  const rest = words.slice(index + 1)
  return { ...reading, operands: [...reading.operands, ...rest], paths: rules.stopsAtOperand ? [] : rest }
}

/** `*.json`, and not what a variable holds, which may be several words. */
function isHarmless({ shape }: ShellWord, { hasHarmlessOptions }: OptionRules): boolean {
  return hasHarmlessOptions === true && !shape.includes(anyText)
}

/** A wildcard after a first known letter cannot turn into an option. */
function isSurelyOperand(word: ShellWord): boolean {
  return isStatic({ shape: word.shape.slice(0, 1), source: '' })
}

interface Collected {
  readonly files: ShellWord[]
  readonly given: Map<string, ShellWord | undefined>
  readonly values: (readonly [string, ShellWord])[]
}

/** How many further words the option took; undefined when it is not known. */
function readOption(
  word: ShellWord,
  next: ShellWord | undefined,
  rules: OptionRules,
  collected: Collected,
): number | undefined {
  const { shape } = word
  if (rules.takesNumbers && /^-\d+$/.test(shape)) return 0
  if (shape.startsWith('--') || rules.hasSingleDashNames) return readLong(shape, next, rules, collected)
  for (let index = 1; index < shape.length; index++) {
    const name = `-${shape[index]}`
    const kind = rules.options.get(name)
    if (kind === undefined) return undefined
    const rest = shape.slice(index + 1)
    if (kind === 'flag' && rules.hasNoClusters && rest !== '') return undefined
    if (kind === 'flag') {
      collected.given.set(name, undefined)
      continue
    }
    if (kind === 'optional') {
      if (!isStatic(literalWord(rest))) return undefined
      collected.given.set(name, rest === '' ? undefined : literalWord(rest))
      return 0
    }
    if (rest !== '' && rules.gluedForm?.test(rest) === false) return undefined
    const value = rest === '' ? next : literalWord(rest)
    if (!value || !isStatic(value)) return undefined
    note(name, kind, value, collected)
    return rest === '' ? 1 : 0
  }
  return 0
}

function readLong(
  shape: string,
  next: ShellWord | undefined,
  { options, looseOptions = [] }: OptionRules,
  collected: Collected,
): number | undefined {
  const equals = shape.indexOf('=')
  const name = equals < 0 ? shape : shape.slice(0, equals)
  const kind = options.get(name)
  const glued = equals < 0 ? '' : shape.slice(equals + 1)
  // A wildcard makes more words of it, and each begins with the same flag.
  const isLoose = (kind === 'flag' || looseOptions.includes(name)) && !glued.includes(anyText)
  if (kind === undefined || !(isStatic(literalWord(glued)) || isLoose)) return undefined
  if (kind === 'flag') {
    // A flag may still take an optional value (`--color=never`), never one that matters: those are listed with a colon.
    collected.given.set(name, undefined)
    return 0
  }
  if (kind === 'optional') {
    collected.given.set(name, equals < 0 ? undefined : literalWord(glued))
    return 0
  }
  const value = equals < 0 ? next : literalWord(glued)
  if (!value || (equals < 0 && !isStatic(value))) return undefined
  note(name, kind, value, collected)
  return equals < 0 ? 1 : 0
}

function note(name: string, kind: 'value' | 'path', value: ShellWord, { files, given, values }: Collected): void {
  given.set(name, value)
  values.push([name, value])
  if (kind === 'path') files.push(value)
}
