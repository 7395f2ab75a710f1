/** A run as whoever started it holds on to it. */
import type { Budget, PermissionMode } from '../core/agent-definition.js'
import { modesStrictestFirst } from '../core/brief/mode.js'
import type { Envelope } from '../core/events.js'
import type { Hooks } from '../core/hooks/hooks.js'
import type { Close, RunId } from '../core/message.js'
import type { Clock } from '../core/ports.js'
import { messageFault, type Receipt, receiptsOf } from '../core/run/letters.js'
import { type Progress, progressOf } from '../core/run/progress.js'
import { withoutUntold } from '../core/run/run-summary.js'
import type { RunStore } from '../core/run-store.js'
import { faultsOf, oneOf, type Shape, yesOrNo } from '../core/shape.js'
import type { Refusal, Result, StoredBrief, Task } from '../core/types.js'
import { closedHouse, whileOpen } from './doors.js'
import { holdOpen } from './hold-open.js'
import { askingHost, notResumed } from './host-failure.js'
import { type Bus, FirstWords, type FollowPorts, follow } from './logs/bus.js'
import { refusedByStore } from './logs/run-log.js'
import { hearPrompt } from './session-hooks.js'
import type { Supervisor } from './supervisor.js'
import { tellFailure } from './tell-failure.js'

/** How a run of depth 0 is begun. */
export interface StartOptions {
  /** A person talks to it: its attempt ends while background children go on, and their ends wake it. */
  readonly isConversation?: boolean
  /** A stricter mode than the policy's, for this run and all below it. A looser one changes nothing. */
  readonly mode?: PermissionMode
  /** Aborting it stops the run, with the reason of the abort. */
  readonly signal?: AbortSignal
}

/** How a run is gone on with. */
export interface ResumeOptions {
  /** Aborting it stops the run, with the reason of the abort. One that is aborted already begins nothing. */
  readonly signal?: AbortSignal
  /**
   * For another attempt of a run that has ended: never more than the run had, in any kind. An attempt that was left without
   * an end goes on with what it has, and is refused with one.
   */
  readonly budget?: Budget
}

/** A run, to be watched, spoken to and stopped; also one that another process drives. */
export interface RunHandle {
  readonly id: RunId
  /**
   * How the current attempt ends. Never rejects. Whoever asks for it keeps the process alive until it is there, also
   * while the run only waits for an answer.
   */
  readonly result: Promise<Result>
  brief(): Promise<StoredBrief | undefined>
  progress(): Promise<Progress | undefined>
  /**
   * Stored events from `fromSeq`, then live ones, until the attempt ends or the house is closed. Of a run that another
   * process drives they come as they are stored, without the passing ones. Throws for a run that there is not, and for a
   * `fromSeq` that is no whole number. Past the end of a run that has ended there is nothing.
   */
  events(fromSeq?: number): AsyncGenerator<Envelope>
  /** A message for the run: delivered at its next safe point, or waking it when it has ended. */
  say(text: string): Promise<Receipt | Refusal>
  /** Every message it was sent, and what became of it. */
  receipts(): Promise<readonly Receipt[]>
  /** Ends it, with everything below it. A refusal says why that could not be asked of it: no such run, a store that is gone. */
  stop(reason?: string): Promise<Refusal | undefined>
}

export interface HandlePorts {
  readonly supervisor: Supervisor
  readonly store: RunStore
  readonly bus: Bus
  readonly clock: Clock
  readonly hooks?: Hooks
  onError(error: unknown): void
}

/** Begins a run of depth 0. */
export async function startRun(task: Task, options: StartOptions, ports: HandlePorts): Promise<RunHandle | Refusal> {
  const { supervisor, clock } = ports
  const faults = faultsOf(options, optionTable)
  if (faults.length > 0)
    return {
      refused: `The task was not started: its options are wrong: ${faults.join('; ')}.`,
      rule: 'invalid-options',
    }
  const { isConversation, signal, mode } = options
  // No schema has looked at what a host hands over.
  if (task?.resume !== undefined)
    return {
      refused: `start() begins a run. To go on with ${task.resume}, call resume(${JSON.stringify(task.resume)}, prompt).`,
      rule: 'resume-not-start',
    }
  // Tools, agents, prompt parts and prices of the moment come from functions of the host.
  const brief = await askingHost(async () => {
    const decided = await supervisor.briefing.prepare({ agent: 'main', ...task }, undefined, { isConversation, mode })
    return 'refused' in decided ? decided : ((await supervisor.purses.priceRefusal(decided)) ?? decided)
  })
  if ('refused' in brief) return brief
  if (supervisor.isFull()) return { refused: 'The queue for runs is full. Wait for some to end.', rule: 'queue-full' }
  const runId = clock.id() as RunId
  const stop = () => stopOrLeave(runId, reasonOf(signal), ports)
  const begun = await supervisor.doors.enter(async () => {
    try {
      await supervisor.create({ runId, rootId: runId }, brief, task.prompt)
    } catch (error) {
      return refusedByStore(error)
    }
    // A stop that was there before the run is taken before its first turn.
    const isTold = !signal?.aborted || (await stop())
    const forget = signal && onAbort(signal, stop)
    const firstWords = new FirstWords(ports.bus, runId)
    // One that cannot be claimed now says so by its result.
    const live = await supervisor.begin(runId, { isDecided: true }).catch(() => undefined)
    if (!isTold) supervisor.leave(runId)
    const ending = live && 'result' in live ? live.result : supervisor.join(runId)
    void ending.then(forget)
    firstWords.handOver()
    return runHandle(runId, { ...ports, firstWords }, ending)
  })
  return begun ?? closedHouse
}

/** Nobody is there to be refused: where the store takes no stop, the run does not go on here. False: it was not told. */
async function stopOrLeave(runId: RunId, reason: string, { supervisor, onError }: HandlePorts): Promise<boolean> {
  try {
    await supervisor.stop(runId, reason, 'user')
    return true
  } catch (error) {
    tellFailure(onError, `run ${runId} could not be told to stop, and is left as it stands`)(error)
    supervisor.leave(runId)
    return false
  }
}

/** Another attempt of a run that ended, or the rest of one that was left. */
export async function resumeRun(
  runId: RunId,
  prompt: string | undefined,
  options: ResumeOptions,
  ports: HandlePorts,
): Promise<RunHandle | Refusal> {
  const { supervisor, clock, hooks } = ports
  const faults = faultsOf(options, resumeTable)
  const was = notResumed(runId)
  if (faults.length > 0)
    return { refused: `${was}: its options are wrong: ${faults.join('; ')}.`, rule: 'invalid-options' }
  const { signal, budget } = options
  const heard = prompt && (await hearPrompt(hooks, () => supervisor.reader.state(runId), prompt, clock.id()))
  if (heard && 'refused' in heard) return heard
  if (signal?.aborted) return { refused: `${was}: ${reasonOf(signal)}.`, rule: 'aborted' }
  const firstWords = new FirstWords(ports.bus, runId)
  const refusal = await resumeUnless(
    signal,
    over => supervisor.resume(runId, heard || undefined, budget, over),
    was,
  ).finally(() => firstWords.handOver())
  if (refusal) return refusal
  const held = { ...ports, firstWords }
  if (!signal) return runHandle(runId, held)
  const stop = () => stopOrLeave(runId, reasonOf(signal), ports)
  const ending = supervisor.join(runId)
  void ending.then(onAbort(signal, stop))
  if (signal.aborted) await stop()
  return runHandle(runId, held, ending)
}

/** Aborted before it is decided that the run may go on, it does not. */
async function resumeUnless(
  signal: AbortSignal | undefined,
  resume: (over?: AbortSignal) => Promise<Refusal | undefined>,
  was: string,
): Promise<Refusal | undefined> {
  if (!signal) return resume()
  const over = new AbortController()
  const forget = onAbort(signal, () => over.abort(givenUp))
  try {
    return await resume(over.signal)
  } catch (error) {
    if (error !== givenUp) throw error
    return { refused: `${was}: ${reasonOf(signal)}.`, rule: 'aborted' }
  } finally {
    forget()
  }
}
const givenUp = new DOMException('the resume was given up', 'AbortError')

/** A host may have one signal for all its runs: however many there are, it is listened to once. */
function onAbort(signal: AbortSignal, stop: () => unknown): Close {
  const watch = watches.get(signal) ?? watchAbort(signal)
  watch.stops.add(stop)
  return () => {
    watch.stops.delete(stop)
    if (watch.stops.size === 0) watch.close()
  }
}

interface AbortWatch {
  readonly stops: Set<() => unknown>
  readonly close: Close
}
const watches = new WeakMap<AbortSignal, AbortWatch>()

function watchAbort(signal: AbortSignal): AbortWatch {
  const stops = new Set<() => unknown>()
  const stopAll = () => {
    for (const stop of stops) stop()
  }
  const close = () => {
    watches.delete(signal)
    signal.removeEventListener('abort', stopAll)
  }
  const watch = { stops, close }
  watches.set(signal, watch)
  signal.addEventListener('abort', stopAll, { once: true })
  return watch
}

const signalShape: Shape = value => {
  const { aborted, addEventListener, removeEventListener } = (value ?? {}) as Partial<AbortSignal>
  const isSignal = [typeof addEventListener, typeof removeEventListener].every(type => type === 'function')
  return isSignal && typeof aborted === 'boolean' ? undefined : 'must be an AbortSignal'
}
const optionTable = {
  isConversation: yesOrNo,
  mode: oneOf(...modesStrictestFirst),
  signal: signalShape,
} satisfies Record<keyof StartOptions, Shape>

const resumeTable = {
  signal: signalShape,
  // What is in it is looked at with the task.
  budget: value => (typeof value === 'object' && value !== null ? undefined : 'must be an object'),
} satisfies Record<keyof ResumeOptions, Shape>

/** What the host said when it aborted. */
function reasonOf(signal: AbortSignal | undefined): string {
  const reason: unknown = signal?.reason
  if (typeof reason === 'string' && reason.trim() !== '') return reason
  const words = reason instanceof Error ? reason.message : ''
  return words === '' || words === bareAbort ? 'its signal was aborted' : words
}

/** What Node says of an abort without a reason. */
const bareAbort = 'This operation was aborted'

/** `ending`: of the attempt that has just been begun, so that it is known also after the house was closed. */
export function runHandle(
  id: RunId,
  { supervisor, store, bus, clock, hooks, firstWords }: HandlePorts & Pick<FollowPorts, 'firstWords'>,
  ending?: Promise<Result>,
): RunHandle {
  const { drivenHere, isExpected } = supervisor
  const readState = () => whileOpen(bus.closed, () => supervisor.reader.state(id))
  let joined = ending
  let result: Promise<Result> | undefined
  return {
    id,
    get result() {
      joined ??= supervisor.join(id)
      result ??= holdOpen(joined)
      return result
    },
    brief: async () => (await readState())?.brief,
    async progress() {
      const state = await readState()
      const progress = state && progressOf(state, clock.now(), supervisor.position(id))
      const isAtWork = state?.startedAt !== undefined && !state.result
      return progress && isAtWork && !supervisor.purses.knowsPrices ? withoutUntold(progress) : progress
    },
    events: (fromSeq = 1) => follow({ store, bus, clock, drivenHere, isExpected, firstWords }, id, fromSeq),
    async say(text) {
      const refused = messageFault(text)
      if (refused) return { refused, rule: 'invalid-message' }
      if (supervisor.doors.isClosing) return closedHouse
      const itemId = clock.id()
      const heard = await hearPrompt(hooks, readState, text, itemId)
      if ('refused' in heard) return heard
      if (supervisor.doors.isClosing) return closedHouse
      joined = undefined
      result = undefined
      const item = { id: itemId, kind: 'message', from: 'user', ...heard } as const
      const refusal = await supervisor.postman.post(id, item).catch(refusedByStore)
      if (refusal) return refusal
      return { itemId, from: 'user', status: 'queued' }
    },
    async receipts() {
      const state = await readState()
      const inbox = await whileOpen(bus.closed, () => store.inbox(id))
      const waiting = inbox.flatMap((item): readonly Receipt[] =>
        item.kind === 'message' && !state?.seen.has(item.id)
          ? [{ itemId: item.id, from: item.from, status: 'queued' }]
          : [],
      )
      return [...(state ? receiptsOf(state) : []), ...waiting]
    },
    stop: async (reason = 'stopped by the user') =>
      supervisor.doors.isClosing
        ? closedHouse
        : supervisor.stop(id, reason, 'user').then(() => undefined, refusedByStore),
  }
}
