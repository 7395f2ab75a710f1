/**
 * What an agent noted for itself: one `MEMORY.md` a folder, by the scope its definition names.
 * A folder another product made is used where it is; otherwise ours. The file is read when a run begins, so a run sees
 * what the one before it wrote. It may be written with the ordinary tools; the folder has to be opened to them.
 */
import { existsSync, lstatSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { slugOf } from '../../core/nearest.js'
import * as notices from '../../core/notices.js'
import { isWithin } from '../../core/path-text.js'
import type { PromptPart } from '../../core/prompt-parts.js'
import type { AgentDefinition } from '../../core/types.js'

export interface MemoryPlaces {
  readonly projectDir: string
  readonly home: string
  /** Ours, for memories of the user scope. */
  readonly dataDir: string
}

const maxLines = 200
const maxBytes = 256 * 1024

/** The folder of an agent's memory; undefined when its definition has none. */
export function memoryDir(agent: Pick<AgentDefinition, 'name' | 'memory'>, places: MemoryPlaces): string | undefined {
  if (!agent.memory) return undefined
  const name = slugOf(agent.name).replace(/[^a-z0-9-]/g, '-')
  if (name.replaceAll('-', '') === '') return undefined
  const [ours, theirs] = roots(agent.memory, places)
  return existsSync(join(theirs, name)) && !existsSync(join(ours, name)) ? join(theirs, name) : join(ours, name)
}

function roots(scope: 'user' | 'project' | 'local', { projectDir, home, dataDir }: MemoryPlaces): [string, string] {
  const folder = scope === 'local' ? 'agent-memory-local' : 'agent-memory'
  if (scope === 'user') return [join(dataDir, folder), join(home, '.claude', folder)]
  return [join(projectDir, '.offshoot', folder), join(projectDir, '.claude', folder)]
}

export function memoryPart(
  agent: Pick<AgentDefinition, 'name' | 'memory'>,
  places: MemoryPlaces,
): PromptPart | undefined {
  const directory = memoryDir(agent, places)
  if (directory === undefined) return undefined
  const path = join(directory, 'MEMORY.md')
  const text = readMemory(path, agent.memory === 'user' ? directory : places.projectDir)
  return { kind: 'memory', origin: path, text: text || notices.emptyMemory() }
}

/** Empty when there is none, or when it is not what it seems. */
function readMemory(path: string, within: string): string {
  try {
    const stats = lstatSync(path)
    if (!stats.isFile() || stats.size > maxBytes || !isWithin(realpathSync(path), realpathSync(within))) return ''
    const lines = readFileSync(path, 'utf8').trim().split('\n')
    if (lines.length <= maxLines) return lines.join('\n')
    return `${lines.slice(0, maxLines).join('\n')}\n[… ${lines.length - maxLines} more lines: read the file, and shorten it]`
  } catch {
    return ''
  }
}
