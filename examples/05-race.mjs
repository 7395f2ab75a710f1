// Race three agents, keep the first good answer, under five cents: no key, no network. The model plays a script.
import { createOffshoot } from 'offshoot'
import { ScriptedModel } from 'offshoot/testing'

const solver = {
  name: 'solver',
  description: 'Solves a puzzle in its own way.',
  systemPrompt: 'You solve puzzles.',
  tools: [{ name: 'Try' }],
  // An answer counts only if something was really tried.
  evidence: { toolCalls: 1 },
  source: { scope: 'user', isTrusted: true },
}
const tryIt = {
  spec: {
    name: 'Try',
    description: 'Tries an idea.',
    inputSchema: { type: 'object', properties: { idea: { type: 'string' } }, required: ['idea'] },
    effect: 'read',
  },
  run: async ({ idea }) => ({ content: `"${idea}" works` }),
}

const start = name => ({
  name: 'Task',
  input: { subagent_type: 'solver', description: 'solve it', prompt: `Be ${name}.`, name, run_in_background: true },
})
const usage = { input: 600, output: 60 }
const model = new ScriptedModel({
  main: [
    { calls: ['quick', 'careful', 'slow'].map(start), usage },
    { calls: [{ name: 'TaskWait', input: { until: 'success', timeout: 60 } }], usage },
    { text: 'The careful one was right; the quick one had only guessed.', usage },
  ],
  solver: first => {
    const prompt = first.messages[0].content[0].text
    if (prompt.includes('quick')) return [{ text: 'I guess 42.', usage }]
    if (prompt.includes('slow')) return [{ hangs: true }]
    return [
      { calls: [{ name: 'Try', input: { idea: 'six times seven' } }], usage },
      { text: 'It is 42: six times seven.', usage },
    ]
  },
})

const offshoot = createOffshoot({
  model,
  agents: [solver],
  tools: [tryIt],
  // Two dollars for a million tokens in, ten for a million out.
  estimateCost: (_, { input, output }) => (input * 2 + output * 10) / 1_000_000,
  policy: { defaultModel: 'scripted/model', treeBudget: { usd: 0.05 } },
})
offshoot.subscribe({}, ({ event }) => {
  if (event.type !== 'run.ended' || event.result.agent !== 'solver') return
  const { nickname, outcome, verified, text } = event.result
  console.log(
    `${nickname}: ${outcome}${verified === undefined ? '' : verified ? ', verified' : ', NOT verified'} ${text}`,
  )
})

const run = await offshoot.start({ prompt: 'What is the answer?', description: 'a race' })
if ('refused' in run) throw new Error(run.refused)
const result = await run.result
console.log(`\n${result.text}\nAll of it cost $${result.spent.usd.toFixed(4)} of $0.0500.`)
if (result.outcome !== 'completed' || result.spent.usd > 0.05) throw new Error('that is not how the story goes')
await offshoot.close()
