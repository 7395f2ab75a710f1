/** What a host writes wrongly in code is named where it is written; nothing of it is silently dropped. */
import { expect, test } from 'vitest'
import { z } from 'zod'
import { memoryStore } from '../../src/adapters/stores/memory.js'
import type { AgentDefinition } from '../../src/core/agent-definition.js'
import { defineTool } from '../../src/core/schema/define-tool.js'
import type { Brief } from '../../src/core/types.js'
import { createOffshoot, type OffshootOptions } from '../../src/offshoot.js'
import { modelOf } from '../../src/testing/scripted-model.js'
import { agent, call, house, task, tool } from './house.js'

const model = modelOf(() => 'hello')
const read = tool('Look', 'read', () => 'seen')

test.each<[string, unknown, RegExp]>([
  ['no model', {}, /createOffshoot: model is missing: it must be an object with ask\(\)/],
  ['a model that cannot be asked', { model: 'gpt' }, /model must be an object with ask\(\), not "gpt"/],
  ['a judge under another name', { model, juge: { judge: () => 0 } }, /there is no "juge" \(did you mean judge\?\)/],
  ['no slot at all', { model, policy: { concurrency: 0 } }, /policy: concurrency must be a whole number from 1, not 0/],
  [
    'turns in words',
    { model, policy: { maxTurns: 'many' } },
    /policy: maxTurns must be a whole number from 1, not "many"/,
  ],
  [
    'time before its beginning',
    { model, policy: { timeoutMs: -5 } },
    /policy: timeoutMs must be a number from 0, not -5/,
  ],
  ['no number', { model, policy: { stallMs: Number.NaN } }, /policy: stallMs must be a number from 0, not NaN/],
  ['a mode nobody knows', { model, policy: { mode: 'paln' } }, /policy: mode must be one of .*plan/],
  [
    'a key nobody knows',
    { model, policy: { maxDept: 1 } },
    /policy: there is no "maxDept" \(did you mean maxDepth\?\)/,
  ],
  [
    'a budget of nothing that is counted',
    { model, policy: { treeBudget: { token: 5 } } },
    /treeBudget\.token is nothing that is counted/,
  ],
  [
    'a window under another name',
    { model, models: [{ id: 'a/b', contextwindow: 1000 }] },
    /models\[0\]: there is no "contextwindow" \(did you mean contextWindow\?\)/,
  ],
  ['a model without a name', { model, models: [{ tier: 'opus' }] }, /models\[0\]\.id is missing/],
  ['a store without claims', { model, store: { ...memoryStore(), append() {}, read() {}, close() {} } }, /claim\(\)/],
  ['a list where a catalog is wanted', { model, agents: () => [] }, /a function must give a catalog .*, not \[\]/],
])('%s was taken silently', (_, options, fault) => {
  expect(() => createOffshoot(options as OffshootOptions)).toThrow(fault)
})

test('what is left out on purpose is no mistake', async () => {
  const house = createOffshoot({ model, policy: { maxTurns: undefined, defaultModel: 'a/b' } as never })
  expect(house.explain({ prompt: 'x', description: 'y' })).not.toHaveProperty('refused')
  await house.close()
})

test.each<[string, unknown, RegExp]>([
  ['complete_task', tool('complete_task', 'read', () => ''), /complete_task is taken/],
  ['Agent', tool('Agent', 'read', () => ''), /Agent is taken: it is another name of Task/],
  ['a name no provider takes', tool('my tool!ü', 'read', () => ''), /must be 1 to 64 of A-Z.*not "my tool!ü"/],
  ['a name that is too long', tool('x'.repeat(65), 'read', () => ''), /must be 1 to 64/],
  [
    'an effect there is not',
    tool('Look', 'reed' as never, () => ''),
    /the effect of Look must be one of read, .*not "reed"/,
  ],
  [
    'a schema nobody can check by',
    tool('Look', 'read', () => '', { inputSchema: { type: 'objekt' } }),
    /input schema of Look cannot be used: the schema\.type must be one of/,
  ],
  [
    'a schema with a fault deep inside',
    tool('Look', 'read', () => '', {
      inputSchema: { type: 'object', properties: { a: { anyOf: [{ type: 'strng' }] } } },
    }),
    /the schema\.properties\.a\.anyOf\[0\]\.type/,
  ],
  ...[
    { type: 'string' },
    { type: ['object', 'null'] },
    { type: 'array', items: { type: 'string' } },
    { anyOf: [{ type: 'object' }, { type: 'object' }] },
    { $ref: '#/$defs/A', $defs: { A: { type: 'object' } } },
  ].map((inputSchema): [string, unknown, RegExp] => [
    `an input that is no object (${Object.keys(inputSchema).join()})`,
    tool('Look', 'read', () => '', { inputSchema: inputSchema as never }),
    /the input schema of Look cannot be used: its type must be "object" at the root, .*put the value into a property of one/,
  ]),
  [
    'the schema of a library in place of JSON Schema',
    tool('Look', 'read', () => '', { inputSchema: z.object({ path: z.string() }) as never }),
    /the input schema of Look cannot be used: it is the schema of a library, and no JSON Schema: give it to defineTool as input/,
  ],
  [
    'a text where defineTool wants an object',
    defineTool({ name: 'Look', description: 'd', effect: 'read', input: z.string(), run: () => '' }),
    /its type must be "object" at the root/,
  ],
  ['something without a function', { spec: read.spec }, /Look has no function run/],
])('a tool with %s was accepted', (_, wrong, fault) => {
  expect(() => createOffshoot({ model, tools: [wrong as typeof read] })).toThrow(fault)
})

const source = { scope: 'user', isTrusted: true } as const
const w = tool('W', 'write', () => 'written')
const deny = (rule: unknown) => ({ permissions: { allow: [], ask: [], deny: [rule] } })
test.each<[string, object, string]>([
  ['tools as words', { tools: ['Look'] }, 'tools[0] must be { name: "Look" }, not "Look"'],
  ['a prompt', { systemPrompt: undefined, prompt: 'You look.' }, 'there is no "prompt" (it is called systemPrompt)'],
  ['a model as a word', { model: 'x/y' }, 'model must be a list of wishes, as ["provider/model"], not "x/y"'],
  [
    'no source',
    { source: undefined },
    "source is missing: it must be there, for one of your own as { scope: 'user', isTrusted: true }",
  ],
  [
    'a deny list under another name',
    { dissallowedTools: [] },
    'there is no "dissallowedTools" (did you mean disallowedTools?)',
  ],
  ['a rule as a word', deny('Write(./w.txt)'), 'permissions.deny[0] must be parsePermissionRule("Write(./w.txt)")'],
  [
    'a rule that was not taken apart',
    deny({ tool: 'Write(./w.txt)', text: 'Write(./w.txt)' }),
    'permissions.deny[0] must be parsePermissionRule("Write(./w.txt)")',
  ],
  [
    'a deny whose pattern stands in its name',
    { disallowedTools: [{ name: 'Bash(git push *)' }] },
    'disallowedTools[0] must be { name: "Bash", pattern: "git push *" }, not {"name":"Bash(git push *)"}',
  ],
  [
    'a grant whose pattern stands in its name',
    { tools: [{ name: 'Bash(git log *)' }] },
    'tools[0] must be { name: "Bash", pattern: "git log *" }',
  ],
  ['a pattern as a word', { tools: ['Bash(git log *)'] }, 'tools[0] must be { name: "Bash", pattern: "git log *" }'],
  [
    'a pattern for everything',
    { disallowedTools: [{ name: 'Bash(*)' }] },
    'disallowedTools[0] must be { name: "Bash" }',
  ],
  [
    'a deny of two tools in one name',
    { disallowedTools: [{ name: 'Look, Bash' }] },
    'disallowedTools[0] must be { name, pattern? } of one tool',
  ],
  [
    'a misspelt deny',
    { disallowedTools: [{ name: 'Loook' }] },
    'disallowedTools[0] names "Loook", and there is no such tool (did you mean Look?)',
  ],
  ['a deny in small letters', { disallowedTools: [{ name: 'look' }] }, '(did you mean Look?)'],
  ['a deny of a short name in small letters', { disallowedTools: [{ name: 'w' }] }, '(did you mean W?)'],
  [
    'a misspelt rule',
    deny({ tool: 'Loook', text: 'Loook' }),
    'permissions.deny[0] names "Loook", and there is no such tool (did you mean Look?)',
  ],
  ['a feature nobody has', { disabledFeatures: ['shel'] }, 'disabledFeatures[0] must be a feature'],
  [
    'a limit under another name',
    { limits: { maxturns: 1 } },
    ': limits: there is no "maxturns" (did you mean maxTurns?).',
  ],
  [
    'an input of no type',
    { inputs: [{ name: 'x', type: 'str', isRequired: true }] },
    ': inputs[0].type must be one of string, number, integer, boolean, string[], number[], not "str".',
  ],
  ['a limit in words', { limits: { maxTurns: 'two' } }, 'limits.maxTurns must be a whole number from 1'],
])('an agent with %s broke every run, or ran without its limit', async (_, about, fault) => {
  const wrong = { ...agent('odd'), source, ...about } as AgentDefinition
  const h = house({ main: [{ calls: [task('odd')] }, 'done'] }, { tools: [read, w], agents: [wrong] })
  const refused = await h.offshoot.start({ agent: 'odd', prompt: 'x', description: 'y' })
  expect(refused).toMatchObject({ rule: 'agent-quarantined' })
  expect((refused as { refused: string }).refused).toContain(fault)
  expect((refused as { refused: string }).refused).toContain('will not run until its definition is corrected: ')
  expect(
    h.offshoot
      .catalog()
      .diagnostics.map(({ message }) => message)
      .join(),
  ).toContain(`agent "odd" is quarantined: `)
  expect(await h.run()).toMatchObject({ outcome: 'completed', text: 'done' })
})

test('two agents of one name in one list were said to be in two places', () => {
  const h = house({}, { agents: [agent('a'), agent('a', { description: 'Another.' })] })
  expect(h.offshoot.catalog().diagnostics).toMatchObject([
    {
      code: 'duplicate-name',
      message: 'agent "a" is given twice for the user scope, and the other definition is the one used',
      hint: 'rename one of the two',
    },
  ])
})

test('a run that was asked of a closed house was refused as if its log were broken', async () => {
  const h = house({ main: ['done'] })
  const run = await h.start()
  await run.result
  const closing = h.offshoot.close()
  const late = { prompt: 'x', description: 'y' }
  const closed = { rule: 'closed', refused: expect.stringContaining('The house is closed') }
  expect(await h.offshoot.start(late)).toMatchObject(closed)
  await closing
  expect(await h.offshoot.start(late)).toMatchObject(closed)
  expect(await h.offshoot.resume(run.id, 'go on')).toMatchObject(closed)
})

test.each([undefined, null, 'clerk', {}])('an agent that is %j is named by its place', async wrong => {
  const h = house({ main: ['done'] }, { agents: [agent('a'), wrong as never] })
  expect(h.offshoot.catalog().diagnostics[0]?.message).toContain('agent "agent 2 of the list" is quarantined')
  expect((await h.run()).text).toBe('done')
})

test('features switched off in a definition made in code stayed on', () => {
  const h = house(
    {},
    { tools: [tool('Bash', 'execute', () => '')], agents: [agent('a', { disabledFeatures: ['shell'] })] },
  )
  const brief = h.offshoot.explain({ agent: 'a', prompt: 'x', description: 'y' }) as Brief
  expect(brief.allowed).not.toContain('Bash')
})

test('a deny that is a slip for a tool which comes later is named then, and one of a tool of elsewhere never', async () => {
  let tools = [read]
  const about = { disallowedTools: ['Ordr', 'Write', 'TodoRead', 'X', 'mcp__shop', 'Pay*'].map(name => ({ name })) }
  const offshoot = createOffshoot({ model, tools: () => tools, agents: [agent('a', about)] })
  expect(offshoot.catalog().diagnostics).toEqual([])
  tools = [read, tool('Order', 'write', () => ''), w]
  expect(offshoot.catalog().diagnostics.map(({ message }) => message)).toEqual([
    'agent "a" is quarantined: disallowedTools[0] names "Ordr", and there is no such tool (did you mean Order?)',
  ])
  await offshoot.close()
})

test('a tool that a definition takes away or grants and that there is not had no reason', () => {
  const about = {
    tools: [{ name: 'Look' }, { name: 'Stok' }],
    disallowedTools: [{ name: 'Refund' }, { name: 'Write' }],
  }
  const tools = [read, tool('Order', 'write', () => ''), tool('Stock', 'read', () => '')]
  const brief = house({}, { tools, agents: [agent('a', about)] }).offshoot.explain({
    agent: 'a',
    prompt: 'x',
    description: 'y',
  })
  const unknown = (brief as Brief).reasons.filter(({ rule }) => rule === 'unknown-tool')
  expect(unknown.map(({ subject, detail }) => `${subject}: ${detail}`)).toEqual([
    'Stok: tools of a names it, and there is no such tool here; did you mean Stock?',
    'Refund: disallowedTools of a names it, and there is no such tool here',
  ])
})

test.each<[string, object, string, RegExp]>([
  [
    'a budget of nothing that is counted',
    { budget: { token: 3 } },
    'invalid-budget',
    /budget\.token is nothing that is counted; there are tokens/,
  ],
  [
    'a limit under another name',
    { max_turns: 1 },
    'invalid-task',
    /there is no "max_turns" \(did you mean maxTurns\?\)/,
  ],
  [
    'an agent under the name that models have for it',
    { subagent_type: 'clerk' },
    'invalid-task',
    /there is no "subagent_type" \(did you mean agent\?\)/,
  ],
  [
    'the background under the name that models have for it',
    { run_in_background: true },
    'invalid-task',
    /there is no "run_in_background" \(did you mean isBackground\?\)/,
  ],
  ['tools that are no list', { allowedTools: 'Look' }, 'invalid-task', /allowedTools must be a list/],
  ['a number for its agent', { agent: 5 }, 'invalid-task', /agent must be a text, not 5/],
  ['a number for its model', { model: 5 }, 'invalid-task', /model must be a text, not 5/],
  ['a blank name', { name: ' ' }, 'invalid-task', /name must be a text that is not blank/],
  ['no inputs, as null', { inputs: null }, 'invalid-task', /inputs must be an object, not null/],
  ['a tool there is not', { allowedTools: ['Lok'] }, 'unknown-tool', /Lok.*Did you mean Look/],
  ['a run to go on with', { resume: 'r1' }, 'resume-not-start', /resume\("r1", prompt\)/],
])('a task with %s was started all the same, or a function of the host was blamed', async (_, about, rule, words) => {
  const h = house({ main: ['done'] }, { tools: [read] })
  const refused = await h.offshoot.start({ prompt: 'x', description: 'y', ...about } as never)
  expect(refused).toMatchObject({ rule, refused: expect.stringMatching(words) })
})

test.each<[string, unknown, string]>([
  ['a signal that is none', { signal: {} }, 'signal must be an AbortSignal, not {}'],
  ['a controller for its signal', { signal: new AbortController() }, 'signal must be an AbortSignal'],
  ['a signal under another name', { sginal: AbortSignal.abort() }, 'there is no "sginal" (did you mean signal?)'],
  ['a word for a switch', { isConversation: 'yes' }, 'isConversation must be true or false, not "yes"'],
  ['null', null, 'must be an object, not null'],
])('start with %s threw after the run was stored, or ran without it', async (_, options, words) => {
  const h = house({ main: ['done'] })
  const refused = await h.offshoot.start({ prompt: 'x', description: 'y' }, options as never)
  expect(refused).toMatchObject({ rule: 'invalid-options', refused: expect.stringContaining(words) })
  expect(await h.offshoot.list()).toEqual([])
})

test("a model's own slip in the limits of a task started a child without them", async () => {
  const h = house(
    {
      main: [{ calls: [task('worker', 'x', { max_turn: 1 }), task('worker', 'x', { budget: { token: 5 } })] }, 'done'],
    },
    { agents: [agent('worker')] },
  )
  await h.run()
  const [turn, budget] = h.toolTexts('main')
  expect(turn).toContain('there is no "max_turn"')
  expect(budget).toContain('budget: there is no "token"')
  expect(h.events.some(({ event }) => event.type === 'child.started')).toBe(false)
})

test('an answer for ever, or one that is neither yes nor no, was taken', async () => {
  const h = house({ main: ['done'] })
  const answer = (about: object) => h.offshoot.approvals.answer('x', { verdict: 'allow', ...about } as never)
  await expect(answer({ scope: 'forever' })).rejects.toThrow(
    'no scope "forever": it is one of once, run, session, always',
  )
  await expect(answer({ verdict: 'yes' })).rejects.toThrow('no verdict "yes"')
  expect(await answer({})).toBe(false)
})

const output = {
  name: 'answer',
  schema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
} as const
test('the same bad report in the last turn turned max_turns into a loop, and nothing said what did not fit', async () => {
  const wrong = call('complete_task', { answer: { n: 'three' } })
  const agents = (maxTurns: number) => ({ agents: [agent('main', { output, limits: { maxTurns } })] })
  const wasted = house({ main: [wrong, wrong, wrong, wrong] }, agents(3))
  const said = expect.stringMatching(/^the limit is 3, and its last report did not fit: .*answer\.n: must be number/)
  expect(await wasted.run()).toMatchObject({ outcome: 'max_turns', error: { rule: 'max-turns', message: said } })
  const looping = house({ main: [wrong, wrong, wrong, wrong, wrong] }, agents(9))
  const why = expect.stringMatching(/^the same call .* did not fit: .*answer\.n: must be number/)
  expect(await looping.run()).toMatchObject({ outcome: 'loop', error: { rule: 'loop', message: why } })
})

test('a report that never fitted left nothing that says why', async () => {
  const wrong = call('complete_task', { answer: { n: 'three' } })
  const h = house(
    { main: [{ calls: [task('clerk')] }, 'went on'], clerk: [wrong, wrong, wrong] },
    { agents: [agent('clerk', { output, limits: { maxTurns: 2 } })] },
  )
  await h.run()
  const [read] = h.toolTexts('main')
  expect(read).toContain('[The run ran out of turns: the limit is 2, and its last report did not fit: ')
  expect(read).toContain('answer.n: must be number')
  const ended = h.events.map(({ event }) => event).find(event => event.type === 'run.ended')
  expect(ended).toMatchObject({ result: { outcome: 'max_turns', error: { rule: 'max-turns' } } })
})

test('an agent that ends by text dropped its output schema without a word', async () => {
  const clerk = agent('clerk', { output, completion: 'text' })
  const base = agent('base', { output })
  const heir = agent('heir', { extends: 'base', completion: 'text' })
  const h = house({ main: ['x'] }, { agents: [clerk, base, heir] })
  const about = (name: string) => h.offshoot.explain({ agent: name, prompt: 'x', description: 'y' })
  const said = expect.stringContaining('completion is text, and a text is checked by no schema')
  expect(about('clerk')).toMatchObject({ refused: said })
  expect(about('heir')).toMatchObject({ rule: 'agent-quarantined', refused: said })
})

test('every right report was refused by an output schema with definitions of its own', async () => {
  const $defs = { Place: { type: 'object', properties: { street: { type: 'string' } }, required: ['street'] } }
  const schema = { $defs, type: 'object', properties: { home: { $ref: '#/$defs/Place' } }, required: ['home'] }
  const right = { home: { street: 'a' } }
  const h = house(
    { main: [call('complete_task', { answer: { home: {} } }), call('complete_task', { answer: right })] },
    { agents: [agent('main', { output: { name: 'answer', schema } })] },
  )
  expect(await h.run()).toMatchObject({ outcome: 'completed', output: right })
  expect(h.toolTexts('main')[0]).toContain("answer.home: must have required property 'street'")
  expect(h.model.requests[0]!.declared.tools.find(({ name }) => name === 'complete_task')).toMatchObject({
    inputSchema: { $defs, properties: { answer: { properties: { home: { $ref: '#/$defs/Place' } } } } },
  })
})

test('an output schema that nothing can fit is refused before anything is spent', async () => {
  const h = house(
    { main: [{ calls: [task('clerk')] }, 'went on'] },
    { agents: [agent('clerk', { output: { name: 'answer', schema: { type: 'objekt' } } })] },
  )
  expect(h.offshoot.explain({ agent: 'clerk', prompt: 'x', description: 'y' })).toMatchObject({
    rule: 'invalid-output-schema',
  })
  await h.run()
  expect(h.toolTexts('main')[0]).toContain(
    'no report could ever fit the output of clerk: the schema.type must be one of',
  )
})

test('an agent of code that is not trusted was said to come from a folder, to be trusted by a program nobody has there', async () => {
  const clerk = agent('clerk', { source: { scope: 'user', isTrusted: false } })
  const refused = await house({}, { agents: [clerk] }).offshoot.start({ prompt: 'x', description: 'y', agent: 'clerk' })
  expect(refused).toMatchObject({
    rule: 'agent-untrusted',
    refused:
      'The agent "clerk" is not trusted: its definition says `source.isTrusted: false`. Whoever made it has to say otherwise.',
  })
})
