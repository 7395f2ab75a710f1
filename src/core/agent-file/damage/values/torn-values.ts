/**
 * Values of other products' limits of which a piece was lost, written over or written twice: `mode: pn`, `access: read-y`,
 * `web_search: disabled disabled`, `requires_approval: [WriBash]`; or with two slips in them. The key is whole, so it is known
 * which words it may have.
 */
import { once } from '../../../once.js'
import {
  isOddWord,
  isSayable,
  isTornWord,
  isWithin,
  looseKey,
  pieceOf,
  sharedLetters,
  tearOf,
} from '../../../text/nearest.js'
import { toolNames } from '../../../tools/tool-names.js'
import { allKeys } from '../../field-table.js'
import { accessKeys, restrictionKeys } from '../../fields/access-words.js'
import { isModeKey } from '../../fields/told-limits.js'
import { isGarbled, isNoise, lettersIn } from '../words/garbled-words.js'
import { isNearTool, isTool } from '../words/tool-words.js'

/** For a key that is a limit by its value: whether this is what is left of such a value. */
export function isTornValue(key: string, value: unknown): boolean {
  if (Array.isArray(value)) return listKeys.test(key) && value.slice(0, maxItems).some(isTornTool)
  if (typeof value !== 'string') return false
  if (listKeys.test(key) && hasBracketInside(value)) return true
  const words = wordsOf(key)
  if (words.length === 0) return false
  return isHung(key, value, words) || isTornWord(value, words) || isGarbled(value, words) || isNoisyWord(key, value)
}

const maxItems = 40

/** What access is, and a restriction, may be said in any words. */
const isNoisyWord = (key: string, value: string): boolean =>
  (key === 'websearch' && value.startsWith('dis')) ||
  (isModeKey(key) && isNearlyPlan(value)) ||
  // `read-o&wN jCdel: haiku`, `read-onlymodel haiku`; `read-write` is another word.
  ((key === 'sandbox' || accessKeys.includes(key) || restrictionKeys.includes(key)) &&
    /^read-o\S*[^\w\s.,;-]|^read-only[a-z]|^read\S{2,8}nly$/.test(value) &&
    value !== 'read-only') ||
  ((isModeKey(key) || key === 'sandbox' || key === 'websearch') && isNoise(value))

/** `planWqo`, `plan@model:@haiku`, `bpla_`, `panm`: three of its letters, in their order, and hardly another. */
function isNearlyPlan(value: string): boolean {
  if (/^plan(?:s|ned|ner|ning)?(?:\W|$)/i.test(value)) return /^plan[^\w\s,;.()-]/.test(value)
  if (/^plan[A-Za-z\d]{1,6}$|^\w{1,3}plan\w?$|\ufeff/.test(value)) return true
  const word = value.length > maxWord ? '' : lettersIn(value)
  const shared = word.length > 6 ? 0 : sharedLetters(word, 'plan')
  if (/^\S{3,9}$/.test(value) && isOddWord(value) && sharedLetters(lettersIn(value), 'plan') > 2) return true
  if (/^plan[a-z]{1,6}:?\w? \S+$/.test(value)) return true
  const isBegun = /^p/.test(word) ? shared > 2 : word.slice(1).startsWith('pla')
  return (word.length < 6 && isBegun && isWithin(2, word, 'plan')) || (shared === 4 && /^p/.test(word))
}

/** `R[ead, Gr!ep]`: a bracket slipped into it. */
function hasBracketInside(text: string): boolean {
  const isNamed = (item: string) => isTool(lettersIn(item)) || isNearTool(lettersIn(item))
  return /[[\]]/.test(text) && text.slice(0, maxList).split(',').some(isNamed)
}

const maxList = 200

/**
 * `mode: pmodel: haiku`, `access: ess: read-only`: one word is its value, and there stands the end of another key, or its own once
 * more. Restrictions are texts, too.
 */
function isHung(key: string, text: string, words: readonly string[]): boolean {
  const [, before, rest = ''] = /^(\S{0,24}):\S?(?:\s+(\S*))?$/.exec(text.slice(0, maxHung)) ?? []
  if (before === undefined) return false
  return words.includes(looseKey(rest)) || (key !== 'restrictions' && endsOfKeys().some(end => before.endsWith(end)))
}

const maxHung = 60
const endsOfKeys = once(() => allKeys.filter(key => key.length > 4).map(key => key.slice(3)))

const maxWord = 24

function wordsOf(key: string): readonly string[] {
  if (isModeKey(key)) return modeWords
  if (key === 'sandbox' || accessKeys.includes(key) || restrictionKeys.includes(key)) return readOnly
  return key === 'websearch' ? offWords : []
}

const modeWords = ['plan', 'readonly', 'dontask']
const readOnly = ['readonly']
const offWords = ['disabled', 'false']

const listKeys = /^(?:requires?approval|approvalrequired|requiresconfirmation|confirmationrequired|toolaccess)$/

/** `BasBash`, `WriBash`, `sh`: a tool of ours, and a piece of it or of the next one; or nothing at all. */
function isTornTool(item: unknown): boolean {
  if (typeof item !== 'string' || item.length > maxWord) return false
  if (item === '' || !/^[\w@*.:/() -]+$/.test(item)) return true
  const isTorn = (tool: string) => {
    const { kind, head = 0, tail = 0, lost } = pieceOf(item, tool) ?? {}
    const isInside = kind === 'noise' && lost === 0 && head > 0 && tail > 0
    return kind === 'lost' || kind === 'doubled' || isInside || isRunInto(item, tool)
  }
  const isHung = (tool: string) => tool.length > 3 && (item.startsWith(tool) || item.endsWith(tool))
  return !isTool(item) && (!isSayable(item) || toolNames.some(tool => isTorn(tool) || isHung(tool)))
}

/** `WritBash`, `Rearep`: the comma between two of them is gone, and a part of them. */
function isRunInto(item: string, tool: string): boolean {
  const { head } = tearOf(item, tool)
  const rest = item.slice(head)
  // `ReadETGrep`
  if (head > 3 && head === tool.length && toolNames.some(other => other.length > 3 && rest.endsWith(other))) return true
  // `ReawcfGrep`, `Writerilash`
  const isNoisy = (other: string) => item !== other && other.length > 3 && item.endsWith(other.slice(1))
  if (head > 2 && item.length > 7 && tool.length > 3 && toolNames.some(isNoisy)) return true
  return head > 1 && rest.length > 1 && toolNames.some(other => other.endsWith(rest) && other.length - rest.length <= 2)
}
