/**
 * Noise in a block that had to be repaired, where a limit of another product may have stood. Lines that still have its letters
 * are found by like-limits.ts.
 * N1 a key with signs in it hangs on a text: `x)tool_ac[ess: read-only`. N2 of a key a part is left that no word has:
 * `commandExecuo`, then `AHPolicy: off`. N3 a word that nobody writes stands alone: `py%`, `"tZ|;!t: 90`.
 * N4 another key stands right behind a list.
 */
import { once } from '../../../once.js'
import { isCompoundOf, isSayable, isWithin, tearOf } from '../../../text/nearest.js'
import { toldKeys } from '../../fields/foreign-limits.js'
import { isGroup } from '../../fields/roo-groups.js'
import { allLimits } from '../keys/near-limits.js'
import { lettersIn, oddSign } from '../words/garbled-words.js'
import { isTool } from '../words/tool-words.js'
import { beforeNextKey, isNoisyToken } from './like-limits.js'
import { endsLike, listKeys, type ToldWord, toldWords } from './told-lines.js'

/** The limit that a line of its own may have been. */
export function noisyLine(text: string): string | undefined {
  const line = text.length > maxLine ? '' : text.trim()
  // `groups: [reaT[Z4cp]`: of the list nothing can be read.
  if (/^groups:\s*\S.*[\][]/.test(line) && !/^[\w\s,'"/-]*\]$/.test(line.slice(line.indexOf('[') + 1))) return 'groups'
  return partOfKey(line) ?? partOfLongKey(line)
}

const maxLine = 80
const maxPair = 44

/** N2: five letters of its beginning, before noise. */
function partOfKey(line: string): string | undefined {
  const torn = /^(\S{4,23}[^\s:=.,;!?"')])(?:\s+\S{1,12})?$/.exec(line)?.[1]
  const isBegun = (word: string, least: number) => (key: string) => tearOf(lettersIn(word), key).head >= least
  if (torn !== undefined && !isSayable(torn)) {
    const meant = wholeLimits().find(isBegun(torn, 5))
    if (meant !== undefined) return meant
  }
  // `subageF '\u00e9  - worker`, `approvalMP`: capitals at its end can be said.
  const word = /^(\w{4,22}[a-z][A-Z]+)(?:$|\s\S{1,3}\s+- \S+$)/.exec(line)?.[1] ?? ''
  const meant = word === '' ? undefined : wholeLimits().find(isBegun(word, 6))
  return meant === undefined || isCompoundOf(word, meant) ? undefined : meant
}

const wholeLimits = once(() =>
  [...toldKeys(), ...allLimits.map(({ letters }) => letters)].filter(key => key.length > 6),
)

/** N2: most of the longest one, at either end, whatever else stands there. */
function partOfLongKey(line: string): string | undefined {
  const [, token = '', rest = ''] = /^(\S{8,40}?)(?:$|[:=]\s+(\w+)$)/.exec(line) ?? []
  const { head, tail } = tearOf(lettersIn(token), longKey)
  const isItsWord = () => toldWords().some(({ key, word }) => key === longKey && word === rest)
  return (rest === '' ? head > 9 : tail > 9 && isItsWord()) ? longKey : undefined
}

const longKey = 'commandexecutionpolicy'

/** N4: `group: [read, mcp]model: haiku`. */
export const isListRunOn = (text: string): boolean => text.includes(']') && listRunOn.test(text.slice(-maxLine))
const listRunOn =
  /[\w-]\s?[:=]\s{0,2}\[[^\][]*\][\W_]?(?:name|description|model|color|mode|temperature|skills|effort|memory):\s/

/** N3: signs inside of one short word, or two kinds of them before a number. Tags, code, mail and sums are written so, too. */
export function isLoneNoise(text: string): boolean {
  const line = text.length > maxLine ? '' : text.trim()
  if (unseenStart.test(line)) return true
  const [, token = '', rest = ''] = /^["']?(\S{3,16}?)(:?\s+(?:\d+|true|false))?$/.exec(line) ?? []
  if (!/[a-z]/i.test(token) || noNoise.test(token)) return false
  const signs = new Set(token.replace(/[\w\u00aa-\uffff.,:;!?'"’()`*/-]/g, ''))
  const isOdd = signs.size > 0 || (/\d[A-Z]+[!?;]\w/.test(token) && !isSayable(token))
  return rest === '' ? isOdd : signs.size > 1 || (signs.size > 0 && /["'`;!?]/.test(token))
}

/** What nobody can see, in the first word; or a mark of a letter without the letter. */
const unseenStart = /^\S{0,12}[\x00-\x08\x0e-\x1f\x7f\u202a-\u202e\u2066-\u2069\ufffd]|^[\u0300-\u036f]/

const noNoise = /^[<{[($@#*\-/\\|~=+&]|:\/\/|[@+#]|^\w{1,3}&\w{1,3}$|\*\*|[}>\])]["']?,?$/

const mapKeys = ['skills', 'tools', 'features', 'permission', 'permissions']
const heldSwitch = /^\W?\s+\W{0,2}\S{1,40}?(?:\s*\S?|\s\S{1,20}?:)\s*(?:false|deny)\W?$/

/** N1 */
export function noisyEnd(text: string, next: string, afterNext: string): string | undefined {
  const end = text.slice(-maxLine)
  if (hungSkills.test(end) && /fals/.test(`${end}\n${next}\n${afterNext}`.slice(0, 2 * maxLine))) return 'skills'
  for (const { 1: before = '', 2: token = '', index, 0: all } of end.matchAll(keyInText)) {
    const rest = end.slice(index + all.length).trim()
    const value = beforeNextKey(rest)
    const isRunOn = value !== rest
    const meant = value === '' ? meantAbove(token, next) : meantBefore(token, before + token, value, isRunOn)
    if (meant !== undefined) return meant
  }
  // `xskills`, and its colon is gone.
  const last = lettersIn(/\S{1,40}$/.exec(end.trimEnd())?.[0] ?? '')
  const isGlued = (key: string) => last.endsWith(key) && last.length > key.length
  return heldSwitch.test(next.slice(0, maxLine)) ? mapKeys.find(isGlued) : undefined
}

/** `x!skill:s { deploy: false`; `xskills:`, then `  de` and `ploy: false`. */
const hungSkills = /\Ssk\W?i\W?l\W?l?\W?s?(?:\W{0,2}\s*\{.*|\W{0,2})$/

const keyInText = /(?:([^\s:=]{1,40}) )?(\S{1,60}?)["']?\s?[:=](?:[^\w\s[{]?(?=\s|$)|[^\w\s[{]?(?=[[{]))/g

function meantAbove(token: string, next: string): string | undefined {
  if (!heldSwitch.test(next.slice(0, maxLine))) return undefined
  return isNoisyToken(token) && token.endsWith('s') ? 'skills' : mapKeys.find(key => endsLike(lettersIn(token), key))
}

/** With a sign in it the key may have another slip; before the right word next to nothing may be left of it. */
function meantBefore(token: string, parted: string, value: string, isRunOn: boolean): string | undefined {
  if (value.length > maxPair) return undefined
  const letters = lettersIn(token)
  const isNoisy = isNoisyToken(token)
  const said = lettersIn(value)
  const isWhole = (key: string) => /\W/.test(token) && letters.endsWith(key)
  const isPair = (key: string) => key.length > 5 && endsLike(lettersIn(parted), key)
  const isKey = (key: string) =>
    endsLike(letters, key) || isWhole(key) || isPair(key) || (isNoisy && endsNearly(letters, key))
  const isLast = (key: string) => isNoisy && letters.endsWith(key.slice(-1))
  if (value.startsWith('{') && (isNoisy ? /\bfalse\b/ : /:\s*false\b/).test(value))
    return isKey('skills') || isLast('skills') ? 'skills' : undefined
  if (/^[\w-]+:\s*false$/.test(value)) return mapKeys.find(isKey)
  if (value.startsWith('[')) {
    const items = value.split(/[^\w-]+/).filter(item => item !== '')
    if (items.length > 0 && items.every(isGroup) && (isKey('groups') || isLast('groups'))) return 'groups'
    return items.some(isTool) ? listKeys().find(key => key.length > 8 && isKey(key)) : undefined
  }
  const isMeant = ({ key, word }: ToldWord) => {
    if (word === 'true' || said.length < 3 || !isWithin(1, said, word)) return false
    if (said !== word) return (isNoisy || isRunOn || oddSign.test(value)) && letters.endsWith(key)
    return isKey(key) || isLast(key) || endsShort(letters, key)
  }
  return toldWords().find(isMeant)?.key
}

const endsNearly = (letters: string, key: string): boolean =>
  [-1, 0, 1].some(more => isWithin(key.length > 5 ? 2 : 1, letters.slice(-(key.length + more)), key))

/** `xmod`, `xmde`: a letter of a short one is lost, and not its first. */
function endsShort(letters: string, key: string): boolean {
  if (letters.length < key.length) return false
  return [...key].some((_, at) => at > 0 && letters.endsWith(key.slice(0, at) + key.slice(at + 1)))
}
