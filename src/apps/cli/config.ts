/** `offshoot config list|get|set`: what counts, where it comes from, and changing one's own files. */
import { homedir } from 'node:os'
import { join } from 'node:path'
import { type Command, Option } from 'commander'
import { offshootDirectories } from '../../adapters/os/directories.js'
import type { LoadedSettings } from '../../adapters/sources/settings.js'
import { didYouMean } from '../../core/nearest.js'
import type { Setting } from '../../core/settings.js'
import { isSection, knownSetting, knownSettings, readSetting } from '../../core/settings-table.js'
import { projectRoot } from '../../node.js'
import { type CommandDeps, refusedInsideRun } from './command-deps.js'
import { exitCodes } from './exit-codes.js'
import { columns } from './figures.js'
import { openGround } from './open-session.js'
import { readPrivateJson, writePrivateJson } from './private-json.js'
import { sayDiagnostics } from './say-diagnostics.js'

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
      const { settings } = await openGround({ ...deps, flags: {} })
      deps.setExitCode(listSettings(settings, options, deps))
    })
  config
    .command('get <key>')
    .description('print one setting')
    .option('--show-origin', 'with the file it comes from')
    .action(async (key: string, options: ListOptions) => {
      const { settings } = await openGround({ ...deps, flags: {} })
      deps.setExitCode(getSetting(settings, key, options, deps))
    })
  config
    .command('set <key> <value>')
    .description('set it: JSON, or a plain text; "unset" as the value takes it away')
    .addOption(new Option('--scope <scope>', 'whose file').choices(['user', 'project', 'local']).default('user'))
    .action((key: string, value: string, options: { scope: Scope }) =>
      deps.setExitCode(setSetting(key, value, options.scope, deps)),
    )
}

const shown = (value: Setting['value']): string => (typeof value === 'string' ? value : JSON.stringify(value))

function listSettings(settings: LoadedSettings, { showOrigin, json }: ListOptions, deps: CommandDeps): number {
  const { write, warn } = deps
  if (json) {
    const { values, overridden, rules, hooks } = settings
    write(`${JSON.stringify({ values, overridden, rules, hooks }, null, 2)}\n`)
    return exitCodes.ok
  }
  const origin = ({ scope, origin: file }: { readonly scope: string; readonly origin: string }) =>
    showOrigin ? [`${scope}: ${file}`] : []
  const rows = [
    ...settings.values.map(each => [each.key, shown(each.value), ...origin(each)]),
    ...(showOrigin
      ? settings.overridden.map(each => [`  (overridden) ${each.key}`, shown(each.value), ...origin(each)])
      : []),
    ...settings.rules.flatMap(layer =>
      (['deny', 'ask', 'allow'] as const).flatMap(kind =>
        layer.rules[kind].map(rule => [`permissions.${kind}`, rule.text, ...origin(layer)]),
      ),
    ),
    ...settings.hooks.map(each => ['hooks', Object.keys(each.hooks as object).join(', '), ...origin(each)]),
  ]
  if (rows.length === 0) warn('Nothing is set; the defaults count. Known settings are in docs/settings.md.\n')
  else write(columns(rows))
  sayDiagnostics(settings.diagnostics, warn)
  return exitCodes.ok
}

function getSetting(settings: LoadedSettings, key: string, { showOrigin }: ListOptions, deps: CommandDeps): number {
  const found = settings.values.filter(each => each.key === key || each.key.startsWith(`${key}.`))
  if (found.length === 0 && !knownSetting(key) && !isSection(key)) return unknownKey(key, deps)
  if (found.length === 0) {
    deps.warn(`${key} is not set.\n`)
    return exitCodes.error
  }
  const rows = found.map(each => [
    ...(each.key === key ? [] : [each.key]),
    shown(each.value),
    ...(showOrigin ? [`${each.scope}: ${each.origin}`] : []),
  ])
  deps.write(columns(rows))
  return exitCodes.ok
}

function setSetting(key: string, text: string, scope: Scope, deps: CommandDeps): number {
  if (refusedInsideRun(deps, 'changing settings')) return exitCodes.permission
  const known = knownSetting(key)
  if (!known) return unknownKey(key, deps)
  const isUnset = text === 'unset'
  const read = isUnset ? { value: null } : readSetting(known.is, parsed(text))
  if ('fault' in read) {
    deps.warn(`offshoot: "${key}" ${read.fault}. (${known.about})\n`)
    return exitCodes.usage
  }
  const path = fileOf(scope, deps)
  try {
    writePrivateJson(path, withValue(readPrivateJson(path) ?? {}, key, isUnset ? undefined : read.value))
  } catch (error) {
    deps.warn(`offshoot: nothing was changed: ${error instanceof Error ? error.message : String(error)}\n`)
    return exitCodes.error
  }
  deps.warn(`${path}: ${key} ${isUnset ? 'taken away' : `= ${shown(read.value)}`}\n`)
  if (scope !== 'user') deps.warn('Project settings count once the folder is trusted: offshoot trust\n')
  return exitCodes.ok
}

function unknownKey(key: string, deps: CommandDeps): number {
  const near = didYouMean(key, Object.keys(knownSettings))
  deps.warn(
    `offshoot: there is no setting "${key}".${near ? ` Did you mean "${near}"?` : ' docs/settings.md lists them all.'}\n`,
  )
  return exitCodes.usage
}

function fileOf(scope: Scope, { cwd, env }: CommandDeps): string {
  if (scope === 'user') return join(offshootDirectories({ HOME: homedir(), ...env }).config, 'settings.json')
  return join(projectRoot(cwd), '.offshoot', scope === 'local' ? 'settings.local.json' : 'settings.json')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

type Content = { readonly [key: string]: unknown }

/** `a.b` lies in section `a`; what stands beside it stays. */
export function withValue(content: Content, key: string, value: unknown): Content {
  const section = key.split('.', 1)[0]!
  if (!isSection(section)) return put(content, key, value)
  const held = content[section]
  const inner = typeof held === 'object' && held !== null ? (held as Content) : {}
  return put(content, section, put(inner, key.slice(section.length + 1), value))
}

function put(content: Content, key: string, value: unknown): Content {
  const { [key]: _, ...rest } = content
  return value === undefined ? rest : { ...rest, [key]: value }
}
