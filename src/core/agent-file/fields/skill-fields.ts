/** Skills: names to load at the start, or switches that take some away. */
import { parsePermissionRules } from '../../permission/permission-rule.js'
import { isRecord } from '../../record.js'
import { drop, type FieldReader, flagOf, type Given, namesOf, textOf } from './field-reader.js'
import { addRules } from './foreign-permissions.js'

export const readSkills: FieldReader = (value, given) => {
  const names = namesOf(value ?? [])
  if (names) given.draft.skills = names
  else if (!isRecord(value) || !readSwitches(value, given)) drop(given, 'a list of skill names')
}

/** `{config: [{path, enabled: false}]}`, as Codex has it, or `{name: false}`. What is on is what the caller has anyway. */
function readSwitches(value: Readonly<Record<string, unknown>>, given: Given): boolean {
  const { config, ...rest } = value
  const items: readonly unknown[] = Array.isArray(config) ? config : []
  const others = Object.entries(rest).filter(([, flag]) => typeof flag !== 'boolean')
  const isCodex = given.dialect === 'codex-role'
  if (!items.every(isRecord) || (config !== undefined && !Array.isArray(config)) || (others.length > 0 && !isCodex))
    return false
  const isOff = ({ enabled }: Readonly<Record<string, unknown>>) => flagOf(enabled) === false
  const inList = items.filter(isOff).map(nameOf)
  // `include_instructions` and `bundled` are about none.
  const inMap = isCodex ? [] : Object.keys(rest).filter(name => rest[name] === false)
  const denied = [...inList, ...inMap]
  if (denied.length > maxDenied) return false
  if (denied.includes(undefined))
    given.note('permission-narrowed', 'a skill that is switched off has no name that can be used: all are', 'name it')
  const rules = denied.includes(undefined) ? ['Skill'] : denied.map(name => `Skill(${name})`)
  if (rules.length > 0) addRules(parsePermissionRules({ deny: rules }).rules, given)
  if (isCodex && Object.keys(rest).length > 0)
    given.note('key-unknown', `of "skills" is not read: ${Object.keys(rest).join(', ').slice(0, 200)}`)
  return true
}

const maxDenied = 200

/** The folder a skill lies in has its name. */
function nameOf({ name, path }: Readonly<Record<string, unknown>>): string | undefined {
  const folder = textOf(path)
    ?.replace(/[/\\]+(?:SKILL\.md)?$/i, '')
    .split(/[/\\]/)
    .at(-1)
  const found = textOf(name) ?? folder
  return found !== undefined && /^[\w.:-][\w .:-]{0,99}$/.test(found) ? found : undefined
}
