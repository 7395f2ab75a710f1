/** Lists of tools in a table, or under keys of somebody's own, which say nothing else than `tools` does. */
import { isRecord } from '../../record.js'
import { looseKey } from '../../text/nearest.js'
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

/** `tool_access: [Read, Bash]`, `tool_restrictions: {allowed: [Read], forbidden: [Bash]}`. */
export function holdsTools(key: string, value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !/^tool/i.test(key)) return false
  if (isRecord(value)) return tables.has(looseKey(key)) && toolLists(value) !== undefined
  return looseKey(key) === 'toolaccess' && Array.isArray(value) && value.every(word => isTool(String(word)))
}

const tables: ReadonlySet<string> = new Set(
  ['toolAccess', 'toolRestrictions', 'toolPolicy', 'toolPermissions', 'toolSurface'].map(looseKey),
)
