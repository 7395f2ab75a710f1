/**
 * How an answer leaves the program: text, one JSON document, or a stream of JSON lines. stdout holds nothing else.
 * The stream begins with `system/init` and ends with `result`; between them stand the events of every run of the tree,
 * each with its run and its caller's run. Its version is in the first line.
 */
import type { Envelope } from '../../core/events.js'
import type { Result } from '../../core/types.js'

export const outputFormats = ['text', 'json', 'stream-json'] as const
export type OutputFormat = (typeof outputFormats)[number]
export const streamVersion = 1

export interface SessionFacts {
  readonly runId: string
  readonly model: string
  readonly why: string
  readonly cwd: string
  readonly tools: readonly string[]
  readonly agents: readonly string[]
}

export interface AnswerWriter {
  begin(session: SessionFacts): void
  hear(envelope: Envelope): void
  end(result: Result, session: SessionFacts, treeCost: number | undefined): void
}

export function answerWriter(format: OutputFormat, write: (text: string) => void): AnswerWriter {
  const line = (value: unknown) => write(`${JSON.stringify(value)}\n`)
  switch (format) {
    case 'text':
      return { begin: () => {}, hear: () => {}, end: result => write(answerText(result)) }
    case 'json':
      return {
        begin: () => {},
        hear: () => {},
        end: (result, session, cost) => line(resultDocument(result, session, cost)),
      }
    case 'stream-json':
      return {
        begin: session =>
          line({
            type: 'system',
            subtype: 'init',
            version: streamVersion,
            session_id: session.runId,
            cwd: session.cwd,
            model: session.model,
            model_reason: session.why,
            tools: session.tools,
            agents: session.agents,
          }),
        hear: envelope => {
          const { runId, rootId, parentId, depth, agent, seq, at, event } = envelope
          line({
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
        },
        end: (result, session, cost) => line(resultDocument(result, session, cost)),
      }
  }
}

function answerText(result: Result): string {
  if (result.output !== undefined) return `${JSON.stringify(result.output, null, 2)}\n`
  return result.text === '' ? '' : `${result.text.replace(/\n+$/, '')}\n`
}

function resultDocument(result: Result, session: SessionFacts, treeCost: number | undefined): Record<string, unknown> {
  return {
    type: 'result',
    subtype: result.outcome === 'completed' ? 'success' : result.outcome,
    session_id: session.runId,
    is_error: result.outcome !== 'completed',
    result: result.text,
    ...(result.output !== undefined && { structured_output: result.output }),
    outcome: result.outcome,
    ...(result.recoveredFrom && { recovered_from: result.recoveredFrom }),
    ...(result.error && { error: { rule: result.error.rule, message: result.error.message } }),
    num_turns: result.turns,
    duration_ms: result.durationMs,
    usage: {
      input_tokens: result.usage.input,
      output_tokens: result.usage.output,
      cache_read_input_tokens: result.usage.cacheRead,
      cache_creation_input_tokens: result.usage.cacheWrite,
    },
    // Unknown stays unknown: null, never 0.
    total_cost_usd: treeCost ?? null,
    models: result.models,
    files_changed: result.filesChanged,
  }
}
