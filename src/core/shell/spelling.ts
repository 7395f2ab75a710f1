/** The texts a rule about commands is held against. */
import { nameOf } from '../text/path-text.js'
import { proveReadOnly } from './read-only.js'
import type { ShellCommand, ShellReading } from './reading.js'
import { isOrdinaryVariable } from './variables.js'
import { isStatic, type ShellWord } from './words.js'

export interface Spellings {
  /** For rules that allow: the command as called, and nothing that only looks like it. */
  readonly allowing: readonly string[]
  /** For rules that forbid: every way a rule may have meant it. */
  readonly forbidding: readonly string[]
  /** The program, in each of these ways. */
  readonly names: readonly string[]
  /** Variables because of which only a rule that names them allows it. */
  readonly altering: readonly string[]
}

/** `leads`: where the program really lies, when it is called by a path, and what lies on the way there. */
export function spellingsOf(
  command: ShellCommand,
  line: string,
  variables: LineVariables,
  leads: readonly string[] = [],
): Spellings {
  const altering = alteringVariables(command, variables)
  const names = [...new Set([command.words[0]?.shape ?? '', ...leads].flatMap(spelledNames))]
  const forbidding = forbiddingTexts(command, names, line)
  return { allowing: allowingTexts(command, altering), forbidding, names, altering }
}

type LineVariables = Pick<ShellReading, 'exported' | 'unplain'>

/**
 * Variables set for the command, here or earlier in the line, that may change what it does. For what only looks there are
 * none but those that leave a doubt anyway.
 */
function alteringVariables(command: ShellCommand, { exported, unplain }: LineVariables): readonly string[] {
  const { words, variables, around } = command
  const isSetting = /^(export|declare|typeset|local|readonly)$/.test(words[0]?.shape ?? '')
  const altering = [...new Set([...variables, ...around, ...(isSetting ? [] : exported)])].filter(
    name => !isOrdinaryVariable(name, !unplain.includes(name)),
  )
  return altering.length > 0 && proveReadOnly({ ...command, variables: [], around: [] }) ? [] : altering
}

function allowingTexts(
  { words, source, role, variables }: ShellCommand,
  altering: readonly string[],
): readonly string[] {
  const [called, ...rest] = words
  if (role !== 'plain' || !called || !isStatic(called)) return []
  if (altering.length > 0) {
    const isSpelled = /^\w+\+?=/.test(source) && altering.every(name => variables.includes(name))
    return isSpelled ? [source] : []
  }
  const system = /^(\/usr)?(\/local)?\/s?bin\/[^/]+$/.test(called.shape)
    ? [{ ...called, shape: nameOf(called.shape) }]
    : []
  return [...new Set([quoted(words), source, ...system.map(name => quoted([name, ...rest]))])]
}

/** The words so that blanks inside one cannot pass for blanks between two. */
function quoted(words: readonly ShellWord[]): string {
  return words.map(({ shape }) => (/[\s'"\\]/.test(shape) || shape === '' ? `'${shape}'` : shape)).join(' ')
}

/** As called, by its bare name in any case, as typed, and the whole line. */
function forbiddingTexts({ words, source }: ShellCommand, names: readonly string[], line: string): readonly string[] {
  const rest = words
    .slice(1)
    .map(word => ` ${word.shape}`)
    .join('')
  return [...new Set([...names.map(name => name + rest), source, line.trim()])]
}

/** The program as called, by its bare name, and in the case and without the ending that any name may have. */
function spelledNames(called: string): readonly string[] {
  const bare = nameOf(called).toLowerCase()
  return [...new Set([called, nameOf(called), bare, bare.replace(/\.exe$/, '')])]
}
