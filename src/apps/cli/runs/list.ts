/** `runs list`: conversations, newest first; with `--all` their children below them. */

import type { MeasuredStore } from '../../../adapters/stores/prune.js'
import { addUsage } from '../../../core/budget/usage.js'
import type { RunSummary } from '../../../core/run/run-summary.js'
import type { RunStore } from '../../../core/run-store.js'
import { visible } from '../../../core/text/shell-word.js'
import { oneLine } from '../../../core/text/text.js'
import { columns } from '../../session/columns.js'
import { costShort, countWords, tokensShort, whenWords } from '../../session/figures.js'
import { briefOf } from '../../session/find-run.js'
import { mayUseUnicode } from '../../session/paint.js'
import { drivenRoots, knownFigures, stateWords } from '../../session/run-words.js'
import { treeCost } from '../answer-format.js'
import type { CommandDeps } from '../command-deps.js'
import { fitRuns, shortIds } from './fit-runs.js'
import { treeRows } from './run-tree.js'

export interface ListOptions {
  readonly all?: boolean
  readonly unfinished?: boolean
  readonly agent?: string
  readonly limit: number
  readonly json?: boolean
  readonly ids?: boolean
}

export async function listRuns(store: MeasuredStore, options: ListOptions, deps: CommandDeps): Promise<number> {
  const roots = await chooseRoots(store, options)
  const shown = roots.slice(0, options.limit)
  const found = options.all ? await withChildren(store, shown) : shown
  const driven = await drivenRoots(store, found)
  const runs = found.map(run => knownFigures(run, driven.has(run.rootId)))
  if (options.json) {
    deps.write(`${JSON.stringify(runs, null, 2)}\n`)
    return 0
  }
  if (options.ids) {
    for (const { runId } of runs) deps.write(`${runId}\n`)
    return 0
  }
  if (runs.length === 0) {
    deps.warn(await whyNone(store, options))
    return 0
  }
  const places = await placesOf(store, shown, deps.cwd)
  const listed = isConversations(options) ? await asTrees(store, runs) : runs
  const rows = (options.all ? groups(listed) : [listed]).flatMap(group =>
    treeRows(group, !mayUseUnicode(deps.env)).map(({ run, branch }) => [
      ...row(run, branch, driven.has(run.rootId), deps),
      ...(places.size > 0 ? [places.get(run.runId) ?? ''] : []),
    ]),
  )
  const head = ['RUN', 'STATE', 'WHEN', 'TURNS', 'TOKENS', 'COST', 'WHAT', ...(places.size > 0 ? ['ELSEWHERE'] : [])]
  const fitted = deps.isTerminal ? fitRuns([head, ...rows], await shortIds(store, runs), deps) : [head, ...rows]
  deps.write(columns(fitted))
  if (runs.some(({ status, rootId }) => status !== 'ended' && !driven.has(rootId))) deps.warn(aboutUnfinished)
  if (roots.length > shown.length)
    deps.warn(`${countWords(roots.length - shown.length, 'older one')}: --limit ${roots.length}\n`)
  return 0
}

const aboutUnfinished = 'unfinished: "offshoot runs resume RUN" goes on with one, "offshoot runs stop RUN" ends it\n'

/** Each row is a whole conversation, and nothing below it is shown. */
const isConversations = ({ all, agent, unfinished }: ListOptions): boolean => !all && agent === undefined && !unfinished

/** With what everything below them used and cost. */
async function asTrees(store: MeasuredStore, roots: readonly RunSummary[]): Promise<readonly RunSummary[]> {
  const all = await withChildren(store, roots)
  const driven = await drivenRoots(store, all)
  const trees = groups(all)
  return roots.map(root => {
    const tree = trees.find(([first]) => first?.rootId === root.rootId) ?? [root]
    const known = tree.map(run => knownFigures(run, driven.has(root.rootId)))
    return { ...root, usage: known.map(({ usage }) => usage).reduce(addUsage), cost: treeCost(known) }
  })
}

/** The directories of those that belong to another one: `-c` does not find them from here. */
async function placesOf(store: RunStore, runs: readonly RunSummary[], here: string): Promise<Map<string, string>> {
  const places = new Map<string, string>()
  for (const { runId, damage } of runs) {
    if (damage !== undefined) continue
    const place = (await briefOf(store, runId))?.cwd
    if (place !== undefined && place !== here) places.set(runId, visible(place))
  }
  return places
}

async function whyNone(store: RunStore, { unfinished, agent }: ListOptions): Promise<string> {
  const stored = (await store.list({})).length
  if (stored === 0) return 'No runs yet. Begin one: offshoot -p "…"\n'
  const wish = [unfinished ? '--unfinished' : '', agent === undefined ? '' : `--agent ${agent}`].filter(Boolean)
  return `No run matches ${wish.join(' ')}; ${countWords(stored, 'run')} stored: offshoot runs list --all\n`
}

async function chooseRoots(store: RunStore, { unfinished, agent }: ListOptions): Promise<readonly RunSummary[]> {
  const all = await store.list(unfinished ? { isEnded: false } : {})
  const wanted = agent === undefined ? all : all.filter(run => run.agent === agent)
  if (agent === undefined && !unfinished) return wanted.filter(run => run.depth === 0)
  return wanted
}

async function withChildren(store: RunStore, roots: readonly RunSummary[]): Promise<readonly RunSummary[]> {
  const trees = await Promise.all([...new Set(roots.map(run => run.rootId))].map(rootId => store.list({ rootId })))
  return trees.flat()
}

function groups(runs: readonly RunSummary[]): readonly (readonly RunSummary[])[] {
  const byRoot = new Map<string, RunSummary[]>()
  for (const run of runs) byRoot.set(run.rootId, [...(byRoot.get(run.rootId) ?? []), run])
  return [...byRoot.values()]
}

function row(run: RunSummary, branch: string, isDriven: boolean, { now }: CommandDeps): readonly string[] {
  const state = stateWords(run, isDriven)
  const what = `${branch}${run.agent}: ${oneLine(run.nickname ?? run.description, 50)}`
  return [
    run.runId,
    run.isBackground && run.status !== 'ended' ? `${state} (background)` : state,
    whenWords(run.updatedAt, now()),
    String(run.turns),
    tokensShort(run.usage),
    costShort(run.cost, run.usage).replace('cost ', ''),
    what,
  ]
}
