/** What a person reads about a call that a killed process had under way. */
import { expect, test } from 'vitest'
import { call, tool } from './house.js'
import { machine } from './killed.js'

test('of a call that was cut off by a kill nobody could see what it was about: which payment is in doubt?', async () => {
  const pay = tool('Pay', 'write', ({ to }: { to: string }) => (to === 'bob' ? new Promise(() => {}) : `paid ${to}`))
  const { boot } = machine({ tools: [pay] })
  const first = boot({ main: [call('Pay', { to: 'ann' }), call('Pay', { to: 'bob' })] })
  const run = await first.start()
  await first.clock.settle()
  first.kill()
  const second = boot({ main: [{ text: 'unused' }, { text: 'unused' }, 'done'] })
  await second.offshoot.recover()
  const { toolLog } = await second.offshoot.run(run.id).result
  expect(toolLog.map(({ name, context, summary }) => ({ name, context, summary }))).toEqual([
    { name: 'Pay', context: 'ann', summary: 'paid ann' },
    { name: 'Pay', context: 'bob', summary: 'interrupted' },
  ])
})
