/** What must hold besides (order.ts) where runs are in processes of their own. Each fault names its run. */
import { totalTokens } from '../../src/core/budget/usage.js'
import type { DurableEvent, StoredEvent } from '../../src/core/events.js'
import type { RunId } from '../../src/core/message.js'
import { fold } from '../../src/core/run/run-apply.js'
import { finishedReport } from '../../src/core/run/run-ending.js'
import type { Logs } from '../crash/soundness.js'
import { asksIn, effectsIn, type StormPlace } from './process-world.js'

export function faultsOfProcesses(logs: Logs, place: StormPlace): readonly string[] {
  const asks = asksIn(place)
  const effects = effectsIn(place)
  const faults = [...effects].filter(([, times]) => times > 1).map(([call]) => `${call} was done twice`)
  for (const [runId, log] of logs) {
    const events = log.map(({ event }) => event)
    const paid = events.filter(isPaid).length
    if (paid > (asks.get(runId) ?? 0)) faults.push(`${runId}: ${paid} turns paid, ${asks.get(runId) ?? 0} asked`)
    for (const event of events)
      if (event.type === 'tool.ended' && event.name === 'Write' && event.status === 'ok')
        if (effects.get(`${runId} ${event.callId}`) !== 1) faults.push(`${runId}: ${event.callId} was not done`)
    faults.push(...spentTwice(runId, events, logs))
    faults.push(...afterDeath(runId, log))
  }
  return faults
}

/** By what was asked. A request that a host may have had out when it died is paid by guess (`lost-turn.ts`). */
const isPaid = (event: DurableEvent): boolean =>
  (event.type === 'turn.ended' || event.type === 'turn.failed') &&
  (event.usage?.input ?? 0) > 0 &&
  !(event.type === 'turn.failed' && event.error.message.includes('nobody knows'))

/** What a run and everything below it is said to have spent stands in their logs. */
function spentTwice(runId: RunId, events: readonly DurableEvent[], logs: Logs): readonly string[] {
  const paid = tokensBelow(runId, logs)
  return events.flatMap(event => {
    const said = (event.type === 'run.ended' && event.result.spent?.tokens) || 0
    return said > paid ? [`${runId}: said to have spent ${said}, and ${paid} stand in the logs`] : []
  })
}

function tokensBelow(runId: RunId, logs: Logs): number {
  let sum = 0
  for (const { event } of logs.get(runId) ?? [])
    if (event.type === 'turn.ended' || event.type === 'turn.failed') sum += event.usage ? totalTokens(event.usage) : 0
  for (const [id, log] of logs) if (log[0]?.parentId === runId) sum += tokensBelow(id, logs)
  return sum
}

/** A process that died took its attempt with it: nothing more is done in it, and it is no success without a report. */
function afterDeath(runId: RunId, log: readonly StoredEvent[]): readonly string[] {
  const faults: string[] = []
  let hadReport: boolean | undefined
  for (const [i, { event }] of log.entries()) {
    if (event.type === 'process.died') {
      if (hadReport !== undefined) faults.push(`${runId}: its process died twice in one attempt`)
      const state = fold(log.slice(0, i))
      hadReport = state !== undefined && finishedReport(state) !== undefined
    } else if (hadReport !== undefined) {
      // A child that somebody else had go on is nothing this run does.
      const isOthers = event.type === 'child.started' && event.isResumed
      if (['turn.ended', 'tool.started', 'child.started'].includes(event.type) && !isOthers)
        faults.push(`${runId}: ${event.type} after its process had died`)
      if (event.type !== 'run.ended') continue
      if (event.result.outcome === 'completed' && !hadReport)
        faults.push(`${runId}: completed, though its process had died`)
      hadReport = undefined
    }
  }
  return faults
}
