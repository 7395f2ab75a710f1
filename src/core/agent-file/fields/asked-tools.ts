/** Rules where only tools should stand: they are taken as what they are, and grant nothing. */
import { parsePermissionRules } from '../../permission/permission-rule.js'
import { isRecord } from '../../record.js'
import { deniedTools, firstSlip } from './denied-words.js'
import { type Given, namesOf, refuse } from './field-reader.js'
import { addRules, readForeignMap } from './foreign-permissions.js'
import { isAction } from './foreign-rule.js'
import { toolLists } from './tool-tables.js'

type Table = Readonly<Record<string, unknown>>

/** `{read: true, task: {"*": deny, helper: allow}}`: the switches, and the rules beside them, which may have lost their key. */
export function rulesAmongTools(value: unknown): { readonly switches: unknown; readonly rules?: Table } {
  if (!isRecord(value)) return { switches: value }
  const pairs = Object.entries(value)
  const switches = pairs.filter(([, each]) => typeof each === 'boolean')
  const rules = pairs.filter(([, each]) => areRules(each))
  if (rules.length === 0 || switches.length === 0 || rules.length + switches.length < pairs.length)
    return { switches: value }
  return { switches: Object.fromEntries(switches), rules: Object.fromEntries(rules) }
}

const areRules = (value: unknown): boolean =>
  isRecord(value) && Object.keys(value).length > 0 && Object.values(value).every(isAction)

/** After the tools: what they grant only gets less. */
export function readRulesAmongTools(rules: Table, given: Given): void {
  const names = Object.keys(rules).join(', ').slice(0, 200)
  given.note(
    'permission-narrowed',
    `${names}: rules in "${given.entry.key}" were read as those of "permission", and grant no tool`,
    'put them under permission',
  )
  readForeignMap(rules, given)
}

/** `{allow: [Read], ask: [Bash], deny: [Write]}`: what is asked about is granted with what is allowed, and asks. */
export function withoutAsked(value: unknown, given: Given): unknown {
  if (!isRecord(value) || !Array.isArray(value.ask)) return value
  const { ask, ...lists } = value
  const [names, granted] = [namesOf(ask), toolLists(lists)]
  if (!names || names.length === 0 || granted === undefined) return value
  const { rules, faults } = parsePermissionRules({ ask: names.flatMap(name => deniedTools(name) ?? [name]) })
  const slip = faults[0] ?? firstSlip(names.filter(name => deniedTools(name) === undefined))
  if (slip !== undefined) refuse(given, slip)
  addRules(rules, given)
  given.note('value-converted', `"ask" in "${given.entry.key}" was read as tools whose calls are asked about`)
  const allowed = Object.keys(lists).find(key => lists[key] === granted.granted)
  return allowed === undefined ? lists : { ...lists, [allowed]: [...(granted.granted ?? []), ...names] }
}
