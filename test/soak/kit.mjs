/** Tools of a storm, made in the process of a run. Plain JavaScript: the process loads it as it is. */
import { appendFileSync } from 'node:fs'

const tool = (name, effect, run) => ({
  spec: { name, description: `${name}.`, inputSchema: { type: 'object' }, effect },
  run: async (_, context) => ({ content: await run(context) }),
})

export const createKit = ({ marks }) => ({
  tools: [
    tool('Write', 'write', async ({ runId, callId }) => {
      appendFileSync(marks, `${runId} ${callId}\n`)
      await new Promise(resolve => setTimeout(resolve, 10))
      return 'written'
    }),
    tool('Read', 'read', () => 'a line'),
    tool('Throw', 'execute', () => {
      throw new Error('the tool broke')
    }),
    tool('Hang', 'execute', ({ signal }) => {
      return new Promise((_, fail) => signal.addEventListener('abort', () => fail(signal.reason)))
    }),
    // Hears nothing: it is left behind, never waited for.
    tool('Deaf', 'execute', () => new Promise(() => {})),
    tool('Flood', 'execute', () => 'flood\n'.repeat(20_000)),
    tool('Block', 'execute', () => {
      for (const end = performance.now() + 150; performance.now() < end; );
      return 'blocked for a while'
    }),
  ],
})
