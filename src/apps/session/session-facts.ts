/** What a session is, for the first line of a stream and for status lines. */

import { switchedMode, switchedModesIn } from '../../adapters/tools/mode-switch.js'
import { isPlanning, planMarksIn } from '../../adapters/tools/plan-switch.js'
import type { PermissionMode } from '../../core/agent-definition.js'
import { modeInForce } from '../../core/brief/mode.js'
import type { RunId } from '../../core/message.js'
import { findSetting } from '../../core/settings/settings.js'
import { oneLine } from '../../core/text/text.js'
import type { Refusal, StoredBrief } from '../../core/types.js'
import type { RunHandle } from '../../runtime/run-handle.js'
import type { SessionFacts } from '../cli/answer-format.js'
import type { Session } from './open-session.js'

/** What a conversation is called in lists: the beginning of its first prompt. */
export const describePrompt = (prompt: string): string => oneLine(prompt, 60) || 'conversation'

export async function sessionFacts({ house, cwd, agent, mcpServers }: Session, run: RunHandle): Promise<SessionFacts> {
  const { models } = house
  const brief = await run.brief()
  const model = brief?.model ?? models.defaultModel.id
  const chosen = brief?.reasons.find(reason => reason.about === 'model')
  const isDefault = model === models.defaultModel.id && chosen?.rule === 'default'
  return {
    runId: run.id,
    model,
    why: isDefault ? models.defaultModel.why : (chosen?.detail ?? chosen?.rule ?? 'chosen'),
    cwd,
    agent: brief?.agent ?? agent,
    mode: brief ? modeNow(house.directories.data, run.id, brief.chain) : 'default',
    tools: brief?.allowed ?? [],
    agents: house
      .catalog()
      .offered()
      .map(offered => offered.name),
    servers: mcpServers(),
  }
}

/** Of a conversation that was switched before, too. */
function modeNow(data: string, rootId: RunId, chain: StoredBrief['chain']): PermissionMode {
  if (isPlanning(planMarksIn(data), rootId)) return 'plan'
  return modeInForce(chain, switchedMode(switchedModesIn(data), rootId))
}

/** Where a default that cannot be had was set: whoever did not name it now has to know where it stands. */
export function withItsOrigin(refusal: Refusal, { house, settings }: Session): Refusal {
  if (!modelRules.has(refusal.rule)) return refusal
  const { id, unavailable, isOfEnvironment } = house.models.defaultModel
  if (!unavailable || !refusal.refused.includes(id)) return refusal
  const setting = findSetting(settings, 'models.default') ?? findSetting(settings, 'model')
  const place = isOfEnvironment ? 'OFFSHOOT_MODEL' : setting && `"${setting.key}" in ${setting.origin}`
  return place ? { ...refusal, refused: `${refusal.refused} The default is set by ${place}.` } : refusal
}

const modelRules: ReadonlySet<string> = new Set(['unknown-model', 'model-unavailable'])
