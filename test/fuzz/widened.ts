/** What a damaged file gives its agent beyond what the sound one gives. */
import { parsers } from '../../src/adapters/sources/parsers.js'
import type { AgentDefinition } from '../../src/core/agent-definition.js'
import { type FileReading, readAgentFile } from '../../src/core/agent-file/read-agent-file.js'
import type { SoundFile } from './sound-files.js'
import { widening } from './wider.js'

export function wideningOf(file: SoundFile, damaged: string): string | undefined {
  return wideningBy(agentOf(readText(damaged, file.path)), file)
}

/** The same, of what was read already. */
export function wideningBy(after: AgentDefinition | undefined, file: SoundFile): string | undefined {
  if (after === undefined) return undefined
  const known = soundAgents.get(file) ?? {
    before: agentOf(readText(file.text, file.path))!,
    bare: agentOf(readText(file.bare, file.path))!,
  }
  soundAgents.set(file, known)
  return widening(after, known.before, known.bare)
}

const soundAgents = new Map<SoundFile, { readonly before: AgentDefinition; readonly bare: AgentDefinition }>()

export function readText(content: Uint8Array | string, path: string): FileReading {
  return readAgentFile({ path, content, source: { scope: 'user', isTrusted: true } }, parsers)
}

/** Undefined when it would not run. */
export function agentOf(reading: FileReading): AgentDefinition | undefined {
  const agent = reading.agents[0]?.agent
  return agent?.quarantine === undefined ? agent : undefined
}

/** It ends in one state, says why, and leaves nothing behind. */
export function isSettled(reading: FileReading): boolean {
  const isExplained = reading.state === 'loaded' || reading.diagnostics.length > 0
  const isListed = reading.agents.every(each => each.agent === undefined || each.agent.name !== '')
  return isExplained && isListed && !('polluted' in Object.prototype)
}
