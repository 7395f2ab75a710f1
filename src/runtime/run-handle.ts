/** A run as whoever started it holds on to it. */
import type { Envelope } from '../core/events.js'
import type { Hooks } from '../core/hooks.js'
import { messageFault, type Receipt, receiptsOf } from '../core/letters.js'
import type { RunId } from '../core/message.js'
import type { Clock } from '../core/ports.js'
import { type Progress, progressOf } from '../core/progress.js'
import type { RunStore } from '../core/run-store.js'
import type { Refusal, Result, StoredBrief, Task } from '../core/types.js'
import { type Bus, follow } from './bus.js'
import { refusedByStore } from './run-log.js'
import { hearPrompt } from './session-hooks.js'
import type { Supervisor } from './supervisor.js'

/** How a run of depth 0 is begun. */
export interface StartOptions {
  /** A person talks to it: its attempt ends while background children go on, and their ends wake it. */
  readonly isConversation?: boolean
  /** Aborting it stops the run. */
  readonly signal?: AbortSignal
}

/** A run, to be watched, spoken to and stopped; also one that another process drives. */
export interface RunHandle {
  readonly id: RunId
  /** How the current attempt ends. Never rejects. */
  readonly result: Promise<Result>
  brief(): Promise<StoredBrief | undefined>
  progress(): Promise<Progress | undefined>
  /** Stored events from `fromSeq`, then live ones, until the attempt ends. */
  events(fromSeq?: number): AsyncGenerator<Envelope>
  /** A message for the run: delivered at its next safe point, or waking it when it has ended. */
  say(text: string): Promise<Receipt | Refusal>
  /** Every message it was sent, and what became of it. */
  receipts(): Promise<readonly Receipt[]>
  stop(reason?: string): Promise<void>
}

export interface HandlePorts {
  readonly supervisor: Supervisor
  readonly store: RunStore
  readonly bus: Bus
  readonly clock: Clock
  readonly hooks?: Hooks
}

/** Begins a run of depth 0. */
export async function startRun(
  task: Task,
  { isConversation, signal }: StartOptions,
  ports: HandlePorts,
): Promise<RunHandle | Refusal> {
  const { supervisor, clock } = ports
  const brief = await supervisor.briefing.prepare({ agent: 'main', ...task }, undefined, isConversation)
  if ('refused' in brief) return brief
  const unpriced = await supervisor.purses.priceRefusal(brief)
  if (unpriced) return unpriced
  if (supervisor.isFull()) return { refused: 'The queue for runs is full. Wait for some to end.', rule: 'queue-full' }
  const runId = clock.id() as RunId
  try {
    await supervisor.create({ runId, rootId: runId }, brief, task.prompt)
  } catch (error) {
    return refusedByStore(error)
  }
  const stop = () => void supervisor.stop(runId, 'its caller was stopped', 'caller').catch(() => {})
  // A stop that was there before the run is taken before its first turn.
  if (signal?.aborted) await supervisor.stop(runId, 'its caller was stopped', 'caller')
  signal?.addEventListener('abort', stop, { once: true })
  // One that cannot be claimed now says so by its result.
  await supervisor.begin(runId, true).catch(() => {})
  const started = runHandle(runId, ports)
  void started.result.then(() => signal?.removeEventListener('abort', stop))
  return started
}

export function runHandle(id: RunId, { supervisor, store, bus, clock, hooks }: HandlePorts): RunHandle {
  let result: Promise<Result> | undefined
  return {
    id,
    get result() {
      result ??= supervisor.join(id)
      return result
    },
    brief: async () => (await supervisor.reader.state(id))?.brief,
    async progress() {
      const state = await supervisor.reader.state(id)
      return state && progressOf(state, clock.now(), supervisor.position(id))
    },
    events: (fromSeq = 1) => follow(store, bus, id, fromSeq, new AbortController().signal),
    async say(text) {
      const refused = messageFault(text)
      if (refused) return { refused, rule: 'invalid-message' }
      const itemId = clock.id()
      const heard = await hearPrompt(hooks, () => supervisor.reader.state(id), text, itemId)
      if ('refused' in heard) return heard
      result = undefined
      const item = { id: itemId, kind: 'message', from: 'user', ...heard } as const
      const refusal = await supervisor.postman.post(id, item).catch(refusedByStore)
      if (refusal) return refusal
      return { itemId, from: 'user', status: 'queued' }
    },
    async receipts() {
      const state = await supervisor.reader.state(id)
      const waiting = (await store.inbox(id)).flatMap((item): readonly Receipt[] =>
        item.kind === 'message' && !state?.seen.has(item.id)
          ? [{ itemId: item.id, from: item.from, status: 'queued' }]
          : [],
      )
      return [...(state ? receiptsOf(state) : []), ...waiting]
    },
    stop: (reason = 'stopped by the user') => supervisor.stop(id, reason, 'user'),
  }
}
