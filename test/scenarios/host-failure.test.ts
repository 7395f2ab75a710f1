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
