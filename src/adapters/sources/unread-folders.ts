/**
 * Folders of other products that hold agents and are no source of ours: `.cursor/agents`, `.factory/droids`… Nothing in them
 * is listed, trusted or run; whoever brought them along is told of them. Products come and go, so they are found by shape:
 * a folder with a dot, and in it one whose name is a word for agents.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isAgentFileName } from '../../core/agent-file/file-name.js'
import { readAgentFile } from '../../core/agent-file/read-agent-file.js'
import { realPath } from '../os/real-path.js'
import { agentFolders, type FolderOptions, projectDirectories } from './agent-folders.js'
import { parsers } from './parsers.js'
import { readBounded } from './read-bounded.js'
import { walkFolder } from './walk-folder.js'

export interface UnreadFolder {
  /** A folder, or a file of modes. */
  readonly path: string
  /** Agents in it, those that would be quarantined among them. */
  readonly agents: number
}

const words = ['agents', 'agent', 'cli-agents', 'droids', 'chatmodes', 'custom_modes.yaml', 'custom_modes.yml']
const mostFiles = 500

/** Looks at the disk whenever it is called: nothing of it is needed for a start. */
export function unreadFolders(options: FolderOptions): readonly UnreadFolder[] {
  const sources = new Set(agentFolders(options).map(({ path }) => realPath(path)))
  const directories = [...projectDirectories(options.cwd, options.home), options.home]
  const seen = new Set<string>()
  return directories.flatMap(directory =>
    dotFolders(directory).flatMap(folder =>
      words.flatMap(word => {
        const path = join(folder, word)
        const real = realPath(path)
        if (sources.has(real) || seen.has(real)) return []
        seen.add(real)
        const agents = agentsBelow(path)
        return agents === 0 ? [] : [{ path, agents }]
      }),
    ),
  )
}

function dotFolders(directory: string): readonly string[] {
  try {
    return readdirSync(directory)
      .filter(name => /^\.\w/.test(name) && name !== '.git')
      .sort()
      .map(name => join(directory, name))
  } catch {
    return []
  }
}

function agentsBelow(path: string): number {
  const files = walkFolder(path, { isOwn: false }).files.filter(isAgentFileName).slice(0, mostFiles)
  return files.reduce((sum, file) => {
    const read = readBounded(file)
    if ('fault' in read) return sum
    const source = { scope: 'project', isTrusted: false } as const
    const { state, agents } = readAgentFile({ path: file, content: read.bytes, source }, parsers)
    return sum + (state === 'not-an-agent' ? 0 : Math.max(1, agents.length))
  }, 0)
}
