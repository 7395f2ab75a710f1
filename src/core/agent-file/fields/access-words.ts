/**
 * What people write of access in words that no product reads.
 * A1 read-only is a mode. A2 a plain list of tools under a word that may grant or deny is refused: either reading may be
 * wider than what was meant.
 */
import { type FieldReader, refuse } from './field-reader.js'
import { areTools, isNearly } from './told-limits.js'

export const accessKeys = ['access', 'accesslevel', 'accessmode', 'toolaccess', 'fileaccess', 'permissionlevel']

/** `tool_restrictions: [Bash]`, `tool_policy: read-only`. */
export const restrictionKeys = ['toolrestrictions', 'toolpolicy', 'toolpermissions', 'toolsurface', 'restrictions']

export const isNearlyReadOnly = (value: unknown): boolean => isNearly(value, ['readonly'])

export const isRestriction = (value: unknown): boolean => areTools(value) || isNearlyReadOnly(value)

export const readAccess: FieldReader = (value, given) => {
  if (!isReadOnly.test(String(value))) return refuse(given, 'read-only may be meant')
  given.draft.permissionMode = 'plan'
  given.note('value-converted', `"${given.entry.key}: ${String(value)}" was read as permission mode "plan"`)
}

export const readRestriction: FieldReader = (value, given) =>
  areTools(value)
    ? refuse(given, 'it is not said whether these are its only tools, or the ones it may not use')
    : readAccess(value, given)

const isReadOnly = /^read(?:[ _-]?only)?$/i
