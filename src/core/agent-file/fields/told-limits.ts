/**
 * Keys that are a limit by their value alone: whether a value is such a one, or nearly. What is only nearly so is refused
 * where it is read.
 */
import type { PermissionMode } from '../../agent-definition.js'
import { isRecord } from '../../record.js'
import { didYouMean, isTornWord, isWithin, looseKey, pieceOf } from '../../text/nearest.js'
import { withoutPattern } from '../../tools/tool-names.js'
import { isNearTool, isTool } from '../damage/words/tool-words.js'
import { otherSpellings } from '../other-spellings.js'
import { flagOf, isEnabled, namesOf } from './field-reader.js'
import { areNearlyGroups } from './roo-groups.js'
import { areSkillSwitches, isSwitchText } from './skill-fields.js'
import { holdsTools, isToolTable, tableKeys } from './tool-tables.js'
import { nameFault } from './word-fields.js'

type Fits = (value: unknown) => boolean

export function isText(value: unknown): value is string {
  return typeof value === 'string'
}

export function isNearly(value: unknown, words: readonly string[]): boolean {
  return (
    isText(value) &&
    value.length < maxWord &&
    (didYouMean(looseKey(value), words) !== undefined || isTornWord(value, words))
  )
}

const maxWord = 24

export function isOff(value: unknown): boolean {
  return flagOf(value) === false || value === 'disabled' || value === 'none'
}

/** `disabld`, `flse`. */
export function isNearlyOff(value: unknown): boolean {
  return isOff(value) || isNearly(value, ['disabled', 'false'])
}

/** Keys that are a permission mode by their value alone. */
export const isModeKey = (key: string): boolean => modeKeys.includes(looseKey(key))

const modeKeys = ['mode', 'defaultmode']

/** `plan`, `read-only` and `dontAsk` under such a key, or nearly. */
export function nearStrictMode(value: unknown): PermissionMode | undefined {
  const word = isText(value) && value.length < maxWord ? looseKey(value.replace(twoUnits, '?')) : ''
  return strictModes.find(([written]) => isWithin(1, word, written) || isTornWord(word, [written]))?.[1]
}

export const isNearlyStrictMode = (value: unknown): boolean => nearStrictMode(value) !== undefined

/** One sign, and one slip, whatever it is made of. */
export const twoUnits = /[\ud800-\udbff][\udc00-\udfff]/g

const strictModes: readonly (readonly [string, PermissionMode])[] = [
  ['readonly', 'plan'],
  ['plan', 'plan'],
  ['dontask', 'dontAsk'],
]

export function isNearlySandbox(value: unknown): boolean {
  return isNearly(value, ['readonly', 'workspacewrite', 'dangerfullaccess'])
}

/** A tool, or nearly, in a text, in a list, or in what a stray colon made of one. */
export function namesTools(value: unknown): boolean {
  const items: readonly unknown[] = Array.isArray(value) ? value.slice(0, 1000) : [value]
  const texts = items
    .flatMap(item => (isRecord(item) ? Object.entries(item).slice(0, 20).flat() : [item]))
    .filter(isText)
  const words = texts.map(text => text.slice(0, 400)).flatMap(text => [...text.split(/[\s,[\]{}()"']+/), text])
  return words.some(word => isTool(word) || isNearTool(word.replace(/[^A-Za-z]/g, '')))
}

/** A list of tools and nothing else, or a text that is one. */
export function areTools(value: unknown): boolean {
  const names = namesOf(value) ?? []
  return names.length > 0 && names.length <= 1000 && names.every(name => isTool(withoutPattern(name).trim()))
}

/** `[agents]` of a Codex role that may have none. */
export function isWithoutAgents(value: unknown): boolean {
  return isRecord(value) && (flagOf(value.enabled) === false || value.max_depth === 0)
}

/** Nothing in it, or a slip in what would switch them off. */
export const isUnclearAgents = (value: unknown): boolean =>
  isRecord(value) &&
  (isEnabled(value) === undefined || Object.keys(value).length === 0 || isNearKey(value, 'max_depth', 0))

/** `mx_depth = 0`: a key that is none, with the value that would hold the agent back. */
export function isNearKey(table: Readonly<Record<string, unknown>>, wanted: string, value: unknown): boolean {
  const whole = looseKey(wanted)
  const isNear = (key: string) =>
    key.length < maxName && (isWithin(2, looseKey(key), whole) || pieceOf(looseKey(key), whole) !== undefined)
  return Object.entries(table)
    .slice(0, 40)
    .some(([key, each]) => {
      const [inner] = isRecord(each) ? Object.entries(each) : []
      return (
        (each === value && key !== wanted && isNear(key)) ||
        (inner !== undefined && inner[1] === value && isNear(key + inner[0]))
      )
    })
}

const maxName = 60

/** In brackets, or one a line: a text may be about them. */
export function areAgentNames(value: unknown): boolean {
  return Array.isArray(value) && namesOf(value)?.every(name => nameFault(name) === undefined) === true
}

/** Anything but tables, which may be the agents themselves. */
export function mayBeAgentNames(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(item => !isRecord(item) || isOneScrap(item))
  return isRecord(value) ? isOneScrap(value) : typeof value !== 'boolean'
}

/** `[b:, c]`, `[b: c]`; but `- path: b.md` is where one is written. */
function isOneScrap(item: Readonly<Record<string, unknown>>): boolean {
  const [[key = '', value] = []] = Object.entries(item)
  return Object.keys(item).length === 1 && !aboutAgents.has(key) && !isRecord(value) && !/\s/.test(String(value))
}
const aboutAgents: ReadonlySet<string> = new Set(['path', 'file', 'name', 'ref', 'id', 'agent', 'source'])

/** `b, c]`, `[b, c`. */
export const areBracketed = (text: string): boolean => /^[^\s[\]]*\[|[[\]]\S?$/.test(text)

/** `agnts: [b]`, `agnts: [b`, `[agnts]` with `mx_depth = 0` in it: whom it may call, or that it may call nobody. */
export function areAgents(value: unknown): boolean {
  return isNearlyWithoutAgents(value) || Array.isArray(value) || (isText(value) && /[[\]]/.test(value))
}

const isNearlyWithoutAgents = (value: unknown): boolean =>
  isWithoutAgents(value) ||
  (isRecord(value) && (isNearKey(value, 'max_depth', 0) || isNearKey(value, 'enabled', false)))

export const told: ReadonlyMap<string, Fits> = new Map<string, Fits>([
  ...modeKeys.map((key): [string, Fits] => [key, isNearlyStrictMode]),
  ['sandbox', isNearlySandbox],
  ['skills', value => areSkillSwitches(value) || isSwitchText(value)],
  ['groups', areNearlyGroups],
  ['agents', isNearlyWithoutAgents],
  ...tableKeys.map((key): [string, Fits] => [
    key,
    value => (Array.isArray(value) ? value : [value]).some(each => isToolTable(each)) || holdsTools(key, value),
  ]),
  ...[...otherSpellings.tools, ...otherSpellings.disallowedTools].map((key): [string, Fits] => [
    looseKey(key),
    namesTools,
  ]),
])
