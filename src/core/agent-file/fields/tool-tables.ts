/** Lists of tools under keys of somebody's own, which say nothing else than `tools` does. */
import { isRecord } from '../../record.js'
import { looseKey } from '../../text/nearest.js'
import { isTool } from '../damage/tool-words.js'
import { areToolLists } from './tool-list.js'

/** `tool_access: [Read, Bash]`, `tool_restrictions: {allowed: [Read], forbidden: [Bash]}`. */
export function holdsTools(key: string, value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !/^tool/i.test(key)) return false
  if (isRecord(value)) return tables.has(looseKey(key)) && areToolLists(value)
  return looseKey(key) === 'toolaccess' && Array.isArray(value) && value.every(word => isTool(String(word)))
}

const tables: ReadonlySet<string> = new Set(
  ['toolAccess', 'toolRestrictions', 'toolPolicy', 'toolPermissions', 'toolSurface'].map(looseKey),
)
