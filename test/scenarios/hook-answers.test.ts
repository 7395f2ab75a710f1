/** Hooks that answer in a person's place: for which input, and for how many runs. */
import { expect, test } from 'vitest'
import { functionHooks, type HookFunctions } from '../../src/adapters/hooks/function-hooks.js'
import { agent, call, house, task, tool } from './house.js'

/** Which inputs a call that asks ran with, where hooks make `safe` of `wild`; and what the model read. */
async function ranWith(hooks: HookFunctions, ofSafe: 'ask' | 'firm' | 'deny' = 'ask') {
  const ran: unknown[] = []
  const { run, toolTexts } = house(
    { main: [call('Cmd', { line: 'wild' }), 'ok'] },
    {
      tools: [tool('Cmd', 'execute', input => `run ${ran.push((input as { line: string }).line)}`)],
      judge: {
        judge: ({ input }) => {
          const isSafe = (input as { line: string }).line === 'safe'
          if (isSafe && ofSafe === 'deny') return { decision: 'deny', rule: 'r', reason: 'never safe' }
          return { decision: 'ask', rule: 'r', reason: 'may I', isFirm: isSafe && ofSafe === 'firm' }
        },
      },
      hooks: functionHooks(hooks),
    },
  )
  await run()
  return { ran, text: toolTexts('main')[0] }
}
const permission = () => ({ verdict: 'go', approves: true, input: { line: 'safe' } }) as const

test('an answer for another input approved the one it was not meant for', async () => {
  expect((await ranWith({ permission })).ran).toEqual(['safe'])
})

test('what an answer makes of an input is judged again, by the rules and by the guards before a call', async () => {
  expect(await ranWith({ permission }, 'deny')).toMatchObject({
    ran: [],
    text: 'A hook changed the input of this call. never safe',
  })
  expect((await ranWith({ permission }, 'firm')).ran).toEqual([])
  const keys: string[] = []
  const preTool: HookFunctions['preTool'] = event => {
    keys.push(event.key.replace(/^hook.pre-tool.[^/]*/, ''))
    const { line } = event.call!.input as { line: string }
    return line === 'safe' ? { verdict: 'refuse', reason: 'not that' } : undefined
  }
  expect(await ranWith({ permission, preTool })).toMatchObject({ ran: [], text: 'not that' })
  expect(keys).toEqual(['', '/request/changed'])
})

test('an answer that leaves it to a person lets nothing run where nobody is', async () => {
  const left = await ranWith({ permission: () => ({ verdict: 'ask', reason: 'look at it' }) })
  expect(left.ran).toEqual([])
  expect(left.text).toContain('needs an approval')
})

test('a hook that heard of one call approved a whole fan-out', async () => {
  const started = async (hooks: HookFunctions) => {
    const fan = { calls: [1, 2, 3].map(n => task('worker', `x${n}`)) }
    const h = house(
      { main: [fan, 'ok'], worker: ['done'] },
      { agents: [agent('worker')], policy: { fanOutApproval: 2 }, hooks: functionHooks(hooks) },
    )
    await h.run()
    return (await h.offshoot.list({ agent: 'worker' })).length
  }
  expect(await started({ preTool: () => ({ verdict: 'go', approves: true }) })).toBe(0)
  const reasons: unknown[] = []
  const permission: HookFunctions['permission'] = ({ reason }) => {
    reasons.push(reason)
    return { verdict: 'go', approves: true }
  }
  expect(await started({ permission })).toBe(3)
  expect(reasons[0]).toContain('3 runs at once')
})
