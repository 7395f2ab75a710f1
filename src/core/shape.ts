/** Checks of values that come from a host's code, where no compiler may have looked: one sentence for each fault. */
import { isRecord } from './record.js'
import { didYouMean, looseKey } from './text/nearest.js'

/** What is expected, in words; undefined when the value is that. Of something inside the value it begins with the place. */
export type Shape = (value: unknown) => string | undefined

export const text: Shape = value => (typeof value === 'string' ? undefined : 'must be a text')
export const word: Shape = value =>
  typeof value === 'string' && value.trim() !== '' ? undefined : 'must be a text that is not blank'
export const yesOrNo: Shape = value => (typeof value === 'boolean' ? undefined : 'must be true or false')
export const anything: Shape = () => undefined
export const oneOf =
  (...words: readonly string[]): Shape =>
  value =>
    words.includes(value as string) ? undefined : `must be one of ${words.join(', ')}`
/** Endless is a number too: no limit. */
export const atLeast =
  (least: number): Shape =>
  value =>
    typeof value === 'number' && value >= least ? undefined : `must be a number from ${least}`
export const wholeFrom =
  (least: number): Shape =>
  value =>
    (Number.isInteger(value) || value === Number.POSITIVE_INFINITY) && Number(value) >= least
      ? undefined
      : `must be a whole number from ${least}`
export const work: Shape = value => (typeof value === 'function' ? undefined : 'must be a function')
export const listOrWork: Shape = value =>
  Array.isArray(value) || typeof value === 'function' ? undefined : 'must be a list or a function'
/** Something that does work for a house, by the methods it cannot do without. */
export const port =
  (...methods: readonly string[]): Shape =>
  value => {
    const given = (value ?? {}) as Readonly<Record<string, unknown>>
    return methods.every(method => typeof given[method] === 'function')
      ? undefined
      : `must be an object with ${methods.map(method => `${method}()`).join(' and ')}`
  }
export const listOf =
  (each: Shape): Shape =>
  value => {
    if (!Array.isArray(value))
      return `must be a list whose entries each ${(each(undefined) ?? '').replace(/^must /, '')}`
    const at = value.findIndex(one => each(one) !== undefined)
    return at < 0 ? undefined : joined(`[${at}]`, each(value[at])!, value[at])
  }

/**
 * Faults of an object by its keys; one that is not in the table is a slip, unless it holds nothing. `otherNames`: what
 * people call a key elsewhere, in small letters.
 */
export function faultsOf(
  value: unknown,
  table: Readonly<Record<string, Shape>>,
  needed: readonly string[] = [],
  otherNames: Readonly<Record<string, string>> = {},
): readonly string[] {
  if (!isRecord(value)) return [`must be an object, not ${shown(value)}`]
  const given = Object.entries(value).filter(([, each]) => each !== undefined)
  const missing = needed.filter(key => !given.some(([name]) => name === key))
  return [
    ...given.flatMap(([key, each]) => {
      const shape = Object.hasOwn(table, key) ? table[key] : undefined
      if (!shape) return [unknownKey(key, Object.keys(table), otherNames)]
      const expected = shape(each)
      if (expected === undefined) return []
      return [joined(key, expected, each)]
    }),
    ...missing.map(key => `${key} is missing: it ${table[key]!(undefined) ?? 'must be there'}`),
  ]
}

/** An object by a table of its own, inside another one. */
export const objectOf =
  (table: Readonly<Record<string, Shape>>, needed: readonly string[] = []): Shape =>
  value => {
    const [fault] = faultsOf(value, table, needed)
    if (fault === undefined) return undefined
    if (fault.startsWith('must be an object')) return 'must be an object'
    return fault.startsWith('there is no ') ? `: ${fault}` : `.${fault}`
  }

/** A fault of something inside the value says itself what came. */
const joined = (place: string, fault: string, value: unknown): string =>
  /^[[.:]/.test(fault) ? `${place}${fault}` : `${place} ${fault}, not ${shown(value)}`

function unknownKey(key: string, known: readonly string[], otherNames: Readonly<Record<string, string>>): string {
  const loose = looseKey(key)
  const meant = Object.hasOwn(otherNames, loose) ? otherNames[loose] : didYouMean(key, known)
  return `there is no "${key}"${meant ? ` (did you mean ${meant}?)` : ''}`
}

const most = 80
export function shown(value: unknown): string {
  if (typeof value === 'function') return 'a function'
  if (typeof value === 'number') return String(value)
  try {
    const written = JSON.stringify(value) ?? String(value)
    return written.length > most ? `${written.slice(0, most)}…` : written
  } catch {
    return 'something that is no JSON'
  }
}
