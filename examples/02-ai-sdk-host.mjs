// Somebody else's loop (the AI SDK's generateText) hands work to an agent of ours. Both models play a script.
// Needs a further package: npm install ai
import { generateText, stepCountIs } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { createOffshoot } from 'offshoot'
import { aiSdkTools } from 'offshoot/hosts/ai-sdk'
import { ScriptedModel } from 'offshoot/testing'

const offshoot = createOffshoot({
  model: new ScriptedModel({ poet: ['An old silent pond, a frog jumps in: splash.'] }),
  agents: [
    {
      name: 'poet',
      description: 'Writes short poems.',
      systemPrompt: 'You are a poet.',
      tools: 'all',
      source: { scope: 'user', isTrusted: true },
    },
  ],
  policy: { defaultModel: 'scripted/model' },
})

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
const step = (content, unified) => ({ content, finishReason: { unified }, usage, warnings: [] })
const hostModel = new MockLanguageModelV3({
  doGenerate: [
    step(
      [
        {
          type: 'tool-call',
          toolCallId: 'call_1',
          toolName: 'Task',
          input: JSON.stringify({ description: 'write a poem', prompt: 'A poem about a pond.', subagent_type: 'poet' }),
        },
      ],
      'tool-calls',
    ),
    step([{ type: 'text', text: 'The poet has delivered.' }], 'stop'),
  ],
})

const answer = await generateText({
  model: hostModel,
  prompt: 'I want a poem.',
  tools: await aiSdkTools(offshoot),
  stopWhen: stepCountIs(5),
})
console.log(answer.steps[0].toolResults[0].output)
console.log(answer.text)
if (!answer.steps[0].toolResults[0].output.includes('splash')) throw new Error('the poem was lost')
await offshoot.close()
