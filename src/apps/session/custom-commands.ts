/**
 * Slash commands people wrote: `.offshoot/commands` and `.claude/commands`, in the project and in the home directory, and
 * those of plugins. `folder/name.md` is `/folder:name`, of a plugin `/plugin:name`. A project's count only when their
 * content is trusted, like everything else of it.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { homeOf, type Site } from '../../adapters/ground/site.js'
import { contentHash } from '../../adapters/os/content-hash.js'
import { isInside } from '../../adapters/os/inside.js'
import { projectRoot } from '../../adapters/os/project-root.js'
import { realPath } from '../../adapters/os/real-path.js'
import type { LoadedPlugins } from '../../adapters/plugins/load-plugins.js'
import type { TrustStore } from '../../adapters/sources/trust.js'
import { withPluginRoot } from '../../core/catalog/plugin.js'
import type { Diagnostic } from '../../core/ports.js'
import type { SlashCommand } from '../tui/model/slash-command.js'

export interface CustomCommand extends SlashCommand {
  readonly body: string
  readonly path: string
  /** Directories its own text may take files from; absent: it is the user's own, and takes what the user can. */
  readonly reach?: readonly string[]
}
export interface CommandPlaces {
  readonly projectDir: string
  readonly home: string
  readonly configDir: string
  readonly trust: TrustStore
  readonly trustsProject?: boolean
  /** Of plugins that are trusted. */
  readonly plugins?: LoadedPlugins['commands']
}

export function loadCustomCommands(places: CommandPlaces): {
  readonly commands: readonly CustomCommand[]
  /** Files of the project that wait for trust. */
  readonly untrusted: readonly string[]
} {
  const { projectDir, home, configDir, trust, trustsProject } = places
  const own = [join(configDir, 'commands'), join(home, '.offshoot', 'commands'), join(home, '.claude', 'commands')]
  const commands = new Map<string, CustomCommand>()
  const untrusted: string[] = []
  const add = (folder: string, path: string, bytes: Buffer, reach?: readonly string[]) => {
    const command = { ...readCommand(folder, path, bytes.toString('utf8')), ...(reach && { reach }) }
    if (!commands.has(command.name)) commands.set(command.name, command)
  }
  for (const { folder, path, bytes, hash } of projectDir === home ? [] : commandFiles(projectDir)) {
    if (trustsProject || trust.isTrusted(projectDir, hash, path)) add(folder, path, bytes, [projectDir])
    else untrusted.push(path)
  }
  for (const folder of own) for (const path of filesIn(folder)) add(folder, path, readFileSync(path))
  for (const command of (places.plugins ?? []).map(each => pluginCommand(each, projectDir))) {
    if (command && !commands.has(command.name)) commands.set(command.name, command)
  }
  return { commands: [...commands.values()], untrusted }
}

/** Undefined when its file is gone, or too large. */
function pluginCommand(
  { name, path, root }: LoadedPlugins['commands'][number],
  projectDir: string,
): CustomCommand | undefined {
  const file = statSync(path, { throwIfNoEntry: false })
  if (!file?.isFile() || file.size > maxBytes) return undefined
  const command = readCommand(dirname(path), path, readFileSync(path, 'utf8'))
  return { ...command, name, body: withPluginRoot(command.body, root) as string, reach: [projectDir, root] }
}

export interface CommandFile {
  readonly folder: string
  readonly path: string
  readonly bytes: Buffer
  readonly hash: string
}

/** What a project brings along. A folder that leads out of it is not looked into (`strayCommands`). */
export function commandFiles(projectDir: string): readonly CommandFile[] {
  return projectFolders(projectDir).flatMap(({ folder, leadsTo }) => {
    if (leadsTo !== undefined) return []
    return filesIn(folder).map(path => {
      const bytes = readFileSync(path)
      return { folder, path, bytes, hash: contentHash(bytes) }
    })
  })
}

/** Folders of commands that are links out of the project: whatever lies there would be told as the project's. */
export function strayCommands({ cwd, env }: Site): readonly Diagnostic[] {
  const projectDir = projectRoot(cwd)
  // There they are the user's own.
  if (projectDir === homeOf({ env })) return []
  return projectFolders(projectDir).flatMap(({ folder, leadsTo }) =>
    leadsTo === undefined
      ? []
      : {
          code: 'command-file-outside',
          severity: 'warning',
          message: `these commands are left out: ${leadsTo} lies outside the project`,
          file: folder,
        },
  )
}

function projectFolders(projectDir: string): readonly { readonly folder: string; readonly leadsTo?: string }[] {
  const top = realPath(projectDir)
  return ['.offshoot', '.claude'].map(name => {
    const folder = join(projectDir, name, 'commands')
    const leadsTo = realPath(folder)
    return isInside(leadsTo, top) ? { folder } : { folder, leadsTo }
  })
}

const maxBytes = 256 * 1024
const maxFiles = 500

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile() && entry.name.endsWith('.md'))
      .map(entry => join(entry.parentPath, entry.name))
      .filter(path => statSync(path).size <= maxBytes)
      .sort()
      .slice(0, maxFiles)
  } catch {
    return []
  }
}

function readCommand(folder: string, path: string, text: string): CustomCommand {
  const name = relative(folder, path).replace(/\.md$/, '').split(sep).join(':')
  const split = /^---\r?\n([\s\S]*?)\r?\n---\r?\n?([\s\S]*)$/.exec(text)
  const field = (key: string) => new RegExp(`^${key}:\\s*["']?(.*?)["']?\\s*$`, 'm').exec(split?.[1] ?? '')?.[1]
  const body = (split?.[2] ?? text).trim()
  const hint = field('argument-hint')
  return {
    name,
    about: field('description') ?? body.split('\n')[0]!.slice(0, 80),
    body,
    path,
    ...(hint && { arguments: hint }),
  }
}
