import { expect, test } from 'vitest'
import type { CallPart, Message, ResultPart, RunId } from '../../../core/message.js'
import { agentNamed, backgroundEnded, resumedChildEnded, stoppedChildEnded } from '../../../core/notices.js'
import type { ModelReply, ModelRequest } from '../../../core/ports.js'
import type { ToolSpec } from '../../../core/types.js'
import { describeModel } from '../../../testing/model-conformance.js'
import { createScout, scoutId } from './scout.js'

const tree: { readonly [path: string]: string } = {
  'README.md': '# Shop\n\nThe backend of a small web shop.\n\n## Running it\n',
  'package.json': '{\n  "name": "shop",\n  "description": "A shop"\n}',
  'docs/queue.md': '# Queue\n\n## Dead letters\n\nA job that failed too often is put away by `buryJob`.\n',
  'src/queue/queue.ts':
    'import { buryJob } from "./dead-letters.js"\n\nconst mostTries = 5\n\n/** Gives a failed job back for later. */\nexport function putBack(job: Job) {\n  if (job.tries >= mostTries) return buryJob(job)\n  delay(job)\n}\n',
  'src/queue/dead-letters.ts':
    '/** Puts a job away that nobody could do. */\nexport function buryJob(job: Job) {\n  dead.push(job)\n}\n',
  'src/queue/queue.test.ts': 'test("a job is buried after the last try", () => {\n  putBack({ tries: 5 })\n})\n',
  'src/a.ts': 'console.log("hello")\n',
  'src/pricing/vat.ts':
    '/** Tax included in an amount. */\nexport function vatIncluded(gross: number) {\n  return gross * 0.19\n}\n',
}

describeModel({ test }, { text: async () => ({ model: createScout(), name: scoutId }) })

test('a question goes to three Explore children at once, and comes back as an answer with citations', async () => {
  const { text, calls } = await converse('main', 'What happens to a job that failed too often?')
  const tasks = calls.filter(({ name }) => name === 'Task').map(({ input }) => input as { subagent_type: string })
  expect(tasks.map(task => task.subagent_type)).toEqual(['Explore', 'Explore', 'Explore'])
  expect(text).toMatch(/^(Most likely|Probably) src\/queue\/(queue|dead-letters)\.ts:\d+/)
  expect(text).toContain('docs/queue.md:')
  expect(text).toMatch(/\n\s+\d+ \| .*putBack/)
  expect(text).toContain('not a language model')
})

test('an agent that was named with @ was given nothing, and the words that say so were searched for', async () => {
  const named = await converse('main', `@Explore Where is tax computed?\n\n${agentNamed('Explore')}`)
  const tasks = named.calls.filter(({ name }) => name === 'Task').map(({ input }) => input)
  expect(tasks).toEqual([expect.objectContaining({ subagent_type: 'Explore', prompt: 'Where is tax computed?' })])
  expect(named.text).toContain('src/pricing/vat.ts:2')
  expect(named.text).not.toMatch(/subagent|Nothing matches/)
  const two = await converse('main', `@Explore @Plan Tax?\n\n${agentNamed('Explore')}\n\n${agentNamed('Plan')}`)
  expect(two.text).toMatch(/^Explore:\n[\s\S]*\n\nPlan:\n/)
})

test('the same conversation gets the same bytes', async () => {
  const first = await converse('main', 'Where is tax computed?')
  const second = await converse('main', 'Where is tax computed?')
  expect(second).toEqual(first)
  expect(first.text).toContain('src/pricing/vat.ts:2')
})

test('Explore searches, looks closer, reads, and reports; every call has its own id', async () => {
  const { text, calls } = await converse('Explore', 'Find where failed jobs are buried. Thoroughness: medium')
  expect(new Set(calls.map(({ name }) => name))).toEqual(new Set(['Grep', 'Glob', 'Read']))
  expect(new Set(calls.map(({ id }) => id)).size).toBe(calls.length)
  expect(text).toContain('src/queue/dead-letters.ts:2 — buryJob')
  expect(text).toContain('says: Puts a job away that nobody could do.')
})

test('guide searched the folder it was asked in, and not the documents its prompt names', async () => {
  const system = 'You answer questions.\n\nThe documents are in /opt/shop/docs: start with its list of pages.\n'
  const request = requestOf('guide', [user('How are jobs buried?')], searchTools)
  const reply = await ask({ ...request, declared: { ...request.declared, system } })
  const places = callsOf(reply).map(({ input }) => (input as { path?: string }).path)
  expect(new Set(places)).toEqual(new Set(['/opt/shop/docs']))
})

test('documents lead to the code they name', async () => {
  const { text } = await converse('Explore', 'Question: dead letters\nAngle: tests and docs')
  expect(text).toContain('docs/queue.md:')
  expect(text).toContain('src/queue/dead-letters.ts:')
})

test('who calls something is answered with the callers', async () => {
  const { text } = await converse('main', 'who calls buryJob')
  expect(text).toMatch(/^`buryJob` is used in src\/queue\/queue\.ts:7, in `putBack`/)
})

test('a test is asked for, a test is found', async () => {
  const { text } = await converse('main', 'is there a test for buried jobs?')
  expect(text).toMatch(/^The nearest test is src\/queue\/queue\.test\.ts:1/)
})

test('a test is asked for and there is none: the definition read like a yes', async () => {
  const { text } = await converse('main', 'Is there a test for vatIncluded?')
  expect(text).toMatch(
    /^No test was found for vatIncluded\.\nThe nearest other place is src\/pricing\/vat\.ts:2, in `vatIncluded`/,
  )
  expect((await converse('main', 'Are there tests for the pricing?')).text).toMatch(/^No test was found for pricing\./)
})

test('a document is asked for and there is none: it says so before it names the code', async () => {
  const { text } = await converse('main', 'Where is vatIncluded documented?')
  expect(text).toMatch(/^No document was found for vatIncluded\.\n.*src\/pricing\/vat\.ts:2/)
})

test('who calls something that nobody calls: its definition was called a use', async () => {
  const { text } = await converse('main', 'Who calls vatIncluded?')
  expect(text).toMatch(/^No use of vatIncluded was found besides its definition\.\n.*src\/pricing\/vat\.ts:2/)
})

test('a request to do something: it says that nothing was done, then what it found', async () => {
  for (const said of [
    'Delete the folder queue',
    'Write a test for vatIncluded',
    'please run the tests for the queue',
  ]) {
    const { text } = await converse('main', said)
    expect(text).toMatch(/^Nothing was changed or run: offline\/scout only searches\./)
  }
  expect((await converse('main', 'Where are jobs deleted?')).text).not.toContain('Nothing was changed')
})

test('the readme is to be summarised: its title and first paragraph, with the line', async () => {
  for (const said of ['Summarise the README', 'summarize README.md', 'What does the readme say?']) {
    const { text } = await converse('main', said)
    expect(text).toMatch(/^Shop: The backend of a small web shop\.\n\(README\.md:3\)/)
  }
})

test('a file that is named is described by its own comment and what it defines', async () => {
  const { text } = await converse('main', 'what does dead-letters.ts do')
  expect(text).toMatch(/^Most likely src\/queue\/dead-letters\.ts:1\.\nThe comment there says: "Puts a job away/)
})

test('a change is planned by a Plan child: critical files and steps, honestly labelled', async () => {
  const { text, calls } = await converse('main', 'How would I add a new queue?')
  expect(calls.some(({ input }) => (input as { subagent_type?: string }).subagent_type === 'Plan')).toBe(true)
  expect(text).toMatch(/Critical files\n {2}- src\/queue\//)
  expect(text).toMatch(/Steps\n {2}1\. Read src\/queue\//)
  expect(text).toContain('not thought out for this one')
})

test('what the project is, in its own words', async () => {
  const { text } = await converse('main', 'What is this project?')
  expect(text).toMatch(/^Shop: The backend of a small web shop\.\n\(README\.md:3\)/)
  expect(text).toContain('package.json:2 · name shop')
})

test('a greeting, or nothing that can be looked for: it says what it is and calls nothing', async () => {
  for (const said of ['hello', 'thanks!', '']) {
    const { text, calls } = await converse('main', said)
    expect(calls).toEqual([])
    expect(text).toContain('I am offline/scout')
  }
})

test('nothing found: it says so, with the words it tried', async () => {
  const { text } = await converse('main', 'Where is the flux capacitor?')
  expect(text).toContain('I found nothing for: flux; capacitor')
})

test('an agent without tools says what it is', async () => {
  const { text } = await converse('writer', 'Write a poem', [])
  expect(text).toContain('no tool to search with')
})

test('main without Task looks for itself', async () => {
  const { text, calls } = await converse('main', 'Where is tax computed?', searchTools)
  expect(calls.some(({ name }) => name === 'Task')).toBe(false)
  expect(text).toContain('src/pricing/vat.ts:2')
})

test('a tool that is denied is named, and the rest still counts', async () => {
  const { text } = await converse('Explore', 'Where is tax computed?', searchTools, call =>
    call.name === 'Read' ? denied : answer(call),
  )
  expect(text).toContain('Not available here: Read')
  expect(text).toContain('src/pricing/vat.ts:2')
})

test('a tool that was denied to the children was not named in the answer, which looked complete', async () => {
  const { text } = await converse('main', 'Where is tax computed?', allTools, async call => {
    if (call.name !== 'Task') return answer(call)
    const { prompt } = call.input as { prompt: string }
    const child = await converse('Explore', prompt, searchTools, each => (each.name === 'Read' ? denied : answer(each)))
    return { text: child.text, isError: false }
  })
  expect(text).toContain('src/pricing/vat.ts:2')
  expect(text).toContain('Incomplete:\n  definitions: a call of Read failed or was denied')
})

test('a child that fails is named, and the others still count', async () => {
  const failing = (call: CallPart) =>
    (call.input as { description?: string }).description === 'Find uses' ? denied : undefined
  const { text } = await converse('main', 'Where is tax computed?', allTools, call => failing(call) ?? answer(call))
  expect(text).toContain('src/pricing/vat.ts:2')
  expect(text).toContain('Incomplete:\n  uses: Denied')
})

test('in a last turn it reports what it has so far', async () => {
  const opening = await ask(requestOf('Explore', [user('Where is tax computed?')], searchTools))
  const soFar = [user('Where is tax computed?'), ...(await answered(opening))]
  const notice = user('<offshoot-notice>\nYour turns are used up. Write your final report now.\n</offshoot-notice>')
  const last = await ask({
    ...requestOf('Explore', [...soFar, notice], searchTools),
    purpose: 'grace',
    toolChoice: 'none',
  })
  expect(textOf(last)).toContain('src/pricing/vat.ts')
  expect(textOf(last)).toContain('Not finished')
})

test('where a report is handed over by complete_task, that is called, in a last turn too', async () => {
  const inputSchema = { type: 'object', properties: { result: { type: 'string' } }, required: ['result'] }
  const tools = [...searchTools, { ...spec('complete_task'), inputSchema }]
  const { calls } = await converse('Explore', 'Where is tax computed?', tools)
  expect(calls.at(-1)).toMatchObject({
    name: 'complete_task',
    input: { result: expect.stringContaining('src/pricing/vat.ts:2') },
  })
  const forced = await ask({
    ...requestOf('Explore', [user('tax')], tools),
    purpose: 'grace',
    toolChoice: { tool: 'complete_task' },
  })
  expect(callsOf(forced)).toMatchObject([{ name: 'complete_task' }])
})

test('asked to condense, it sends a shorter report', async () => {
  const { text, messages } = await converse('Explore', 'Where are failed jobs buried?')
  const notice = user('<offshoot-notice>\nYour report is too long. Write it again, shorter.\n</offshoot-notice>')
  const short = textOf(
    await ask({ ...requestOf('Explore', [...messages, notice], searchTools), purpose: 'condense', toolChoice: 'none' }),
  )
  expect(short.length).toBeLessThan(text.length)
  expect(short).toContain('src/queue/dead-letters.ts:2')
})

test('a follow-up leans on what was asked before', async () => {
  const { messages } = await converse('main', 'Where are jobs buried?')
  const { text } = await converse('main', 'And is there a test for it?', allTools, answer, messages)
  expect(text).toMatch(/^The nearest test is src\/queue\/queue\.test\.ts/)
})

test('notices of the runtime are not taken for the task', async () => {
  const reminder = {
    type: 'text' as const,
    text: '<offshoot-notice>\nNever write files, never push jobs.\n</offshoot-notice>',
  }
  const task: Message = { role: 'user', content: [reminder, { type: 'text', text: 'Where is tax computed?' }] }
  const first = await ask(requestOf('Explore', [task], searchTools))
  expect(JSON.stringify(callsOf(first))).not.toContain('push')
})

test.each([
  ['a child that was waited for when it was stopped', stoppedChildEnded],
  ['a child in the background', backgroundEnded],
  [
    'a child that somebody resumed',
    (id: string, name: string, report: string) => resumedChildEnded(id, name, 2, report),
  ],
])('after an interrupt the report of %s was taken for the question', async (_, hand) => {
  const report = '[The run was stopped: its caller has ended. It left no text.]'
  const messages = [user('How does a job fail?'), user(hand('a1', 'Explore', report)), user('Where is tax computed?')]
  for (const said of [messages, [messages[0]!, messages[2]!, messages[1]!]])
    expect(callsOf(await ask(requestOf('main', said, allTools))).map(({ input }) => input)).toEqual(
      callsOf(await ask(requestOf('main', [messages[0]!, messages[2]!], allTools))).map(({ input }) => input),
    )
})

test('a question with words of its own was mixed with the one before', async () => {
  const asked = async (...said: readonly string[]) =>
    JSON.stringify(callsOf(await ask(requestOf('main', said.map(user), allTools))).map(({ input }) => input))
  expect(await asked('Where are slots released?', 'How does the purse work?')).not.toMatch(/slots|released/)
  for (const next of [
    'And is there a test?',
    'what about the docs?',
    'Which function?',
    'and the purse?',
    'who calls it?',
  ])
    expect(await asked('Where are slots released?', next)).toContain('slots')
})

test('a file with a short name and no definitions: only the introduction was given', async () => {
  const { text } = await converse('main', 'what does src/a.ts do?')
  expect(text).not.toContain('I am offline/scout')
  expect(text).toContain('src/a.ts:1')
})

test('a fork plays its own part, whatever tools its caller shows', async () => {
  const { text, calls } = await converse('Plan', 'Question: add a new queue', allTools)
  expect(calls.some(({ name }) => name === 'Task')).toBe(false)
  expect(text).toContain('A plan for: add a new queue')
})

test('text is streamed in pieces that make up the whole; nothing is spent, and it says so', async () => {
  const pieces: string[] = []
  const request = requestOf('main', [user('hello')], allTools)
  const reply = await createScout().ask(
    request,
    delta => delta.type === 'text' && pieces.push(delta.text),
    new AbortController().signal,
  )
  expect(pieces.length).toBeGreaterThan(3)
  expect(pieces.join('')).toBe(textOf(reply))
  expect(reply).toMatchObject({ cost: 0, model: 'offline/scout', usage: { input: 0, output: 0 } })
})

test('an abort rejects with its reason', async () => {
  const reason = new DOMException('stopped', 'AbortError')
  const asked = createScout().ask(requestOf('main', [user('hello')], allTools), () => {}, AbortSignal.abort(reason))
  await expect(asked).rejects.toBe(reason)
})

function spec(name: string): ToolSpec {
  return { name, description: '', inputSchema: { type: 'object' }, effect: name === 'Task' ? 'delegate' : 'read' }
}
const searchTools = ['Grep', 'Glob', 'Read', 'LS'].map(spec)
const allTools = [...searchTools, spec('Task')]
const user = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] })

interface ToolAnswer {
  readonly text: string
  readonly isError: boolean
}
const denied: ToolAnswer = { text: 'Denied: a rule says no.', isError: true }

/** Plays a whole run: the scout as this agent, the tree above behind its tools, children in runs of their own. */
async function converse(
  agent: string,
  prompt: string,
  tools: readonly ToolSpec[] = agent === 'main' ? allTools : searchTools,
  answering: (call: CallPart) => ToolAnswer | Promise<ToolAnswer> = answer,
  before: readonly Message[] = [],
) {
  const messages: Message[] = [...before, user(prompt)]
  const calls: CallPart[] = []
  for (let turn = 0; turn < 12; turn++) {
    const reply = await ask(requestOf(agent, messages, tools))
    const made = callsOf(reply)
    calls.push(...made)
    if (made.length === 0) return { text: textOf(reply), calls, messages: [...messages, ...(await answered(reply))] }
    if (made[0]!.name === 'complete_task') return { text: '', calls, messages }
    messages.push(...(await answered(reply, answering)))
  }
  throw new Error(`${agent} did not come to an end`)
}

async function answered(
  reply: ModelReply,
  answering: (call: CallPart) => ToolAnswer | Promise<ToolAnswer> = answer,
): Promise<Message[]> {
  if ('error' in reply) throw new Error(reply.error.message)
  const results = await Promise.all(
    callsOf(reply).map(async (call): Promise<ResultPart> => {
      const { text, isError } = await answering(call)
      return { type: 'result', callId: call.id, name: call.name, content: [{ type: 'text', text }], isError }
    }),
  )
  const said: Message = { role: 'assistant', content: reply.content }
  return results.length > 0 ? [said, { role: 'tool', content: results }] : [said]
}

async function answer(call: CallPart): Promise<ToolAnswer> {
  const input = call.input as Record<string, string>
  if (call.name !== 'Task') return { text: lookUp(call.name, input), isError: false }
  const { text } = await converse(input.subagent_type!, input.prompt!)
  return { text: `${text}\n\n[run r1 · ${input.subagent_type} · completed · 3 turns · 0.1 s]`, isError: false }
}

/** The tools, as they answer about the tree. Globs are left to match every file: the scout has to judge for itself. */
function lookUp(tool: string, input: Record<string, string>): string {
  if (tool === 'LS') return `.:\n${['docs/', 'src/', 'README.md (1 kB)', 'package.json (1 kB)'].join('\n')}`
  if (tool === 'Glob') return Object.keys(tree).join('\n')
  if (tool === 'Read') return numberedLines(tree[input.file_path!] ?? '', Number(input.offset), Number(input.limit))
  const pattern = new RegExp(input.pattern!, input['-i'] ? 'i' : '')
  const files = Object.entries(tree).filter(([path]) => !input.path || path === input.path)
  const hits = files.flatMap(([path, text]) =>
    text.split('\n').flatMap((line, i) => (pattern.test(line) ? [{ path, row: `${path}:${i + 1}:${line}` }] : [])),
  )
  if (input.output_mode === 'content') return hits.map(({ row }) => row).join('\n') || 'No matches found.'
  const paths = [...new Set(hits.map(({ path }) => path))]
  return paths.map(path => `${path}:${hits.filter(hit => hit.path === path).length}`).join('\n') || 'No matches found.'
}

function numberedLines(text: string, offset: number, limit: number): string {
  const lines = text.split('\n').map((line, i) => `${String(i + 1).padStart(6)}\t${line}`)
  return lines.slice(offset - 1, offset - 1 + limit).join('\n')
}

function requestOf(agent: string, messages: readonly Message[], tools: readonly ToolSpec[]): ModelRequest {
  const ids = { runId: 'r1' as RunId, rootId: 'r1' as RunId }
  return {
    ...ids,
    agent,
    purpose: 'work',
    model: 'offline/scout',
    declared: { system: '', tools },
    messages,
    toolChoice: 'auto',
    sampling: {},
  }
}

const ask = (request: ModelRequest) => createScout().ask(request, () => {}, new AbortController().signal)
const callsOf = (reply: ModelReply): CallPart[] =>
  'error' in reply ? [] : reply.content.filter(part => part.type === 'call')
const textOf = (reply: ModelReply): string =>
  'error' in reply ? '' : reply.content.map(part => (part.type === 'text' ? part.text : '')).join('')
