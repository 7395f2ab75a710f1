/** How servers list their tools badly, and what comes of it. */
import { rmSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { McpHub } from '../../src/adapters/mcp/mcp-hub.js'
import { textOf } from '../support/tool-workspace.js'
import { mcpPlace, named } from './place.js'
import { odd, small } from './servers.js'

const place = mcpPlace()
const { loaded, call } = place
const names = (hub: McpHub) => hub.tools().map(({ spec }) => spec.name)

test('N03: 1,500 tools on one page are cut, and it is said of which server', async () => {
  const hub = await loaded({ odd: odd('many') })
  expect(hub.tools()).toHaveLength(1000)
  expect(hub.diagnostics()).toMatchObject([
    { code: 'mcp-list-cut', message: 'the MCP server "odd": it has more than 1000 tools; the rest is left out' },
  ])
})

test('a server that dies while it lists its tools is told by its name, exit code and last words', async () => {
  const hub = await loaded({ odd: { ...odd('dies-listing'), env: { TOKEN: 'very-secret-token' } } })
  expect(hub.servers()).toEqual([{ name: 'odd', isUsable: false }])
  const [told] = hub.diagnostics()
  expect(told?.message).toContain(
    'the MCP server "odd" cannot be used: it ended with exit code 7; it said: cannot open',
  )
  expect(told?.message).not.toContain('very-secret-token')
})

test('a server that was started again with another list: new runs see that one', async () => {
  const flag = place.folder.path('flag')
  const hub = await loaded({ odd: odd('other-list', flag) })
  let changes = 0
  hub.onChange(() => changes++)
  const [die, echo, env] = ['die', 'echo', 'env'].map(name => named(hub, `mcp__odd__${name}`))
  writeFileSync(flag, '')
  await call(die!)
  expect(textOf(await call(echo!, { a: 1 }))).toBe('{"a":1}')
  expect(names(hub)).toEqual(['mcp__odd__echo', 'mcp__odd__fresh'])
  expect(changes).toBe(1)
  expect(textOf(await call(env!))).toContain('has changed or removed env')
})

test('a list that only timed out: no tool is said to be removed, and the next call asks again', async () => {
  const flag = place.folder.path('flag')
  const hub = await loaded({ odd: { ...odd('mute-list', flag), startupTimeout: 2000 } })
  const [die, echo] = ['die', 'echo'].map(name => named(hub, `mcp__odd__${name}`))
  writeFileSync(flag, '')
  await call(die!)
  const said = textOf(await call(echo!))
  expect(said).toContain('its list of tools broke off: it did not answer within 2 s; it was not called')
  expect(said).not.toContain('removed')
  rmSync(flag)
  expect(textOf(await call(echo!, { a: 1 }))).toBe('{"a":1}')
})

test('N03: a list of slow pages is bounded as a whole', async () => {
  const hub = await loaded({ odd: { ...odd('endless', '600'), startupTimeout: 2000 } })
  expect(hub.tools().length).toBeLessThan(5)
  expect(hub.diagnostics()[0]?.message).toContain('its list of tools broke off: it did not answer within 2 s')
})

test('tools that the configuration of a server leaves out were offered and could be called', async () => {
  const hub = await loaded({
    without: { ...small('read', 'wipe', 'wipe_all'), excludeTools: ['wipe*'] },
    only: { ...small('read', 'wipe'), enabled_tools: ['read'] },
    none: { ...small('read'), tools: [] },
  })
  expect(names(hub)).toEqual(['mcp__without__read', 'mcp__only__read'])
  expect(hub.diagnostics()).toEqual([])
})
