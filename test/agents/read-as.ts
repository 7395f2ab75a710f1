import { parsers } from '../../src/adapters/sources/parsers.js'
import type { AgentDefinition, AgentScope } from '../../src/core/agent-definition.js'
import { type FileReading, readAgentFile } from '../../src/core/agent-file/read-agent-file.js'

export function readAs(path: string, content: string | Uint8Array, scope: AgentScope = 'user'): FileReading {
  return readAgentFile({ path, content, source: { scope, isTrusted: true } }, parsers)
}

/** The one agent of a text, which must have loaded. */
export function agentIn(path: string, content: string): AgentDefinition {
  const reading = readAs(path, content)
  const agent = reading.agents[0]?.agent
  if (!agent || agent.quarantine !== undefined) throw new Error(`not loaded: ${JSON.stringify(reading.diagnostics)}`)
  return agent
}

export function codesOf(reading: FileReading): readonly string[] {
  return reading.diagnostics.map(each => each.code)
}
