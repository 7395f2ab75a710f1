import { generateText, stepCountIs } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { expect, test } from 'vitest'
import { aiSdkTools } from '../../src/hosts/ai-sdk.js'
import { agent, house } from '../scenarios/house.js'

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}
type Reply = Awaited<ReturnType<MockLanguageModelV3['doGenerate']>>
const calls = (...inputs: readonly object[]): Reply => ({
  content: inputs.map((input, i) => ({
    type: 'tool-call',
    toolCallId: `call_${i}`,
    toolName: 'Task',
    input: JSON.stringify(input),
  })),
  finishReason: { unified: 'tool-calls', raw: undefined },
  usage,
  warnings: [],
})
const text = (said: string): Reply => ({
  content: [{ type: 'text', text: said }],
  finishReason: { unified: 'stop', raw: undefined },
  usage,
  warnings: [],
})

test('a generateText loop hands work to two agents and reads their reports', async () => {
  const h = house(
    { worker: first => [`did ${(first.messages[0]!.content[0] as { text: string }).text}`] },
    { agents: [agent('worker')] },
  )
  const model = new MockLanguageModelV3({
    doGenerate: [
      calls(
        { description: 'one', prompt: 'a', subagent_type: 'worker' },
        { description: 'two', prompt: 'b', subagent_type: 'worker' },
      ),
      text('both done'),
    ],
  })
  const answer = await generateText({
    model,
    prompt: 'do a and b',
    tools: await aiSdkTools(h.offshoot),
    stopWhen: stepCountIs(3),
  })
  expect(answer.text).toBe('both done')
  expect(JSON.stringify(model.doGenerateCalls[1]!.prompt)).toMatch(/did a[\s\S]*did b/)
  const runs = await h.offshoot.list()
  expect(runs.map(run => `${run.agent}@${run.depth}`).sort()).toEqual(['host@0', 'worker@1', 'worker@1'])
  expect(runs.every(run => run.rootId === runs.find(({ depth }) => depth === 0)!.runId)).toBe(true)
})

test('what the host’s model gets wrong comes back as text, nothing is thrown into the loop', async () => {
  const h = house({}, { agents: [agent('worker')] })
  const model = new MockLanguageModelV3({
    doGenerate: [calls({ description: 'd' }, { description: 'd', prompt: 'p', subagent_type: 'nobody' }), text('ok')],
  })
  await generateText({ model, prompt: 'x', tools: await aiSdkTools(h.offshoot), stopWhen: stepCountIs(3) })
  const seen = JSON.stringify(model.doGenerateCalls[1]!.prompt)
  expect(seen).toContain("must have required property 'prompt'")
  expect(seen).toContain('There is no agent named')
})

test('aborting the host’s call stops the child', async () => {
  const h = house({ worker: [{ hangs: true }] }, { agents: [agent('worker')] })
  const { Task } = await aiSdkTools(h.offshoot)
  const controller = new AbortController()
  const input = { description: 'd', prompt: 'p', subagent_type: 'worker' }
  const answer = Task!.execute!(input as never, { toolCallId: 'c', messages: [], abortSignal: controller.signal })
  await h.clock.settle()
  controller.abort()
  expect(await answer).toContain('was stopped')
})

test('a call that was aborted before its child began kept what was carved out for it', async () => {
  const h = house(
    { worker: ['done'] },
    { agents: [agent('worker', { budget: { tokens: 30_000 } })], policy: { treeBudget: { tokens: 40_000 } } },
  )
  const { Task } = await aiSdkTools(h.offshoot)
  const input = { description: 'd', prompt: 'p', subagent_type: 'worker' }
  const call = (id: string, abortSignal: AbortSignal) =>
    Task!.execute!(input as never, { toolCallId: id, messages: [], abortSignal })
  expect(await call('c', AbortSignal.abort())).toContain('Not started')
  expect(await call('d', new AbortController().signal)).toContain('done')
  const worker = (await h.offshoot.list()).find(run => run.agent === 'worker')!
  expect((await h.offshoot.run(worker.runId).brief())!.budget).toEqual({ tokens: 30_000 })
})

test.each([
  [{ type: 'error-text', value: 'exit code 1' }, true, '"exit code 1"'],
  [{ type: 'error-json', value: { code: 1 } }, true, '{"code":1}'],
  [{ type: 'execution-denied', reason: 'not on Fridays' }, true, 'Denied: not on Fridays'],
  [{ type: 'execution-denied' }, true, 'Denied.'],
  [{ type: 'text', value: 'deployed' }, false, '"deployed"'],
])('a fork took every call of the host for one that went well: %j', async (output, isError, said) => {
  const h = house(
    { forker: ['ok'] },
    { agents: [agent('forker', { forkContext: 'full' })], models: [{ id: 'test/model', contextWindow: 100_000 }] },
  )
  const tools = await aiSdkTools(h.offshoot)
  const deploy = { toolCallId: 'c1', toolName: 'deploy' }
  await tools.Task!.execute!({ description: 'x', prompt: 'x', subagent_type: 'forker' }, {
    toolCallId: 't1',
    messages: [
      { role: 'user', content: 'Deploy it.' },
      { role: 'assistant', content: [{ type: 'tool-call', ...deploy, input: {} }] },
      { role: 'tool', content: [{ type: 'tool-result', ...deploy, output }] },
      { role: 'assistant', content: [{ type: 'text', text: 'Hm.' }] },
    ],
  } as never)
  const results = h.model
    .requestsOf('forker')[0]!
    .messages.flatMap(({ role, content }) => (role === 'tool' ? content : []))
  expect(results[0]).toMatchObject({ callId: 'c1', isError, content: [{ type: 'text', text: said }] })
})
