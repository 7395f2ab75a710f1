/**
 * How an answer leaves the program: text, one JSON document, or a stream of JSON lines. stdout holds nothing else.
 * The stream begins with `system/init` and every answer ends with `result`; between them stand the events of every run
 * of the tree, each with its run and its caller's run. Its version is in the first line; docs/cli.md describes it.
 */

import { cachedShare, noUsage } from '../../core/budget/usage.js'
import type { Envelope } from '../../core/events.js'
import type { RunId } from '../../core/message.js'
import type { RunSummary } from '../../core/run/run-summary.js'
import type { Refusal, Result, RunError } from '../../core/types.js'
import type { Denial } from '../session/denials.js'
import { knownFigures } from '../session/run-words.js'

export const outputFormats = ['text', 'json', 'stream-json'] as const
export type OutputFormat = (typeof outputFormats)[number]
const streamVersion = 1

export interface SessionFacts {
  readonly runId: string
  readonly model: string
  readonly why: string
  readonly cwd: string
  readonly agent: string
  readonly mode: string
  readonly tools: readonly string[]
  readonly agents: readonly string[]
  /** The MCP servers that are configured. */
  readonly servers: readonly { readonly name: string; readonly isUsable: boolean }[]
}

/** What there is to say at the end. */
export interface Answer {
  readonly result: Result
  /** Every run of the tree, the root included. */
  readonly tree: readonly RunSummary[]
  /** What the runs below the root have changed. */
  readonly files: readonly string[]
  readonly denials: readonly Denial[]
  /** Where runs of the tree left work that is not here. */
  readonly kept?: ReadonlyMap<RunId, string>
  /** Whoever answers goes now: what has not ended is left, to be resumed. */
  readonly isLeaving?: boolean
}

export interface AnswerWriter {
  begin(session: SessionFacts): void
  hear(envelope: Envelope): void
  end(answer: Answer): void
  /** Nothing was started. */
  refuse(refusal: Refusal): void
}

export function answerWriter(format: OutputFormat, write: (text: string) => void): AnswerWriter {
  const line = (value: unknown) => write(`${JSON.stringify(value)}\n`)
  const nothing = () => {}
  let servers: object = {}
  let isBegun = false
  const documents = {
    end: (answer: Answer) => line({ ...resultDocument(answer), ...servers }),
    refuse: (refusal: Refusal) => line(refusalDocument(refusal)),
  }
  const begin = (init: object) => {
    if (!isBegun) line(init)
    isBegun = true
  }
  switch (format) {
    case 'text':
      return { begin: nothing, hear: nothing, refuse: nothing, end: ({ result }) => write(answerText(result)) }
    case 'json':
      return {
        begin: session => {
          servers = serversDocument(session)
        },
        hear: nothing,
        ...documents,
      }
    case 'stream-json':
      return {
        begin: session => begin(initDocument(session)),
        hear: envelope => line(eventDocument(envelope)),
        end: documents.end,
        refuse: refusal => {
          begin(noSession)
          documents.refuse(refusal)
        },
      }
  }
}

function answerText(result: Result): string {
  if (result.output !== undefined) return `${JSON.stringify(result.output, null, 2)}\n`
  return result.text === '' ? '' : `${result.text.replace(/\n+$/, '')}\n`
}

const initDocument = (session: SessionFacts): object => ({
  type: 'system',
  subtype: 'init',
  version: streamVersion,
  session_id: session.runId,
  cwd: session.cwd,
  agent: session.agent,
  model: session.model,
  model_reason: session.why,
  permission_mode: session.mode,
  tools: session.tools,
  agents: session.agents,
  ...serversDocument(session),
})

const serversDocument = ({ servers }: SessionFacts): object =>
  servers.length === 0
    ? {}
    : { mcp_servers: servers.map(({ name, isUsable }) => ({ name, status: isUsable ? 'connected' : 'failed' })) }

const eventDocument = ({ runId, rootId, parentId, depth, agent, seq, at, event }: Envelope): object => ({
  type: 'event',
  session_id: rootId,
  run_id: runId,
  parent_run_id: parentId ?? null,
  agent,
  depth,
  seq,
  at,
  event,
})

/** The first line of a stream in which nothing was started. */
const noSession = { type: 'system', subtype: 'init', version: streamVersion, session_id: null }

/** Complete, so that whoever reads a result need not ask which one it is: nothing was done, and nothing spent. */
const refusalDocument = ({ rule, refused }: Refusal): object => ({
  type: 'result',
  subtype: 'refused',
  session_id: null,
  is_error: true,
  result: '',
  error: { rule, message: refused },
  num_turns: 0,
  tool_calls: 0,
  duration_ms: 0,
  usage: usageDocument(noUsage),
  total_cost_usd: 0,
  models: [],
  files_changed: [],
  children: [],
  permission_denials: [],
})

function resultDocument({ result, files, denials, kept = new Map(), isLeaving = false, ...answer }: Answer): object {
  // A run that could not store its end has one request more than its log, perhaps; one that is left is cut off in it.
  const isCut = ({ runId }: RunSummary) => isLeaving || runId === result.runId
  const tree = answer.tree.map(run => (isCut(run) ? knownFigures(run, false) : run))
  const isEstimated = tree.some(({ runId, usage }) => runId === result.runId && usage.isEstimated)
  return {
    type: 'result',
    subtype: result.outcome === 'completed' ? 'success' : result.outcome,
    session_id: result.runId,
    is_error: result.outcome !== 'completed',
    result: result.text,
    ...(result.output !== undefined && { structured_output: result.output }),
    outcome: result.outcome,
    ...(result.recoveredFrom && { recovered_from: result.recoveredFrom }),
    ...(result.unknownStop !== undefined && { unknown_stop: result.unknownStop }),
    ...(result.objection !== undefined && { objection: result.objection }),
    ...(result.verified !== undefined && { verified: result.verified }),
    ...(result.unverified && { unverified: result.unverified }),
    ...(result.evidence && { evidence: result.evidence }),
    ...(result.digest !== undefined && { digest: result.digest }),
    ...(result.error && { error: errorDocument(result.error) }),
    ...(result.failedTool !== undefined && { failed_tool: result.failedTool }),
    ...(result.unread && { unread: result.unread }),
    num_turns: result.turns,
    tool_calls: result.toolCalls,
    ...(result.isUnchecked && { is_unchecked: true }),
    duration_ms: result.durationMs,
    usage: usageDocument({ ...result.usage, ...(isEstimated && { isEstimated }) }),
    // Of the whole tree. Unknown stays unknown: null, never 0.
    total_cost_usd: treeCost(tree) ?? null,
    ...(tree.some(({ usage }) => usage.isEstimated) && { is_cost_estimated: true }),
    models: result.models,
    // Of the whole tree, like the cost.
    files_changed: [...new Set([...result.filesChanged, ...files])].sort(),
    ...(kept.size > 0 && { kept: [...kept].map(([run_id, where]) => ({ run_id, where })) }),
    children: tree.filter(run => run.runId !== result.runId).map(run => childDocument(run, isLeaving)),
    permission_denials: denials.map(({ runId, agent, name, context }) => ({
      run_id: runId,
      agent,
      tool: name,
      context,
    })),
  }
}

const errorDocument = ({ rule, message, resetsAt }: RunError): object => ({
  rule,
  message,
  ...(resetsAt !== undefined && { resets_at: resetsAt }),
})

const usageDocument = (usage: Result['usage']): object => ({
  input_tokens: usage.input,
  output_tokens: usage.output,
  cache_read_input_tokens: usage.cacheRead,
  cache_creation_input_tokens: usage.cacheWrite,
  // Of everything sent; null when nothing was.
  cached_share: cachedShare(usage) ?? null,
  // Nobody said all of it: a turn was cut off, or its counts were none.
  ...(usage.isEstimated && { is_estimated: true }),
})

const childDocument = (run: RunSummary, isLeaving: boolean): object => ({
  run_id: run.runId,
  parent_run_id: run.parentId ?? null,
  agent: run.agent,
  description: run.description,
  status: isLeaving && run.status !== 'ended' ? 'unfinished' : run.status,
  outcome: run.outcome ?? null,
  ...(run.recoveredFrom && { recovered_from: run.recoveredFrom }),
  ...(run.unknownStop !== undefined && { unknown_stop: run.unknownStop }),
  num_turns: run.turns,
  tool_calls: run.toolCalls,
  usage: usageDocument(run.usage),
  cost_usd: run.cost ?? null,
})

/** What the whole tree has cost; undefined as soon as one price is unknown. */
export function treeCost(tree: readonly RunSummary[]): number | undefined {
  let sum = 0
  for (const { cost } of tree) {
    if (cost === undefined) return undefined
    sum += cost
  }
  return sum
}
