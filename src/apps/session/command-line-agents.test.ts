import { expect, test } from 'vitest'
import { readCommandLineAgents } from './command-line-agents.js'

test('a slip in --agents that costs no agent was not said', async () => {
  const read = await readCommandLineAgents({
    x: { description: 'looks', promt: 'You look.', tools: ['Read'] },
    y: { description: 'z', prompt: 'p' },
  })
  if ('fault' in read) throw new Error(read.fault)
  expect(read.agents.map(({ name }) => name)).toEqual(['x', 'y'])
  expect(read.diagnostics).toContainEqual(
    expect.objectContaining({ file: '--agents', message: expect.stringMatching(/^"x": .*promt/), severity: 'warning' }),
  )
  expect(read.diagnostics.filter(({ message }) => message.startsWith('"y"'))).toEqual([])
})

test('one without a prompt was told to add the name and the description it has', async () => {
  expect(await readCommandLineAgents({ x: { description: 'looks', promt: 'You look.' } })).toEqual({
    fault:
      '--agents: "x" cannot be used: an agent has a "description" and a "prompt"; this has "description", "promt".',
  })
})
