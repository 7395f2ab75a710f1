import { expect, test } from 'vitest'
import { agent, call, house, tool } from '../../../../test/scenarios/house.js'
import { memoryStore } from '../../../adapters/stores/memory.js'
import type { MeasuredStore } from '../../../adapters/stores/prune.js'
import type { RunStore } from '../../../core/run-store.js'
import { denialWords } from '../../session/denial-words.js'
import type { CommandDeps } from '../command-deps.js'
import { answerApproval, listApprovals } from './approvals.js'

/** As the program sees it: somebody drives what is in it, or nobody does. */
const seen = (store: RunStore, isHeld = true): MeasuredStore =>
  Object.assign(store, { isHeld: async () => isHeld }) as unknown as MeasuredStore

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
  await listApprovals(seen(store), {}, {
    write: (more: string) => (text += more),
    look,
    now: () => 0,
  } as unknown as CommandDeps)
  expect(text).toContain('because:')
  expect(text.split('\n')).toHaveLength(7)
  expect(text).not.toMatch(/[\p{Cf}\p{Zl}\p{Zp}\u0000-\u0009\u000b-\u001f\u007f-\u009f]/u)
  await h.offshoot.close('leave')
})

test.each([
  [3000, '; touch made"}', 'whole'],
  [9000, '"offshoot approvals list --json" has all of it', 'with how much more there is'],
])('a request is never shown cut without a word: of %i letters there is %s (%s)', async (length, end) => {
  const { h, store, said, deps } = await asking('Send', { command: `echo ${'x'.repeat(length)}; touch made` })
  await listApprovals(seen(store), {}, deps)
  expect(said.text.trimEnd().endsWith(end)).toBe(true)
  await h.offshoot.close('leave')
})

async function asking(lasting: string, input: unknown = {}, approvalExpiryMs?: number) {
  const store = memoryStore()
  const h = house(
    { main: [call('Send', input), 'ok'] },
    {
      store,
      agents: [agent('main')],
      tools: [tool('Send', 'execute', () => 'ran')],
      judge: { judge: () => ({ decision: 'ask', rule: 'default', reason: 'asks', lasting }) },
      ...(approvalExpiryMs !== undefined && { policy: { approvalExpiryMs } }),
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
  await listApprovals(seen(store), {}, deps)
  expect(said.text).toContain('An allow ends with the session that asks, "always" too: its rule has 5006 characters')
  said.text = ''
  await answerApproval(seen(store), '', 'allow', { scope: 'always' }, deps)
  expect(said.text).toContain('at most 4096 are kept')
  await run.result
  const resolved = h.events.flatMap(({ event }) => (event.type === 'approval.resolved' ? [event] : []))
  expect(resolved).toMatchObject([{ verdict: 'allow', scope: 'session', wished: 'always' }])
})

test('a rule offered for a tool of a server is said to be for the whole tool', async () => {
  const { h, store, said, deps } = await asking('mcp__srv__send')
  await listApprovals(seen(store), {}, deps)
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

/** Asked by a process that is gone. */
async function left() {
  const { h, store, said, deps } = await asking('Send')
  const [request] = h.offshoot.approvals.open()
  store.close = async () => {}
  await h.offshoot.close('leave')
  said.text = ''
  const answer = (verdict: string, id = request!.approvalId) =>
    answerApproval(seen(store, false), id, verdict, { scope: 'once' }, deps)
  return { store, said, deps, answer, request: request! }
}

test('an answer that waited in the inbox could be answered the other way, with "Denied", and then the call ran', async () => {
  const { store, said, deps, answer, request } = await left()
  expect(await answer('allow')).toBe(0)
  said.text = ''
  expect(await answer('deny')).toBe(1)
  expect(said.text).toContain(`${request.approvalId}: allowed once by user. That one counts. Nobody drives it now`)
  expect(await store.inbox(request.runId)).toHaveLength(1)
  said.text = ''
  await listApprovals(seen(store, false), {}, deps)
  expect(said.text).toContain('  allowed once by user. Nobody drives it now: offshoot runs resume')
  said.text = ''
  await listApprovals(seen(store, false), { json: true }, deps)
  expect(JSON.parse(said.text)).toMatchObject([{ answer: { verdict: 'allow', scope: 'once', by: 'user' } }])
})

test('of two answers at the same moment both were confirmed: the first in the inbox is, the other hears of it', async () => {
  const { store, said, answer, request } = await left()
  // Both have looked, and found the request open.
  const post = store.post.bind(store)
  let arrive = () => {}
  const both = new Promise<void>(resolve => (arrive = resolve))
  let waiting = 0
  store.post = async (...letter) => {
    waiting += 1
    if (waiting === 2) arrive()
    await both
    await post(...letter)
  }
  expect((await Promise.all([answer('allow'), answer('deny')])).sort()).toEqual([0, 1])
  const [first] = await store.inbox(request.runId)
  const won = first?.kind === 'answer' && first.verdict === 'allow' ? ['Allowed', 'allowed once'] : ['Denied', 'denied']
  expect(said.text).toContain(`${won[0]}: Send`)
  expect(said.text).toContain(`your answer was not taken. ${request.approvalId}: ${won[1]} by user`)
})

test('an answer to what was settled before says how, and by whom', async () => {
  const { h, run, store, said, deps } = await asking('Send')
  const [{ approvalId } = { approvalId: '' }] = h.offshoot.approvals.open()
  await h.offshoot.approvals.answer(approvalId, { verdict: 'deny', by: 'anna', reason: 'not today' })
  await run.result
  said.text = ''
  expect(await answerApproval(seen(store), approvalId, 'allow', { scope: 'once' }, deps)).toBe(1)
  expect(said.text).toContain('was settled before: denied by anna: not today')
  expect(await answerApproval(seen(store), 'nothing/of/this', 'allow', { scope: 'once' }, deps)).toBe(2)
})

test('a request that had run out was listed as open, and an answer to it confirmed', async () => {
  const { h, store, said, deps } = await asking('Send', {}, 60_000)
  const { expiresAt } = h.offshoot.approvals.open()[0]!
  const late = { ...deps, now: () => expiresAt! }
  await listApprovals(seen(store, false), {}, late)
  expect(said.text).toContain('nobody answered in time. Nobody drives it now')
  said.text = ''
  expect(await answerApproval(seen(store), '', 'allow', { scope: 'once' }, late)).toBe(1)
  expect(said.text).toContain('your answer was not taken')
  expect(said.text).toContain('nobody answered in time')
  said.text = ''
  expect(
    await answerApproval(seen(store), '', 'allow', { scope: 'once' }, { ...deps, now: () => expiresAt! - 1 }),
  ).toBe(0)
  expect(said.text).toContain('Allowed')
  await h.offshoot.close('leave')
})
