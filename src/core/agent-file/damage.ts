/**
 * Signs that a key which limits the agent was damaged: overlooking one would give the agent more than was written.
 * D1 an unknown key close to a security key. D2 a key without a name. D3 inside prose, a line or a stretch that reads
 * like a security key which the file does not have otherwise.
 */
import { didYouMean, looseKey, rankByLikeness } from '../nearest.js'
import { canonicalToolName } from '../tool-names.js'
import type { Entry, Problem } from './block.js'
import { FIELDS, fieldOf, isKnownKey, MODES, SECURITY_KEYS } from './field-table.js'

export function findDamage(
  lines: readonly string[],
  firstLine: number,
  entries: readonly Entry[],
  how: 'strict' | 'repaired',
): readonly Problem[] {
  return [...damagedKeys(entries), ...hiddenKeys(lines, firstLine, entries, how)]
}

/** The security key that was probably meant, for a key nobody knows. */
export function meantSecurityKey(key: string, value: unknown): string | undefined {
  if (isKnownKey(key)) return undefined
  const near = didYouMean(key, SECURITY_KEYS)
  if (near !== undefined && isClose(key, near)) return near
  return isToolList(value) && /to+l|too|ols/i.test(key) && looseKey(key).length <= 8
    ? rankByLikeness(key, ['tools', 'disallowedTools'])[0]
    : undefined
}

/** Short keys are close to many words: one slip counts, and the first or last letter must be right. */
function isClose(key: string, near: string): boolean {
  const loose = looseKey(key)
  const meant = looseKey(near)
  if (meant.length > 6) return true
  return Math.abs(loose.length - meant.length) <= 1 && oneSlip(loose, meant)
}

function oneSlip(a: string, b: string): boolean {
  if (a.length === b.length) {
    const wrong = [...a].flatMap((character, at) => (character === b[at] ? [] : [at]))
    if (wrong.length === 1) return true
    return (
      wrong.length === 2 && wrong[1] === wrong[0]! + 1 && a[wrong[0]!] === b[wrong[1]] && a[wrong[1]] === b[wrong[0]!]
    )
  }
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  return [...long].some((_, at) => long.slice(0, at) + long.slice(at + 1) === short)
}

function damagedKeys(entries: readonly Entry[]): readonly Problem[] {
  return entries.flatMap(entry => {
    if (!/[\p{L}\p{N}]/u.test(entry.key) && entry.key !== '<<') {
      return [damaged(`a key without a name (${JSON.stringify(entry.key)})`, entry.line)]
    }
    const meant = meantSecurityKey(entry.key, entry.value)
    return meant === undefined ? [] : [damaged(`"${entry.key}" is no key; "${meant}" may be meant`, entry.line)]
  })
}

function hiddenKeys(
  lines: readonly string[],
  firstLine: number,
  entries: readonly Entry[],
  how: 'strict' | 'repaired',
): readonly Problem[] {
  const present = new Set(entries.map(entry => fieldOf(entry.key)))
  const found: Problem[] = []
  for (const { line, at } of proseLines(lines, firstLine, entries)) {
    const hit = hiddenIn(line, how, key => present.has(fieldOf(key)))
    if (hit) found.push(damaged(`"${hit}" stands inside another value`, firstLine + at))
  }
  return found.slice(0, 3)
}

/** Lines that belong to values which are text, the rest of the key's own line included. */
function proseLines(
  lines: readonly string[],
  firstLine: number,
  entries: readonly Entry[],
): readonly { readonly line: string; readonly at: number }[] {
  const starts = [...entries].sort((a, b) => a.line - b.line)
  return starts.flatMap((entry, index) => {
    const from = entry.line - firstLine
    const to = (starts[index + 1]?.line ?? firstLine + lines.length) - firstLine
    if (typeof entry.value !== 'string') return []
    const own = { line: (lines[from] ?? '').slice((lines[from] ?? '').indexOf(':') + 1), at: from }
    return [own, ...lines.slice(from + 1, to).map((line, offset) => ({ line, at: from + 1 + offset }))]
  })
}

function hiddenIn(line: string, how: 'strict' | 'repaired', isPresent: (key: string) => boolean): string | undefined {
  const start = /^\s*[^\p{L}\p{N}\s]{0,3}\s?([A-Za-z_]{4,24})["']?\s*([:=])?(.*)$/u.exec(line)
  if (start) {
    const [, word, colon, rest] = start
    const key = limitOf(word!)
    if (
      key &&
      !isPresent(key) &&
      (colon ? how === 'repaired' || isPlausible(key, rest!) : isBareLimit(key, rest!, how))
    )
      return key
  }
  if (how === 'strict') return undefined
  for (const match of line.matchAll(LIMIT_ANYWHERE)) {
    const key = limitOf(match[1]!)
    if (key && !isPresent(key) && isPlausible(key, line.slice(match.index + match[0].length))) return key
  }
  return undefined
}

/** The colon was lost, and what follows still reads like a value. */
function isBareLimit(key: string, rest: string, how: 'strict' | 'repaired'): boolean {
  return how === 'repaired' && isPlausible(key, rest.replace(/^[\s\p{P}\p{S}]+/u, '')) && rest.trim() !== ''
}

const LIMITS: readonly string[] = SECURITY_KEYS.filter(key => !['steps', 'agents', 'disable', 'enabled'].includes(key))
const LIMITS_BY_KEY = new Map(LIMITS.map(key => [looseKey(key), key]))
const LIMIT_ANYWHERE = new RegExp(`(${LIMITS.join('|')})\\s*:`, 'g')

function limitOf(word: string): string | undefined {
  return LIMITS_BY_KEY.get(looseKey(word))
}

/** Whether a text could be the value of the key, rather than the rest of a sentence. */
function isPlausible(key: string, rest: string): boolean {
  const value = rest.trim()
  const field = fieldOf(key)
  if (field === 'tools' || field === 'disallowedTools' || field === 'delegateTools') {
    const first = value.replace(/^[["'\s]+/, '').split(/[\s,(\]"']/)[0] ?? ''
    return value === '' || value.startsWith('*') || canonicalToolName(first) !== undefined || first.startsWith('mcp__')
  }
  if (field === 'permissionMode') return MODES.some(mode => looseKey(value).startsWith(looseKey(mode)))
  const schema = field === undefined ? undefined : (FIELDS[field].schema as { type?: string; enum?: readonly string[] })
  if (schema?.enum) return schema.enum.some(choice => value.startsWith(choice))
  if (schema?.type === 'integer' || field === 'timeout' || field === 'grace') return /^\d/.test(value)
  return value === '' || /^[[{]/.test(value)
}

function isToolList(value: unknown): boolean {
  const words = Array.isArray(value) ? value : typeof value === 'string' ? value.split(/[\s,]+/) : []
  const names = words.map(word => String(word).trim()).filter(word => word !== '')
  return names.length > 0 && names.every(name => canonicalToolName(name.split('(')[0]!) !== undefined)
}

function damaged(message: string, line: number): Problem {
  return { code: 'security-key-damaged', message, line }
}
