/** Small, valid logs for tests and benches of stores, folds and exports. */
import type { DurableEvent, StoredEvent } from '../core/events.js'
import type { CallId, RunId } from '../core/message.js'
import type { Owner } from '../core/run-store.js'
import type { StoredBrief } from '../core/types.js'

export interface SampleRun {
  readonly runId: RunId
  readonly rootId?: RunId
  readonly parentId?: RunId
  readonly agent?: string
  readonly at?: number
  readonly brief?: Partial<StoredBrief>
}

export const runId = (text: string): RunId => text as RunId
export const callId = (text: string): CallId => text as CallId

export function sampleOwner(id: string, about: Partial<Owner> = {}): Owner {
  return { id, host: 'test-host', pid: 1, startedAt: 0, ...about }
}

/** One envelope; `seq` also makes its id, so the same run and seq give the same event. */
export function sampleEvent(run: SampleRun, seq: number, event: DurableEvent): StoredEvent {
  const rootId = run.rootId ?? run.runId
  return {
    eventId: `${run.runId}/${seq}`,
    runId: run.runId,
    rootId,
    ...(run.parentId && { parentId: run.parentId }),
    depth: rootId === run.runId ? 0 : 1,
    agent: run.agent ?? 'main',
    seq,
    at: (run.at ?? 1_000) + seq,
    event,
  }
}

export function sampleQueued(run: SampleRun): StoredEvent {
  return sampleEvent(run, 1, { type: 'run.queued', brief: sampleBrief(run), prompt: 'Count the words.', version: 1 })
}

/** The five events of one working turn with one call, from `seq` on. */
export function sampleTurn(run: SampleRun, seq: number, turn: number, answer = '42 words'): readonly StoredEvent[] {
  const call = callId(`call-${turn}`)
  const input = { path: `notes/${turn}.md`, limit: 200 }
  const usage = { input: 1_200, output: 80, cacheRead: 900, cacheWrite: 0 }
  const facts: readonly DurableEvent[] = [
    {
      type: 'turn.ended',
      turn,
      purpose: 'work',
      upto: seq - 1,
      message: {
        role: 'assistant',
        content: [
          { type: 'text', text: `Looking at file ${turn}.` },
          { type: 'call', id: call, name: 'Read', input },
        ],
      },
      calls: [{ id: call, effect: 'read', isParallel: true, isPolling: false, displayName: 'Read' }],
      finish: 'calls',
      usage,
      model: 'offline/scripted',
      cost: 0.001,
    },
    { type: 'clock.stopped', cause: 'slot' },
    { type: 'clock.started', cause: 'slot' },
    { type: 'tool.started', callId: call, name: 'Read', input, effect: 'read', rule: 'read-inside-roots' },
    {
      type: 'tool.ended',
      callId: call,
      name: 'Read',
      status: 'ok',
      content: [{ type: 'text', text: answer }],
      context: input.path,
      summary: '1 line',
      durationMs: 3,
    },
  ]
  return facts.map((event, index) => sampleEvent(run, seq + index, event))
}

export function sampleEnded(run: SampleRun, seq: number, text = 'done'): StoredEvent {
  return sampleEvent(run, seq, {
    type: 'run.ended',
    result: {
      runId: run.runId,
      agent: run.agent ?? 'main',
      outcome: 'completed',
      text,
      turns: 1,
      toolCalls: 1,
      durationMs: 10,
      usage: { input: 1_200, output: 80, cacheRead: 900, cacheWrite: 0 },
      models: ['offline/scripted'],
      toolLog: [],
      filesChanged: [],
    },
  })
}

function sampleBrief(run: SampleRun): StoredBrief {
  const agent = run.agent ?? 'main'
  return {
    agent,
    displayName: agent,
    description: 'count the words',
    path: [agent],
    depth: 0,
    source: { scope: 'built-in', isTrusted: true },
    declared: { hash: 'sha256:none' },
    allowed: ['Read'],
    delegateTools: [],
    canSpawn: false,
    chain: [],
    model: 'offline/scripted',
    sampling: {},
    limits: { graceMs: 0, resultBytes: 16_384, spawnDeadlineMs: 60_000, stallMs: 60_000, stopHookReturns: 3 },
    completion: { mode: 'text', outputName: 'result', isStructured: false },
    opening: [{ role: 'user', content: [{ type: 'text', text: 'Count the words.' }] }],
    isBackground: false,
    waitsForChildren: true,
    isolation: 'none',
    executionMode: 'in-process',
    hooked: [],
    reasons: [],
    ...run.brief,
  }
}
