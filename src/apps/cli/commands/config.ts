/** `offshoot config list|get|set|unset`: what counts, where it comes from, and changing one's own files. */

import { join } from 'node:path'
import { type Command, Option } from 'commander'
import { openGround } from '../../../adapters/ground/ground.js'
import { savedRules } from '../../../adapters/ground/saved-rules.js'
import { offshootDirectories } from '../../../adapters/os/directories.js'
import { asOnlyWriter } from '../../../adapters/os/file-lock.js'
import { isInside } from '../../../adapters/os/inside.js'
import { readPrivateJson, writePrivateJson } from '../../../adapters/os/private-json.js'
import { projectRoot } from '../../../adapters/os/project-root.js'
import { resolveRealPath } from '../../../adapters/os/real-file.js'
import type { LoadedSettings } from '../../../adapters/sources/settings.js'
import type { Json } from '../../../core/message.js'
import { parsePermissionRules } from '../../../core/permission/permission-rule.js'
import type { RuleLayer } from '../../../core/permission/permission-rules.js'
import { isRecord } from '../../../core/record.js'
import { obstacleIn, type Setting } from '../../../core/settings/settings.js'
import { ruleSlips } from '../../../core/settings/settings-slips.js'
import { isSection, knownSetting, knownSettings } from '../../../core/settings/settings-table.js'
import { didYouMean } from '../../../core/text/nearest.js'
import { visible } from '../../../core/text/shell-word.js'
import { canonicalJson } from '../../../core/text/text.js'
import { messageOf } from '../../../core/thrown.js'
import { howToRevoke } from '../../session/always.js'
import { columns } from '../../session/columns.js'
import { exitCodes } from '../../session/exit-codes.js'
import type { JsonObject } from '../../session/json-argument.js'
import { pageOf } from '../../session/program-words.js'
import { errorsIn, sayDiagnostics } from '../../session/say-diagnostics.js'
import { type CommandDeps, refusedInsideRun } from '../command-deps.js'
import { concealSetting } from './conceal-settings.js'
import { sayModelSlip } from './model-slip.js'
import { isRuleList, readValue, rulesChange, rulesWith, type SettingValue } from './setting-value.js'

interface ListOptions {
  readonly showOrigin?: boolean
  readonly json?: boolean
}
type Scope = 'user' | 'project' | 'local'

export function registerConfigCommands(program: Command, deps: CommandDeps): void {
  const config = program.command('config').description('settings: what counts here, and where it comes from')
  config
    .command('list')
    .description('list every setting that is set')
    .option('--show-origin', 'with the file it comes from, and what it overrides')
    .option('--json', 'print as JSON')
    .action(async (options: ListOptions) => {
      const { settings } = await openGround(deps)
      deps.setExitCode(listSettings(settings, savedRules(deps).layer(), options, deps))
    })
  config
    .command('get <key>')
    .description('print one setting')
    .option('--show-origin', 'with the file it comes from')
    .action(async (key: string, options: ListOptions) => {
      const { settings } = await openGround(deps)
      deps.setExitCode(getSetting(settings, savedRules(deps).layer(), key, options, deps))
      await sayUncounted(settings, key, deps)
    })
  config
    .command('set <key> <value>')
    .description('set it: JSON, or a plain text; "unset" as the value takes it away. A rule alone is added to its list')
    .addOption(scopeOption())
    .action(async (key: string, value: string, options: { scope: Scope }) => {
      const code = setSetting(key, value, options.scope, deps)
      deps.setExitCode(code)
      if (code === exitCodes.ok && value !== 'unset') await sayModelSlip(key, parsed(value), deps)
    })
  config
    .command('unset <key>')
    .description('take it away, so that what is below it counts')
    .addOption(scopeOption())
    .action((key: string, options: { scope: Scope }) => deps.setExitCode(setSetting(key, 'unset', options.scope, deps)))
}

const scopeOption = () =>
  new Option('--scope <scope>', 'whose file').choices(['user', 'project', 'local']).default('user')

function shown({ key, value }: Pick<Setting, 'key' | 'value'>): string {
  const safe = concealSetting(key, value)
  return typeof safe === 'string' ? safe : JSON.stringify(safe)
}

interface Shown {
  readonly key: string
  readonly text: string
  readonly scope: string
  readonly origin: string
}

/** What counts, as it is listed: what `list` shows `get` finds. */
function shownOf({ values, rules, hooks }: LoadedSettings, saved: RuleLayer): readonly Shown[] {
  return [
    ...values.map(({ key, value, scope, origin }) => ({ key, text: shown({ key, value }), scope, origin })),
    ...[...rules, saved].flatMap(({ scope, origin, rules: lists }) =>
      (['deny', 'ask', 'allow'] as const).flatMap(kind =>
        lists[kind].map(rule => ({ key: `permissions.${kind}`, text: visible(rule.text), scope, origin })),
      ),
    ),
    ...hooks.map(({ scope, origin, hooks: events }) => ({
      key: 'hooks',
      text: Object.keys(events as object).join(', '),
      scope,
      origin,
    })),
  ]
}

function listSettings(
  settings: LoadedSettings,
  saved: RuleLayer,
  { showOrigin, json }: ListOptions,
  { write, warn }: CommandDeps,
): number {
  if (json) {
    const { values, overridden, rules, hooks } = settings
    const all = saved.rules.allow.length > 0 ? [...rules, saved] : rules
    const safe = (each: Setting): Setting => ({ ...each, value: concealSetting(each.key, each.value) })
    const heard = hooks.map(each => ({ ...each, hooks: concealSetting('hooks', each.hooks) }))
    const whole = { values: values.map(safe), overridden: overridden.map(safe), rules: all, hooks: heard }
    write(`${JSON.stringify(whole, null, 2)}\n`)
    sayDiagnostics(errorsIn(settings.diagnostics), warn)
    return exitCodes.ok
  }
  const lost = settings.overridden.map(({ key, value, scope, origin }) => ({
    key: `  (overridden) ${key}`,
    text: shown({ key, value }),
    scope,
    origin,
  }))
  const rows = [...shownOf(settings, saved), ...(showOrigin ? lost : [])]
  const isReadable = obstacleIn(settings) === undefined
  if (rows.length === 0 && isReadable)
    warn(`Nothing is set; the defaults count. Known settings are in ${pageOf('settings.md')}.\n`)
  else if (rows.length > 0)
    write(
      columns(rows.map(({ key, text, scope, origin }) => [key, text, ...(showOrigin ? [`${scope}: ${origin}`] : [])])),
    )
  if (saved.rules.allow.length > 0) warn(`In ${saved.origin}: ${howToRevoke}\n`)
  sayDiagnostics(settings.diagnostics, warn, Number.POSITIVE_INFINITY)
  return exitCodes.ok
}

function getSetting(
  settings: LoadedSettings,
  saved: RuleLayer,
  key: string,
  { showOrigin }: ListOptions,
  deps: CommandDeps,
): number {
  const found = shownOf(settings, saved).filter(each => each.key === key || each.key.startsWith(`${key}.`))
  const isKnown = knownSetting(key) !== undefined || isSection(key) || isRuleList(key) || key === 'hooks'
  if (found.length === 0 && !isKnown) return unknownKey(key, deps)
  sayDiagnostics(errorsIn(settings.diagnostics), deps.warn)
  if (found.length === 0) {
    deps.warn(`${key} is not set.\n`)
    return exitCodes.error
  }
  const rows = found.map(each => [
    ...(each.key === key ? [] : [each.key]),
    each.text,
    ...(showOrigin ? [`${each.scope}: ${each.origin}`] : []),
  ])
  deps.write(columns(rows))
  return exitCodes.ok
}

/** What a project's file says and nobody counts, because the file is not trusted: `config list` names the file alone. */
async function sayUncounted({ files }: LoadedSettings, key: string, deps: CommandDeps): Promise<void> {
  const waiting = files.filter(({ isTrusted }) => !isTrusted).map(({ path }) => path)
  if (waiting.length === 0) return
  const { settings } = await openGround({ ...deps, trustsProject: true })
  const all = { ...settings, values: [...settings.values, ...settings.overridden] }
  const there = shownOf(all, noRules).filter(each => each.key === key || each.key.startsWith(`${key}.`))
  const places = [...new Set(there.map(({ origin }) => origin))].filter(origin => waiting.includes(origin))
  for (const path of places.map(visible))
    deps.warn(`${path} sets ${key}, and does not count: it is not trusted. To let it: offshoot trust\n`)
}

const noRules: RuleLayer = { scope: 'user', origin: '', rules: { allow: [], ask: [], deny: [] } }

/** It is written all the same: a program that embeds this one may have such a tool. */
function sayRuleSlips(key: string, value: Json | undefined, { warn }: CommandDeps): void {
  if (!isRuleList(key) || !Array.isArray(value)) return
  const { rules } = parsePermissionRules({ [key.slice('permissions.'.length)]: value })
  for (const { message, hint } of ruleSlips(rules)) warn(`offshoot: ${visible(message)}${hint ? `; ${hint}` : ''}\n`)
}

function setSetting(key: string, text: string, scope: Scope, deps: CommandDeps): number {
  if (refusedInsideRun(deps, 'changing settings')) return exitCodes.permission
  const path = fileOf(scope, deps)
  if (key === 'hooks') {
    deps.warn(`offshoot: hooks are more than one value: write them into ${path} (${pageOf('hooks.md')} shows how).\n`)
    return exitCodes.usage
  }
  const isUnset = text === 'unset'
  const read = readValue(key, parsed(text))
  if (!read) return unknownKey(key, deps)
  if ('fault' in read && !isUnset) {
    deps.warn(`offshoot: "${key}" ${read.fault}\n`)
    return exitCodes.usage
  }
  const value = isUnset || 'fault' in read ? undefined : read
  try {
    const target = targetOf(path, scope, deps)
    const { before, after } = asOnlyWriter(target, join(offshootDirectories(deps.env).data, 'locks'), () =>
      writeSetting(target, key, value),
    )
    sayChange({ key, value, before, after, path }, deps)
  } catch (error) {
    const message = messageOf(error)
    deps.warn(`offshoot: nothing was changed: ${message.includes(path) ? '' : `${path}: `}${message}\n`)
    return exitCodes.error
  }
  if (scope !== 'user') deps.warn('Project settings count once the folder is trusted: offshoot trust\n')
  return exitCodes.ok
}

interface Change {
  /** Undefined: it is taken away. */
  readonly value: SettingValue | undefined
  readonly before: unknown
  readonly after: unknown
}

/** Throws on what cannot be read: it is left as it is. */
function writeSetting(target: string, key: string, value: SettingValue | undefined): Omit<Change, 'value'> {
  const content = (readPrivateJson(target) ?? {}) as JsonObject
  const before = valueIn(content, key)
  const after = value && isRuleList(key) ? rulesWith(before, value, key) : value?.value
  const whole = withValue(content, key, after)
  if (canonicalJson(whole) !== canonicalJson(content)) writePrivateJson(target, whole)
  return { before, after }
}

function sayChange(
  { key, value, before, after, path }: Change & { readonly key: string; readonly path: string },
  deps: CommandDeps,
): void {
  const isSame = canonicalJson(before) === canonicalJson(after)
  for (const remark of value?.remarks ?? []) deps.warn(`offshoot: ${visible(remark)}\n`)
  if (value && isRuleList(key)) {
    sayRuleSlips(key, value.value, deps)
    const rules = (value.value as readonly string[]).join(', ')
    const change = rulesChange(before, after as readonly string[], value)
    deps.warn(
      visible(
        value.isAdded && isSame
          ? `${path}: ${key} has ${rules} already; nothing was changed`
          : `${path}: ${key}${change}`,
      ),
    )
    deps.warn('\n')
  } else if (value) deps.warn(`${path}: ${key} = ${shown({ key, value: value.value })}\n`)
  else deps.warn(`${path}: ${key} ${isSame ? 'is not set there; nothing was changed' : 'taken away'}\n`)
}

function unknownKey(key: string, deps: CommandDeps): number {
  const known = [...Object.keys(knownSettings), 'permissions.deny', 'permissions.ask', 'permissions.allow']
  const near = didYouMean(key, known)
  deps.warn(
    `offshoot: there is no setting "${key}". ${near ? `Did you mean "${near}"?` : `Known: ${known.sort().join(', ')}.`}\n`,
  )
  return exitCodes.usage
}

function fileOf(scope: Scope, { cwd, env }: CommandDeps): string {
  if (scope === 'user') return join(offshootDirectories(env).config, 'settings.json')
  return join(projectRoot(cwd), '.offshoot', scope === 'local' ? 'settings.local.json' : 'settings.json')
}

/** A settings file may be a link, and stays one. One of a project leads nowhere but into the project. */
function targetOf(path: string, scope: Scope, { cwd }: CommandDeps): string {
  const target = resolveRealPath(path)
  if (scope !== 'user' && !isInside(target, resolveRealPath(projectRoot(cwd))))
    throw new Error(`${path} leads out of the project, to ${target}. Set it there, or remove the link.`)
  return target
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** `a.b` lies in section `a`; what stands beside it stays. Throws on a section that is none. */
export function withValue(content: JsonObject, key: string, value: unknown): JsonObject {
  const section = key.split('.', 1)[0]!
  if (!isSection(section)) return put(content, key, value)
  const held = content[section]
  if (held !== undefined && !isRecord(held)) throw new Error(`"${section}" in it is no object; mend that first.`)
  const inner = (held ?? {}) as JsonObject
  return put(content, section, put(inner, key.slice(section.length + 1), value))
}

function valueIn(content: JsonObject, key: string): unknown {
  const section = key.split('.', 1)[0]!
  if (!isSection(section)) return content[key]
  const held = content[section]
  return isRecord(held) ? held[key.slice(section.length + 1)] : undefined
}

function put(content: JsonObject, key: string, value: unknown): JsonObject {
  const { [key]: _, ...rest } = content
  return value === undefined ? rest : { ...rest, [key]: value }
}
