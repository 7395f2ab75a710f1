/**
 * A sidechain transcript back into a log that can be resumed.
 *
 * T3 a call without a result gets one that says so, so that every request is well formed.
 * T4 only what was said is taken over: nothing in a transcript can approve a call or widen what the run may do.
 */

import { addUsage, noUsage } from '../budget/usage.js'
import type { DurableEvent, StoredEvent } from '../events.js'
import type { AssistantPart, CallId, CallPart, ResultPart, RunId, UserMessage } from '../message.js'
import { parseJson } from '../text/parse-json.js'
import { stableUuid } from '../text/stable-uuid.js'
import type { Result, StoredBrief, Usage } from '../types.js'
import { followChain, parseSidechain, type SidechainLine, textIn } from './sidechain-lines.js'

/** A reply, with the answers to its calls. */
export interface ImportedTurn {
  readonly content: readonly AssistantPart[]
  /** One for each call, in call order. */
  readonly results: readonly ResultPart[]
  /** What was said to the model before its next turn. */
  readonly said: readonly UserMessage[]
  readonly model: string | undefined
  readonly usage: Usage | undefined
  readonly at: number | undefined
}
/** A conversation, as far as it could be read. */
export interface ImportedTranscript {
  readonly agent: string | undefined
  readonly description: string | undefined
  /** Before the first turn; its last message is the task. */
  readonly opening: readonly UserMessage[]
  readonly turns: readonly ImportedTurn[]
  /** Numbers of the lines that could not be read. */
  readonly skippedLines: readonly number[]
  /** Calls whose result was not in the file. */
  readonly missingResults: readonly CallId[]
}

/** What a model reads where a result is missing. */
export const missingResultText =
  'No result of this call was recorded: the process ended while it ran, so whether it took effect is unknown. ' +
  'Check before you do it again.'

/** Reads a transcript in Claude Code's form. Never throws: lines that cannot be read are counted. */
export function readSidechain(text: string, metaText = ''): ImportedTranscript {
  const { lines, skippedLines } = parseSidechain(text)
  const chain = followChain(lines)
  const meta = parseJson(metaText)
  const groups = groupTurns(chain)
  const known = new Map(chain.flatMap(line => line.results).map(result => [result.callId, result]))
  const missingResults = groups.turns.flatMap(turn => turn.calls.map(call => call.id).filter(id => !known.has(id)))
  return {
    agent: textIn(meta, 'agentType'),
    description: textIn(meta, 'description'),
    opening: groups.opening,
    turns: groups.turns.map(({ calls, ...turn }) => ({
      ...turn,
      results: calls.map(({ id, name }) => {
        const { content, isError } = known.get(id) ?? {
          content: [{ type: 'text', text: missingResultText }],
          isError: true,
        }
        return { type: 'result', callId: id, name, content, isError }
      }),
    })),
    skippedLines,
    missingResults,
  }
}

type Turn = Omit<ImportedTurn, 'results'> & { readonly calls: readonly CallPart[] }

function groupTurns(chain: readonly SidechainLine[]): { opening: readonly UserMessage[]; turns: readonly Turn[] } {
  const opening: UserMessage[] = []
  const turns: (Turn & { readonly messageId: string | undefined; readonly said: UserMessage[] })[] = []
  const seen = new Set<CallId>()
  for (const line of chain) {
    const { messageId, model, usage, at } = line
    const calls = line.calls.filter(call => !seen.has(call.id))
    for (const call of calls) seen.add(call.id)
    const last = turns.at(-1)
    if (line.type === 'user') {
      if (line.content.length > 0) (last?.said ?? opening).push({ role: 'user', content: line.content })
    } else if (messageId !== undefined && turns.some(turn => turn.messageId === messageId)) {
      const index = turns.findIndex(turn => turn.messageId === messageId)
      const turn = turns[index]!
      const content = [...turn.content, ...textOf(line), ...calls]
      turns[index] = { ...turn, content, calls: [...turn.calls, ...calls], usage: usage ?? turn.usage }
    } else if (line.content.length > 0 || calls.length > 0) {
      turns.push({ messageId, content: [...textOf(line), ...calls], calls, said: [], model, usage, at })
    }
  }
  return { opening, turns }
}

const textOf = (line: SidechainLine) => line.content.filter(part => part.type === 'text')

/** Where the log belongs. The brief was decided here, for this caller: a transcript has no say in it. */
export interface ImportTarget {
  readonly runId: RunId
  readonly rootId: RunId
  readonly parentId?: RunId
  readonly callId?: CallId
  readonly depth: number
  readonly brief: StoredBrief
  /** Epoch milliseconds, for lines that do not say. */
  readonly at: number
}

/**
 * A transcript as a whole log that ends in `run.ended`: resuming it is an attempt like any other. The same input
 * gives the same ids.
 */
export function eventsFromTranscript(transcript: ImportedTranscript, target: ImportTarget): readonly StoredEvent[] {
  const { runId, rootId, parentId, callId, depth, brief } = target
  const said = transcript.turns.length === 0 ? asOneTask(transcript.opening) : transcript.opening
  const opening = said.length > 0 ? said : brief.opening
  const prompt = said
    .at(-1)
    ?.content.flatMap(part => (part.type === 'text' ? part.text : []))
    .join('\n')
  const log: StoredEvent[] = []
  let at = transcript.turns.find(turn => turn.at !== undefined)?.at ?? target.at
  const add = (event: DurableEvent, time?: number) => {
    // D6: time in a log never goes back, whatever the file says.
    at = Math.max(at, time ?? at)
    const seq = log.length + 1
    const eventId = stableUuid(`${runId}/import/${seq}`)
    const place = { ...(parentId && { parentId }), ...(callId && { callId }) }
    log.push({ eventId, runId, rootId, ...place, depth, agent: brief.agent, seq, at, event })
  }
  add({ type: 'run.queued', brief: { ...brief, opening }, prompt: prompt ?? '', version: 1 })
  add({ type: 'run.claimed', attempt: 1, epoch: 0, owner: 'import' })
  add({ type: 'run.started' })
  const missing = new Set(transcript.missingResults)
  transcript.turns.forEach((turn, index) => {
    add(turnEnded(turn, index, log.length, brief), turn.at)
    for (const result of turn.results) add(callEnded(result, missing.has(result.callId)))
    turn.said.forEach((message, place) => {
      add(messageReceived(message, `import/${index + 1}/${place}`))
    })
  })
  const duration = at - (log[0]?.at ?? at)
  add({ type: 'run.ended', result: resultOf(transcript, target, duration) })
  return log
}

/** No model has answered to any of it. Start hooks hear the one text of a task, and nothing else may go to a model. */
function asOneTask(opening: readonly UserMessage[]): readonly UserMessage[] {
  const parts = opening.flatMap(({ content }) => content)
  if (parts.length === 0) return []
  const text = parts.flatMap(part => (part.type === 'text' ? part.text : [])).join('\n\n')
  return [{ role: 'user', content: [...parts.filter(({ type }) => type !== 'text'), { type: 'text', text }] }]
}

function turnEnded(turn: ImportedTurn, number: number, upto: number, brief: StoredBrief): DurableEvent {
  return {
    type: 'turn.ended',
    turn: number,
    purpose: 'work',
    upto,
    message: { role: 'assistant', content: turn.content },
    calls: turn.results.map(({ callId: id, name }) => ({ ...strictestTraits, id, displayName: name })),
    finish: turn.results.length > 0 ? 'calls' : 'stop',
    usage: turn.usage ?? unknownUsage,
    model: modelOf(turn, brief),
  }
}

function callEnded({ callId, name, content, isError }: ResultPart, isMissing: boolean): DurableEvent {
  const status = isMissing ? 'interrupted' : isError ? 'error' : 'ok'
  return { type: 'tool.ended', callId, name, status, content, context: '', summary: 'imported', durationMs: 0 }
}

function messageReceived(message: UserMessage, itemId: string): DurableEvent {
  const text = message.content.map(part => (part.type === 'text' ? part.text : `(image, ${part.mediaType})`)).join('\n')
  return { type: 'message.received', itemId, from: 'import', text }
}

/** A file cannot say what a call could do, so the strictest is assumed. */
const strictestTraits = { effect: 'execute', isParallel: false, isPolling: false } as const
const unknownUsage: Usage = { ...noUsage, isEstimated: true }

/** Elsewhere a model goes by its own name; sidechain files come from one provider. */
function modelOf({ model }: ImportedTurn, brief: StoredBrief): string {
  if (model === undefined) return brief.model
  return model.includes('/') ? model : `anthropic/${model}`
}

function resultOf({ turns }: ImportedTranscript, { runId, brief }: ImportTarget, durationMs: number): Result {
  const last = turns.at(-1)
  const isWhole = last !== undefined && last.results.length === 0 && last.said.length === 0
  const results = turns.flatMap(turn => turn.results)
  return {
    runId,
    agent: brief.agent,
    outcome: isWhole ? 'completed' : 'interrupted',
    text: last?.content.flatMap(part => (part.type === 'text' ? part.text : [])).join('\n') ?? '',
    turns: turns.length,
    toolCalls: results.length,
    durationMs,
    usage: turns.reduce((sum, turn) => addUsage(sum, turn.usage ?? unknownUsage), noUsage),
    models: [...new Set(turns.map(turn => modelOf(turn, brief)))],
    toolLog: results.map(({ callId, name, isError }) => {
      return { callId, name, displayName: name, context: '', summary: 'imported', isSuccess: !isError, durationMs: 0 }
    }),
    filesChanged: [],
  }
}
