/** What a session is, for the first line of a stream and for status lines. */
import { oneLine } from '../../core/text.js'
import type { RunHandle } from '../../runtime/run-handle.js'
import type { SessionFacts } from './answer-format.js'
import type { Session } from './open-session.js'

/** What a conversation is called in lists: the beginning of its first prompt. */
export const describePrompt = (prompt: string): string => oneLine(prompt, 60) || 'conversation'

export async function sessionFacts({ house, cwd, agent }: Session, run: RunHandle): Promise<SessionFacts> {
  const { models, offshoot } = house
  const brief = await run.brief()
  const model = brief?.model ?? models.defaultModel.id
  const chosen = brief?.reasons.find(reason => reason.about === 'model')
  const isDefault = model === models.defaultModel.id && chosen?.rule !== 'task'
  return {
    runId: run.id,
    model,
    why: isDefault ? models.defaultModel.why : (chosen?.detail ?? chosen?.rule ?? 'chosen'),
    cwd,
    agent: brief?.agent ?? agent,
    mode: brief?.chain.at(-1)?.mode ?? 'default',
    tools: brief?.allowed ?? [],
    agents: offshoot
      .catalog()
      .offered()
      .map(offered => offered.name),
  }
}
