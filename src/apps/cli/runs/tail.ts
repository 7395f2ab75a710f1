/** `runs tail ID`: what a run and everything below it does, as it happens, in whatever process it runs. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { MeasuredStore } from '../../../adapters/stores/prune.js'
import type { StoredEvent } from '../../../core/events.js'
import type { RunId } from '../../../core/message.js'
import type { RunSummary } from '../../../core/run/run-summary.js'
import { commandLine, visible } from '../../../core/text/shell-word.js'
import { oneLine } from '../../../core/text/text.js'
import type { Result } from '../../../core/types.js'
import { exitCodes } from '../../session/exit-codes.js'
import { remarksOn, stateWords } from '../../session/run-words.js'
import type { CommandDeps } from '../command-deps.js'
import { progressLines } from '../progress-lines.js'
import { ReadableLogs } from './readable-logs.js'
import { treeFrom } from './show.js'

const pollMs = 150
/** One process may just be handing it to the next. */
const unheldMs = 1_500

/** Ends with the run, or when nobody drives it any more. `json`: one event a line. */
export async function tailRun(
  store: MeasuredStore,
  run: RunSummary,
  options: { readonly json?: boolean; readonly fromStart?: boolean },
  deps: CommandDeps,
): Promise<number> {
  const lines = progressLines(deps.write, deps.look, true)
  let result: Result | undefined
  const tell = (envelope: StoredEvent) => {
    if (options.json) deps.write(`${JSON.stringify(envelope)}\n`)
    else lines(envelope)
    if (envelope.runId === run.runId && envelope.event.type === 'run.ended') result = envelope.event.result
  }
  const logs = new ReadableLogs(store, run.runId, deps.warn)
  const read = new Map<RunId, number>()
  if (!options.fromStart && run.status !== 'ended')
    for (const each of await treeFrom(store, run)) read.set(each.runId, each.lastSeq)
  let isBroken = false
  let idle = 0
  deps.streams.onBrokenPipe(() => {
    isBroken = true
  })
  while (!isBroken) {
    // Oldest first, so that what happened in one millisecond comes in the order it was begun.
    const tree = [...(await treeFrom(store, run))].reverse()
    const fresh: StoredEvent[] = []
    for (const each of tree) fresh.push(...(await newEvents(logs, each, read)))
    for (const envelope of fresh.sort((a, b) => a.at - b.at || a.depth - b.depth)) tell(envelope)
    const now = await store.summary(run.runId)
    if (now?.status === 'ended' && fresh.length === 0) {
      if (!options.json) deps.write(endWords(now, result))
      break
    }
    idle = fresh.length > 0 || (await store.isHeld(run.rootId)) ? 0 : idle + 1
    if (idle * pollMs > unheldMs) {
      const goOn = commandLine('offshoot', 'runs', 'resume', run.runId)
      deps.warn(`offshoot: ${run.agent} has not ended, and no process drives it any more.\n  to go on: ${goOn}\n`)
      return exitCodes.error
    }
    await sleep(pollMs)
  }
  return logs.isWhole ? exitCodes.ok : exitCodes.error
}

/** With why, where it did not end well, and what there is to know about its report. */
function endWords(run: RunSummary, result: Result | undefined): string {
  const why = result?.error ? `: ${visible(oneLine(result.error.message, 500))}` : ''
  const remarks = result ? remarksOn(result).map(each => `  ${visible(each)}\n`) : []
  return `${run.agent} ended: ${stateWords(run, false)}${why}\n${remarks.join('')}`
}

async function newEvents(
  logs: ReadableLogs,
  run: RunSummary,
  read: Map<RunId, number>,
): Promise<readonly StoredEvent[]> {
  const from = (read.get(run.runId) ?? 0) + 1
  if (run.lastSeq < from) return []
  const events: StoredEvent[] = []
  for await (const envelope of logs.read(run.runId, from)) events.push(envelope)
  read.set(run.runId, events.at(-1)?.seq ?? from - 1)
  return events
}
