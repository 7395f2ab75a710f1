import { readFileSync } from 'node:fs'
import { afterEach, expect, test } from 'vitest'
import type { McpHub } from '../../src/adapters/mcp/mcp-hub.js'
import { systemClock } from '../../src/adapters/os/system-clock.js'
import { agent, call, house, task } from '../scenarios/house.js'
import { freshWorkspace } from '../support/fresh-workspace.js'
import { eventually, processesWith } from '../support/processes.js'
import { hubOf, odd } from './servers.js'

const folder = freshWorkspace()
let hub: McpHub | undefined
afterEach(() => hub?.close())
const clock = systemClock() as never

test('twenty children share one stdio server', async () => {
  const log = folder.path('starts')
  hub = hubOf({ odd: odd('count', log) })
  await hub.load()
  const { run, events } = house(
    {
      main: [{ calls: Array.from({ length: 20 }, (_, i) => task('worker', `number ${i}`)) }, 'done'],
      worker: first => [call('mcp__odd__echo', { from: first.runId }), 'ok'],
    },
    { agents: [agent('worker')], tools: hub.tools, clock },
  )
  expect(await run()).toMatchObject({ outcome: 'completed' })
  expect(readFileSync(log, 'utf8')).toBe('started\n')
  const answers = events.filter(({ event }) => event.type === 'tool.ended' && event.name === 'mcp__odd__echo')
  expect(answers).toHaveLength(20)
  for (const { runId, event } of answers) expect(JSON.stringify(event)).toContain(runId)
})

test('C8: a child inherits the caller’s servers and adds its own, which end with it', async () => {
  const [log, own] = [folder.path('shared'), folder.path('own')]
  hub = hubOf({ odd: odd('count', log) })
  await hub.load()
  const { run, events, model, offshoot } = house(
    {
      main: [{ calls: [task('worker')] }, 'done'],
      worker: [
        {
          calls: [
            { name: 'mcp__odd__echo', input: { a: 1 } },
            { name: 'mcp__mine__echo', input: { b: 2 } },
          ],
        },
        'ok',
      ],
    },
    {
      agents: [agent('worker', { mcpServers: ['odd', 'nobody', { name: 'mine', config: odd('count', own) }] })],
      tools: hub.tools,
      agentTools: hub.agentTools,
      clock,
    },
  )
  expect(await run()).toMatchObject({ outcome: 'completed' })
  const ended = events.flatMap(({ event }) => (event.type === 'tool.ended' && event.name !== 'Task' ? [event] : []))
  expect(ended.map(({ name, status }) => [name, status])).toEqual([
    ['mcp__odd__echo', 'ok'],
    ['mcp__mine__echo', 'ok'],
  ])
  const declared = (name: string) => model.requestsOf(name)[0]?.declared.tools.map(tool => tool.name) ?? []
  expect(declared('main')).not.toContain('mcp__mine__echo')
  expect(declared('worker')).toEqual(expect.arrayContaining(['mcp__odd__echo', 'mcp__mine__echo']))
  expect(
    await eventually(
      () => processesWith(own),
      found => found.length === 0,
    ),
  ).toEqual([])
  expect(processesWith(log)).toHaveLength(1)
  const brief = (await offshoot.list({ agent: 'worker' }))[0]
  const reasons = (await offshoot.run(brief!.runId).brief())?.reasons ?? []
  expect(reasons.find(({ rule }) => rule === 'mcp-server-unknown')?.subject).toContain('nobody')
})

test('an agent that is not trusted, or is refused, starts no server', async () => {
  const own = folder.path('own')
  const mcpServers = [{ name: 'mine', config: odd('count', own) }]
  hub = hubOf({})
  const { run, toolTexts } = house(
    { main: [{ calls: [task('stranger'), task('worker', '  ')] }, 'done'] },
    {
      agents: [
        agent('worker', { mcpServers }),
        agent('stranger', { mcpServers, source: { scope: 'project', isTrusted: false } }),
      ],
      agentTools: hub.agentTools,
      clock,
    },
  )
  await run()
  expect(toolTexts('main')).toHaveLength(2)
  expect(() => readFileSync(own)).toThrow()
})

test('an inline server cannot take the name of a configured one', async () => {
  const own = folder.path('own')
  hub = hubOf({ odd: odd() })
  await hub.load()
  const { run, offshoot } = house(
    { main: [{ calls: [task('worker')] }, 'done'], worker: ['ok'] },
    {
      agents: [agent('worker', { mcpServers: [{ name: 'odd', config: odd('count', own) }] })],
      tools: hub.tools,
      agentTools: hub.agentTools,
      clock,
    },
  )
  await run()
  expect(() => readFileSync(own)).toThrow()
  const [summary] = await offshoot.list({ agent: 'worker' })
  const brief = await offshoot.run(summary!.runId).brief()
  expect(brief?.reasons.some(({ rule }) => rule === 'mcp-name-taken')).toBe(true)
})
