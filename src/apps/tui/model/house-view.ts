/** Every run a screen knows of: a fold of events, changed in place by `hearHouse`. */
import type { Envelope } from '../../../core/events.js'
import type { RunId } from '../../../core/message.js'
import { runName } from '../../session/run-names.js'
import { hearRun, openRun, type RunView } from './run-view.js'

export interface HouseView {
  /** The conversation on the screen. */
  rootId: RunId | undefined
  readonly runs: Map<RunId, RunView>
}

export const emptyHouse = (): HouseView => ({ rootId: undefined, runs: new Map() })

export function hearHouse(house: HouseView, envelope: Envelope): void {
  let run = house.runs.get(envelope.runId)
  if (!run) {
    run = openRun(envelope, nameIn(house, envelope))
    house.runs.set(envelope.runId, run)
  }
  hearRun(run, envelope)
}

/** A conversation is the only one that asks in its own name. */
function nameIn({ runs }: HouseView, { agent, parentId }: Envelope): string {
  if (parentId === undefined) return agent
  return runName(agent, 1 + [...runs.values()].filter(run => run.agent === agent && run.parentId !== undefined).length)
}

export const rootOf = ({ rootId, runs }: HouseView): RunView | undefined => (rootId ? runs.get(rootId) : undefined)

/** Who asks: the agents on the way to it, as their runs are called here. */
export function wayTo({ runs }: HouseView, runId: RunId, path: readonly string[]): string {
  const names = [...path]
  let run = runs.get(runId)
  for (let at = names.length - 1; run && names[at] === run.agent; at--) {
    names[at] = run.name
    run = run.parentId ? runs.get(run.parentId) : undefined
  }
  return names.join(' / ')
}

export interface TreeItem {
  readonly run: RunView
  /** For each level above: whether more siblings follow there. The last one is the run's own level. */
  readonly follows: readonly boolean[]
}

/** The runs below the conversation, each above its own children; all of them, or only what is worth a look now. */
export function treeItems(house: HouseView, isAll: boolean): readonly TreeItem[] {
  const { rootId, runs } = house
  if (!rootId) return []
  const all = [...runs.values()]
  const isShown = isAll ? () => true : liveOrBeside(all)
  const items: TreeItem[] = []
  const walk = (parentId: RunId, follows: readonly boolean[]) => {
    const order = runs.get(parentId)?.callOrder ?? []
    const placeOf = ({ callId }: RunView) => (callId ? order.indexOf(callId) : -1)
    const children = all
      .filter(run => run.parentId === parentId && isShown(run))
      .sort((a, b) => placeOf(a) - placeOf(b))
    children.forEach((run, index) => {
      const own = [...follows, index < children.length - 1]
      items.push({ run, follows: own })
      walk(run.runId, own)
    })
  }
  walk(rootId, [])
  return items
}

/** Ended children stay on the screen while a sibling of theirs is at work, so that nothing jumps away. */
function liveOrBeside(runs: readonly RunView[]): (run: RunView) => boolean {
  const alive = new Set<RunId>()
  const byId = new Map(runs.map(run => [run.runId, run]))
  for (const run of runs) {
    if (run.status === 'ended') continue
    for (let at: RunView | undefined = run; at; at = at.parentId ? byId.get(at.parentId) : undefined)
      alive.add(at.runId)
  }
  const since = new Map<RunId | undefined, number>()
  for (const run of runs)
    if (alive.has(run.runId))
      since.set(run.parentId, Math.min(since.get(run.parentId) ?? Number.POSITIVE_INFINITY, run.queuedAt))
  return run => {
    if (alive.has(run.runId)) return true
    const first = since.get(run.parentId)
    return first !== undefined && (run.endedAt ?? 0) >= first
  }
}

/** Money and tokens of the conversation and everything below it. */
export function totals(house: HouseView): {
  readonly tokens: number
  readonly cost: number | undefined
  readonly active: number
  /** Some of it nobody has counted to the end. */
  readonly isEstimated: boolean
} {
  let tokens = 0
  let cost: number | undefined = 0
  let active = 0
  let isEstimated = false
  for (const run of house.runs.values()) {
    const { input, output, cacheRead, cacheWrite } = run.usage
    isEstimated ||= run.usage.isEstimated === true
    tokens += input + output + cacheRead + cacheWrite
    cost = cost === undefined || run.cost === undefined ? undefined : cost + run.cost
    if (run.status !== 'ended' && run.runId !== house.rootId) active += 1
  }
  return { tokens, cost, active, isEstimated }
}
