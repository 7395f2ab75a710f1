/**
 * What an agent noted for itself: one `MEMORY.md` a folder, by the scope its definition names.
 * A folder another product made is used where it is; otherwise ours. The file is read when a run begins, so a run sees
 * what the one before it wrote. It may be written with the ordinary tools; the folder has to be opened to them. The folder
 * is no link: a run that writes it could put one in its place. In a project no part of the way to it is: whoever made the
 * project would choose what is opened for writing.
 */
import { existsSync, lstatSync, readFileSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { AgentDefinition } from '../../core/agent-definition.js'
import type { PromptPart } from '../../core/brief/prompt-parts.js'
import * as notices from '../../core/notices.js'
import { slugOf } from '../../core/text/nearest.js'
import { isWithin } from '../../core/text/path-text.js'
import { isMissing } from '../os/real-file.js'
import { realPath } from '../os/real-path.js'

export interface MemoryPlaces {
  readonly projectDir: string
  readonly home: string
  /** Ours, for memories of the user scope. */
  readonly dataDir: string
}

const maxLines = 200
const maxBytes = 256 * 1024

/** The folder of an agent's memory; undefined when its definition has none, or it would lie somewhere else. */
export function memoryDir(agent: Pick<AgentDefinition, 'name' | 'memory'>, places: MemoryPlaces): string | undefined {
  if (!agent.memory) return undefined
  const name = slugOf(agent.name).replace(/[^a-z0-9-]/g, '-')
  if (name.replaceAll('-', '') === '') return undefined
  const [ours, theirs] = memoryRoots(agent.memory, places).map(root => join(root, name)) as [string, string]
  const directory = existsSync(theirs) && !existsSync(ours) ? theirs : ours
  return isPlainWay(agent.memory === 'user' ? dirname(directory) : places.projectDir, directory) ? directory : undefined
}

/**
 * The folder to open for writing, by both its names. What the folders of memories really are is found once, now: no run
 * can then lead elsewhere what is opened.
 */
export function memoryOpener(places: MemoryPlaces): (agent: Parameters<typeof memoryDir>[0]) => readonly string[] {
  const all = (['user', 'project', 'local'] as const).flatMap(scope => memoryRoots(scope, places))
  const real = new Map(all.map(root => [root, realPath(root)]))
  return agent => {
    const directory = memoryDir(agent, places)
    if (directory === undefined) return []
    const root = dirname(directory)
    return [...new Set([directory, join(real.get(root) ?? root, basename(directory))])]
  }
}

/** Whether every part below `from` that exists is a folder and no link. */
function isPlainWay(from: string, to: string): boolean {
  for (let at = to; at !== from && at !== dirname(at); at = dirname(at)) {
    const stats = lstatSync(at, { throwIfNoEntry: false })
    if (stats && !stats.isDirectory()) return false
  }
  return true
}

function memoryRoots(
  scope: NonNullable<AgentDefinition['memory']>,
  { projectDir, home, dataDir }: MemoryPlaces,
): [string, string] {
  const folder = scope === 'local' ? 'agent-memory-local' : 'agent-memory'
  if (scope === 'user') return [join(dataDir, folder), join(home, '.claude', folder)]
  return [join(projectDir, '.offshoot', folder), join(projectDir, '.claude', folder)]
}

export function memoryPart(
  agent: Pick<AgentDefinition, 'name' | 'memory'>,
  places: MemoryPlaces,
): PromptPart | undefined {
  if (!agent.memory) return undefined
  const directory = memoryDir(agent, places)
  if (directory === undefined) {
    const text = notices.memoryNotShown(
      'its place cannot be used: a link leads elsewhere, or the agent has no name for it',
    )
    return { kind: 'memory', origin: `${agent.memory} memory`, text }
  }
  const path = join(directory, 'MEMORY.md')
  return {
    kind: 'memory',
    origin: path,
    text: readMemory(path, agent.memory === 'user' ? directory : places.projectDir),
  }
}

/** What is noted there, or why nothing of it is shown. */
function readMemory(path: string, within: string): string {
  try {
    const stats = lstatSync(path)
    if (!stats.isFile() || !isWithin(realpathSync(path), realpathSync(within)))
      return notices.memoryNotShown('it is no plain file')
    if (stats.size > maxBytes)
      return notices.memoryNotShown(`it has ${stats.size} bytes; at most ${maxBytes} are read. Shorten it`)
    const lines = readFileSync(path, 'utf8').trim().split('\n')
    if (lines.length <= maxLines) return lines.join('\n') || notices.emptyMemory()
    return `${lines.slice(0, maxLines).join('\n')}\n[… ${lines.length - maxLines} more lines: read the file, and shorten it]`
  } catch (error) {
    return isMissing(error) ? notices.emptyMemory() : notices.memoryNotShown('it cannot be read')
  }
}
