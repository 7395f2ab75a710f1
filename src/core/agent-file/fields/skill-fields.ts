/** Skills: names to load at the start, or switches that take some away. */
import { parsePermissionRules } from '../../permission/permission-rule.js'
import { isRecord } from '../../record.js'
import { didYouMean, isTornWord, sharedLetters } from '../../text/nearest.js'
import { isSecurityKey } from '../field-table.js'
import { anyNamesOf, drop, type FieldReader, flagOf, type Given, isEnabled, refuse, textOf } from './field-reader.js'
import { addRules } from './foreign-permissions.js'

export const readSkills: FieldReader = (value, given) => {
  const names = anyNamesOf(value ?? [])
  if (names?.some(name => switchInText.test(name))) refuse(given, 'switches may be meant')
  else if (names) given.draft.skills = names
  else if (Array.isArray(value) && value.some(holdsOther)) refuse(given, 'a limit may stand in it')
  else if (Array.isArray(value) && areSkillSwitches(value)) refuse(given, 'switches are a table')
  else if (!isRecord(value) || !readSwitches(value, given)) drop(given, 'a list of skill names')
}

/** `- one tools: Read`, `- disallowedTools: Write`: a line below it hangs on an item, or became one. */
const holdsOther = (item: unknown): boolean =>
  isRecord(item) && Object.keys(item).some(key => isSecurityKey(key) || isSecurityKey(/\S+$/.exec(key)?.[0] ?? ''))

/** `{config: [{path, enabled: false}]}`, as Codex has it, or `{name: false}`. What is on is what the caller has anyway. */
function readSwitches(value: Readonly<Record<string, unknown>>, given: Given): boolean {
  const isCodex = given.dialect === 'codex-role'
  const isConfig = (key: string) => key === 'config' || (isCodex && didYouMean(key, ['config']) !== undefined)
  const pairs = Object.entries(value)
  const lists = pairs.filter(([key]) => isConfig(key)).map(([, list]) => list)
  const written = Object.fromEntries(pairs.filter(([key]) => !isConfig(key)))
  const items: readonly unknown[] = lists.flat()
  // `a:`, then `b:`: names, and nothing else.
  const areNames = Object.keys(written).length > 1 && Object.values(written).every(flag => flag === null)
  const rest = isCodex || areNames ? written : emptyAsOff(written, given)
  const others = Object.values(rest).filter(flag => flagOf(flag) === undefined)
  if (
    pairs.some(([key]) => switchInName.test(key.slice(0, 200))) ||
    (!areNames && others.some(isNearlyOff)) ||
    (!isCodex && others.length > 0 && Object.values(rest).some(isOff)) ||
    [...others, ...lists.filter(list => !Array.isArray(list))].some(each => holdsOff(each))
  ) {
    refuse(given, 'a switch in it is neither true nor false')
    return true
  }
  if (!items.every(isRecord) || !lists.every(Array.isArray) || (others.length > 0 && !isCodex)) return false
  // What is not clearly on is off.
  const inList = items.filter(item => isEnabled(item) !== true).map(nameOf)
  // `include_instructions` and `bundled` are about none.
  const inMap = isCodex
    ? []
    : Object.keys(rest)
        .filter(name => flagOf(rest[name]) === false)
        .map(name => nameOf({ name }))
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

/** `{deploy: null}`: of a switch that broke off nothing else is left. What is not clearly on is off. */
function emptyAsOff(switches: Readonly<Record<string, unknown>>, { note, entry }: Given) {
  const empty = Object.keys(switches).filter(name => switches[name] === null)
  if (empty.length > 0)
    note(
      'permission-narrowed',
      `${empty.join(', ').slice(0, 200)}: neither on nor off in "${entry.key}", and read as off`,
      'write true or false, or a list of names',
    )
  return { ...switches, ...Object.fromEntries(empty.map(name => [name, false])) }
}

/** `deploy: false, read: true }`: a table that lost a bracket; no name has such signs. */
const switchInText = /[:=](?:\s|$)|[{}]|f\W{0,2}a\W{0,2}l\W{0,2}s\W{0,2}e\W{0,2}$|\sfals$/

/** `{deploy false, read true}`: the colon in it is gone, or the comma. */
const switchInName = /[:\s]\W?(?:true|false)(?![a-z])/

/** `deploy:false`, below a key that is nearly `skills`: one switch that lost its blank, or its colon. */
export const isSwitchText = (value: unknown): boolean =>
  typeof value === 'string' && value.length < 80 && oneSwitch.test(value)
const oneSwitch = /^\W{0,3}[\w-]+\W{1,3}\w?\W?f\W{0,2}a\W{0,2}l\W{0,2}s(?:\W{0,2}e\W{0,2})?$/

/** Of a word to which the next line hangs its beginning is left. */
const isNearlyOff = (flag: unknown): boolean =>
  flag === null ||
  (typeof flag === 'string' && [flag.slice(0, 40), flag.slice(0, 7), flag.slice(0, 5)].some(isNearlyFalse))
const isNearlyFalse = (word: string): boolean =>
  (word.length < 6 && sharedLetters(word, 'false') > 2) ||
  didYouMean(word, falseWord) !== undefined ||
  isTornWord(word, falseWord)
const falseWord = ['false']
const isOff = (flag: unknown): boolean => flagOf(flag) === false

/** `{c: {onfig: [{enabled: false}]}}`: deeper down than anything of theirs. */
function holdsOff(value: unknown, depth = 3): boolean {
  if (depth === 0 || typeof value !== 'object' || value === null) return false
  const inner = Array.isArray(value) ? value.slice(0, 40) : Object.values(value).slice(0, 40)
  return inner.some(each => each === false || holdsOff(each, depth - 1))
}

const offInText = /:\s*false\b/

/** Switches, one of which is off, or a list of such. */
export function areSkillSwitches(value: unknown): boolean {
  if (Array.isArray(value))
    return value
      .slice(0, 40)
      .some(item =>
        isRecord(item)
          ? Object.values(item).some(isOff)
          : typeof item === 'string' && offInText.test(item.slice(0, 200)),
      )
  return isRecord(value) && Object.values(value).some(each => isOff(each) || isNearlyOff(each) || holdsOff(each))
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
