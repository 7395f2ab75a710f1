import { expect, test } from 'vitest'
import type { Catalog } from '../../src/core/catalog/catalog.js'
import type { OffshootOptions } from '../../src/offshoot.js'
import { HostFailure } from '../../src/runtime/host-failure.js'
import { agent, house } from './house.js'

const thrown = new TypeError('no such table')
const fails = (): never => {
  throw thrown
}
const catalog: Catalog = house({ main: ['x'] }).offshoot.catalog()
const none: never[] = []

test.each<[string, (isOn: () => boolean) => Partial<OffshootOptions>]>([
  ['tools', isOn => ({ tools: () => (isOn() ? fails() : none) })],
  ['agents', isOn => ({ agents: () => (isOn() ? fails() : catalog) })],
  ['promptParts', () => ({ promptParts: fails })],
  ['estimateCost', () => ({ estimateCost: fails })],
  ['hooks.wants', () => ({ hooks: { wants: fails, fire: fails } as never })],
  [
    'agentTools.open',
    () => ({
      agentTools: {
        open: async () => fails(),
        of: () => ({ tools: none, reasons: none }),
        enter: () => {},
        leave: () => {},
      } as never,
      agents: [agent('main', { mcpServers: [{ name: 'x', config: { command: 'y' } }] })],
    }),
  ],
])('what a host’s %s threw came out of start() as it was, told from nothing else', async (_, make) => {
  let isOn = false
  const h = house(
    { main: ['done'] },
    make(() => isOn),
  )
  isOn = true
  const started = h.offshoot.start({ prompt: 'p', description: 'd', budget: { usd: 1 } })
  const failure: unknown = await started.catch(error => error)
  expect(failure).toBeInstanceOf(HostFailure)
  expect(failure).toMatchObject({
    code: 'host-failed',
    message: expect.stringContaining('no such table'),
    cause: thrown,
  })
  expect(await h.store.list({})).toEqual([])
  expect(h.model.requestsOf('main')).toEqual([])
  expect(h.events).toEqual([])
  await h.offshoot.close()
})

test.each(['tools', 'agents', 'estimateCost'] as const)(
  'what a host’s %s threw came out of resume() as it was, of a run that has ended and of one that was left',
  async which => {
    let isOn = false
    const options: Partial<OffshootOptions> = {
      tools: () => (isOn && which === 'tools' ? fails() : none),
      agents: () => (isOn && which === 'agents' ? fails() : catalog),
      estimateCost: () => (isOn && which === 'estimateCost' ? fails() : 0.0001),
    }
    const h = house({ main: ['one', { text: 'two', hangs: true }] }, options)
    const run = await h.start({ budget: { usd: 1 } })
    await run.result
    isOn = true
    const failure: unknown = await h.offshoot.resume(run.id, 'go on').catch(error => error)
    expect(failure).toBeInstanceOf(HostFailure)
    expect(failure).toMatchObject({ message: expect.stringContaining(`Run ${run.id} was not resumed`), cause: thrown })
    expect(await h.store.inbox(run.id)).toEqual([])
    isOn = false
    await h.offshoot.resume(run.id, 'go on')
    await h.clock.settle()
    await h.offshoot.close('leave')
    const next = house({ main: ['three'] }, { ...options, store: h.store })
    isOn = true
    // Whether it had a price is not asked of one that goes on with what it has.
    if (which !== 'estimateCost') await expect(next.offshoot.resume(run.id)).rejects.toBeInstanceOf(HostFailure)
    isOn = false
    const again = await next.offshoot.resume(run.id)
    if ('refused' in again) throw new Error(again.refused)
    expect(await again.result).toMatchObject({ text: 'three' })
  },
)
