/** Lists of tools in a table, or under keys of somebody's own, which say nothing else than `tools` does. */
import { isRecord } from '../../record.js'
import { didYouMean, looseKey } from '../../text/nearest.js'
import { toolNames } from '../../tools/tool-names.js'
import type { Entry } from '../block.js'
import { isNearTool, isTool } from '../damage/words/tool-words.js'

export interface ToolLists {
  readonly granted?: readonly unknown[]
  readonly denied?: readonly unknown[]
}

/**
 * `{allowed: [Read], blocked: [Bash]}`, `{required: [Read], optional: [Bash]}`: one list that grants or some that
 * do together, and one that denies.
 * Undefined for any other table.
 */
export function toolLists(value: object): ToolLists | undefined {
  const pairs = Object.entries(value).filter(([key, reason]) => typeof reason !== 'string' || !remark.test(key))
  if (pairs.length === 0 || !pairs.every(([, list]) => itemsOf(list) !== undefined)) return undefined
  const listsOf = (words: RegExp) => pairs.filter(([key]) => words.test(key)).map(([, list]) => itemsOf(list)!)
  const [granting, denying, kinds] = [
    listsOf(grants),
    listsOf(denials),
    pairs.filter(([key]) => kindWords.includes(key)).map(([, list]) => itemsOf(list)!),
  ]
  const [denied] = denying
  if (kinds.length > 0 && denying.length < 2 && kinds.length + denying.length === pairs.length)
    return { granted: kinds.flat(), ...(denied && { denied }) }
  if (granting.length > 1 || denying.length > 1 || granting.length + denying.length < pairs.length) return undefined
  const [granted] = granting
  return { ...(granted && { granted }), ...(denied && { denied }) }
}

/** A list, or tools with what each is for: `{read: Looking at the specification}`. */
function itemsOf(list: unknown): readonly unknown[] | undefined {
  if (Array.isArray(list)) return list
  if (!isRecord(list)) return undefined
  const isReason = (text: unknown) => typeof text === 'string' && /\S\s+\S/.test(text)
  const tools = Object.keys(list)
  return tools.length > 0 && Object.values(list).every(isReason) ? tools : undefined
}

const grants = /^(?:allow|allowed|include)$/
const denials = /^(?:deny|denied|disallowed|forbidden|blocked|exclude|excluded|prohibited)$/
const remark = /^(?:rationale|reason|notes?|description)$/

/**
 * `tool_access: [Read, Bash]`, `tool_restrictions: {allowed: [Read], forbidden: [Bash]}`. Also what is nearly so, and cannot be
 * read then: a list with one tool in it, a table with one list that does.
 */
export function holdsTools(key: string, value: unknown): boolean {
  if (!/^tool/i.test(key)) return false
  if (isRecord(value) && isToolTableKey(key) && toolLists(value) !== undefined) return true
  if (isToolTableKey(key) && (isRecord(value) ? [value] : Array.isArray(value) ? value : []).some(isToolTable))
    return true
  if (isRecord(value)) return false
  if (isToolTableKey(key) && typeof value === 'string' && /[[\]{}]/.test(value) && hasTool(value)) return true
  if (looseKey(key) !== 'toolaccess') return false
  const isWhole = Array.isArray(value) && value.every(word => isTool(String(word)))
  return isWhole || ((typeof value !== 'string' || /[,[]/.test(value)) && hasTool(value))
}

/** The same under a key that is nearly one of these: `tool_restrictons`. */
export function isNearlyToolTable(key: string, value: object): boolean {
  return key.length < maxKey && didYouMean(looseKey(key), tableKeys) !== undefined && isToolTable(value)
}

/** Whether lists of tools stand in it under words that grant or deny, or nearly. */
export function isToolTable(value: unknown): boolean {
  return pairsOf(value).some(([key, list]) => isGrantWord(key) && (hasTool(list) || hasTool(key)))
}

/** Also in a key that a parser made of a whole line: `? allowed: [Read]`. */
const isGrantWord = (key: string): boolean =>
  [...key.slice(0, maxText).split(/\W+/, maxKeys), key.slice(0, maxText).replace(/[^A-Za-z]/g, '')].some(
    word => word.length < maxKey && didYouMean(word, grantWords) !== undefined,
  )

/** In a text, in a list of texts, or in what a stray colon made of one (`[Read: Grep]`). An item of a list may be one nearly. */
function hasTool(list: unknown): boolean {
  const items: readonly unknown[] = Array.isArray(list) ? list.slice(0, maxItems) : [list]
  const texts = items.flatMap(item => [item, ...pairsOf(item).flat()]).filter(text => typeof text === 'string')
  const isNamed = (text: string) =>
    text.split(/\W+/).some(word => toolNames.includes(word)) ||
    (/\w[[\]]\w/.test(text) && toolNames.includes(text.replace(/\W/g, '')))
  const isNear = (text: string) => isNearTool(text.replace(/[^A-Za-z]/g, ''))
  return texts.map(text => text.slice(0, maxText)).some(text => isNamed(text) || (Array.isArray(list) && isNear(text)))
}

function pairsOf(value: unknown): readonly (readonly [string, unknown])[] {
  return isRecord(value) ? Object.entries(value).slice(0, maxKeys) : []
}

const kindWords =
  'required recommended optional primary secondary supporting core extended deferred essential additional'.split(' ')
const grantWords = [
  ...kindWords,
  'allow',
  'deny',
  'allowed',
  'include',
  'denied',
  'disallowed',
  'forbidden',
  'blocked',
  'exclude',
  'prohibited',
]
const [maxKeys, maxKey, maxText, maxItems] = [20, 24, 400, 1000]

/** `tool_access: #[Read]`: written behind the key, and made a comment of. */
export function isCommentedOut({ key, value, raw = '' }: Entry): boolean {
  return value === null && raw.startsWith('#') && isToolTableKey(key) && hasTool(raw)
}

/** A key that holds tools where its value is such a table. */
export function isToolTableKey(key: string): boolean {
  return tables.has(looseKey(key))
}

export const tableKeys = ['toolaccess', 'toolrestrictions', 'toolpolicy', 'toolpermissions', 'toolsurface']
const tables: ReadonlySet<string> = new Set(tableKeys)
