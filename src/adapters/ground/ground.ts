/**
 * What a house stands on: the settings of a directory and its user, what is trusted, plugins, and what these come to for
 * each part of the house. Whoever starts or removes something asks `obstacleIn` first; whoever only looks says what is
 * wrong.
 */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Diagnostic } from '../../core/ports.js'
import { foldersIn, isByProject, type Settings } from '../../core/settings/settings.js'
import { offshootDirectories } from '../os/directories.js'
import { fileStamp } from '../os/file-stamp.js'
import { isInside } from '../os/inside.js'
import { projectRoot } from '../os/project-root.js'
import { addedPluginsDir, type PluginPlaces } from '../plugins/find-plugins.js'
import { type LoadedPlugins, loadPlugins } from '../plugins/load-plugins.js'
import {
  type GivenSettings,
  type LoadedSettings,
  loadSettings,
  type SettingsOptions,
  settingsPaths,
} from '../sources/settings.js'
import { fileTrustStore, type TrustStore } from '../sources/trust.js'
import { agentsDirs, missingAgentsDirs, withHome } from './named-folders.js'
import { homeOf, type Site } from './site.js'
import { openSurroundings, type Surroundings } from './surroundings.js'

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
      diagnostics: [
        ...settings.diagnostics,
        ...missingAgentsDirs(site, settings),
        ...lost,
        ...below.map(path => unread(path, projectDir)),
      ],
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
  return site.isBare ? noPlugins : loadPlugins(pluginPlaces(site, settings), trust)
}

const noPlugins: LoadedPlugins = {
  ...{ agents: [], skills: [], commands: [], hooks: [], servers: [] },
  ...{ folders: [], diagnostics: [] },
}

export function pluginPlaces(site: Site, settings: Settings): PluginPlaces {
  const named = foldersIn(settings, 'plugins').map(each => ({
    isOurs: !isByProject(each),
    names: each.value.map(name => withHome(name, each, site)),
  }))
  const namesOf = (isOurs: boolean) => named.filter(each => each.isOurs === isOurs).flatMap(({ names }) => names)
  return {
    projectDir: projectRoot(site.cwd),
    home: homeOf(site),
    addedDir: addedPluginsDir(offshootDirectories(site.env).data),
    configured: namesOf(true),
    configuredByProject: namesOf(false),
  }
}

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
export function furtherFolders(from: Pick<Site, 'cwd' | 'env'>, settings: Settings, plugins: LoadedPlugins) {
  return { plugins: plugins.agents, agentsDirs: agentsDirs(from, settings) }
}

/** What a person trusts, and what this start was told to. */
export function trustOf(trust: TrustStore, { cwd, trustsProject }: Site): Pick<TrustStore, 'isTrusted' | 'wasTrusted'> {
  const isTold = (folder: string) => trustsProject === true && isInside(folder, projectRoot(cwd))
  return {
    isTrusted: (folder, hash, path) => isTold(folder) || trust.isTrusted(folder, hash, path),
    wasTrusted: (folder, path) => isTold(folder) || (trust.wasTrusted?.(folder, path) ?? false),
  }
}
