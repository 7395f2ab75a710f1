/** The files of the agents that come with the package, as the build and a checkout read them. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Parsers } from '../../core/agent-file/block.js'
import { type FileReading, readAgentFile } from '../../core/agent-file/read-agent-file.js'

export function readBuiltIns(folder: string, parsers: Parsers): readonly FileReading[] {
  return readdirSync(folder)
    .filter(name => name.endsWith('.md'))
    .sort()
    .map(name => {
      const path = `.offshoot/agents/${name}`
      const source = { scope: 'built-in', isTrusted: true } as const
      return readAgentFile({ path, content: readFileSync(join(folder, name)), source }, parsers)
    })
}
