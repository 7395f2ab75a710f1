/**
 * Settings files, read tolerantly and put together: every value keeps the file it came from.
 *
 * 1. Precedence: managed, command line, local, project, user; in each, our own file before `.claude`'s.
 * 2. One value a key wins; permissions, hooks and lists of folders (`isJoined`) of every file count together.
 * 3. A fault costs the one key it is in, and is said. One behind which a deny, an ask, a guard, a mode, a sandbox or a limit
 *    of runs may be lost is an error: nothing may be started over it (`obstacleIn`). So is a key that stands twice where
 *    limits stand.
 * 4. Of a `.claude` file only permissions, hooks and env concern us, and what was meant for one of the first two.
 */

import type { PermissionRules } from '../agent-definition.js'
import { asksForNothing } from '../brief/mode.js'
import { readHookConfig } from '../hooks/hook-config.js'
import { guardsOff } from '../hooks/hooks-off.js'
import type { Json } from '../message.js'
import { parsePermissionRules } from '../permission/permission-rule.js'
import type { Diagnostic } from '../ports.js'
import { isRecord } from '../record.js'
import { didYouMean } from '../text/nearest.js'
import { eachRepeat } from '../text/repeated-keys.js'
import { visible } from '../text/shell-word.js'
import { raises, whyNotInProject, withoutFigures } from './settings-guard.js'
import { type Meant, meantBy, ruleSlips } from './settings-slips.js'
import {
  isLimit,
  isNoVariable,
  isSection,
  type KnownSetting,
  knownSetting,
  readSetting,
  sandboxKinds,
} from './settings-table.js'

export type SettingsScope = 'managed' | 'command-line' | 'local' | 'project' | 'user'

export interface SettingsFile {
  readonly scope: SettingsScope
  readonly dialect: 'offshoot' | 'claude'
  /** The file, or what stands for one: `--settings`. */
  readonly origin: string
  /** What paths in it start from. */
  readonly root?: string
  /** Follows links; absent, paths count as written. Must not throw. */
  realPath?(path: string): string
  /** The parsed JSON. */
  readonly content: unknown
  /** What it was parsed from: of a key that stands twice the parser keeps the last, and says nothing. */
  readonly text?: string
  /** Variables that lead to model providers, and their keys, in capitals: no project sets one. */
  readonly providerVariables?: ReadonlySet<string>
}

export interface Setting<Value = Json> {
  /** `subagents.maxTurns`, `env.CI`, `mcpServers.github`. */
  readonly key: string
  readonly value: Value
  readonly scope: SettingsScope
  readonly origin: string
}
export interface SettingsRules {
  readonly scope: SettingsScope
  readonly origin: string
  readonly root?: string
  readonly rules: PermissionRules
}
export interface SettingsHooks {
  readonly scope: SettingsScope
  readonly origin: string
  readonly hooks: Json
}

export interface Settings {
  /** What counts: one a key, and of lists that are joined each. */
  readonly values: readonly Setting[]
  /** What was set as well, and lost to a higher file. */
  readonly overridden: readonly Setting[]
  readonly rules: readonly SettingsRules[]
  readonly hooks: readonly SettingsHooks[]
  readonly diagnostics: readonly Diagnostic[]
}

const order: readonly SettingsScope[] = ['managed', 'command-line', 'local', 'project', 'user']

export function mergeSettings(files: readonly SettingsFile[]): Settings {
  const rank = ({ scope, dialect }: SettingsFile) => order.indexOf(scope) * 2 + (dialect === 'claude' ? 1 : 0)
  const read = [...files].sort((a, b) => rank(a) - rank(b)).map(readFile)
  const winners = new Map<string, Setting>()
  const joined: Setting[] = []
  const overridden: Setting[] = []
  for (const each of read.flatMap(file => file.values)) {
    const winner = winners.get(each.key)
    if (!winner) winners.set(each.key, each)
    else if (winner.scope !== 'managed' && knownSetting(each.key)?.isJoined) joined.push(each)
    else overridden.push(each)
  }
  const off = winners.get('disableAllHooks')
  // Whoever switches hooks off switches off what stands below, never a guard that was set above: not even in our own
  // file of the same scope.
  const switchedOff = off?.value === true ? read.slice(read.findIndex(file => file.values.includes(off))) : []
  const isHeard = (file: FileReading) => !switchedOff.includes(file)
  const unheard = switchedOff.flatMap(file => file.hooks)
  return {
    values: [...winners.values(), ...joined],
    overridden,
    rules: read.flatMap(file => file.rules),
    hooks: read.filter(isHeard).flatMap(file => file.hooks),
    // Before whatever else a project may have said, since only the first few are shown at a start.
    diagnostics: [
      ...raisedLimits(winners, overridden),
      ...(off ? guardsOff(off, unheard) : []),
      ...read.flatMap(file => [
        ...file.diagnostics,
        // Hooks that are switched off guard nothing: a slip in them loses nothing.
        ...file.hookFaults.map(
          (fault): Diagnostic =>
            fault.severity !== 'error' || isHeard(file) ? fault : { ...fault, severity: 'warning' },
        ),
      ]),
    ],
  }
}

/** Limits of the user's own that a project's file has raised: it counts first, and nobody may have noticed. */
function raisedLimits(winners: ReadonlyMap<string, Setting>, overridden: readonly Setting[]): readonly Diagnostic[] {
  const byKey = [...winners.values()].sort((one, other) => (one.key < other.key ? -1 : 1))
  return byKey.filter(isByProject).flatMap(({ key, value, origin }) => {
    const own = overridden.find(each => each.key === key && each.scope === 'user')
    if (!own || !raises(key, value, own.value)) return []
    const message = `"${key}" is ${JSON.stringify(value)} here, and counts before the ${JSON.stringify(own.value)} of your own ${own.origin}`
    const hint = 'to keep yours, take it out there, or say it for one start with --settings'
    return [warn(origin, 'setting-raised', message, hint)]
  })
}

/** Why nothing may be started over these settings, in one line; undefined when it may. */
export function obstacleIn({ diagnostics }: Pick<Settings, 'diagnostics'>): string | undefined {
  const [first, ...further] = diagnostics.filter(({ severity }) => severity === 'error')
  if (!first) return undefined
  const more = further.length > 0 ? ` (and ${further.length} more)` : ''
  const place = first.file === undefined ? '' : `${first.file}: `
  const what = visible(`${place}${first.message}`)
  return `${what}${more}. A deny, an ask, a guard or another limit may be lost there, so nothing is done: ${first.hint ?? mendIt}${first.hint?.endsWith('?') ? '' : '.'}`
}

export const mendIt = 'mend the file, or move it away'

export function findSetting(settings: Settings, key: string): Setting | undefined {
  return settings.values.find(setting => setting.key === key)
}

/** Of a list that is joined: what each file names, the highest first. */
export function foldersIn(settings: Settings, key: string): readonly Setting<readonly string[]>[] {
  return settings.values.filter((each): each is Setting<string[]> => each.key === key && Array.isArray(each.value))
}

/** The settings of one section by name: `env`, `providers`, `mcpServers`. */
export function settingsIn(settings: Settings, section: string): readonly (Setting & { readonly name: string })[] {
  const prefix = `${section}.`
  return settings.values
    .filter(setting => setting.key.startsWith(prefix))
    .map(setting => ({ ...setting, name: setting.key.slice(prefix.length) }))
}

interface FileReading {
  readonly scope: SettingsScope
  values: Setting[]
  rules: SettingsRules[]
  hooks: SettingsHooks[]
  hookFaults: Diagnostic[]
  diagnostics: Diagnostic[]
}

function readFile(file: SettingsFile): FileReading {
  const reading: FileReading = { scope: file.scope, values: [], rules: [], hooks: [], hookFaults: [], diagnostics: [] }
  const { content, origin } = file
  readRepeats(file, reading)
  if (!isRecord(content)) {
    reading.diagnostics.push(fail(origin, 'settings-not-an-object', 'settings must be one JSON object'))
    return reading
  }
  for (const [key, value] of Object.entries(content)) {
    if (file.dialect === 'claude' && !claudeKeys.has(key) && !isRulesOrHooks(meantBy(key))) continue
    if (key === '$schema') continue
    if (key === 'hooks') readHooks(file, value, reading)
    else if (isSection(key)) readSection(file, key, value, reading)
    else readOne(file, key, value, reading)
  }
  return reading
}

const claudeKeys = new Set(['permissions', 'hooks', 'env', 'disableAllHooks'])
const isRulesOrHooks = ({ near, losesLimit }: Meant): boolean => losesLimit && /^(permissions|hooks)/.test(near ?? '')
const ruleLists = ['allow', 'ask', 'deny'] as const

/** Top-level keys below which every key counts; beside them only the top itself does. */
const limiting = new Set(['permissions', 'hooks', 'sandbox', 'subagents'])
const mostRepeats = 20

function readRepeats({ text, origin, dialect }: SettingsFile, reading: FileReading): void {
  if (text === undefined) return
  const told = { error: 0, warning: 0 }
  const top = undefined as string | undefined
  eachRepeat(
    text,
    top,
    (section, key) => section ?? key,
    ({ key, line, place, earlier, later }) => {
      const section = place ?? key
      if (earlier === later || (dialect === 'claude' && !claudeKeys.has(section))) return
      const severity = place === undefined || limiting.has(place) ? 'error' : 'warning'
      if (told[severity]++ >= mostRepeats) return
      const where = place === undefined ? `"${key}"` : `"${key}" in "${place}"`
      const message = `${where} stands twice (again in line ${line}), and only the last would count`
      const list = section === 'hooks' ? reading.hookFaults : reading.diagnostics
      list.push({ ...warn(origin, 'setting-repeated', message, 'write it once'), severity })
    },
  )
}

function readSection(file: SettingsFile, section: string, value: unknown, reading: FileReading): void {
  if (!isRecord(value)) {
    const isLost = section === 'permissions' || (section === 'subagents' && value !== null)
    const say = isLost ? fail : warn
    reading.diagnostics.push(say(file.origin, 'setting-invalid', `"${section}" must be an object; it is ignored`))
    return
  }
  if (section === 'permissions') readRules(file, value, reading)
  for (const [name, each] of Object.entries(value)) {
    if (section === 'permissions' && (ruleLists as readonly string[]).includes(name)) continue
    const key = `${section}.${name}`
    if (file.dialect === 'claude' && section === 'permissions' && !knownSetting(key) && !meantBy(key).losesLimit)
      continue
    readOne(file, key, each, reading)
  }
}

function readOne(file: SettingsFile, key: string, value: unknown, reading: FileReading): void {
  const { scope, origin } = file
  const known = knownSetting(key)
  if (!known) {
    const { near, losesLimit } = meantBy(key)
    const isLost = losesLimit && !(near && whyBarred(near, value, file)) && !isLoose(value) && !isEmpty(value)
    const hint = near ? `did you mean "${near}"?` : isLost ? 'docs/settings.md lists every setting' : undefined
    const message = `there is no setting "${key}"${isLost ? '' : '; it is ignored'}`
    reading.diagnostics.push({
      ...warn(origin, 'setting-unknown', message, hint),
      ...(isLost && { severity: 'error' }),
    })
    return
  }
  const barred = whyBarred(key, value, file)
  if (barred) {
    reading.diagnostics.push(warn(origin, 'setting-not-for-projects', `"${key}" is ignored: ${barred}`))
    return
  }
  const { kept, ignored } = isByProject(file) ? withoutFigures(key, value) : { kept: value }
  if (ignored) reading.diagnostics.push(warn(origin, 'setting-not-for-projects', ignored))
  const read = isNoVariable(key) ? { fault: 'is no name that a variable can have' } : readSetting(known.is, kept)
  if ('fault' in read) reading.diagnostics.push(invalid(file, key, known, value, read.fault))
  else reading.values.push({ key, value: read.value, scope, origin })
}

/** Whether a project says it: in the file it shares, or in the one beside it. */
export const isByProject = ({ scope }: Pick<Setting, 'scope'>): boolean => scope === 'project' || scope === 'local'

const whyBarred = (key: string, value: unknown, file: SettingsFile): string | undefined =>
  isByProject(file) ? whyNotInProject(key, value, file) : undefined

/** Whoever limits in words nobody understands must not get what there is without them. */
function invalid(
  { origin }: SettingsFile,
  key: string,
  known: KnownSetting,
  value: unknown,
  fault: string,
): Diagnostic {
  const isLost = isLimit(key) && value !== null && !isLoose(value)
  if (!isLost) return warn(origin, 'setting-invalid', `"${key}" ${fault}; it is ignored`)
  const word = isRecord(value) ? value.kind : value
  const meant = typeof word === 'string' ? didYouMean(word, wordsOf(known)) : undefined
  const failed = fail(origin, 'setting-invalid', `"${key}" ${fault}`)
  return meant && meant !== word ? { ...failed, hint: `did you mean "${meant}"?` } : failed
}

/** Nothing is limited by it, so nothing is lost. */
const isEmpty = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0)

const isLoose = (value: unknown): boolean => typeof value === 'string' && asksForNothing(value)

const wordsOf = ({ is }: KnownSetting): readonly string[] =>
  is.kind === 'sandbox' ? sandboxKinds : is.kind === 'text' ? (is.oneOf ?? []) : []

/** A list that cannot be read is no small thing: a deny that is missing widens. The whole file's allows then go too. */
function readRules(file: SettingsFile, section: Readonly<Record<string, unknown>>, reading: FileReading): void {
  const { scope, origin, root } = file
  const lists: Record<string, readonly string[]> = {}
  let isDamaged = false
  for (const list of ruleLists) {
    const value = section[list]
    if (value === undefined) continue
    const texts = typeof value === 'string' ? [value] : Array.isArray(value) ? value : undefined
    if (!texts?.every(each => typeof each === 'string')) {
      isDamaged ||= list !== 'allow'
      const say = list === 'allow' ? warn : fail
      reading.diagnostics.push(say(origin, 'permissions-invalid', `"permissions.${list}" must be a list of rules`))
    }
    lists[list] = (texts ?? []).filter((each): each is string => typeof each === 'string')
  }
  const { rules, faults } = parsePermissionRules(lists)
  for (const fault of faults) {
    const isAllow = fault.startsWith('allow')
    isDamaged ||= !isAllow
    reading.diagnostics.push((isAllow ? warn : fail)(origin, 'permission-rule-invalid', `permissions.${fault}`))
  }
  for (const { code, message, hint } of ruleSlips(rules)) reading.diagnostics.push(warn(origin, code, message, hint))
  if (isDamaged && rules.allow.length > 0)
    reading.diagnostics.push(
      warn(origin, 'permissions-damaged', 'a deny or ask rule cannot be read, so no allow rule of this file counts'),
    )
  const counted = isDamaged ? { ...rules, allow: [] } : rules
  if (ruleLists.some(list => counted[list].length > 0))
    reading.rules.push({ scope, origin, ...(root !== undefined && { root }), rules: counted })
}

function readHooks({ scope, origin }: SettingsFile, value: unknown, reading: FileReading): void {
  for (const { message, isGuard, isElsewhere } of readHookConfig(value).faults)
    reading.hookFaults.push(
      isElsewhere
        ? { ...warn(origin, 'hook-elsewhere', message, 'nothing to mend: they are Claude Code’s'), severity: 'info' }
        : (isGuard ? fail : warn)(origin, 'hook-invalid', message),
    )
  if (isRecord(value)) reading.hooks.push({ scope, origin, hooks: value as Json })
}

const warn = (file: string, code: string, message: string, hint?: string): Diagnostic => ({
  code,
  severity: 'warning',
  message,
  file,
  ...(hint && { hint }),
})

const fail = (file: string, code: string, message: string): Diagnostic => ({
  ...warn(file, code, message, mendIt),
  severity: 'error',
})
