import type { DurableEvent } from '../../core/events.js'
import type { CallPart } from '../../core/message.js'
import type { Delegation, Tool, ToolContext } from '../../core/ports.js'
import { endNow } from '../../core/run/run-next.js'
import type { ChildState, RunState } from '../../core/run/run-state.js'
import { messageOf } from '../../core/thrown.js'
import type { Declared, Refusal, Result } from '../../core/types.js'
import type { EnteredWorkspace, Workspace } from '../../core/workspace.js'
import { type ChildEnds, childEnds } from '../calls/child-hooks.js'
import { remainingOf } from '../calls/gone-tools.js'
import { runCall, type ToolRunnerPorts, traitsOf } from '../calls/tool-runner.js'
import { type CallerPlace, enterWithin } from '../children/caller-place.js'
import { deniedToday } from '../children/denied-today.js'
import { callersBelow, enterBelow } from '../children/enter-below.js'
import { describeFanOut } from '../children/fan-out.js'
import type { PurseBook } from '../children/purse.js'
import { spentInTree } from '../children/tree-spending.js'
import type { HousePorts } from '../house-ports.js'
import { inTime } from '../in-time.js'
import type { RunLog } from '../logs/run-log.js'
import type { RunReader } from '../logs/run-reader.js'
import { hearHeld } from '../session-hooks.js'
import { tellFailure } from '../tell-failure.js'
import type { DrivePorts } from './drive-ports.js'
import { checkEvidence } from './evidence.js'
import { beforeCompact, fireHook, lastStopHook } from './hook-effects.js'
import { type TurnPorts, takeTurn } from './turn.js'

export interface Workshop extends Pick<DrivePorts, 'clock' | 'store' | 'takeTurn' | 'runCall' | 'fireHook'> {
  /** Where the run acts; entered once. */
  workspace(): Promise<EnteredWorkspace>
  /** What the log tells of ends of children, and the hooks that hear of them. */
  readonly childEnds: ChildEnds
  /** Asks the tool behind a child's call again, when the decision it had made was lost with its process. */
  prepareAgain(child: ChildState, signal?: AbortSignal): Promise<Refusal | undefined>
  /** Where work of the run stays that is not where its caller stands, and what was spent, if that is not what it was told. */
  readonly atEnd: NonNullable<RunLog['atEnd']>
  leave(result: Result | undefined): Promise<void>
}

export interface WorkshopLinks {
  readonly purse: PurseBook
  readonly reader: Pick<RunReader, 'list' | 'state'>
  /** `signal`: of the call that acts through it. */
  delegation(signal: AbortSignal | undefined): Delegation
  /** Where the caller acts: a child stands there too, or below. */
  callerPlace(): Promise<CallerPlace | undefined>
}

export function openWorkshop(house: HousePorts, log: RunLog, declared: Declared, links: WorkshopLinks): Workshop {
  const { state } = log
  const tools = house.tools()
  const ends = childEnds(house.hooks, log)
  const remaining = remainingOf(declared, tools, state)
  if (remaining.gone.size > 0) log.pass({ type: 'tools.missed', names: [...remaining.gone] })
  const runner = { ...runnerPorts(house, tools, ends, links.purse), gone: remaining.gone }
  const turnPorts: TurnPorts = {
    model: house.model,
    clock: house.clock,
    purse: links.purse,
    traitsOf: call => traitsOf(tools, call, state),
  }
  const place = new Place(() => enterWorkspace(house, state, links))
  const enter = () => place.enter()
  const contextOf = async (call: CallPart, signal: AbortSignal, until: AbortSignal | undefined = signal) =>
    toolContext(house, { log, call, workspace: await enter(), delegation: links.delegation(until), signal })

  return {
    workspace: enter,
    childEnds: ends,
    clock: house.clock,
    store: house.store,
    async takeTurn(flight, note, signal) {
      const obstacle = await obstacleTo(enter)
      if (obstacle) return endUnplaced(house, state, obstacle)
      const heard = flight.purpose === 'compact' ? await beforeCompact(house.hooks, state, signal) : undefined
      if (heard?.verdict === 'refuse') return [heard]
      if (heard) await note([heard])
      return takeTurn({ log, declared: remaining.declared, flight, note, signal }, turnPorts)
    },
    async runCall({ call }, note, signal) {
      const obstacle = await obstacleTo(enter)
      if (obstacle) return endUnplaced(house, state, obstacle)
      return runCall({ log, call, note, context: await contextOf(call.part, signal) }, runner)
    },
    async fireHook(effect, signal) {
      if (effect.point === 'evidence') return [await checkEvidence(state, await enter(), house.fileExists)]
      if (effect.point === 'prompt') return hearHeld(house.hooks, state, effect.itemId, signal)
      return fireHook(house.hooks, state, effect, signal)
    },
    async prepareAgain(child, signal) {
      const call = child.asked
      const tool = call && tools.get(call.name)
      if (!call || !tool)
        return { refused: `the call that started ${child.agent} is not in the log any more`, rule: 'call-gone' }
      const denied = await deniedToday(house, state, child, signal)
      if (denied) return denied
      const output = await tool.run(call.input, await contextOf(call, new AbortController().signal, signal))
      return output.child ? undefined : { refused: String(output.content), rule: 'not-startable-any-more' }
    },
    ...endOf(house, state, links, place),
  }
}

/** Where a run acts, entered once. */
class Place {
  readonly #find: () => Promise<EnteredWorkspace>
  #entered: Promise<EnteredWorkspace> | undefined
  /** It could be had; nobody acts in it before. */
  isHad = false

  constructor(find: () => Promise<EnteredWorkspace>) {
    this.#find = find
  }

  enter(): Promise<EnteredWorkspace> {
    this.#entered ??= this.#find().then(place => {
      this.isHad = true
      return place
    })
    return this.#entered
  }

  /** Undefined where nobody entered it, or it could not be had. */
  async entered(): Promise<EnteredWorkspace | undefined> {
    return this.#entered?.catch(() => undefined)
  }
}

/** What is left where the run acted, and the end of it. A place that is still being looked for holds up no end. */
function endOf(
  house: HousePorts,
  state: RunLog['state'],
  { reader }: WorkshopLinks,
  place: Place,
): Pick<Workshop, 'atEnd' | 'leave'> {
  const { clock, onError, store } = house
  /** Whoever goes on with the run may be at work in a place that came too late for this attempt. */
  const goesOn = () =>
    store.summary(state.runId).then(
      run => run !== undefined && run.status !== 'ended',
      () => false,
    )
  const leave = async (result: Result | undefined) => {
    const isLate = !place.isHad
    const workspace = await place.entered()
    const kept = await workspace?.leave(isLate && (await goesOn()) ? undefined : result)
    // What changed after the end was stored.
    if (kept !== undefined && result && result.kept === undefined) onError(new Error(kept))
  }
  const keeps = async (hasActed: boolean) => {
    const workspace = await (hasActed ? place.enter().catch(() => undefined) : place.entered())
    return workspace?.keeps?.()
  }
  return {
    async atEnd(result) {
      // One that ends without acting again may have acted before: its place still stands.
      const hasActed = state.brief.isolation === 'worktree' && state.totalTurns > 0
      const silent = tellFailure(onError, `what run ${state.runId} left behind is not known`)
      const kept = hasActed || place.isHad ? await inTime(theSandbox, keeps(hasActed), clock).catch(silent) : undefined
      const spent = await spentInTree(state, result, reader).catch(onError)
      return { ...(kept !== undefined && { kept }), ...(spent && { spent }) }
    },
    async leave(result) {
      const leaving = leave(result)
      if (place.isHad) return inTime(theSandbox, leaving, clock)
      leaving.catch(tellFailure(onError, `the place of run ${state.runId} could not be left`))
    },
  }
}

const theSandbox = 'the sandbox'

const runnerPorts = (
  house: HousePorts,
  tools: ReadonlyMap<string, Tool>,
  ends: ChildEnds,
  purse: PurseBook,
): Omit<ToolRunnerPorts, 'gone'> => ({
  tools,
  check: house.check,
  outputOf: agent => house.catalog().find(agent)?.output,
  overflow: house.overflow,
  outputBytes: house.policy.toolOutputBytes,
  judge: house.judge,
  approver: house.approver,
  hooks: house.hooks,
  childEnds: ends,
  approvalExpiryMs: house.policy.approvalExpiryMs,
  purse,
  describeFanOut: state => describeFanOut(state, house),
})

async function enterWorkspace(
  { sandbox, policy }: HousePorts,
  { runId, brief }: RunState,
  links: WorkshopLinks,
): Promise<EnteredWorkspace> {
  const place = await links.callerPlace()
  const caller = place?.workspace
  if (sandbox) return enterWithin(place, () => enterBelow(sandbox, { runId, brief }, caller))
  const { cwd, roots, copies }: Workspace = caller ?? { cwd: policy.cwd, roots: [policy.cwd] }
  return { cwd, roots, ...(copies && { copies }), ...callersBelow(caller), leave: async () => undefined }
}

async function obstacleTo(enter: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await enter()
    return undefined
  } catch (error) {
    return messageOf(error)
  }
}

/** Before anything is spent: a run that can act nowhere (a worktree outside of git, a directory that is gone) ends. */
async function endUnplaced(house: HousePorts, state: RunState, message: string): Promise<readonly DurableEvent[]> {
  const ending = { outcome: 'failed', error: { message, rule: 'workspace-unavailable' } } as const
  const stop = await lastStopHook(state, ending, (effect, signal) => fireHook(house.hooks, state, effect, signal))
  return [...stop, ...endNow(state, ending, house.clock.now())]
}

interface Calling extends Pick<ToolContext, 'workspace' | 'delegation' | 'signal'> {
  readonly log: RunLog
  readonly call: CallPart
}

function toolContext({ clock }: HousePorts, { log, call, workspace, delegation, signal }: Calling): ToolContext {
  const { state } = log
  return {
    runId: state.runId,
    rootId: state.rootId,
    callId: call.id,
    agent: state.agent,
    path: state.brief.path,
    depth: state.depth,
    workspace,
    mode: state.brief.chain.at(-1)?.mode ?? 'default',
    chain: state.brief.chain,
    signal,
    clock,
    progress: text => log.pass({ type: 'tool.progress', callId: call.id, text }),
    knownVersion: path => state.versions.get(path),
    leftRunning: id => state.leftRunning.get(id)?.what,
    ...(state.shellDirectory !== undefined && { shellDirectory: state.shellDirectory }),
    delegation,
  }
}
