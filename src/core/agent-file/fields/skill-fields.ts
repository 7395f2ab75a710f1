/** Skills: names to load at the start, or switches that take some away. */
import { parsePermissionRules } from '../../permission/permission-rule.js'
import { isRecord } from '../../record.js'
import { didYouMean } from '../../text/nearest.js'
import { drop, type FieldReader, flagOf, type Given, isEnabled, namesOf, refuse, textOf } from './field-reader.js'
import { addRules } from './foreign-permissions.js'

export const readSkills: FieldReader = (value, given) => {
  const names = namesOf(value ?? [])
  if (names) given.draft.skills = names
  else if (!isRecord(value) || !readSwitches(value, given)) drop(given, 'a list of skill names')
}

/** `{config: [{path, enabled: false}]}`, as Codex has it, or `{name: false}`. What is on is what the caller has anyway. */
function readSwitches(value: Readonly<Record<string, unknown>>, given: Given): boolean {
  const isCodex = given.dialect === 'codex-role'
  const isConfig = (key: string) => key === 'config' || (isCodex && didYouMean(key, ['config']) !== undefined)
  const pairs = Object.entries(value)
  const lists = pairs.filter(([key]) => isConfig(key)).map(([, list]) => list)
  const rest = Object.fromEntries(pairs.filter(([key]) => !isConfig(key)))
  const items: readonly unknown[] = lists.flat()
  const others = Object.values(rest).filter(flag => flagOf(flag) === undefined)
  if (others.some(isNearlyOff)) {
    refuse(given, 'a switch in it is neither true nor false')
    return true
  }
  if (!items.every(isRecord) || !lists.every(Array.isArray) || (others.length > 0 && !isCodex)) return false
  // What is not clearly on is off.
  const inList = items.filter(item => isEnabled(item) !== true).map(nameOf)
  // `include_instructions` and `bundled` are about none.
  const inMap = isCodex ? [] : Object.keys(rest).filter(name => flagOf(rest[name]) === false)
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

const isNearlyOff = (flag: unknown): boolean =>
  typeof flag === 'string' && flag.length < 8 && didYouMean(flag, ['false']) !== undefined

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
