/**
 * Lines that say a limit of another product, and lost a piece, where the block had to be repaired.
 * L1 a line of one word and its value, whole but for a piece: `moplan`, `web_seardisabled`. L2 the beginning of a key, and a list
 * behind it: `groread, mcp]`. L3 the beginning of a key above what it holds, or before it: `skil`, then `  deploy: false`.
 * L4 what no sentence has, whatever stands before it. L5 the end of a key that hangs on the text above it: `xode: plan`.
 */
import { once } from '../../../once.js'
import { isWithin, looseKey, pieceOf, tearOf } from '../../../text/nearest.js'
import { accessKeys, restrictionKeys } from '../../fields/access-words.js'
import { toolSwitches } from '../../fields/antigravity.js'
import { toldKeys } from '../../fields/foreign-limits.js'
import { isGroup } from '../../fields/roo-groups.js'
import { tornForeign } from '../keys/torn-foreign.js'
import { isTool } from '../words/tool-words.js'

/** The limit that a line of its own may have been. */
export function toldLine(text: string, next: string): string | undefined {
  const line = folded(text)
  if (line.length > maxLine) return undefined
  return (
    wholeLine(line, text.trim()) ??
    behindNoise(text.trim()) ??
    listLine(line) ??
    aboveItsValue(line, next) ??
    keyOfLine(text)
  )
}

const maxLine = 120
const maxWhole = 44

/** Case and the signs inside of keys do not matter; what stands between a key and its value does. */
const folded = (text: string): string =>
  text
    .slice(0, maxLine + 1)
    .toLowerCase()
    .replace(/(?<=\S)[_-](?=\w)/g, '')
    .trim()

/** L1: of four letters nothing but a piece is lost. */
function wholeLine(line: string, written: string): string | undefined {
  if (line.length > maxWhole || line.length < 4 || ownKey.test(line)) return undefined
  const text = line.replace(/\d+/, '9')
  const isMeant = ({ whole }: ToldWord) => {
    const { kind, head = 0, kept = 0, lost = 0 } = pieceOf(text, whole) ?? {}
    if (kind !== 'noise') return kind !== undefined
    return head > 1 && 2 * kept >= kept + lost && !/^[a-z\s:]+$/.test(written)
  }
  return toldWords().find(isMeant)?.key
}

/** `LaG} plan`, `m4bnG plan`, `ac6i\`zP7read-only`: nothing else is left of the line, and what stands before the word is none. */
function behindNoise(text: string): string | undefined {
  const [, noise = '', word = ''] = text.length > maxWhole ? [] : (wordBehindNoise.exec(text) ?? [])
  const isNoise = /[^\w\s:.,'"()-]|[a-z][A-Z]|\d[A-Za-z]/.test(noise) && !/^\w+:\s$/.test(noise)
  return isNoise ? toldWords().find(each => each.word === looseKey(word))?.key : undefined
}

const wordBehindNoise = /^(.{2,10}?)(plan|read-only|disabled|suppress)$/

/** A key of somebody's own stands before the colon. */
const ownKey = /^[a-z]+:\s/

export interface ToldWord {
  readonly key: string
  readonly word: string
  readonly whole: string
}

const wordsByKey = (): readonly (readonly [keys: readonly string[], words: readonly string[]])[] => [
  [
    ['mode', 'defaultmode', 'approvalmode'],
    ['plan', 'readonly', 'dontask'],
  ],
  [['approvalmode'], ['suppress']],
  [['sandbox', ...accessKeys, ...restrictionKeys], ['readonly']],
  [['websearch'], ['disabled', 'false']],
  [['externaldirectory'], ['deny', 'false']],
  [toolSwitches.map(([key]) => key), ['false']],
  [['commandexecutionpolicy'], ['off', 'ask', 'deny']],
  [
    ['permission', 'permissions'],
    ['deny', 'ask', 'read', 'readonly'],
  ],
  [['disable', 'disabled'], ['true']],
  // Of a number it does not matter which.
  [['timeout', 'maxturns'], ['9']],
]
export const toldWords = once((): readonly ToldWord[] =>
  wordsByKey().flatMap(([keys, words]) =>
    keys.flatMap(key => words.map(word => ({ key, word, whole: `${key}: ${word}` }))),
  ),
)

/** L2: no line of prose ends with a bracket that it did not open, nor has nothing but tools in brackets. */
function listLine(line: string): string | undefined {
  if (!line.endsWith(']') || /:\s*\[/.test(line)) return undefined
  const isMeant = (key: string) => {
    const { head } = tearOf(line, key)
    const rest = line.slice(head)
    if (head < Math.max(1, key.length - mostLost) || (head === 1 && /^\w/.test(rest))) return false
    // `according [read]` is a word.
    if (/^[a-z]+\s?\[/.test(rest)) return false
    const items = rest.slice(rest.lastIndexOf('[') + 1, -1).split(',')
    const isItem = (item: string) => isTool(item.trim()) || isGroup(item.trim())
    return items.length > 1 ? items.slice(1).some(isItem) : isItem(items[0]!) || !rest.includes('[')
  }
  return listKeys().find(isMeant)
}

const mostLost = 6
export const listKeys = once(() => [
  'tools',
  'disallowedtools',
  'groups',
  ...toldKeys().filter(key => /tools|approval|access|confirmation/.test(key)),
])

/** L3: `h`, then `  PreToolUse:`; `ho - event: PreToolUse`; `to tickets: false`. */
function aboveItsValue(line: string, next: string): string | undefined {
  const [, head = '', rest = ''] = /^([a-z]{1,11})(?:$|\s+(.*)$|\s*([-{]\s.*)$)/.exec(line) ?? []
  const held = line === head ? next : ` ${rest === '' ? line.slice(head.length) : rest}`
  const key = head === '' ? undefined : mapKeys.find(each => each.startsWith(head))
  return key !== undefined && isHeld(held) ? key : undefined
}

const mapKeys = ['skills', 'tools', 'hooks', 'permissions', 'features']

/** A line of a map of switches, of rules or of guards, further in; or a tool in a list. */
function isHeld(line: string): boolean {
  const item = /^\s*- (\S+)$/.exec(line)?.[1]
  return item === undefined ? heldLine.test(line) || isTelling(line) : isTool(item)
}

const heldLine = /^\s+(?:\{\s*)?["']?[\w*-]+["']?\s*:\s*(?:true|false|allow|ask|deny)\b|^\s*- permission:/

/** L4 */
function isTelling(text: string): boolean {
  const line = text.slice(0, maxLine)
  return (
    guardLine.test(line) ||
    /^\s+(?:in|ex)cludeTools\s?:/.test(line) ||
    starSwitch.test(line) ||
    lastSwitch.test(line) ||
    hasToolTable(line)
  )
}

const guardLine = /^\s+["']?PreToolUse\b|(?:^|\s)- (?:event:\s*["']?PreToolUse\b|permission:\s*["']?\w+["']?$)/i
const starSwitch = /^\s+["']?\w+_\*["']?:\s*(?:false|ask|deny)\s*$/
/** `skilldeploy: false, read: true }`: a table of switches that lost its beginning. */
const lastSwitch = /^[^{:]*:\s*(?:true|false),[^{]*\}$/

/** `{allowed: [Read]`; `tooinclude: [Read], exclude: [Bash] }`. */
function hasToolTable(line: string): boolean {
  const first = listInTable.exec(line)?.[1]
  return first !== undefined && isTool(first)
}

const listInTable =
  /(?:\{|\],)\s*(?:allow(?:ed)?|include|required|den(?:y|ied)|blocked|exclude|forbidden)\s*:\s*\[\s*["']?(\w+)/

function keyOfLine(text: string): string | undefined {
  if (/^groups:\s*\S.*[\][]/.test(text) && text.split(/\W+/).slice(1).some(isGroup)) return 'groups'
  if (isTelling(text)) return /event|PreToolUse/i.test(text) ? 'hooks' : 'tools'
  const [, key = '', rest = ''] = /^\s?([A-Za-z][\w-]{0,39}):\s+(\S.*)$/.exec(text) ?? []
  return key === '' ? undefined : tornForeign(key, scalarOf(rest.trim()))
}

const scalarOf = (text: string): unknown => (text === 'true' ? true : text === 'false' ? false : text)

/** L5: at the end of a text. Nearly all of the key: of less a sentence could end so (`the process: read-only`). */
export function toldAtEnd(text: string, next: string): string | undefined {
  const end = text.slice(-maxLine)
  if (hasToolTable(end)) return 'tools'
  for (const { 1: word = '', 2: rest = '' } of end.matchAll(/([\w-]{1,60})["']?\s?[:=](?=\s|$)(?=\s*(.*)$)/g)) {
    const letters = looseKey(word)
    const value = rest.trim()
    const meant = value === '' ? meantAbove(letters, next) : meantBefore(letters, value)
    if (meant !== undefined) return meant
  }
  return undefined
}

/** But for its first letter, or two of a long one. */
export function endsLike(letters: string, key: string): boolean {
  const isEnd = (from: number, least: number) => key.length - from >= least && letters.endsWith(key.slice(from))
  return (
    (isEnd(1, 3) || isEnd(2, 5) || endsNearly(letters, key)) &&
    !/[cns]ode$|(?:^|su|pro|re|ex|prin|ab)s?cess$|^access$/.test(letters)
  )
}

/** With a slip in it, where it is long, or hangs on a word: `xsanbdox: read-only`, `xmoed: plan`. */
function endsNearly(letters: string, key: string): boolean {
  const isNear = (more: number) => isWithin(1, letters.slice(-(key.length + more)), key)
  return key.length > 5 ? [0, 1, -1].some(isNear) : letters.length > key.length && [0, 1].some(isNear)
}

function meantBefore(letters: string, value: string): string | undefined {
  const said = toldWords().find(
    ({ key, word }) => word !== 'true' && looseKey(value) === word && endsLike(letters, key),
  )
  if (said !== undefined) return said.key
  const items = /^\[(.*)\]$/.exec(value)?.[1]?.split(',')
  if (items?.every(item => isGroup(item.trim())) && endsLike(letters, 'groups')) return 'groups'
  return /^\{\s*[\w-]+:\s*(?:true|false)\b.*\}$/.test(value) && endsLike(letters, 'skills') ? 'skills' : undefined
}

function meantAbove(letters: string, next: string): string | undefined {
  if (isTelling(next)) return 'hooks'
  const isSwitch = /^\s+\S/.test(next) && heldLine.test(next)
  const held = isSwitch ? mapKeys.find(key => endsLike(letters, key) || letters.endsWith(key.slice(2))) : undefined
  if (held !== undefined) return held
  const isMap = /^\s+["']?[\w*-]+["']?\s*:/.test(next)
  return isMap ? ['permission', 'permissions', 'mcpservers'].find(key => letters.endsWith(key.slice(-5))) : undefined
}
