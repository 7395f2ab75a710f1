import type { ToolGrant } from '../../src/core/agent-definition.js'
import type { FileReading } from '../../src/core/agent-file/read-agent-file.js'

/** The tools of the one agent of a file: `Read Bash(git *) -WebFetch`, or that it will not run. */
export function shownIn(reading: FileReading): string {
  const agent = reading.agents[0]?.agent
  if (!agent || agent.quarantine !== undefined) return 'quarantined'
  const shown = ({ name, pattern }: ToolGrant) => (pattern === undefined ? name : `${name}(${pattern})`)
  const tools = agent.tools === 'all' ? ['all'] : agent.tools.map(shown)
  return [...tools, ...(agent.disallowedTools ?? []).map(grant => `-${shown(grant)}`)].join(' ')
}
