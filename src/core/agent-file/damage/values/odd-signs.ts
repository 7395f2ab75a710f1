/**
 * Signs in the value of a limit that nobody writes there and no editor shows: without width, for the direction of a script,
 * of control, in place of bytes that were none, or a letter of another alphabet inside a word. `Bash(gіt push:*)` with a
 * Cyrillic letter denies nothing, and looks as if it did.
 */
import { looseKey } from '../../../text/nearest.js'
import { codePoint, withoutJoiners } from '../../../text/unseen.js'
import type { Entry } from '../../block.js'
import { type FieldName, fieldOf, isSecurityKey } from '../../field-table.js'
import { isForeignLimitKey } from '../../fields/foreign-limits.js'
import { inPlainLetters } from '../words/plain-letters.js'

/** What is wrong with it; undefined for a value without such signs, and for one that limits nothing. */
export function oddSignIn({ key, value }: Entry): string | undefined {
  const field = fieldOf(key)
  if (!(isSecurityKey(key) || isForeignLimitKey(key)) || (field !== undefined && free.has(field))) return undefined
  const sign = findSign(value, (field && signsIn[field]) ?? signIn, maxDepth)
  if (sign === undefined) return undefined
  const code = codePoint(sign)
  const shown = /[\p{L}\p{P}\p{S}]/u.test(sign) ? `"${sign}" (${code})` : code
  return `in "${key}" stands ${shown}, which nobody sees or which looks like another sign`
}

const free: ReadonlySet<FieldName> = new Set(['baseDir', 'extends'])

type SignIn = (text: string, key: string) => string | undefined

function findSign(value: unknown, signOf: SignIn, depth: number, key = ''): string | undefined {
  if (typeof value === 'string') return signOf(value.slice(0, maxText), key)
  if (depth === 0 || typeof value !== 'object' || value === null) return undefined
  const pairs = Array.isArray(value) ? value.map(each => [undefined, each] as const) : Object.entries(value)
  for (const [inner, each] of pairs.slice(0, maxItems)) {
    const found = (inner ? signOf(inner, key) : undefined) ?? findSign(each, signOf, depth - 1, inner ?? key)
    if (found) return found
  }
  return undefined
}

function signIn(text: string): string | undefined {
  if (plain.test(text)) return text.includes('\t') && marked.test(text) ? '\t' : undefined
  const names = text.replace(pathPattern, (whole, inner) => (isNamedAbroad(inner) ? '' : whole))
  return firstOf(names, [unseen, joiner, mixed, lookalike, blankInside, marked])
}

const pathPattern = /\b(?:Read|Edit|Write|MultiEdit|NotebookEdit|Glob|Grep|LS)\(([^()]*)\)/gi

/** Files may be called as their language has it: `Read(Документы — копия/**)`, `Edit(报告（终稿）/**)`, `Read(отчётQ3/**)`. */
function isNamedAbroad(path: string): boolean {
  const name = withoutJoiners(path)
  if (unseen.test(name) || joiner.test(name) || lookalike.test(name) || blankInside.test(name)) return false
  const words = name.match(/[A-Za-z\u0370-\u052f]+/g) ?? []
  const isDisguised = (word: string) => /[A-Za-z]/.test(word) && !plain.test(word) && plain.test(inPlainLetters(word))
  // In a name of plain letters alone such a sign stands for a plain one.
  return /(?![\0-\x7f])\p{L}/u.test(name) && !words.some(isDisguised)
}

function firstOf(text: string, signs: readonly RegExp[]): string | undefined {
  const found = signs.map(sign => sign.exec(text)?.[0]).find(each => each !== undefined)
  return found && ([...found].find(each => !plain.test(each)) ?? '\t')
}

/** A command prints what it likes, in colours and with joined pictures; a matcher is a list of names, and a program is one. */
function signInHook(text: string, key: string): string | undefined {
  if (plain.test(text)) return undefined
  if (looseKey(key) === 'matcher') return signIn(text)
  // A shell parts words at these blanks alone: any other is a letter of the program's name.
  const [program = ''] = text.split(/[ \t\n]+/).filter(word => word !== '')
  return firstOf(text.replaceAll('\u001b', ''), [unseen]) ?? firstOf(program, [blank]) ?? signIn(program)
}

/** Agents are called in their writers' languages, and Turkish has an i without a dot. */
const signInName: SignIn = text => signIn(text.replaceAll('\u0131', 'i'))

const signsIn: Readonly<Partial<Record<FieldName, SignIn>>> = {
  hooks: signInHook,
  // Their settings are anybody's text, but for the lists of their tools.
  mcpServers: (text, key) => (/tools$/i.test(key) ? signIn(text) : undefined),
  canSpawn: signInName,
  skills: signInName,
}

const plain = /^[\t\n\r\x20-\x7e]*$/
const unseen =
  /\u034f|[\0-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u1680\u180e\u2000-\u200b\u200c\u200e\u200f\u202a-\u202f\u205f\u3164\uffa0\u2028\u2029\u2060-\u206f\ufeff\ufff9-\ufffd]/
/** They join pictures, and choose how one is drawn. */
const joiner = /[\w(*./]\u200d|\u200d[\w:(*./]|[A-Za-z :*(./]\ufe0f|\ufe0f[A-Za-z]/
/** Letters of no script that names are written in: of phonetics, and those as wide as a picture. */
const lookalike = /[\u017f\u0250-\u02af\u1d00-\u1d7f\u204e\u212a\uff0a\uff21-\uff3a\uff41-\uff5a\p{Cn}\p{Co}]/u
/** Between names a pasted blank does no harm, and some scripts have one of their own; inside of `git push` it is a letter. */
const blank = /[\u00a0\u3000]/
const blankInside = /[!-+\--:<-~] *[\u00a0\u3000]\s*[^\s,;]|[^\s,;]\s*[\u00a0\u3000] *[!-+\--:<-~]/
/** Marks on a plain letter that are no part of any; a tab inside of brackets. */
const marked = /[B-DF-HJ-NP-TV-Zb-df-hj-np-tv-z*][\u0300-\u036f]|\([^()]*\S\t+\S/
const letters = '\u0131\u0237\u0370-\u03ff\u0400-\u058f'
/** Dashes, quotes, dots, strokes and colons that are others than those of a keyboard. */
const marks = '\u2010-\u2015\u2212\u2217\u201c\u201d\u2024\u2044\u2215\u2236\uff01-\uff20\uff3b-\uff40\uff5b-\uff5e'
const mixed = new RegExp(`[A-Za-z][${letters}]|[${letters}][A-Za-z]|[A-Za-z(:*./ ][${marks}]|[${marks}][A-Za-z):*./]`)

const [maxDepth, maxItems, maxText] = [6, 400, 4000]
