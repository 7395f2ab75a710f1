/**
 * What every Model must do, as tests for any runner. Each scenario brings up a model that behaves as its name says;
 * the ones a model cannot show (an offline model has no network to lose) are left out.
 *
 * @example describeModel({ test }, { text: async () => ({ model, name: 'acme/one' }) })
 */
import assert from 'node:assert/strict'
import type { AssistantPart, Json, Message, RunId } from '../core/message.js'
import type { Model, ModelDelta, ModelReply, ModelRequest } from '../core/ports.js'
import type { ToolSpec } from '../core/types.js'
import type { TestRunner } from './test-runner.js'

/** A model, and what it is asked. */
export interface ModelUnderTest {
  readonly model: Model
  /** `provider/model`, as requests name it. */
  readonly name: string
  /** Sent in place of the standard request. */
  readonly request?: Partial<ModelRequest>
  close?(): Promise<void>
}
/** Brings up a model for one test. */
export type StartModel = () => Promise<ModelUnderTest>

/** How to bring up the model in each situation. */
export interface ModelScenarios {
  /** Answers with text. */
  readonly text: StartModel
  /** Answers with at least two calls of the tool `search` in one turn. */
  readonly calls?: StartModel
  /** Calls `search` with arguments that are no JSON. */
  readonly invalidArguments?: StartModel
  /** Says no, as a model. */
  readonly refusal?: StartModel
  /** Runs out of output tokens. */
  readonly length?: StartModel
  /** Begins an answer with text and then breaks. */
  readonly broken?: StartModel
  /** Fails without a word of answer. */
  readonly failing?: StartModel
  /** Takes the request and never answers. */
  readonly silent?: StartModel
}

/** The tests every Model has to pass; those whose scenario is left out are not made. */
export function describeModel(runner: TestRunner, scenarios: ModelScenarios): void {
  for (const [scenario, title, check] of checks) {
    const start = scenarios[scenario]
    if (!start) continue
    runner.test(title, async () => {
      const subject = await start()
      try {
        await check(subject)
      } finally {
        await subject.close?.()
      }
    })
  }
}

type Check = (subject: ModelUnderTest) => Promise<void>

const checks: readonly [scenario: keyof ModelScenarios, title: string, check: Check][] = [
  ['text', 'what is streamed is what is replied', checkText],
  ['text', 'usage is whole numbers, and a cost is never negative', checkUsage],
  ['text', 'a reply survives the log: it is plain data', checkPlainData],
  ['text', 'the request is left as it was', checkUntouched],
  ['text', 'requests at the same time do not mix', checkConcurrent],
  ['text', 'aborted before it starts: rejects with the reason', checkAbortedBefore],
  ['calls', 'calls have a name, an object and an id of their own', checkCalls],
  ['calls', 'an answered call can be sent back', checkAnswered],
  ['invalidArguments', 'arguments that are no JSON are kept as text beside an empty input', checkInvalidArguments],
  ['refusal', 'a refusal says so', async subject => void assert.equal((await answered(subject)).finish, 'refusal')],
  [
    'length',
    'an answer cut by its limit says so',
    async subject => void assert.equal((await answered(subject)).finish, 'length'),
  ],
  ['broken', 'a broken answer is a failure with the text so far', checkBroken],
  ['failing', 'a failure is a value with a sentence', checkFailing],
  ['silent', 'an abort while waiting rejects with the reason', checkAbortedDuring],
]

async function checkText(subject: ModelUnderTest): Promise<void> {
  const { reply, deltas } = await ask(subject)
  const { content, finish, model } = asAnswer(reply)
  assert.equal(textOf(deltas), content.map(part => (part.type === 'text' ? part.text : '')).join(''))
  assert.notEqual(textOf(deltas), '')
  assert.equal(finish, 'stop')
  assert.match(model, /^[^/]+\/.+/, 'the model that answered is named as provider/model')
}

async function checkUsage(subject: ModelUnderTest): Promise<void> {
  const { usage, cost } = await answered(subject)
  for (const count of [usage.input, usage.output, usage.cacheRead, usage.cacheWrite]) {
    assert.ok(Number.isInteger(count) && count >= 0, `expected a count, got ${count}`)
  }
  assert.ok(cost === undefined || cost >= 0)
}

async function checkPlainData(subject: ModelUnderTest): Promise<void> {
  const reply = await answered(subject)
  assert.deepEqual(JSON.parse(JSON.stringify(reply)), reply)
}

async function checkUntouched(subject: ModelUnderTest): Promise<void> {
  const request = requestOf(subject)
  const before = JSON.stringify(request)
  await subject.model.ask(request, () => {}, new AbortController().signal)
  assert.equal(JSON.stringify(request), before)
}

async function checkConcurrent(subject: ModelUnderTest): Promise<void> {
  const all = await Promise.all(Array.from({ length: 8 }, () => ask(subject)))
  for (const { reply, deltas } of all) {
    const { content } = asAnswer(reply)
    assert.equal(textOf(deltas), content.map(part => (part.type === 'text' ? part.text : '')).join(''))
  }
}

async function checkAbortedBefore(subject: ModelUnderTest): Promise<void> {
  const reason = new DOMException('stopped', 'AbortError')
  await assert.rejects(
    subject.model.ask(requestOf(subject), () => {}, AbortSignal.abort(reason)),
    thrown => thrown === reason,
  )
}

async function checkCalls(subject: ModelUnderTest): Promise<void> {
  const { content, finish } = await answered(subject)
  const calls = callsOf(content)
  assert.equal(finish, 'calls')
  assert.ok(calls.length >= 2, `expected two calls, got ${calls.length}`)
  assert.equal(new Set(calls.map(call => call.id)).size, calls.length)
  for (const call of calls) {
    assert.equal(call.name, 'search')
    assert.equal(typeof call.input, 'object')
    assert.equal(call.invalidInput, undefined)
  }
}

async function checkAnswered(subject: ModelUnderTest): Promise<void> {
  const request = requestOf(subject)
  const { content } = await answered(subject)
  const messages: Message[] = [
    ...request.messages,
    { role: 'assistant', content },
    {
      role: 'tool',
      content: callsOf(content).map(call => ({
        type: 'result',
        callId: call.id,
        name: call.name,
        content: [{ type: 'text', text: 'nothing found' }],
        isError: false,
      })),
    },
  ]
  asAnswer(await subject.model.ask({ ...request, messages }, () => {}, new AbortController().signal))
}

async function checkInvalidArguments(subject: ModelUnderTest): Promise<void> {
  const [call] = callsOf((await answered(subject)).content)
  assert.ok(call?.invalidInput, 'the raw arguments are kept')
  assert.deepEqual(call.input, {})
}

async function checkBroken(subject: ModelUnderTest): Promise<void> {
  const { reply, deltas } = await ask(subject)
  assert.ok('error' in reply, 'a broken answer is no success')
  assert.notEqual(reply.partial, '')
  assert.ok(textOf(deltas).endsWith(reply.partial))
}

async function checkFailing(subject: ModelUnderTest): Promise<void> {
  const { reply } = await ask(subject)
  assert.ok('error' in reply)
  assert.match(reply.error.message, /\w+ \w+/)
  assert.equal(typeof reply.error.isRetryable, 'boolean')
  assert.equal(reply.partial, '')
  assert.deepEqual(JSON.parse(JSON.stringify(reply.error)), reply.error as unknown as Json)
}

async function checkAbortedDuring(subject: ModelUnderTest): Promise<void> {
  const stop = new AbortController()
  const reason = new DOMException('stopped', 'TimeoutError')
  const asked = subject.model.ask(requestOf(subject), () => {}, stop.signal)
  setTimeout(() => stop.abort(reason), 10)
  await assert.rejects(asked, thrown => thrown === reason)
}

const searchTool: ToolSpec = {
  name: 'search',
  description: 'Searches the code for a pattern.',
  effect: 'read',
  inputSchema: { type: 'object', properties: { pattern: { type: 'string' } }, required: ['pattern'] },
}

const requestOf = ({ name, request }: ModelUnderTest): ModelRequest => ({
  runId: 'run-1' as RunId,
  rootId: 'run-1' as RunId,
  agent: 'Explore',
  purpose: 'work',
  model: name,
  declared: { system: 'You search code.', tools: [searchTool] },
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Where is the loop?' }] }],
  toolChoice: 'auto',
  sampling: {},
  ...request,
})

async function ask(subject: ModelUnderTest) {
  const deltas: ModelDelta[] = []
  const reply = await subject.model.ask(requestOf(subject), delta => deltas.push(delta), new AbortController().signal)
  return { reply, deltas }
}

const answered = async (subject: ModelUnderTest) => asAnswer((await ask(subject)).reply)

function asAnswer(reply: ModelReply): Extract<ModelReply, { content: unknown }> {
  assert.ok('content' in reply, 'error' in reply ? reply.error.message : 'no answer')
  return reply
}

const callsOf = (content: readonly AssistantPart[]) => content.filter(part => part.type === 'call')

/** What is left to see after a retry withdrew what came before it. */
function textOf(deltas: readonly ModelDelta[]): string {
  const from = deltas.findLastIndex(delta => delta.type === 'retrying') + 1
  return deltas
    .slice(from)
    .map(delta => (delta.type === 'text' ? delta.text : ''))
    .join('')
}
