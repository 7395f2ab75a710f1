/** `runs stop`, `runs send` and `runs resume`: a note for whoever drives the run, or the run taken up here. */
import { randomUUID } from 'node:crypto'
import type { MeasuredStore } from '../../../adapters/stores/prune.js'
import type { RunSummary } from '../../../core/run/run-summary.js'
import type { InboxItem } from '../../../core/run-store.js'
import { commandLine } from '../../../core/text/shell-word.js'
import { openBelow } from '../../../runtime/children/open-below.js'
import { placeOf, whyNotUnprompted } from '../../session/choose-run.js'
import { exitCodes } from '../../session/exit-codes.js'
import type { SessionFlags } from '../../session/flags.js'
import { openSession, type Session } from '../../session/open-session.js'
import { stateWords } from '../../session/run-words.js'
import { sayDiagnostics, toldQuietly } from '../../session/say-diagnostics.js'
import { ask } from '../ask.js'
import { type CommandDeps, refusedInsideRun } from '../command-deps.js'

export interface ResumeOptions {
  readonly outputFormat?: SessionFlags['outputFormat']
  readonly quiet?: boolean
  readonly trustProject?: boolean
  readonly settings?: readonly string[]
}

/** Closes the store in the end. */
export async function resumeRun(
  store: MeasuredStore,
  run: RunSummary,
  prompt: string,
  options: ResumeOptions,
  deps: CommandDeps,
): Promise<number> {
  const flags = { outputFormat: options.outputFormat ?? 'text', wait: true, ...options } as const
  const text = prompt.trim() === '' ? undefined : prompt
  const fault = text === undefined ? await whyNotUnprompted(store, run) : undefined
  if (fault !== undefined) {
    deps.warn(`offshoot: ${fault}\n`)
    await store.close()
    return exitCodes.usage
  }
  const session = await openAt(store, run, flags, deps)
  if (!session) return exitCodes.usage
  sayDiagnostics(toldQuietly(session.diagnostics), deps.warn)
  try {
    return await ask({ prompt: text, cwd: session.cwd, flags, resume: run.runId }, deps.streams, session)
  } finally {
    await session.house.close('leave')
    await store.close()
  }
}

export async function stopRun(
  store: MeasuredStore,
  run: RunSummary,
  reason: string,
  deps: CommandDeps,
): Promise<number> {
  if (refusedInsideRun(deps, 'stopping runs')) return closed(store)
  if (run.status === 'ended') {
    const below = (await store.isHeld(run.rootId)) ? [] : await openBelow(store, run)
    deps.warn(`Run ${run.runId} has ended already (${stateWords(run, false)}).\n`)
    for (const { runId } of below)
      deps.warn(`Below it ${runId} has not: ${commandLine('offshoot', 'runs', 'stop', runId)}\n`)
    await store.close()
    return exitCodes.ok
  }
  await store.post(run.runId, stopItem(reason, 'user'))
  if (await store.isHeld(run.rootId)) {
    await store.close()
    deps.warn(`Run ${run.runId} was asked to stop.\n`)
    return exitCodes.ok
  }
  // Nobody drives it: it is taken up here for as long as it takes to end it, so that its log says so.
  for (const { runId } of await openBelow(store, run))
    await store.post(runId, stopItem('its caller was stopped', 'caller'))
  const session = await openAt(store, run, {}, deps)
  if (!session) return exitCodes.error
  try {
    return await endTree(store, run, session.house, deps)
  } finally {
    await session.house.close('leave')
    await store.close()
  }
}

/** Takes up a run that has its stop in its inbox, then whatever is still open below it. */
async function endTree(
  store: MeasuredStore,
  run: RunSummary,
  offshoot: Session['house'],
  deps: CommandDeps,
): Promise<number> {
  const taken = await offshoot.resume(run.runId)
  if ('refused' in taken) {
    deps.warn(`${taken.refused}\n`)
    return exitCodes.error
  }
  const { outcome } = await taken.result
  const below = await openBelow(store, run)
  await Promise.all(below.map(({ runId }) => offshoot.run(runId).result))
  deps.warn(
    outcome === 'completed'
      ? `Run ${run.runId} had given its answer and is completed; what was open below it was stopped.\n`
      : `Run ${run.runId} was stopped (${outcome}).\n`,
  )
  const left = await openBelow(store, run)
  for (const { runId } of left) deps.warn(`Below it ${runId} could not be stopped.\n`)
  return left.length === 0 ? exitCodes.ok : exitCodes.error
}

const stopItem = (reason: string, by: string): InboxItem => ({ id: `stop/${randomUUID()}`, kind: 'stop', reason, by })

export async function sendToRun(
  store: MeasuredStore,
  run: RunSummary,
  text: string,
  deps: CommandDeps,
): Promise<number> {
  if (refusedInsideRun(deps, 'speaking to runs')) return closed(store)
  if (text.trim() === '') {
    deps.warn('offshoot: there is nothing in the message, so nothing was sent.\n')
    await store.close()
    return exitCodes.usage
  }
  if (run.status === 'ended' || !(await store.isHeld(run.rootId))) return resumeRun(store, run, text, {}, deps)
  await store.post(run.runId, { id: randomUUID(), kind: 'message', from: 'user', text })
  await store.close()
  deps.warn(`Sent to run ${run.runId}: it reads it at its next turn.\n`)
  return exitCodes.ok
}

async function closed(store: MeasuredStore): Promise<number> {
  await store.close()
  return exitCodes.permission
}

async function openAt(
  store: MeasuredStore,
  run: RunSummary,
  flags: Partial<SessionFlags>,
  deps: CommandDeps,
): Promise<Session | undefined> {
  const place = await placeOf(store, run, deps.cwd)
  const session =
    'fault' in place ? place : await openSession({ cwd: place.cwd, env: deps.env, flags, store, warn: deps.warn })
  if (!('fault' in session)) return session
  deps.warn(`offshoot: ${session.fault}\n`)
  await store.close()
  return undefined
}
