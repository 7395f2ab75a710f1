/** Commands in the background, and processes that end before them. */
import { expect, test } from 'vitest'
import { memoryStore } from '../../src/adapters/stores/memory.js'
import { storeWith } from '../support/store-with.js'
import { agent, call, house, tool } from './house.js'

const owner = (id: string) => ({ id, host: 'here', pid: 1, startedAt: 1 })
const shell = tool('Bash', 'execute', (_: never, { leftRunning }) => ({
  content: `started, knew ${leftRunning?.('bash_1')}`,
  leftRunning: { id: 'bash_1', isOver: false },
}))
const heardOf = tool('BashOutput', 'read', () => ({
  content: '[exit code 0]',
  leftRunning: { id: 'bash_1', isOver: true },
}))
const known = tool('Known', 'read', (_: never, { leftRunning }) => `of bash_1: ${leftRunning?.('bash_1')}`)
const tools = [shell, heardOf, known]
const said = (h: ReturnType<typeof house>) => JSON.stringify(h.model.requests.at(-1)?.messages)

test('a command in the background that died with its process was denied to have existed: the next one is told', async () => {
  const dead = new Set<string>()
  const store = memoryStore({ isAlive: ({ id }) => !dead.has(id) })
  const first = house(
    { main: [call('Bash', { command: 'npm test' }), { hangs: true }] },
    { store: storeWith(store, { close: async () => {} }), owner: owner('first'), tools },
  )
  const run = await first.start()
  await first.clock.settle()
  await first.offshoot.close('leave')
  dead.add('first')
  const second = house({ main: [call('Known'), 'done'] }, { store, owner: owner('second'), tools })
  await second.offshoot.recover()
  expect(await second.offshoot.run(run.id).result).toMatchObject({ outcome: 'completed', text: 'done' })
  expect(said(second)).toContain('bash_1 (npm test) ended with the process that ran it, at the latest')
  expect(second.toolTexts('main')).toContain('of bash_1: npm test')
})

test('who goes on in the same process is told nothing, nor is who has heard of the end', async () => {
  const store = memoryStore()
  const agents = [agent('main'), agent('worker')]
  const h = house(
    { main: [call('Bash', { command: 'npm test' }), 'left it', call('Known'), 'again'] },
    { agents, tools },
  )
  const run = await h.start()
  await run.result
  const again = await h.offshoot.resume(run.id, 'go on')
  expect('refused' in again || (await again.result)).toMatchObject({ text: 'again' })
  expect(said(h)).not.toContain('ended with the process')
  const first = house(
    { main: [call('Bash', { command: 'npm test' }), call('BashOutput'), 'over'] },
    { store: storeWith(store, { close: async () => {} }), owner: owner('first'), tools },
  )
  const { runId } = await first.run()
  await first.offshoot.close()
  const second = house({ main: ['done'] }, { store, owner: owner('second'), tools })
  const on = await second.offshoot.resume(runId, 'go on')
  expect('refused' in on || (await on.result)).toMatchObject({ text: 'done' })
  expect(said(second)).not.toContain('ended with the process')
})
