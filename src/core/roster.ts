/** What models are told of the agents there are. Snapshot-tested as the notices are. */
import type { AgentDefinition } from './agent-definition.js'
import { neutralise } from './notices.js'
import { oneLine } from './text/text.js'

/** At most this much of each agent's description is shown to the caller's model. */
export const shownDescription = 1024

/** What agents say of themselves is quoted: anybody may have written it. The same bytes as long as the agents are the same. */
export function rosterOf(agents: readonly Pick<AgentDefinition, 'name' | 'description' | 'tools'>[]): string {
  const lines = agents.map(({ name, description = '', tools }) => {
    const isIdle = tools !== 'all' && tools.length === 0
    return `- ${name}: ${neutralise(JSON.stringify(oneLine(description, shownDescription)))}${isIdle ? ' (no tools)' : ''}`
  })
  return ['Agents, with what their authors say of them:', ...lines].join('\n')
}

export const taskDescription = (roster: string): string =>
  `Hand a task to a specialised agent that works on its own and reports back once. It sees nothing of this conversation unless its definition says so, so put everything it needs into the prompt, and say what the report should contain. Several Task calls in one turn run in parallel.\n${roster}`
