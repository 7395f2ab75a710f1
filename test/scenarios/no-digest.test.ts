/** A reply that was asked to make a report shorter, and does not: the caller reads the report itself. */
import { expect, test } from 'vitest'
import type { StoredEvent } from '../../src/core/events.js'
import type { Message } from '../../src/core/message.js'
import { transcriptOf } from '../../src/core/transcript/transcript-fold.js'
import type { ScriptedReply } from '../../src/testing/scripted-model.js'
import { agent, call, house, task, tool } from './house.js'

const beside: ScriptedReply = { text: 'short', ...call('Look', {}, 'beside') }

const summed = (reply: ScriptedReply) => {
  const h = house(
    {
      main: [
        { calls: [task('worker', 'work', { summary_prompt: 'In one word?' })] },
        () => ({ calls: [{ name: 'Task', input: { description: 'again', prompt: 'more', resume: idOf() } }] }),
        'ok',
      ],
      worker: ['the whole report', reply, 'the second report', 'two'],
    },
    { agents: [agent('main', { canSpawn: true }), agent('worker')], tools: [tool('Look', 'read', () => 'seen')] },
  )
  const idOf = () => h.events.find(({ agent: name }) => name === 'worker')!.runId
  return { h, idOf }
}

const unanswered = (messages: readonly Message[]): readonly string[] => {
  const answers = messages.flatMap(({ role, content }) => (role === 'tool' ? content.map(part => part.callId) : []))
  return messages
    .flatMap(({ role, content }) => (role === 'assistant' ? content : []))
    .flatMap(part => (part.type === 'call' && !answers.includes(part.id) ? [part.id] : []))
}

test('D5 a call beside a summary stood unanswered in every later request of the run', async () => {
  const { h, idOf } = summed(beside)
  await h.run()
  const requests = h.model.requestsOf('worker')
  expect(requests).toHaveLength(4)
  expect(requests.flatMap(({ messages }) => unanswered(messages))).toEqual([])
  expect(JSON.stringify(requests[2]!.messages)).toContain('short')
  // Nor does a transcript wait for its answer with what was said afterwards.
  const log = h.events.filter((envelope): envelope is StoredEvent => envelope.runId === idOf() && 'seq' in envelope)
  const text = JSON.stringify(transcriptOf(log)!.entries)
  expect(/"(more|the second report)".*"(more|the second report)"/.exec(text)?.slice(1)).toEqual([
    'more',
    'the second report',
  ])
})

test.each<[string, ScriptedReply]>([
  ['with a call beside it', beside],
  ['that was cut off', { text: 'only the beginn', finish: 'length' }],
  ['that is a refusal', { text: 'I cannot help with that.', finish: 'refusal' }],
])('X16 a summary %s was handed over as the report of a completed run', async (_, reply) => {
  const { h } = summed(reply)
  await h.run()
  const [first, second] = h.toolTexts('main')
  expect(first).toMatch(/^the whole report\n/)
  expect(second).toMatch(/^two\n/)
})
