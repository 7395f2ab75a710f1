/**
 * Settings from disk. Nothing outside the files listed here is read: no `.env`, no variable of a project.
 *
 * S1 A project's files (the local one too) count only when trusted, by content: a changed file asks for trust anew.
 * S2 One that others could have changed does not count, trusted or not.
 * S3 Whatever is left out is said, with the way to let it in.
 * S4 A file that is the user's, the administrator's or trusted, and that cannot be read, is an error (`obstacleIn`): nobody
 *    knows which denials are in it.
 */
import { join } from 'node:path'
import type { Diagnostic } from '../../core/ports.js'
import {
  isByProject,
  mendIt,
  mergeSettings,
  type Settings,
  type SettingsFile,
  type SettingsScope,
} from '../../core/settings/settings.js'
import { jsonFault } from '../../core/text/json-fault.js'
import { providerVariables } from '../models/providers/known-providers.js'
import { ownProviders } from '../models/providers/own-providers.js'
import { realPath } from '../os/real-path.js'
import { readGuardedFile } from './guarded-file.js'
import type { TrustStore } from './trust.js'

export interface SettingsOptions {
  /** The project's directory: where `.offshoot` and `.claude` are looked for. */
  readonly projectDir: string
  readonly home: string
  /** Our own directory for a user's configuration. */
  readonly configDir: string
  readonly trust: Pick<TrustStore, 'isTrusted' | 'wasTrusted'>
  /** Files an administrator wrote; not of the user's making, so never trusted by hash. */
  readonly managedFiles?: readonly string[]
  /** What was given on the command line: a path, or the parsed JSON itself with the option it came by. */
  readonly commandLine?: readonly (string | GivenSettings)[]
  /** No files but those of an administrator, and those given. */
  readonly isBare?: boolean | undefined
  /** Says where the user's file of models is; absent: only settings are asked for providers of their own. */
  readonly env?: Readonly<Record<string, string | undefined>>
}

/** Settings without a file. */
export interface GivenSettings {
  readonly origin: string
  readonly content: { readonly [key: string]: unknown }
  /** What it was parsed from, where it was. */
  readonly text?: string
}

export interface LoadedSettings extends Settings {
  /** What was read, with its hash: what a person trusts, and what is watched for changes. */
  readonly files: readonly { readonly path: string; readonly hash: string; readonly isTrusted: boolean }[]
}

const managedSettingsFile = '/etc/offshoot/settings.json'

export async function loadSettings(options: SettingsOptions): Promise<LoadedSettings> {
  const diagnostics: Diagnostic[] = []
  const files: SettingsFile[] = []
  const seen: LoadedSettings['files'][number][] = []
  for (const place of placesOf(options)) {
    const read = await readPlace(place, options, diagnostics)
    if (!read) continue
    seen.push({ path: place.path, hash: read.hash, isTrusted: read.isTrusted })
    if (read.file) files.push(read.file)
  }
  for (const given of options.commandLine ?? []) {
    if (typeof given !== 'string') files.push({ scope: 'command-line', dialect: 'offshoot', ...given })
  }
  const guarded = variablesOfProviders(files, options.env ?? {})
  const merged = mergeSettings(files.map(file => ({ ...file, providerVariables: guarded })))
  return { ...merged, diagnostics: [...diagnostics, ...merged.diagnostics], files: seen }
}

/** Of the providers there are, and of those the user added. */
function variablesOfProviders(
  files: readonly SettingsFile[],
  env: NonNullable<SettingsOptions['env']>,
): ReadonlySet<string> {
  const own = files.filter(({ scope }) => scope !== 'project' && scope !== 'local').map(({ content }) => content)
  const keys = ownProviders(own, env).flatMap(([, { apiKeyEnv }]) => apiKeyEnv ?? [])
  return new Set([...providerVariables, ...keys].map(name => name.toUpperCase()))
}

/** Every file that is looked for, whether it is there or not. */
export const settingsPaths = (options: SettingsOptions): readonly string[] => placesOf(options).map(({ path }) => path)

interface Place {
  readonly path: string
  readonly scope: SettingsScope
  readonly dialect: 'offshoot' | 'claude'
  readonly root?: string
}

function placesOf({
  projectDir,
  home,
  configDir,
  managedFiles,
  commandLine,
  isBare,
}: SettingsOptions): readonly Place[] {
  const root = projectDir
  const project = (scope: 'local' | 'project', name: string): readonly Place[] => [
    { path: join(projectDir, '.offshoot', name), scope, dialect: 'offshoot', root },
    // In the home directory itself, `.claude` is the user's.
    ...(projectDir === home
      ? []
      : [{ path: join(projectDir, '.claude', name), scope, dialect: 'claude', root } as const]),
  ]
  const given: readonly Place[] = [
    ...(managedFiles ?? [managedSettingsFile]).map((path): Place => ({ path, scope: 'managed', dialect: 'offshoot' })),
    ...(commandLine ?? [])
      .filter(each => typeof each === 'string')
      .map((path): Place => ({ path, scope: 'command-line', dialect: 'offshoot' })),
  ]
  if (isBare) return given
  return [
    ...given,
    ...project('local', 'settings.local.json'),
    ...project('project', 'settings.json'),
    { path: join(configDir, 'settings.json'), scope: 'user', dialect: 'offshoot', root: home },
    { path: join(home, '.claude', 'settings.json'), scope: 'user', dialect: 'claude', root: home },
  ]
}

const maxBytes = 1024 * 1024

/** What counted before counts no longer, denies included: told however quiet a start is to be. */
export const changedSettings = 'settings-changed'

/** Faults of a file that nobody else can be behind (S2): one that was trusted had counted, with its denials (S4). */
const notToBeRead: ReadonlySet<string> = new Set(['file-unreadable', 'file-too-large', 'file-no-text'])

/** `file` is absent when what was found must not count, or cannot be read. */
async function readPlace(
  place: Place,
  { trust, projectDir }: SettingsOptions,
  diagnostics: Diagnostic[],
): Promise<{ readonly hash: string; readonly isTrusted: boolean; readonly file?: SettingsFile } | undefined> {
  const isProject = isByProject(place)
  const read = await readGuardedFile(place.path, {
    maxBytes,
    ...(isProject && { within: [projectDir], mustBeOurs: true }),
  })
  const say = (code: string, message: string, hint?: string, severity: Diagnostic['severity'] = 'warning') =>
    diagnostics.push({ code, severity, message, file: place.path, ...(hint && { hint }) })
  const fail = (code: string, message: string) => void say(code, message, mendIt, 'error')
  if (!read) {
    if (place.scope === 'command-line') fail('settings-missing', 'there is no such settings file')
    return undefined
  }
  if ('fault' in read) {
    const isKnown = notToBeRead.has(read.code) && trust.wasTrusted?.(projectDir, place.path)
    if (isProject && !isKnown) say(`settings-${read.code}`, `these settings are ignored: ${read.fault}`)
    else fail(`settings-${read.code}`, `these settings cannot be read: ${read.fault}`)
    return undefined
  }
  if (isProject && !trust.isTrusted(projectDir, read.hash, place.path)) {
    const nothing = '(no hook, server, rule or variable of it counts)'
    const hint = `read ${place.path}, then trust the folder: offshoot trust, or \`trustsProject\` in code`
    if (trust.wasTrusted?.(projectDir, place.path))
      say(changedSettings, `these settings have changed since they were trusted, and are ignored ${nothing}`, hint)
    else
      say(
        'settings-untrusted',
        `these settings are ignored: this folder, as it is now, is not trusted ${nothing}`,
        hint,
      )
    return { hash: read.hash, isTrusted: false }
  }
  const { hash } = read
  const content = parseJson(read.text)
  if ('fault' in content) {
    fail('settings-no-json', `these settings are no valid JSON: ${content.fault}`)
    return { hash, isTrusted: true }
  }
  const { path: origin, scope, dialect, root } = place
  const file = { scope, dialect, origin, ...(root && { root }), realPath, content: content.value, text: read.text }
  return { hash, isTrusted: true, file }
}

function parseJson(text: string): { readonly value: unknown } | { readonly fault: string } {
  if (text.trim() === '') return { value: {} }
  try {
    return { value: JSON.parse(text) }
  } catch {
    return { fault: jsonFault(text) }
  }
}
