import { describe, expect, test } from 'vitest'
import type { ApprovalRequest, Approver } from '../../src/core/ports.js'
import { gate } from '../support/gate.js'
import { agent, type House, house, task } from './house.js'

describe('many ended runs woken in one turn were no fan-out', () => {
  const names = [1, 2, 3, 4].map(n => `h${n}`)
  const start = { calls: names.map(name => task('worker', 'work', { name })) }
  const send = (to: readonly string[]) => ({
    calls: to.map(task_id => ({ name: 'TaskSend', input: { task_id, message: 'again' } })),
  })
  const woken = (h: House) => h.events.filter(({ agent, event }) => agent === 'worker' && event.type === 'run.resumed')

  test('nobody there to ask: none of them goes on', async () => {
    const nonsense = { calls: [{ name: 'TaskSend', input: null }] }
    const one = { calls: [task('worker', 'work', { name: 'h1' })] }
    const others = names.slice(1).map(name => ({ calls: [task('worker', 'work', { name })] }))
    const h = house(
      {
        main: [one, ...others, nonsense, send(names), send(names.slice(0, 2)), 'waiting', 'done'],
        worker: ['one', 'two'],
      },
      { agents: [agent('worker')], policy: { fanOutApproval: 2 } },
    )
    await h.run()
    const sent = h.events.flatMap(({ event }) =>
      event.type === 'tool.ended' && event.name === 'TaskSend'
        ? [event.rule === 'fan-out' ? 'fan-out' : event.status]
        : [],
    )
    expect(sent).toEqual(['error', ...names.map(() => 'fan-out'), 'ok', 'ok'])
    expect(woken(h)).toHaveLength(2)
  })

  test('one yes holds for all of them, also while the first are on their way', async () => {
    const shown: ApprovalRequest[] = []
    const approver: Approver = { isListening: () => true, present: request => (shown.push(request), () => {}) }
    const h = house(
      { main: [start, send(names), 'waiting', 'done'], worker: ['one', 'two'] },
      { agents: [agent('worker')], approver, policy: { fanOutApproval: 3 } },
    )
    const run = await h.start()
    for (const _ of [1, 2]) {
      await h.clock.settle()
      await h.offshoot.approvals.answer(shown.at(-1)!.approvalId, { verdict: 'allow' })
    }
    await run.result
    expect(shown.map(({ name, rule }) => [name, rule])).toEqual([
      ['Task', 'fan-out'],
      ['TaskSend', 'fan-out'],
    ])
    expect(shown[1]!.reason).toContain('worker ×4')
    expect(woken(h)).toHaveLength(4)
  })

  test('words to runs that are at work are none', async () => {
    const g = gate()
    const h = house(
      {
        main: [
          { calls: names.slice(0, 2).map(name => task('worker', 'work', { name, run_in_background: true })) },
          send(['h1', 'h2', 'h1']),
          'waiting',
          'done',
          'done',
        ],
        worker: [{ text: 'one', after: g.opened }, 'two'],
      },
      { agents: [agent('worker')], policy: { fanOutApproval: 2 } },
    )
    const run = await h.start()
    await h.clock.settle()
    g.open()
    await run.result
    expect(h.events.filter(({ event }) => event.type === 'tool.ended' && event.name === 'TaskSend')).toHaveLength(3)
    expect(h.events.some(({ event }) => event.type === 'tool.ended' && event.rule === 'fan-out')).toBe(false)
  })
})
