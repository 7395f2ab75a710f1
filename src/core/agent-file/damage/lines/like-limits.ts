/**
 * Lines that are a limit of another product letter by letter, or nearly, whatever has become of their signs and line ends.
 * A line is taken with those below it, as far as no key stands there that is read.
 * Y1 a key and its word: `acce:s read-only`; `mo`, then `de plan`. Y2 a key and a switch that is off: `sk:lls:  deploy: false`;
 * `skil@ls:x`, then `  deploy: false`. Y3 a key and a list: `s bagents  [b, c]`; `subagets:`, then ` % - worker`.
 * What lost no more than a piece is found by told-lines.ts.
 */
import { didYouMean, isSayable, isWithin, tearOf } from '../../../text/nearest.js'
import { allKeys, isKnownKey } from '../../field-table.js'
import { isGroup } from '../../fields/roo-groups.js'
import { lettersIn, oddSign } from '../words/garbled-words.js'
import { isTool } from '../words/tool-words.js'
import { listKeys, type ToldWord, toldWords } from './told-lines.js'

/** The limit that these lines may have been; the first of them is the one that is asked about. */
export function likeLimit(lines: readonly string[]): string | undefined {
  const window = windowOf(lines)
  if (window === undefined) return undefined
  return pairIn(window) ?? switchIn(window) ?? listIn(window)
}

interface Window {
  readonly text: string
  readonly letters: string
  readonly isOneLine: boolean
}

const maxLine = 80
const maxWindow = 100

function windowOf([first = '', ...below]: readonly string[]): Window | undefined {
  if (first.length > maxLine || !/\S/.test(first)) return undefined
  const cut = beforeNextKey(first.trim())
  const parts = [cut]
  for (const line of cut === first.trim() ? below : []) {
    if (parts.length > 2 || line.length > maxLine || isRead(line)) break
    const part = beforeNextKey(line)
    if (/\S/.test(part)) parts.push(part)
    if (part !== line) break
  }
  const text = parts.join('\n')
  const isParted = /^\w{1,4} \w+ \S+$/.test(text)
  const isWhole =
    !isParted && cut === first.trim() && isSound(cut) && parts.slice(1).every(part => soundBelow.test(part))
  if (text.length > maxWindow || isWhole) return undefined
  return { text, letters: lettersIn(text), isOneLine: parts.length === 1 }
}

/** `>odel: haiku` is one that is read, too. */
function isRead(line: string): boolean {
  const [, noise = '', key = ''] = /^([^\w\s-]?)([A-Za-z][\w-]*):(?:\s|$)/.exec(line) ?? []
  return isKnownKey(key) || (noise !== '' && didYouMean(key, allKeys) !== undefined)
}

const soundBelow = /^\s+(?:[\w*-]+:\s+[\w."'-]+|- [\w."'-]+)$/

/** A key that people write, and its value; or words and nothing else. */
function isSound(line: string): boolean {
  const key = /^([A-Za-z][\w-]*):(?!\s+- )(?:\s|$)/.exec(line)?.[1]
  if (key === undefined) return /^(?:[\w\s.-]|['’](?:(?:s|t|re|ve|ll|d|m)\b|(?!\w))|[,;!?](?!\w))*$/.test(line)
  const isClosed = line.split(/[[{]/).length === line.split(/[\]}]/).length
  return (
    isClosed && !/:\s*\S\{/.test(line) && (isSayable(key) || /^[a-z]{2,5}$/.test(key)) && !/[a-z]\d|[-_]$/.test(key)
  )
}

/** `planmodel: haiku`: without the line below that hangs on it. */
export function beforeNextKey(text: string): string {
  const [, before = '', word = ''] = /^(.*?)([A-Za-z]+)\W?[:=@]\s*\S*$/.exec(text) ?? []
  for (let at = 0; at < word.length - 3; at++) {
    const rest = (before + word.slice(0, at)).trimEnd()
    if (/\w/.test(rest) && isKnownKey(word.slice(at))) return rest.replace(/[^\w\s\]}]$/, '')
  }
  return text
}

/** Y1 */
function pairIn({ text, letters, isOneLine }: Window): string | undefined {
  if (letters.length > maxPair || (isOneLine && /^[cns]ode/.test(letters))) return undefined
  const slips = slipsIn(text)
  const isMeant = ({ key, word }: ToldWord) => {
    const whole = key + word
    return /[a-z]/.test(word) && isWithin(slips(whole.length), letters, whole)
  }
  return toldWords().find(isMeant)?.key
}

/** How many there may be. Two lines of words may be said, and stand one below the other. */
function slipsIn(text: string): (length: number) => number {
  const isSaid = !/[^\w\s.,-]|,\w/.test(text) && !/[a-z][A-Z]/.test(text)
  if (!isSaid) return length => (length > longPair ? 3 : 2)
  // `mo`, then `dea plan`: a line that no text has.
  const isTerse = /^[a-z]{1,3}\n/.test(text)
  return length => Number(isTerse || length > longSaid)
}

const maxPair = 32
const longPair = 10
const longSaid = 13

/** Y2: nearly the key at the beginning, and nearly the word at the end. */
function switchIn({ text, letters }: Window): string | undefined {
  const isOff = offWord.test(/[{}]/.test(text) ? letters : letters.slice(-7))
  if (!isOff || !/[:={]/.test(text)) return undefined
  if (text.split(/\s+/).length > maxWords) return undefined
  const isMeant = (key: string) => {
    const most = key.length > 5 ? 2 : 1
    const lengths = [0, 1, -1, 2, -2].filter(more => Math.abs(more) <= most).map(more => key.length + more)
    return lengths.some(length => letters.length > length + 4 && isWithin(most, letters.slice(0, length), key))
  }
  return switchKeys.find(isMeant)
}

const offWord = /fals|alse|flse|fase|deny/
const switchKeys = ['skills', 'features', 'permissions', 'tools']
const maxWords = 10

/** A sign inside of it that stands in no word, nor in `R&D` or `c++`. */
export const isNoisyToken = (token: string): boolean =>
  /\S[^\w\s./:'’()"`*,&+#-]\S|[a-z]\*[a-z]/.test(`x${token}`) ||
  (/[a-z][A-Z]\d|[a-z]\d[a-z]/.test(token) && !isSayable(token))

/** Y3 */
function listIn({ text }: Window): string | undefined {
  if (!/\]\S?$|- \S+$|\[[\w, -]+$/.test(text)) return undefined
  const list = text.slice(1).search(/\[|(?:^|\s|\W)- \S/) + 1 || -1
  const at = list === -1 ? text.search(/[:\s]/) : list
  const head = at < 3 || at > maxHead ? '' : text.slice(0, at)
  const letters = lettersIn(head)
  if (letters === '') return undefined
  const items = text
    .slice(at)
    .split(/[^\w-]+/)
    .filter(item => item !== '')
  // `tool`, then `%nLvead]`: no text ends with a bracket that it did not open.
  if (list === -1 && /^tools?\n\W/.test(text)) return 'tools'
  if (isWithin(2, letters, 'subagents') || (oddSign.test(head) && tearOf(letters, 'subagents').head > 4))
    return 'subagents'
  const isNoisy = head.startsWith('g') && oddSign.test(head.replace(/["'`()]/g, ''))
  if ((isWithin(2, letters, 'groups') || isNoisy) && items.some(isGroup)) return 'groups'
  const isLong = (key: string) => key.length > 8 && isWithin(3, letters, key)
  return items.some(isTool) ? listKeys().find(isLong) : undefined
}

const maxHead = 40
