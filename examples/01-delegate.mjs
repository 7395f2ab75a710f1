// A parent, two children in parallel, and a child of a child: no key, no network. The model plays a script.
import { createOffshoot } from 'offshoot'
import { ScriptedModel } from 'offshoot/testing'

const source = { scope: 'user', isTrusted: true }
const agents = [
  {
    name: 'lead',
    description: 'Splits a question and puts the answers together.',
    systemPrompt: 'You lead.',
    tools: 'all',
    canSpawn: true,
    source,
  },
  {
    name: 'counter',
    description: 'Counts things.',
    systemPrompt: 'You count.',
    tools: [{ name: 'CountWords' }],
    source,
  },
]
const countWords = {
  spec: {
    name: 'CountWords',
    description: 'Counts the words of a text.',
    inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    effect: 'read',
  },
  run: async ({ text }) => ({ content: `${text.split(/\s+/).length} words` }),
}
const task = (subagent_type, description, prompt) => ({ name: 'Task', input: { subagent_type, description, prompt } })
const promptOf = request => request.messages[0].content[0].text

const model = new ScriptedModel({
  main: [
    {
      text: 'I ask two at once.',
      calls: [
        task('lead', 'sum up both lines', 'old pond / frog leaps in'),
        task('counter', 'count one line', 'the sound of water'),
      ],
    },
    'Both are back: seven lines of poetry could not be clearer.',
  ],
  lead: [
    { calls: [task('counter', 'count a line', 'old pond'), task('counter', 'count a line', 'frog leaps in')] },
    'Two lines, counted by my own children.',
  ],
  counter: first => [
    { calls: [{ name: 'CountWords', input: { text: promptOf(first) } }] },
    `"${promptOf(first)}" is counted.`,
  ],
})

const offshoot = createOffshoot({ model, agents, tools: [countWords], policy: { defaultModel: 'scripted/model' } })
offshoot.subscribe({}, ({ agent, depth, event }) => {
  if (event.type === 'run.started') console.log(`${'  '.repeat(depth)}${agent} starts`)
  if (event.type === 'tool.ended' && event.name !== 'Task')
    console.log(`${'  '.repeat(depth + 1)}${event.name}: ${event.summary}`)
  if (event.type === 'run.ended')
    console.log(`${'  '.repeat(depth)}${agent} ${event.result.outcome} after ${event.result.turns} turns`)
})

const run = await offshoot.start({ prompt: 'Count the words of this haiku.', description: 'count a haiku' })
if ('refused' in run) throw new Error(run.refused)
const result = await run.result
console.log(`\n${result.text}`)
model.assertDone()
const runs = await offshoot.list()
if (result.outcome !== 'completed' || runs.length !== 5) throw new Error('that is not how the story goes')
await offshoot.close()
