/**
 * What to do with runs nobody drives, after a crash. A root goes on; a child goes on only if its caller still wants it,
 * and then it is its caller that takes it up. One that is wanted by nobody is stopped, so that nothing is left half-done.
 */
import type { RunId } from '../core/message.js'
import { type RunState, wantedChildren } from '../core/run/run-state.js'
import type { RunSummary } from '../core/run/run-summary.js'
import type { RunStore } from '../core/run-store.js'
import { type RunReader, unlessDamage } from './logs/run-reader.js'
import { tellFailure } from './tell-failure.js'

export interface RecoveryPorts {
  readonly store: Pick<RunStore, 'list' | 'unread'>
  readonly reader: RunReader
  /** By a loop of ours, as the log of a host that lives here, or by another process that lives. */
  isDriven(runId: RunId): Promise<boolean>
  /** What has been taken up by then is all that goes on. */
  isClosing(): boolean
  drive(runId: RunId): Promise<unknown>
  stop(runId: RunId, reason: string): Promise<void>
  closeHost(runId: RunId): Promise<void>
  wake(runId: RunId): Promise<unknown>
  onError(error: unknown): void
}

/**
 * Resolves with the runs that go on because of this, as they were found, once all of them are under way. One that cannot be
 * read or taken up keeps no other from going on.
 */
export async function recoverRuns(ports: RecoveryPorts): Promise<readonly RunSummary[]> {
  const recovered = new Map<RunId, RunSummary>()
  const tell = (runId: RunId) => tellFailure(ports.onError, `run ${runId} was not recovered`)
  for (const run of await ports.store.list({ isEnded: false })) {
    if (ports.isClosing()) break
    const isGoingOn = await recoverRun(run, recovered, ports).catch(tell(run.runId))
    if (isGoingOn) recovered.set(run.runId, run)
  }
  for (const runId of await ports.store.unread()) await ports.wake(runId).catch(tell(runId))
  return [...recovered.values()]
}

/** Whether it goes on, by itself or by its caller. */
async function recoverRun(
  run: RunSummary,
  recovered: ReadonlyMap<RunId, RunSummary>,
  ports: RecoveryPorts,
): Promise<boolean> {
  // In good hands now may mean: of its caller, which was taken up a moment ago.
  const readState: ReadState = runId => ports.reader.state(runId)
  const callerId = await callerOf(run, readState)
  if (await isInGoodHands(run, callerId, ports)) return callerId !== undefined && recovered.has(callerId)
  const plan = await planRecovery(run, callerId, readState)
  if (plan === 'stop') await ports.stop(run.runId, unwanted)
  if (plan === 'close') await ports.closeHost(run.runId)
  else if (plan !== 'caller') await ports.drive(run.runId)
  return plan === 'drive' || plan === 'caller'
}

const unwanted = 'its caller does not wait for it any more'

/**
 * Whoever goes on with a caller stops what it left and does not want any more: of a root, everything below it. What somebody
 * drives is in good hands.
 */
export async function stopUnwanted(
  { runId, rootId, depth, children }: RunState,
  ports: Pick<RecoveryPorts, 'store' | 'reader' | 'isDriven' | 'stop'> & {
    /** Of one that cannot be read or stopped: the others are looked at all the same. */
    readonly onError: (error: unknown) => void
  },
): Promise<void> {
  if (children.size === 0) return
  const open = await ports.store.list({ rootId, isEnded: false })
  // What it went on with need not be its own child.
  const isOurs = (run: RunSummary) => depth === 0 || run.parentId === runId || children.has(run.runId)
  for (const run of open.filter(isOurs)) {
    try {
      if (!run.parentId || (await ports.isDriven(run.runId))) continue
      if (await isUnwanted(run, id => ports.reader.state(id))) await ports.stop(run.runId, unwanted)
    } catch (error) {
      ports.onError(error)
    }
  }
}

/** A child that would be stopped if it were found. */
export const isUnwanted = async (run: RunSummary, readState: ReadState): Promise<boolean> =>
  run.parentId !== undefined && (await planRecovery(run, await callerOf(run, readState), readState)) === 'stop'

/** It, or the caller that waits for it, is driven by somebody who lives. */
async function isInGoodHands(
  { runId }: RunSummary,
  callerId: RunId | undefined,
  ports: RecoveryPorts,
): Promise<boolean> {
  return (await ports.isDriven(runId)) || (callerId !== undefined && (await ports.isDriven(callerId)))
}

type ReadState = (runId: RunId) => Promise<RunState | undefined>

/** Whoever went on with it, if that run's log has it; else the one that began it, as for what a person has go on. */
async function callerOf(run: RunSummary, readState: ReadState): Promise<RunId | undefined> {
  if (!run.parentId || run.attempt === 1) return run.parentId
  const wantedBy = (await readState(run.runId).catch(unlessDamage))?.wantedBy
  if (!wantedBy) return run.parentId
  const known = (await readState(wantedBy.runId))?.children.get(run.runId)
  return known && known.attempt >= run.attempt ? wantedBy.runId : run.parentId
}

type Recovery =
  /** Its caller takes it up. */
  | 'caller'
  | 'drive'
  | 'stop'
  /** The log of a host that is gone: nothing can go on in it. */
  | 'close'

async function planRecovery(run: RunSummary, callerId: RunId | undefined, readState: ReadState): Promise<Recovery> {
  if (!callerId) return (await readState(run.runId))?.brief.isLogOnly ? 'close' : 'drive'
  const caller = await readState(callerId)
  const child = caller?.children.get(run.runId)
  if (!caller || !child) return 'stop'
  // A message woke it, and its caller has not heard of that yet.
  if (run.attempt > child.attempt) return 'drive'
  if (!caller.result && !caller.brief.isLogOnly) {
    return wantedChildren(caller).some(wanted => wanted.runId === run.runId) ? 'caller' : 'stop'
  }
  const outlivesCaller = caller.brief.isLogOnly || !caller.brief.waitsForChildren
  return child.isBackground && outlivesCaller ? 'drive' : 'stop'
}
