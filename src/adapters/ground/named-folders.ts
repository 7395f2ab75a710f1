/**
 * Folders that settings name: of agents, of plugins, and to work in. What the user or an administrator names starts where
 * one works, and `~` is the home. A project's own start at its top, and a `~` is a name there: that is how they were judged.
 */
import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Diagnostic } from '../../core/ports.js'
import { findSetting, foldersIn, isByProject, type Setting, type Settings } from '../../core/settings/settings.js'
import { projectRoot } from '../os/project-root.js'
import type { NamedFolder } from '../sources/agent-folders.js'
import { homeOf, type Site } from './site.js'

type From = Pick<Site, 'cwd' | 'env'>

/** With the home in the place of a `~`; a name of the project stays as it is. */
export function withHome(name: string, setting: Pick<Setting, 'scope'>, from: Pick<Site, 'env'>): string {
  return isByProject(setting) ? name : name.replace(/^~(?=\/|$)/, () => homeOf(from))
}

const placed = (name: string, setting: Pick<Setting, 'scope'>, from: From): string =>
  resolve(isByProject(setting) ? projectRoot(from.cwd) : from.cwd, withHome(name, setting, from))

/** Of agents. */
export function agentsDirs(from: From, settings: Settings): readonly NamedFolder[] {
  return foldersIn(settings, 'subagents.agentsDirs').flatMap(named =>
    named.value.map(name => ({ path: placed(name, named, from), isOwn: !isByProject(named) })),
  )
}

/** An agent that nobody finds would else be told as one that nobody has. */
export function missingAgentsDirs(from: From, settings: Settings): readonly Diagnostic[] {
  return foldersIn(settings, 'subagents.agentsDirs').flatMap(named =>
    named.value
      .filter(name => !existsSync(placed(name, named, from)))
      .map(name => missing('subagents.agentsDirs', name, named.origin)),
  )
}

export interface FurtherRoots {
  readonly directories: readonly string[]
  /** Of those that are not there: no run could be opened with them. */
  readonly diagnostics: readonly Diagnostic[]
}

/** To work in, besides the first. */
export function furtherRoots(settings: Settings, from: From): FurtherRoots {
  const found = findSetting(settings, 'permissions.additionalDirectories')
  if (!found) return { directories: [], diagnostics: [] }
  const named = (found.value as readonly string[]).map(name => ({ name, path: placed(name, found, from) }))
  return {
    directories: named.map(({ path }) => path).filter(isDirectory),
    diagnostics: named
      .filter(({ path }) => !isDirectory(path))
      .map(({ name }) => missing('permissions.additionalDirectories', name, found.origin)),
  }
}

const isDirectory = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

const missing = (setting: string, name: string, file: string): Diagnostic => ({
  code: 'directory-missing',
  severity: 'warning',
  message: `${setting}: "${name}" is left out: there is no such directory`,
  file,
})
