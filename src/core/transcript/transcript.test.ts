import assert from 'node:assert/strict'
import { describe, expect, test } from 'vitest'
import {
  callId,
  runId,
  type SampleRun,
  sampleEnded,
  sampleEvent,
  sampleQueued,
  sampleTurn,
} from '../../testing/sample-log.js'
import type { StoredEvent } from '../events.js'
import type { RunSummary } from '../run/run-summary.js'
import { exportTranscript } from './transcript.js'
import { transcriptOf } from './transcript-fold.js'

const root = { runId: runId('root') }
const child = { runId: runId('root/child 1'), rootId: root.runId, parentId: root.runId, agent: 'Explore' }
const rootLog = [sampleQueued(root), ...sampleTurn(root, 2, 1), ...sampleTurn(root, 7, 2), sampleEnded(root, 12)]
const childLog = [sampleQueued(child), ...sampleTurn(child, 2, 1)]
const linesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))

describe('the conversation in a log', () => {
  const kinds = (events: readonly StoredEvent[]) => transcriptOf(events)?.entries.map(entry => entry.kind)

  test('task, turns, results and the ending come in order', () => {
    assert.deepEqual(kinds(rootLog), ['user', 'assistant', 'result', 'assistant', 'result', 'note'])
  })

  test('D4 a message that came while a call was open stands behind its result', () => {
    const turn = sampleTurn(root, 2, 1)
    const said = sampleEvent(root, 6, {
      type: 'message.received',
      itemId: 'm1',
      from: 'user',
      text: 'also count lines',
    })
    const late = { ...turn[4]!, seq: 7 }
    assert.deepEqual(kinds([sampleQueued(root), ...turn.slice(0, 4), said, late]), [
      'user',
      'assistant',
      'result',
      'user',
    ])
  })

  test('D4 a message that came while a request was on its way stands behind its reply, and behind the results of that', () => {
    const said = (seq: number) =>
      sampleEvent(root, seq, { type: 'message.received', itemId: `m${seq}`, from: 'user', text: `said ${seq}` })
    const reply = (seq: number, upto: number, ...calls: readonly string[]) =>
      sampleEvent(root, seq, {
        ...{ type: 'turn.ended', turn: seq, purpose: 'work', upto, calls: [], finish: 'stop', model: 'm' },
        usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 },
        message: {
          role: 'assistant',
          content: [
            { type: 'text', text: `reply ${seq}` },
            ...calls.map(id => ({ type: 'call' as const, id: callId(id), name: 'Read', input: {} })),
          ],
        },
      })
    const ended = sampleEvent(root, 6, {
      ...{
        type: 'tool.ended',
        callId: callId('a'),
        name: 'Read',
        status: 'ok',
        content: [{ type: 'text', text: 'x' }],
      },
      ...{ context: '', summary: '', durationMs: 1 },
    })
    const log = [sampleQueued(root), said(2), said(3), reply(4, 2, 'a'), said(5), ended, said(7), reply(8, 6)]
    const order = transcriptOf(log)!.entries.map(({ eventId }) => log.findIndex(one => one.eventId === eventId) + 1)
    assert.deepEqual(order, [1, 2, 4, 6, 3, 5, 8, 7])
  })

  test('thoughts are left out unless asked for, in every format', () => {
    const thinking = sampleEvent(root, 2, {
      type: 'turn.ended',
      turn: 1,
      purpose: 'work',
      upto: 1,
      message: {
        role: 'assistant',
        content: [
          { type: 'thought', text: 'secret plan' },
          { type: 'text', text: 'Hello' },
        ],
      },
      calls: [],
      finish: 'stop',
      usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 },
      model: 'anthropic/claude-x',
    })
    for (const format of ['sidechain', 'markdown', 'json'] as const) {
      const textOf = (includesThoughts: boolean) =>
        exportTranscript([[sampleQueued(root), thinking]], format, { includesThoughts })
          .map(file => file.text)
          .join()
      assert.ok(!textOf(false).includes('secret plan'), format)
      assert.ok(textOf(true).includes('secret plan'), format)
      assert.ok(textOf(false).includes('Hello'), format)
    }
  })

  test('events that open no run give nothing', () => {
    assert.equal(transcriptOf([]), undefined)
    assert.deepEqual(exportTranscript([[], rootLog.slice(1)], 'json'), [])
  })
})

describe('sidechain files', () => {
  const files = exportTranscript([rootLog, childLog], 'sidechain')

  test('the root is the session, a child lies in its subagents folder, each with a meta file', () => {
    assert.deepEqual(
      files.map(file => file.path),
      [
        'root.jsonl',
        'root.meta.json',
        'root/subagents/agent-root-child-1.jsonl',
        'root/subagents/agent-root-child-1.meta.json',
      ],
    )
    const meta = JSON.parse(files[3]!.text)
    assert.deepEqual([meta.agentType, meta.agentId, meta.status], ['Explore', 'root/child 1', 'running'])
  })

  test('lines are chained by uuid from a first one without a parent', () => {
    const lines = linesOf(files[2]!.text)
    assert.deepEqual(
      lines.map(line => line.parentUuid),
      [null, ...lines.slice(0, -1).map(line => line.uuid)],
    )
    for (const line of lines) {
      assert.match(line.uuid, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      assert.deepEqual([line.isSidechain, line.sessionId, line.agentId], [true, 'root', 'root/child 1'])
    }
    assert.equal(new Set(lines.map(line => line.uuid)).size, lines.length)
    assert.equal(linesOf(files[0]!.text)[0].isSidechain, false)
  })

  test('calls and results have the shape other programs read', () => {
    const [, assistant, result] = linesOf(files[2]!.text)
    assert.equal(assistant.message.model, 'scripted')
    assert.deepEqual(assistant.message.content[1], {
      type: 'tool_use',
      id: 'call-1',
      name: 'Read',
      input: { path: 'notes/1.md', limit: 200 },
    })
    assert.deepEqual(result.message.content, [
      { type: 'tool_result', tool_use_id: 'call-1', content: [{ type: 'text', text: '42 words' }], is_error: false },
    ])
  })

  test('the same log gives the same bytes', () => {
    assert.deepEqual(exportTranscript([rootLog, childLog], 'sidechain'), files)
  })
})

describe('markdown', () => {
  test('names the tree, the figures, every turn and every result', () => {
    const [file] = exportTranscript([rootLog, childLog], 'markdown')
    assert.equal(file?.path, 'root.md')
    for (const text of [
      '# Runs',
      '**Explore**',
      '- Outcome: completed',
      '## Turn 2',
      '**Read** notes/2.md',
      '42 words',
    ]) {
      assert.ok(file?.text.includes(text), text)
    }
  })

  test('the first reply of a run is no example: turns are counted from 1, and only an opening has examples', () => {
    const brief = {
      opening: [
        { role: 'user', content: [{ type: 'text', text: 'Two and two?' }] },
        { role: 'assistant', content: [{ type: 'text', text: 'Four.' }] },
        { role: 'user', content: [{ type: 'text', text: 'Count the words.' }] },
      ],
    } as const
    const titlesOf = (run: SampleRun) => {
      const log = [sampleQueued(run), ...sampleTurn(run, 2, 0), ...sampleTurn(run, 7, 1)]
      return exportTranscript([log], 'markdown')[0]!.text.match(/^## (assistant|Turn).*$/gm)
    }
    assert.deepEqual(titlesOf(root), ['## Turn 1 (offline/scripted)', '## Turn 2 (offline/scripted)'])
    assert.deepEqual(titlesOf({ ...root, brief }), [
      '## assistant (example)',
      '## Turn 1 (offline/scripted)',
      '## Turn 2 (offline/scripted)',
    ])
  })

  test('a run that a last turn saved says so, in the tree and at its end', () => {
    const ended = sampleEnded(root, 2)
    if (ended.event.type !== 'run.ended') throw new Error('it ends')
    const saved = { ...ended.event, result: { ...ended.event.result, recoveredFrom: 'max_turns' as const } }
    const log = [sampleQueued(root), { ...ended, event: saved }]
    const text = exportTranscript([log, childLog], 'markdown')[0]!.text
    assert.match(text, /^- \*\*main\*\* .*\(completed \(recovered from max_turns\), /m)
    assert.match(text, /\*ended: completed \(recovered from max_turns\)\*/)
  })

  test('output with fences of its own cannot end the fence around it', () => {
    const log = [sampleQueued(root), ...sampleTurn(root, 2, 1, 'before\n````\nafter')]
    const [file] = exportTranscript([log], 'markdown')
    assert.ok(file?.text.includes('`````\nbefore\n````\nafter\n`````'))
  })

  test('an unknown cost is called unknown', () => {
    const free = sampleTurn(root, 2, 1).map(event =>
      event.event.type === 'turn.ended' ? { ...event, event: { ...event.event, cost: undefined } } : event,
    )
    assert.match(exportTranscript([[sampleQueued(root), ...free]], 'markdown')[0]!.text, /cost: unknown/)
  })
})

test('an export showed the figures of a run that was cut off as counted, and called it running', () => {
  const [file] = exportTranscript([rootLog, childLog], 'markdown')
  const [, ended, open] = file!.text.split('\n---\n')
  expect(file!.text).toContain('(unfinished, `root/child 1`)')
  expect(open).toMatch(/- Outcome: unfinished\n[\s\S]*tokens: about \d+/)
  expect(ended).not.toContain('about')
  const { runs } = JSON.parse(exportTranscript([rootLog, childLog], 'json')[0]!.text)
  expect(runs.map((run: { summary: RunSummary }) => run.summary.usage.isEstimated)).toEqual([undefined, true])
})

test('json holds every event as it is stored', () => {
  const [file] = exportTranscript([rootLog, childLog], 'json')
  const value = JSON.parse(file!.text)
  assert.deepEqual(
    value.runs.map((run: { events: unknown }) => run.events),
    [rootLog, childLog],
  )
  assert.equal(value.runs[0].summary.outcome, 'completed')
})

test('a call id is only a name: two runs with the same one do not mix', () => {
  const transcripts = [rootLog, childLog].map(log => transcriptOf(log))
  for (const transcript of transcripts) {
    const results = transcript?.entries.filter(entry => entry.kind === 'result' && entry.callId === callId('call-1'))
    assert.equal(results?.length, 1)
  }
})
