/** What a fan-out may cost, for the person who is asked about it: by earlier runs of the same agents, else by a guess. */

import { childCalled } from '../../core/budget/fan-out.js'
import { knownAmount } from '../../core/budget/request-cost.js'
import { noUsage, totalTokens } from '../../core/budget/usage.js'
import { readWishedAgent, usualAgent } from '../../core/catalog/wished-agent.js'
import { openCalls, type RunState } from '../../core/run/run-state.js'
import type { RunStore } from '../../core/run-store.js'
import type { EstimateCost } from './purse.js'

export interface FanOutPorts {
  readonly store: Pick<RunStore, 'list'>
  readonly estimateCost?: EstimateCost
}

/** A run nobody has seen yet: so many requests, each with about this many tokens. */
const guessedRequests = 6
const guessedTokens = 4_000

export async function describeFanOut(state: RunState, ports: FanOutPorts): Promise<string> {
  const agents = new Map<string, number>()
  for (const call of openCalls(state)) {
    if (!call.traits.isSpawning) continue
    const { task_id } = (call.part.input ?? {}) as { task_id?: string }
    const { agent, resume } = readWishedAgent(call.part.input)
    const again = childCalled(state, resume ?? task_id ?? '')
    const name = agent ?? again?.agent ?? (call.part.name === 'Task' ? usualAgent : call.part.name)
    agents.set(name, (agents.get(name) ?? 0) + 1)
  }
  let tokens = 0
  let usd: number | undefined = 0
  for (const [name, times] of agents) {
    const each = await estimateOne(state, name, ports)
    tokens += each.tokens * times
    usd = usd === undefined || each.usd === undefined ? undefined : usd + each.usd * times
  }
  const count = [...agents.values()].reduce((sum, times) => sum + times, 0)
  const who = [...agents].map(([name, times]) => `${name} ×${times}`).join(', ')
  const cost = usd === undefined ? 'cost unknown' : `about $${usd.toFixed(4)}`
  return `${count} runs at once (${who}): about ${Math.round(tokens)} tokens, ${cost}`
}

async function estimateOne(
  { rootId, brief }: RunState,
  agent: string,
  { store, estimateCost }: FanOutPorts,
): Promise<{ readonly tokens: number; readonly usd?: number }> {
  const before = (await store.list({ rootId, agent, isEnded: true, limit: 20 })).filter(run => run.turns > 0)
  if (before.length > 0) {
    const usd = before.some(run => run.cost === undefined)
      ? undefined
      : before.reduce((sum, run) => sum + run.cost!, 0) / before.length
    return { tokens: before.reduce((sum, run) => sum + totalTokens(run.usage), 0) / before.length, usd }
  }
  const tokens = guessedRequests * guessedTokens
  const usage = { ...noUsage, input: tokens * 0.9, output: tokens * 0.1 }
  return { tokens, usd: knownAmount(await estimateCost?.(brief.model, usage)) }
}
