/** What must hold of the logs of a tree, however often its process died. */
import { expect } from 'vitest'
import type { DurableEvent, StoredEvent } from '../../src/core/events.js'
import type { RunId } from '../../src/core/message.js'
import { fold } from '../../src/core/run/run-apply.js'
import type { RunStore } from '../../src/core/run-store.js'

export type Logs = ReadonlyMap<RunId, readonly StoredEvent[]>
export interface Traces {
  readonly logs: Logs
  /** How often each side effect happened, by run and call. */
  readonly marks: ReadonlyMap<string, number>
  readonly openAtCut: readonly string[]
}

export async function readLogs(store: RunStore): Promise<Logs> {
  const logs = new Map<RunId, StoredEvent[]>()
  for (const { runId } of await store.list({})) {
    const events: StoredEvent[] = []
    for await (const envelope of store.read(runId)) events.push(envelope)
    logs.set(runId, events)
  }
  return logs
}

/** Side effects whose start is stored and whose end is not. */
export function openSideEffects(logs: Logs): readonly string[] {
  const open = new Set<string>()
  for (const [runId, events] of logs) {
    for (const { event } of events) {
      if (event.type === 'tool.started' && event.effect === 'write') open.add(`${runId}/${event.callId}`)
      if (event.type === 'tool.ended') open.delete(`${runId}/${event.callId}`)
    }
  }
  return [...open].sort()
}

/** Everything that must hold of the logs of a tree that was cut and went on, compared with one that was not. */
export function assertSound(outcome: Traces, where: string, calm?: Pick<Traces, 'logs'>): void {
  const interrupted: string[] = []
  for (const [runId, log] of outcome.logs) {
    const events = log.map(({ event }) => event)
    expect(
      log.map(({ seq }) => seq),
      `${where}: E2 no gaps`,
    ).toEqual(log.map((_, i) => i + 1))
    expect(
      log.every(({ at }, i) => i === 0 || at >= log[i - 1]!.at),
      `${where}: D6 time never goes back`,
    ).toBe(true)
    expect(count(events, 'run.ended'), `${where}: E1 one end an attempt in ${runId}`).toBe(
      count(events, 'run.queued') + count(events, 'run.resumed'),
    )
    expect(fold(log)?.result, `${where}: every run has ended`).toBeDefined()
    assertOnce(events, 'turn.ended', event => String(event.turn), `${where}: no turn twice`)
    assertOnce(events, 'tool.ended', event => event.callId, `${where}: each call answered once`)
    // An attempt that was refused has not been: it may still begin, and end.
    const begun = events.filter(event => event.type !== 'child.ended' || !event.isRefused)
    assertOnce(begun, 'child.ended', event => `${event.runId}#${event.attempt}`, `${where}: one end for each child`)
    for (const event of events)
      if (event.type === 'tool.ended' && event.status === 'interrupted') interrupted.push(`${runId}/${event.callId}`)
    assertStartsBeforeEffects(events, where)
  }
  for (const [key, times] of outcome.marks) expect(times, `${where}: side effect of ${key}`).toBe(1)
  if (!calm) return
  expect(interrupted.sort(), `${where}: exactly what was open at the cut`).toEqual(outcome.openAtCut)
  expect([...outcome.logs.keys()].length, `${where}: no child doubled or lost`).toBe(calm.logs.size)
}

const count = (events: readonly DurableEvent[], type: DurableEvent['type']) =>
  events.filter(event => event.type === type).length

function assertOnce<T extends DurableEvent['type']>(
  events: readonly DurableEvent[],
  type: T,
  key: (event: Extract<DurableEvent, { type: T }>) => string,
  message: string,
): void {
  const keys = events.filter((event): event is Extract<DurableEvent, { type: T }> => event.type === type).map(key)
  expect(new Set(keys).size, message).toBe(keys.length)
}

/** D2: an answer `ok` of a call that is not read-only has its start before it. */
function assertStartsBeforeEffects(events: readonly DurableEvent[], where: string): void {
  const started = new Set<string>()
  for (const event of events) {
    if (event.type === 'tool.started') started.add(event.callId)
    if (event.type === 'tool.ended' && event.status === 'ok' && event.name === 'Write')
      expect(started.has(event.callId), `${where}: D2`).toBe(true)
  }
}
