/**
 * Lines at the left edge that belong to no key, in a block that is no YAML. People leave sentences there, labels, lists and
 * examples of a conversation; of a limit without its colon or its line end a few words are left, or a list. So what stands
 * there has to look like text:
 * L1 four words or more that are no list, or as many letters of another script; L2 markup, an item of a list, a label;
 * L3 fewer words that neither begin like a limit nor have anything in them that a value would have: `style issues.`
 */
import { once } from '../../../once.js'
import { isWithin, looseKey, tearOf } from '../../../text/nearest.js'
import { toolNames } from '../../../tools/tool-names.js'
import { isKnownKey, isSecurityKey } from '../../field-table.js'
import { longKeys, toldKeys } from '../../fields/foreign-limits.js'
import { allLimits } from '../keys/near-limits.js'
import { isNearTool, isTool } from '../words/tool-words.js'

/** Where no key of its own could stand either: below one that is no text. */
export const isSaid = (line: string): boolean =>
  isTextLine(line.trim()) && !keyed.test(line.trim()) && !oneItem.test(line)
const oneItem = /^\s*- \S+$/

export function isTextLine(line: string): boolean {
  const text = line.trim()
  if (text === '') return true
  if (isSecurityKey(behindSign.exec(text)?.[1] ?? '')) return false
  if (!/^ ?\S/.test(line)) return !isMapLine(text)
  const item = listItem.exec(text)?.[1]
  if (item !== undefined) return !isToolItem(item) && !isAction(item)
  if (markup.test(text) || otherScript.test(text) || keyed.test(text)) return true
  if (isList(text.slice(0, maxList))) return false
  if (text.length > maxShort) return true
  if (isAction(text) || isPattern(text)) return false
  if (fileName.test(text)) return true
  return text.split(/\s+/).length >= leastWords || sentence.test(text) || !isLeftOfLimit(text)
}

/** Of a few words, whether they begin like a limit, or have a sign, a number or a word in them that its value would have. */
function isLeftOfLimit(text: string): boolean {
  if (
    isKnownKey(text) ||
    limitSigns.test(text) ||
    text.split(/[^\w]+/).some(word => isTool(word) || (/^[A-Z]/.test(word) && isNearTool(word)) || isValue(word))
  )
    return true
  const [first = ''] = text.split(/\s/)
  const letters = looseKey(text.replace(/[^A-Za-z]/g, ''))
  const word = looseKey(first.replace(/[^A-Za-z]/g, ''))
  return keys().some(
    key =>
      (word.length > 1 && key.startsWith(word)) ||
      tearOf(letters, key).head >= (endsInTool(letters) ? 2 : Math.min(leastHead, key.length)) ||
      [word, letters].some(each => isWithin(key.length > 6 ? 2 : 1, each, key)) ||
      (word === letters && word.length > 3 && key.endsWith(word)),
  )
}

const sentence = /^[A-Z][\w'’-]* [^:=[\]{}<>*|]*[.!?…]$/
const leastHead = 4
/** `tooead`: of both something is left. */
const endsInTool = (letters: string): boolean =>
  toolNames.some(name => name.length > 3 && letters.endsWith(looseKey(name).slice(1)))
/** Signs that no end of a sentence has, and numbers. */
const limitSigns = /[:=[\]{}<>*|&%$^~\\@\d_/]|[a-z][A-Z]/
function isValue(word: string): boolean {
  const small = word.toLowerCase()
  // `disablrue`, `mlan`: the end of one that lost its beginning.
  return limitValues.has(small) || (word.length > 3 && longValues.some(value => small.endsWith(value.slice(1))))
}
const longValues = ['plan', 'suppress', 'worktree', 'false', 'true', 'disabled']
const limitValues: ReadonlySet<string> = new Set([
  ...longValues,
  ...['none', 'null', 'readonly', 'allow', 'ask', 'deny', 'dontask', 'user', 'local', 'project'],
])
const keys = once((): readonly string[] => [
  ...new Set([...allLimits.map(({ letters }) => letters), ...toldKeys(), ...longKeys(), 'subagents']),
])

/** `> permissions:`: a quote of somebody’s mail, or what an editor made of a limit. */
const behindSign = /^[>|]\s*([A-Za-z][\w-]{2,30}):(?:\s|$)/
const maxShort = 120
const maxList = 1000
const leastWords = 4
const listItem = /^(?:[-*•]|\d{1,2}[.)])\s+(.*)$/
const markup = /^(?:<\/?[A-Za-z]|#|>|```|\*\*|__|\||[-=*]{3,}$)/
const otherScript = /[\u0370-\ud7ff][^\s]*[\u0370-\ud7ff]/
/** `Use it for:`, `Context: …`, `category: web`: what such a key may have been is asked where keys are. */
const keyed = /^(?:[A-Z][^:=[\]{}]{1,40}|[\w\u00aa-\uffff][\w\u00aa-\uffff.+#-]*):(?:\s|$)/
const fileName = /\w\.[a-z]{1,4}(?:\s|$)/

/** `search` is a word, too. */
const isToolItem = (item: string): boolean => /^\S+$|\)$/.test(item) && /[A-Z_]/.test(item) && isTool(item)

/** Further in a text may be anything but that. */
function isMapLine(text: string): boolean {
  if (text.length > maxShort) return false
  if (/^[^:]+:\s*\{[^{}]*\b(?:deny|ask|false)\b[^{}]*\}$/.test(text)) return true
  const [, key = '', word = ''] = /^(?:- )?["']?([\w*. -]+)["']?\s*:\s*(allow|ask|deny|true|false)$/.exec(text) ?? []
  return word.length > 3 && (word === 'true' || word === 'false') ? key === '*' || isTool(key) : word !== ''
}

/** What maps are made of: `"*": deny`, `deny: [Bash`, a bracket without its other half, a word and a list (`subagents [b]`). */
const isAction = (text: string): boolean =>
  action.test(text) || oneBracket.test(text) || /^[\w-]+(?:\W{0,2}\s*[[{].*[\]}]|\(.*\))\W?$/.test(text)
const action = /^[\w-]+\s*=\s*\S|:\s*(?:allow|ask|deny|true|false)\b\W*$|\b(?:allow|ask|deny)\s*:\s*\[/
const oneBracket = /^[^([{]*[)\]}]\W*$|[([{][^)\]}]*$/

/** `(git log, git show)`: the end of a tool. `(Calls the reviewer with the diff)` is said. */
const isPattern = (text: string): boolean =>
  /^\(.*\)$/.test(text) &&
  !/^\([a-z]+\)$/.test(text) &&
  (!/^\([A-Z][\w'’-]*(?: [\w'’-]+){4,}[.!]?\)$/.test(text) || namesTool(text))

const namesTool = (text: string): boolean => text.split(/\W+/).some(word => word !== 'Task' && toolNames.includes(word))

/** Words and commas, with a tool among them or at the end of the first. */
function isList(text: string): boolean {
  const pieces = text.split(',').map(piece => piece.trim())
  if (!pieces.slice(1).every(piece => /^\S*$/.test(piece)) || pieces.length < 2) return false
  return pieces.some(piece => isTool(piece)) || toolNames.some(name => pieces[0]!.endsWith(name))
}
