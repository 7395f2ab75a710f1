/**
 * Signs in the value of a limit that nobody writes there and no editor shows: without width, for the direction of a script,
 * of control, in place of bytes that were none, or a letter of another alphabet inside a word. `Bash(gіt push:*)` with a
 * Cyrillic letter denies nothing, and looks as if it did.
 */
import { isRecord } from '../../../record.js'
import { looseKey } from '../../../text/nearest.js'
import type { Entry } from '../../block.js'
import { type FieldName, fieldOf, isSecurityKey } from '../../field-table.js'
import { isForeignLimitKey } from '../../fields/foreign-limits.js'

/** What is wrong with it; undefined for a value without such signs, and for one that limits nothing. */
export function oddSignIn({ key, value }: Entry): string | undefined {
  const field = fieldOf(key)
  if (!(isSecurityKey(key) || isForeignLimitKey(key)) || (field !== undefined && free.has(field))) return undefined
  const isOdd = (field && oddIn[field]) ?? oddText
  return hasOdd(value, isOdd, maxDepth) ? `a sign that nobody sees or writes stands in "${key}"` : undefined
}

const free: ReadonlySet<FieldName> = new Set(['baseDir', 'extends'])

function hasOdd(value: unknown, isOdd: (text: string, key: string) => boolean, depth: number, key = ''): boolean {
  if (typeof value === 'string') return isOdd(value.slice(0, maxText), key)
  if (depth === 0) return false
  if (Array.isArray(value)) return value.slice(0, maxItems).some(each => hasOdd(each, isOdd, depth - 1, key))
  if (!isRecord(value)) return false
  return Object.entries(value)
    .slice(0, maxItems)
    .some(([inner, each]) => isOdd(inner, key) || hasOdd(each, isOdd, depth - 1, inner))
}

const oddText = (text: string): boolean =>
  !plain.test(text) && [unseen, joiner, mixed, lookalike, blankInside].some(odd => odd.test(text))

/** A command prints what it likes, in colours and with joined pictures; a matcher is a list of names, and a program is one. */
function oddInHook(text: string, key: string): boolean {
  if (looseKey(key) === 'matcher') return oddText(text)
  // A shell parts words at these blanks alone: any other is a letter of the program's name.
  const [program = ''] = text.split(/[ \t\n]+/).filter(word => word !== '')
  return !plain.test(text) && (unseen.test(text.replaceAll('\u001b', '')) || blank.test(program) || oddText(program))
}

/** Their settings are anybody's text, but for the lists of their tools. */
const oddInServer = (text: string, key: string): boolean => /tools$/i.test(key) && oddText(text)

/** Agents are called in their writers' languages, and Turkish has an i without a dot. */
const oddInName = (text: string): boolean => oddText(text.replaceAll('\u0131', 'i'))

const oddIn: Readonly<Partial<Record<FieldName, (text: string, key: string) => boolean>>> = {
  hooks: oddInHook,
  mcpServers: oddInServer,
  canSpawn: oddInName,
  skills: oddInName,
}

const plain = /^[\t\n\r\x20-\x7e]*$/
const unseen =
  /\u034f|[\0-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u1680\u180e\u2000-\u200b\u200c\u200e\u200f\u202a-\u202f\u205f\u3164\uffa0\u2028\u2029\u2060-\u206f\ufeff\ufff9-\ufffd]/
/** They join pictures, and choose how one is drawn. */
const joiner = /[\w(*./]\u200d|\u200d[\w:(*./]|[A-Za-z :*(./]\ufe0f|\ufe0f[A-Za-z]/
/** Letters of no script that names are written in: of phonetics, and those as wide as a picture. */
const lookalike = /[\u0250-\u02af\u1d00-\u1d7f\uff21-\uff3a\uff41-\uff5a]/
/** Between names a pasted blank does no harm, and some scripts have one of their own; inside of `git push` it is a letter. */
const blank = /[\u00a0\u3000]/
const blankInside = /[!-+\--:<-~] *[\u00a0\u3000]\s*[^\s,;]|[^\s,;]\s*[\u00a0\u3000] *[!-+\--:<-~]/
const letters = '\u0131\u0237\u0370-\u03ff\u0400-\u058f'
/** Dashes, quotes, dots, strokes and colons that are others than those of a keyboard. */
const marks = '\u2010-\u2015\u201c\u201d\u2024\u2044\u2215\u2236\uff01-\uff20\uff3b-\uff40\uff5b-\uff5e'
const mixed = new RegExp(`[A-Za-z][${letters}]|[${letters}][A-Za-z]|[A-Za-z(:*./ ][${marks}]|[${marks}][A-Za-z):*./]`)

const [maxDepth, maxItems, maxText] = [6, 400, 4000]
