/** `runs show ID`: the tree of a run with its timings, costs, files and ends. */

import type { MeasuredStore } from '../../../adapters/stores/prune.js'
import { addUsage, noUsage, totalTokens } from '../../../core/budget/usage.js'
import type { StoredEvent } from '../../../core/events.js'
import type { RunId } from '../../../core/message.js'
import { outcomeWords } from '../../../core/run/result.js'
import { apply } from '../../../core/run/run-apply.js'
import { activeMsAt } from '../../../core/run/run-clock.js'
import type { RunState } from '../../../core/run/run-state.js'
import { type RunSummary, runsFrom } from '../../../core/run/run-summary.js'
import type { RunStore } from '../../../core/run-store.js'
import { commandLine, visible } from '../../../core/text/shell-word.js'
import { oneLine } from '../../../core/text/text.js'
import type { Result } from '../../../core/types.js'
import { cutToEnd, wrapWords } from '../../session/columns.js'
import { exitCodes } from '../../session/exit-codes.js'
import { cacheWords, costShort, countWords, tokensShort, whenWords } from '../../session/figures.js'
import { drivenRoots, knownFigures, remarksOn, stateWords } from '../../session/run-words.js'
import { treeCost } from '../answer-format.js'
import type { CommandDeps } from '../command-deps.js'
import { fitReport } from './fit-report.js'
import type { Span } from './gantt.js'
import { boundsIn, boundsWords, type ShownBounds } from './given-words.js'
import { ReadableLogs } from './readable-logs.js'
import { type Charted, hueOf, runChart } from './run-chart.js'

type Ended = Pick<Result, 'outcome' | 'recoveredFrom'> & { readonly attempt: number }

interface Facts extends Charted {
  readonly result?: Result
  /** How earlier attempts ended. */
  readonly earlier: readonly Ended[]
  readonly prompt: string
  readonly model: string
  readonly cwd?: string
  /** What was given beside files, and binds it. */
  readonly bounds: readonly ShownBounds[]
}

export async function showRun(
  store: MeasuredStore,
  run: RunSummary,
  options: { readonly json?: boolean; readonly full?: boolean },
  deps: CommandDeps,
): Promise<number> {
  const found = await treeFrom(store, run)
  const facts = new Map<RunId, Facts>()
  const driven = await drivenRoots(store, found)
  const tree = found.map(each => knownFigures(each, driven.has(each.rootId)))
  const logs = new ReadableLogs(store, run.runId, deps.warn)
  for (const each of tree) facts.set(each.runId, await factsOf(logs, each, driven.has(each.rootId), deps.now()))
  const code = logs.isWhole ? exitCodes.ok : exitCodes.error
  if (options.json) {
    const runs = tree.map(each => ({ ...each, ...toldFacts(facts.get(each.runId)!) }))
    deps.write(`${JSON.stringify({ runs, cost: treeCost(tree) ?? null }, null, 2)}\n`)
    return code
  }
  deps.write(heading(run, facts.get(run.runId)!, deps))
  deps.write(runChart(tree, facts, deps))
  deps.write(summary(tree, facts, deps))
  deps.write(mishaps(tree, run, facts, deps))
  deps.write(report(run, facts.get(run.runId)!, options.full === true, deps))
  return code
}

/** The run and everything below it. */
export async function treeFrom(store: RunStore, run: RunSummary): Promise<readonly RunSummary[]> {
  return runsFrom(await store.list({ rootId: run.rootId }), run.runId)
}

async function factsOf(logs: ReadableLogs, run: RunSummary, isDriven: boolean, now: number): Promise<Facts> {
  let first: StoredEvent | undefined
  let state: RunState | undefined
  let earlierMs = 0
  let from = run.createdAt
  let result: Result | undefined
  const ends: Ended[] = []
  const atWork: Span[] = []
  for await (const envelope of logs.read(run.runId)) {
    first ??= envelope
    const isAgain = envelope.event.type === 'run.resumed'
    if (isAgain) earlierMs += state?.activeMs ?? 0
    const before = isAgain ? 0 : (state?.activeMs ?? 0)
    state = apply(state, envelope)
    addWork(atWork, state.at, state.activeMs - before)
    if (envelope.event.type === 'run.started' && from === run.createdAt) from = envelope.at
    if (envelope.event.type !== 'run.ended') continue
    result = envelope.event.result
    const { outcome, recoveredFrom } = result
    ends.push({ attempt: state?.attempt ?? 1, outcome, ...(recoveredFrom && { recoveredFrom }) })
  }
  const queued = first?.event.type === 'run.queued' ? first.event : undefined
  const isOpen = run.status !== 'ended'
  const to = isOpen ? Math.max(run.updatedAt, Math.min(now, run.updatedAt + 1)) : run.updatedAt
  const lastMs = state && isDriven ? activeMsAt(state, now) : (state?.activeMs ?? 0)
  return {
    // The log of a host has no clock of its own.
    bar: { from, to, isOpen, ...(!state?.brief.isLogOnly && { atWork }) },
    activeMs: state?.brief.isLogOnly ? Math.max(0, to - from) : earlierMs + lastMs,
    isDriven,
    ...(result && !isOpen && { result }),
    earlier: isOpen ? ends : ends.slice(0, -1),
    prompt: queued?.prompt ?? '',
    model: queued?.brief.model ?? 'unknown',
    ...(queued?.brief.cwd && { cwd: queued.brief.cwd }),
    bounds: boundsIn(state?.brief.chain ?? []),
  }
}

/** A stretch of work up to an event, joined to the one it follows without a pause. */
function addWork(spans: Span[], to: number, workedMs: number): void {
  if (workedMs <= 0) return
  const last = spans.at(-1)
  const from = to - workedMs
  if (last && from <= last.to) spans[spans.length - 1] = { from: last.from, to }
  else spans.push({ from, to })
}

const toldFacts = ({ result, earlier, prompt, model, cwd, bounds }: Facts) => ({
  result,
  ...(earlier.length > 0 && { earlier }),
  prompt,
  model,
  cwd,
  ...(bounds.length > 0 && { bounds }),
})

function heading(run: RunSummary, facts: Facts, { look, now, width, isTerminal }: CommandDeps): string {
  const { prompt, model, cwd, isDriven, bounds } = facts
  const before = beforeWords(facts)
  const lines = [
    `${look.bold(run.agent)} ${paintedState(run, isDriven, look)}  ${look.dim(run.runId)}`,
    `  ${look.dim('asked ')} ${oneLine(prompt, Math.max(30, width - 12))}`,
    `  ${look.dim('when  ')} ${whenWords(run.createdAt, now())}${run.attempt > 1 ? `, attempt ${run.attempt}` : ''}`,
    ...(before ? [`  ${look.dim('before')} ${before}`] : []),
    `  ${look.dim('model ')} ${model}`,
    ...(cwd ? [`  ${look.dim('in    ')} ${isTerminal ? cutToEnd(cwd, width - 9) : cwd}`] : []),
    ...bounds.map(each => `  ${look.dim('bound ')} ${oneLine(boundsWords(each), longestBounds)}`),
  ]
  return `${lines.join('\n')}\n\n`
}

const mostBefore = 3
/** `--json` has the rest. */
const longestBounds = 2000

/** Earlier attempts that came to anything but a plain end: the last one does not speak for them. */
function beforeWords({ earlier }: Facts): string {
  const odd = earlier.filter(({ outcome, recoveredFrom }) => outcome !== 'completed' || recoveredFrom)
  const words = odd.map(each => `attempt ${each.attempt}: ${outcomeWords(each.outcome, each.recoveredFrom)}`)
  return words.slice(-mostBefore).join(', ')
}

const paintedState = (run: RunSummary, isDriven: boolean, look: CommandDeps['look']): string =>
  look[hueOf(run)](stateWords(run, isDriven))

function summary(tree: readonly RunSummary[], facts: ReadonlyMap<RunId, Facts>, deps: CommandDeps): string {
  const { look, width, isTerminal } = deps
  const sum = (pick: (run: RunSummary) => number) => tree.reduce((total, run) => total + pick(run), 0)
  const files = [...new Set([...facts.values()].flatMap(({ result }) => result?.filesChanged ?? []))].sort()
  const used = tree.reduce((all, { usage }) => addUsage(all, usage), noUsage)
  const figures = [
    countWords(tree.length, 'run'),
    countWords(
      sum(run => run.turns),
      'turn',
    ),
    countWords(
      sum(run => run.toolCalls),
      'tool call',
    ),
    `${tokensShort(used)} token${totalTokens(used) === 1 ? '' : 's'}`,
    ...cacheWords(used),
    costShort(treeCost(tree), used),
  ]
  const changed =
    files.length > 0 ? `${look.dim('files changed:')}\n${files.map(file => `  ${file}`).join('\n')}\n` : ''
  const kept = [...facts.values()].flatMap(({ result }) => (result?.kept === undefined ? [] : [`${result.kept}\n`]))
  const line = figures.join(' · ')
  const figureLines = isTerminal ? wrapWords(line, width) : [line]
  return `${figureLines.map(look.dim).join('\n')}\n${changed}${look.yellow(kept.join(''))}`
}

const mostMishaps = 10

/** Why runs below the one that is shown did not end well, or what they wait for: its report need not say. */
function mishaps(
  tree: readonly RunSummary[],
  shown: RunSummary,
  facts: ReadonlyMap<RunId, Facts>,
  { look }: CommandDeps,
): string {
  const lines = tree.flatMap(run => {
    const { result, isDriven } = facts.get(run.runId)!
    if (run.runId === shown.runId || result?.outcome === 'completed') return []
    if (!result && (isDriven || shown.status !== 'ended')) return []
    const goOn = `to go on: ${commandLine('offshoot', 'runs', 'resume', run.runId)}`
    const why = result ? (result.error ? oneLine(result.error.message, 300) : 'it left no word why') : goOn
    return [`${look[hueOf(run)](`${run.agent} ${stateWords(run, false)}`)}: ${visible(why)}  ${look.dim(run.runId)}\n`]
  })
  const more = lines.length > mostMishaps ? `… ${lines.length - mostMishaps} more: --json\n` : ''
  return `${lines.slice(0, mostMishaps).join('')}${more}`
}

function report(run: RunSummary, { result, isDriven }: Facts, isFull: boolean, deps: CommandDeps): string {
  const { look } = deps
  const how = (verb: string) => commandLine('offshoot', 'runs', verb, run.runId)
  if (!result && isDriven) return `\n${look.dim(`to watch: ${how('tail')}   to stop: ${how('stop')}`)}\n`
  if (!result) return `\n${look.dim(`to go on: ${how('resume')}   to end it: ${how('stop')}`)}\n`
  const error = result.error ? `${look.red(result.error.rule)} ${result.error.message}\n` : ''
  const remarks = remarksOn(result).map(each => `${look.yellow(each)}\n`)
  const text = result.text.trimEnd()
  const lines = deps.isTerminal ? fitReport(text, deps.width, isFull) : text.split('\n')
  const shown = isFull ? lines : lines.slice(0, 12)
  const rest = lines.length > shown.length ? look.dim(`… ${lines.length - shown.length} more lines: --full\n`) : ''
  return `\n${error}${remarks.join('')}${shown.join('\n')}\n${rest}`
}
