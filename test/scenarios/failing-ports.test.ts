/** Ports of a host that throw where nothing is asked of a run any more: its result comes all the same, and nothing is unheard. */
import { expect, test } from 'vitest'
import type { AgentTools } from '../../src/core/ports.js'
import type { RunProcesses } from '../../src/core/run-process.js'
import type { OffshootOptions } from '../../src/offshoot.js'
import { agent, house, isProcessMode, task } from './house.js'

/** Rejections that nobody has heard of end a program. */
async function unheardIn(work: () => Promise<void>): Promise<readonly unknown[]> {
  const before = process.listeners('unhandledRejection')
  const unheard: unknown[] = []
  process.removeAllListeners('unhandledRejection')
  process.on('unhandledRejection', reason => void unheard.push(reason))
  try {
    await work()
    for (let i = 0; i < 5; i++) await new Promise(resolve => setImmediate(resolve))
  } finally {
    process.removeAllListeners('unhandledRejection')
    for (const listener of before) process.on('unhandledRejection', listener)
  }
  return unheard
}

const throws = (): never => {
  throw new Error('a port of the host broke')
}
const agentTools: AgentTools = {
  open: async () => {},
  of: () => ({ tools: [], reasons: [] }),
  enter: () => {},
  leave: throws,
}
const served = agent('main', { mcpServers: ['own'] } as never)

test.skipIf(isProcessMode)('agent tools that cannot be left ended the host, and the run had no result', async () => {
  const errors: unknown[] = []
  const unheard = await unheardIn(async () => {
    const options = { agents: [served], agentTools, onError: (error: unknown) => void errors.push(error) }
    const h = house({ main: ['done'] }, options)
    const run = await h.start()
    const { signal } = new AbortController()
    const second = await h.offshoot.start({ prompt: 'p', description: 'd' }, { signal })
    for (const each of [run, second]) {
      if ('refused' in each) throw new Error(each.refused)
      expect(await each.result).toMatchObject({ outcome: 'completed', text: 'done' })
    }
    await h.offshoot.close()
  })
  expect(unheard).toEqual([])
  expect(errors.map(String).join()).toContain('a port of the host broke')
})

const processes: RunProcesses = { start: throws, close: async () => {} }

test.skipIf(isProcessMode).each([false, true])(
  'a process that cannot be started ended the host, and the run (a child: %s) had no result',
  async isChild => {
    const unheard = await unheardIn(async () => {
      const options: Partial<OffshootOptions> = {
        agents: [agent('worker', { executionMode: 'process' })],
        processes,
        onError: () => {},
      }
      const h = house({ main: [{ calls: [task('worker')] }, 'done'], worker: ['never'] }, options)
      if (isChild) {
        expect(await h.run()).toMatchObject({ outcome: 'completed', text: 'done' })
        expect(h.toolTexts('main')[0]).toContain('a port of the host broke')
      } else
        expect(await h.run({ agent: 'worker' })).toMatchObject({
          outcome: 'failed',
          error: { message: expect.stringContaining('a port of the host broke') },
        })
      await h.offshoot.close()
    })
    expect(unheard).toEqual([])
  },
)
