import { expect, test } from 'vitest'
import { agent, call, house, tool } from '../../../test/scenarios/house.js'
import { memoryStore } from '../../adapters/stores/memory.js'
import { answerApproval, listApprovals } from './approvals.js'
import type { CommandDeps } from './command-deps.js'
import { denialWords } from './denial-words.js'

test.each([
  ['a line that wipes what stands before it', 'rm x\u001b[2K\u001b[1G harmless'],
  ['a title and a clipboard', '\u001b]0;title\u0007\u001b]52;c;ZXZpbA==\u0007'],
  ['a one-letter control sequence', '\u009b2Jx'],
  ['a word written backwards', 'echo \u202egnp.exe'],
  ['letters nobody sees', 'rm\u200b \u2066-rf'],
  ['lines of its own', 'true\r\nrun-1/c1  allowed\u2028already'],
])('G03 G04 the list of requests shows %s as what it is', async (_, command) => {
  const store = memoryStore()
  const h = house(
    { main: [call('Bash', { command }), 'ok'] },
    {
      store,
      agents: [agent('main')],
      tools: [tool('Bash', 'execute', () => 'ran')],
      judge: { judge: () => ({ decision: 'ask', rule: `Bash(${command})`, reason: command, lasting: command }) },
      approver: { isListening: () => true, present: () => () => {} },
    },
  )
  await h.start()
  await h.clock.settle()
  let text = ''
  const plain = (shown: string) => shown
  const look = { bold: plain, dim: plain, yellow: plain } as unknown as CommandDeps['look']
  await listApprovals(store, {}, {
    write: (more: string) => (text += more),
    look,
    now: () => 0,
  } as unknown as CommandDeps)
  expect(text).toContain('because:')
  expect(text.split('\n')).toHaveLength(7)
  expect(text).not.toMatch(/[\p{Cf}\p{Zl}\p{Zp}\u0000-\u0009\u000b-\u001f\u007f-\u009f]/u)
  await h.offshoot.close('leave')
})

async function asking(lasting: string) {
  const store = memoryStore()
  const h = house(
    { main: [call('Send', {}), 'ok'] },
    {
      store,
      agents: [agent('main')],
      tools: [tool('Send', 'execute', () => 'ran')],
      judge: { judge: () => ({ decision: 'ask', rule: 'default', reason: 'asks', lasting }) },
      approver: { isListening: () => true, present: () => () => {} },
    },
  )
  const run = await h.start()
  await h.clock.settle()
  const said = { text: '' }
  const plain = (shown: string) => shown
  const say = (more: string) => {
    said.text += more
  }
  const look = { bold: plain, dim: plain, yellow: plain }
  const deps = { write: say, warn: say, look, now: () => 0, env: {} } as unknown as CommandDeps
  return { h, run, store, said, deps }
}

test('"always" of a command too long for a rule was recorded as such, and gone with the session', async () => {
  const { h, run, store, said, deps } = await asking(`Bash(${'x'.repeat(5000)})`)
  await listApprovals(store, {}, deps)
  expect(said.text).toContain('An allow ends with the session that asks, "always" too: its rule has 5006 characters')
  said.text = ''
  const held = Object.assign(store, { isHeld: async () => true })
  await answerApproval(held as never, '', 'allow', { scope: 'always' }, deps)
  expect(said.text).toContain('at most 4096 are kept')
  await run.result
  const resolved = h.events.flatMap(({ event }) => (event.type === 'approval.resolved' ? [event] : []))
  expect(resolved).toMatchObject([{ verdict: 'allow', scope: 'session', wished: 'always' }])
})

test('a rule offered for a tool of a server is said to be for the whole tool', async () => {
  const { h, store, said, deps } = await asking('mcp__srv__send')
  await listApprovals(store, {}, deps)
  expect(said.text).toContain('kept for the whole tool, whatever its input: mcp__srv__send')
  await h.offshoot.close('leave')
  const denial = { runId: 'r' as never, agent: 'main', context: '' }
  const words = denialWords(
    [
      { ...denial, name: 'mcp__srv__send', allowedBy: 'mcp__srv__send' },
      { ...denial, name: 'Bash', allowedBy: 'Bash(ls)' },
    ],
    undefined,
  )
  expect(words).toContain(
    "--allowedTools 'mcp__srv__send' 'Bash(ls)'\n      (the whole tool, whatever its input: mcp__srv__send)\n",
  )
})
