/**
 * A limit whose newline was lost, so that it hangs on the end of another line: `reads codtools: Raed`, `x~basDir:packages`.
 * S1 the line ends in what the limit's value looks like, or the line below it does; a plain key that was swallowed along
 * with it (`Readcolor: red`) is taken off first. S2 what stands before the value ends in the letters of the key, or nearly.
 * S3 in valid YAML the key must hang on what stands before it, or be a word that no sentence has (`permissionMode`):
 * `with timeout 90` is prose.
 */
import { countBits, didYouMean, editDistance, lettersUsed, looseKey } from '../nearest.js'
import { TOOL_NAMES } from '../tool-names.js'
import { ALL_LIMITS, type IsAbsent, type Limit } from './damage.js'
import { FIELDS } from './field-table.js'
import { isNearTool, isTool, NUMBER_LIMITS, WORD_VALUES } from './limit-words.js'

/** `repaired`: the block is no valid YAML, so prose is less likely to be innocent. */
export type How = 'strict' | 'repaired'

/** The limit that the end of the line may have been, if the file does not have it otherwise. */
export function scrapOfLimit(line: string, next: string, how: How, isAbsent: IsAbsent): string | undefined {
  const text = line.slice(-MAX_TEXT).trimEnd()
  const found = scrapAtEnd(text, next, how, isAbsent)
  if (found !== undefined) return found
  const swallowed = text.search(SWALLOWED)
  return swallowed > 0 ? scrapAtEnd(text.slice(0, swallowed).trimEnd(), '', how, isAbsent) : undefined
}

const MAX_TEXT = 160
const PLAIN_KEYS = Object.values(FIELDS).flatMap(({ keys, kind }) => (kind === 'security' ? [] : [...keys]))
const SWALLOWED = new RegExp(`(?:${PLAIN_KEYS.join('|')})["']?\\s?[:=]\\s?\\S+$`)

/** The limit whose name a key is only the end of: `disallowed` in the line above, then `Tools:`. */
export function limitCutInTwo(above: string, key: string, slips: number, isAbsent: IsAbsent): string | undefined {
  const text = above.slice(-MAX_KEY).trimEnd() + key
  const head = lettersBefore(text, text.length)
  const isLonger = ({ letters }: Limit) => letters.length > looseKey(key).length + 2
  const isCut = (limit: Limit) => isLonger(limit) && isAbsent(limit.limit) && endsLikeKey(head, limit, 'repaired', slips)
  return ALL_LIMITS.find(isCut)?.limit
}

function scrapAtEnd(text: string, next: string, how: How, isAbsent: IsAbsent): string | undefined {
  for (const { from, limits } of valuesAtEnd(text, next)) {
    const head = lettersBefore(text, from)
    const found = limits.find(limit => endsLikeKey(head, limit, how) && isAbsent(limit.limit))
    if (found) return found.limit
  }
  return undefined
}

interface ValueAtEnd {
  readonly from: number
  /** Those it could be the value of. */
  readonly limits: readonly Limit[]
}

function valuesAtEnd(text: string, next: string): readonly ValueAtEnd[] {
  const values: ValueAtEnd[] = []
  const below = BELOW.find(([shape]) => shape.test(next))
  if (below) values.push({ from: text.length, limits: below[1] })
  const number = NUMBER.exec(text)
  if (number) values.push({ from: number.index, limits: NUMBERED })
  if (/[\]})]\W?$/.test(text))
    for (const from of [text.search(/[[{]/), text.search(/[[{][^[{]*$/)])
      if (from > 0) values.push({ from, limits: LISTED })
  const word = LAST_WORD.exec(text)
  if (!word) return values
  const limits = limitsOfWord(word[0])
  if (limits.length > 0) values.push({ from: word.index, limits })
  if (isToolish(word[0])) values.push({ from: startOfTools(text), limits: TOOL_LISTS })
  if (word[0].includes('/')) values.push({ from: word.index, limits: PATHS })
  return values
}

const NUMBER = /\$?\d[\d.,]{0,9} ?(?:[kms]|ms|mins?|tokens?|usd)?(?: tokens?)?\W?$/i
const LAST_WORD = /[^\s:=;,]{2,40}$/
const of = (...keys: readonly string[]) => ALL_LIMITS.filter(({ limit }) => keys.includes(limit))
const TOOL_LISTS = ALL_LIMITS.filter(({ limit }) => limit.endsWith('ools'))
const NUMBERED = ALL_LIMITS.filter(({ limit }) => NUMBER_LIMITS.has(limit))
const FLAGS = of('disabled', 'disable', 'enabled', 'enable', 'readonly', 'readOnly', 'canSpawn')
const PATHS = of('baseDir')
const MAPS = of('permissions', 'permission', 'hooks', 'mcpServers', 'runConfig', 'budget', 'resources', 'tools')
const LISTED = [...TOOL_LISTS, ...of('disabledFeatures', 'canSpawn'), ...MAPS]
const BELOW: readonly (readonly [RegExp, readonly Limit[]])[] = [
  [/^\s+- +["']?[A-Za-z]/, [...TOOL_LISTS, ...of('disabledFeatures', 'canSpawn', 'mcpServers')]],
  [/^\s+["']?[\w*]+["']?\s*:\s*(?:allow|ask|deny|true|false|\[.*)?\s*$/, MAPS],
  [/^\s*[[{]/, LISTED],
]

function limitsOfWord(word: string): readonly Limit[] {
  const letters = lettersIn(word)
  if (letters.length < 3) return []
  if (didYouMean(letters, TRUTHS) !== undefined) return FLAGS
  return WORDED.filter(({ values }) => didYouMean(letters, values) !== undefined).map(({ limit }) => limit)
}

const TRUTHS = ['true', 'false']
const WORDED = ALL_LIMITS.flatMap(limit => {
  const values = WORD_VALUES[limit.limit]?.filter(value => /^[a-z]{3,}$/.test(value))
  return values ? [{ limit, values }] : []
})

/** A tool, or nearly, whatever signs have slipped into it. */
export function isToolish(word: string): boolean {
  const letters = word.replace(/[^A-Za-z_]/g, '')
  return isTool(letters) || isNearTool(letters) || isScrapOfTool(letters)
}

/** Two slips leave half of a short name. */
function isScrapOfTool(letters: string): boolean {
  if (letters.length < 2 || letters.length > 7) return false
  const key = letters.toLowerCase()
  return SHORT_TOOLS.some(tool => editDistance(key, tool) <= 2)
}

const SHORT_TOOLS = TOOL_NAMES.filter(name => name.length === 4 || name.length === 5).map(looseKey)

/** Where the run of tools begins that the text ends in. */
function startOfTools(text: string): number {
  const words = [...text.matchAll(/[^\s:=;,]+/g)]
  const last = words.findLastIndex(([word]) => !isToolish(word))
  return words[last + 1]?.index ?? text.length
}

interface Letters {
  readonly letters: string
  /** Where each of them stands. */
  readonly places: readonly number[]
  readonly text: string
}

function lettersBefore(text: string, end: number): Letters {
  const from = Math.max(0, end - MAX_KEY)
  const places: number[] = []
  let letters = ''
  for (let at = from; at < end; at++) {
    if (!/[A-Za-z0-9\u00c0-\u1fff]/.test(text[at]!)) continue
    letters += text[at]!.toLowerCase()
    places.push(at)
  }
  return { letters, places, text }
}

const MAX_KEY = 26

/** Every beginning it could have is tried, since slips make a key shorter or longer; the likeliest one counts. */
function endsLikeKey({ letters, places, text }: Letters, limit: Limit, how: How, slips = MAX_SLIPS): boolean {
  const { letters: key, used } = limit
  const most = Math.min(slips, key.length < 10 ? 2 : MAX_SLIPS)
  if (countBits(used & ~lettersUsed(letters.slice(-(key.length + most)))) > most) return false
  let best: { readonly distance: number; readonly isGlued: boolean } | undefined
  for (let length = Math.max(3, key.length - most); length <= Math.min(letters.length, key.length + most); length++) {
    const distance = editDistance(letters.slice(-length), key)
    if (distance > Math.min(most, best?.distance ?? most)) continue
    const before = text[places[letters.length - length]! - 1]
    const isGlued = before !== undefined && before !== ' '
    if (distance < (best?.distance ?? most + 1) || !isGlued) best = { distance, isGlued }
  }
  if (best === undefined) return false
  return best.isGlued || how === 'repaired' || (best.distance === 0 && isNoWord(limit.limit))
}

const MAX_SLIPS = 3

function isNoWord(limit: string): boolean {
  return /[a-z][A-Z]/.test(limit)
}

function lettersIn(word: string): string {
  return looseKey(word).replace(/[^a-z]/g, '')
}
