/** Lists of tools in a table, or under keys of somebody's own, which say nothing else than `tools` does. */
import { isRecord } from '../../record.js'
import { didYouMean, looseKey } from '../../text/nearest.js'
import { toolNames } from '../../tools/tool-names.js'
import { isTool } from '../damage/tool-words.js'

export interface ToolLists {
  readonly granted?: readonly unknown[]
  readonly denied?: readonly unknown[]
}

/**
 * `{allowed: [Read], blocked: [Bash]}`, `{required: [Read], optional: [Bash]}`: one list that grants or some that do together, and one that denies.
 * Undefined for any other table.
 */
export function toolLists(value: object): ToolLists | undefined {
  const pairs = Object.entries(value).filter(([key, reason]) => typeof reason !== 'string' || !remark.test(key))
  if (pairs.length === 0 || !pairs.every(([, list]) => Array.isArray(list))) return undefined
  const listsOf = (words: RegExp) =>
    pairs.filter(([key]) => words.test(key)).map(([, list]) => list as readonly unknown[])
  const [granting, denying, kinds] = [listsOf(grants), listsOf(denials), listsOf(kindsOfTools)]
  if (kinds.length === pairs.length) return { granted: kinds.flat() }
  if (granting.length > 1 || denying.length > 1 || granting.length + denying.length < pairs.length) return undefined
  const [[granted], [denied]] = [granting, denying]
  return { ...(granted && { granted }), ...(denied && { denied }) }
}

const grants = /^(?:allow|allowed|include)$/
const denials = /^(?:deny|denied|disallowed|forbidden|blocked|exclude|excluded|prohibited)$/
const kindsOfTools = /^(?:required|optional|primary|secondary|supporting|core|extended|deferred|essential|additional)$/
const remark = /^(?:rationale|reason|notes?|description)$/

/**
 * `tool_access: [Read, Bash]`, `tool_restrictions: {allowed: [Read], forbidden: [Bash]}`. Also what is nearly so, and cannot be
 * read then: a list with one tool in it, a table with one list that does.
 */
export function holdsTools(key: string, value: unknown): boolean {
  if (!/^tool/i.test(key)) return false
  if (isRecord(value)) return isToolTableKey(key) && (toolLists(value) !== undefined || isToolTable(value))
  if (looseKey(key) !== 'toolaccess') return false
  const isWhole = Array.isArray(value) && value.every(word => isTool(String(word)))
  return isWhole || ((typeof value !== 'string' || /[,[]/.test(value)) && hasTool(value))
}

/** The same under a key that is nearly one of these: `tool_restrictons`. */
export function isNearlyToolTable(key: string, value: object): boolean {
  return key.length < maxKey && didYouMean(looseKey(key), tableKeys) !== undefined && isToolTable(value)
}

/** Whether lists of tools stand in it under words that grant or deny, or nearly. */
function isToolTable(value: object): boolean {
  return Object.entries(value)
    .slice(0, maxKeys)
    .some(([key, list]) => key.length < maxKey && hasTool(list) && didYouMean(key, grantWords) !== undefined)
}

function hasTool(list: unknown): boolean {
  const texts: readonly unknown[] = Array.isArray(list) ? list : [list]
  return texts.some(
    text =>
      typeof text === 'string' &&
      text
        .slice(0, 400)
        .split(/\W+/)
        .some(word => toolNames.includes(word)),
  )
}

const grantWords = ['allowed', 'include', 'denied', 'disallowed', 'forbidden', 'blocked', 'exclude', 'prohibited']
const [maxKeys, maxKey] = [20, 24]

/** A key that holds tools where its value is such a table. */
export function isToolTableKey(key: string): boolean {
  return tables.has(looseKey(key))
}

const tableKeys = ['toolaccess', 'toolrestrictions', 'toolpolicy', 'toolpermissions', 'toolsurface']
const tables: ReadonlySet<string> = new Set(tableKeys)
