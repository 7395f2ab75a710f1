/**
 * What a house stands on: the settings of a directory and its user, what is trusted, plugins, and what these come to for
 * each part of the house. Whoever starts or removes something asks `obstacleIn` first; whoever only looks says what is
 * wrong.
 */
import { existsSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { Diagnostic } from '../../core/ports.js'
import { findSetting, foldersIn, type Setting, type Settings } from '../../core/settings.js'
import { offshootDirectories } from '../os/directories.js'
import { fileStamp } from '../os/file-stamp.js'
import { isInside } from '../os/inside.js'
import { projectRoot } from '../os/project-root.js'
import { addedPluginsDir, type PluginPlaces } from '../plugins/find-plugins.js'
import { type LoadedPlugins, loadPlugins } from '../plugins/load-plugins.js'
import type { NamedFolder } from '../sources/agent-folders.js'
import {
  type GivenSettings,
  type LoadedSettings,
  loadSettings,
  type SettingsOptions,
  settingsPaths,
} from '../sources/settings.js'
import { fileTrustStore, type TrustStore } from '../sources/trust.js'
import { openSurroundings, type Surroundings } from '../surroundings.js'

export interface Site {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** A project acts without a person's word, this time. */
  readonly trustsProject?: boolean | undefined
  /** Nothing of this directory and its user counts but agent files. */
  readonly isBare?: boolean | undefined
}

export interface Ground {
  readonly settings: LoadedSettings
  readonly trust: TrustStore
  /** What the files of the settings and of what is trusted looked like before they were read. */
  readonly stamp: string
  /** What they look like now: another one when one has changed. */
  stampNow(): string
  loadAgain(): Promise<LoadedSettings>
  /** Whether a file of the project counts by the word of a flag alone. */
  isByFlag(path: string, hash: string): boolean
}

export async function openGround(site: Site, given: readonly GivenSettings[] = []): Promise<Ground> {
  const { config } = offshootDirectories(site.env)
  const trusted = join(config, 'trust.json')
  const trust = fileTrustStore(trusted)
  const projectDir = projectRoot(site.cwd)
  const options: SettingsOptions = {
    projectDir,
    home: homeOf(site),
    configDir: config,
    trust: trustOf(trust, site),
    commandLine: given,
    isBare: site.isBare,
    env: site.env,
  }
  const paths = [...settingsPaths(options), trusted]
  const stampNow = () => paths.map(fileStamp).join(' ')
  const stamp = stampNow()
  const settings = await loadSettings(options)
  const fault = trust.fault?.()
  const lost = fault === undefined ? [] : [lostTrust(fault, config)]
  const below = site.isBare ? [] : settingsBelow(site.cwd, projectDir).filter(path => !paths.includes(path))
  return {
    settings: {
      ...settings,
      diagnostics: [...settings.diagnostics, ...lost, ...below.map(path => unread(path, projectDir))],
    },
    trust,
    stamp,
    stampNow,
    loadAgain: () => loadSettings(options),
    isByFlag: (path, hash) =>
      site.trustsProject === true && isOfProject(path, projectDir) && !trust.isTrusted(projectDir, hash, path),
  }
}

const isOfProject = (path: string, projectDir: string): boolean =>
  ['.offshoot', '.claude'].some(folder => path.startsWith(join(projectDir, folder, '/')))

/** Between a project's top and where one works in it. */
function settingsBelow(cwd: string, projectDir: string): readonly string[] {
  const found: string[] = []
  for (let at = cwd; at !== projectDir && dirname(at) !== at; at = dirname(at)) {
    for (const folder of ['.offshoot', '.claude'])
      found.push(...['settings.json', 'settings.local.json'].map(name => join(at, folder, name)))
  }
  return found.filter(path => existsSync(path))
}

const unread = (file: string, projectDir: string): Diagnostic => ({
  code: 'settings-below-root',
  severity: 'warning',
  message: `these settings are not read: of a project those at its top count (${projectDir})`,
  file,
})

const lostTrust = (fault: string, config: string): Diagnostic => ({
  code: 'trust-unreadable',
  severity: 'warning',
  message: `what you trust does not count: ${fault}`,
  file: join(config, 'trust.json'),
})

/** Those that are on. A flag may trust a project; what a plugin runs needs a person's own word. */
export async function pluginsOf(site: Site, { settings, trust }: Ground): Promise<LoadedPlugins> {
  return site.isBare ? NO_PLUGINS : loadPlugins(pluginPlaces(site, settings), trust)
}

const NO_PLUGINS: LoadedPlugins = {
  ...{ agents: [], skills: [], commands: [], hooks: [], servers: [] },
  ...{ folders: [], diagnostics: [] },
}

export function pluginPlaces(site: Site, settings: Settings): PluginPlaces {
  const named = foldersIn(settings, 'plugins')
  return {
    projectDir: projectRoot(site.cwd),
    home: homeOf(site),
    addedDir: addedPluginsDir(offshootDirectories(site.env).data),
    configured: named.filter(each => !isByProject(each)).flatMap(({ value }) => value),
    configuredByProject: named.filter(isByProject).flatMap(({ value }) => value),
  }
}

const isByProject = ({ scope }: Pick<Setting, 'scope'>): boolean => scope === 'project' || scope === 'local'

/** Hooks, skills, servers and instructions; what servers are trusted are started. */
export function surroundingsOf(site: Site, { settings, trust }: Ground, plugins: LoadedPlugins): Promise<Surroundings> {
  const { cwd, env, isBare } = site
  return openSurroundings({
    cwd,
    projectDir: projectRoot(cwd),
    home: homeOf(site),
    directories: offshootDirectories(env),
    env,
    settings,
    trust: trustOf(trust, site),
    plugins,
    agentsDirs: agentsDirs(site, settings).map(({ path }) => path),
    isBare,
  })
}

/** Where agent files lie besides the usual folders. */
export function furtherFolders({ cwd }: Pick<Site, 'cwd'>, settings: Settings, plugins: LoadedPlugins) {
  return { plugins: plugins.agents, agentsDirs: agentsDirs({ cwd }, settings) }
}

/** Folders of agents that settings name. A project's own start at its top, which is how they were judged. */
export const agentsDirs = ({ cwd }: Pick<Site, 'cwd'>, settings: Settings): readonly NamedFolder[] =>
  foldersIn(settings, 'subagents.agentsDirs').flatMap(named => {
    const start = isByProject(named) ? projectRoot(cwd) : cwd
    return named.value.map(path => ({ path: resolve(start, path), isOwn: !isByProject(named) }))
  })

export interface FurtherRoots {
  readonly directories: readonly string[]
  /** Of those that are not there: no run could be opened with them. */
  readonly diagnostics: readonly Diagnostic[]
}

/** Directories to work in besides the first. A project's own start at its top, which is how they were judged. */
export function furtherRoots(settings: Settings, site: Site): FurtherRoots {
  const found = findSetting(settings, 'permissions.additionalDirectories')
  if (!found) return { directories: [], diagnostics: [] }
  const written = found.value as readonly string[]
  // A project's `~` was judged as a name in the project, and is one.
  const place = (name: string) =>
    isByProject(found)
      ? resolve(projectRoot(site.cwd), name)
      : resolve(
          site.cwd,
          name.replace(/^~(?=\/|$)/, () => homeOf(site)),
        )
  const placed = written.map(name => ({ name, path: place(name) }))
  const missing = placed.filter(({ path }) => statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true)
  return {
    directories: placed.filter(each => !missing.includes(each)).map(({ path }) => path),
    diagnostics: missing.map(({ name }) => ({
      code: 'directory-missing',
      severity: 'warning',
      message: `permissions.additionalDirectories: "${name}" is left out: there is no such directory`,
      file: found.origin,
    })),
  }
}

export const homeOf = ({ env }: Site): string => env.HOME || homedir()

const trustOf = (trust: TrustStore, { cwd, trustsProject }: Site): Pick<TrustStore, 'isTrusted'> => ({
  isTrusted: (folder, hash, path) =>
    (trustsProject === true && isInside(folder, projectRoot(cwd))) || trust.isTrusted(folder, hash, path),
})
