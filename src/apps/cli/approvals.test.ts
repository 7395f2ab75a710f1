import { expect, test } from 'vitest'
import { agent, call, house, tool } from '../../../test/scenarios/house.js'
import { memoryStore } from '../../adapters/stores/memory.js'
import { listApprovals } from './approvals.js'
import type { CommandDeps } from './command-deps.js'

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
