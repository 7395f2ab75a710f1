/** What a child is kept from, told from the model's call to what is on the disk afterwards: the real judge, real tools. */
import { existsSync } from 'node:fs'
import { afterEach, expect, test } from 'vitest'
import { createJudge } from '../../src/adapters/judge/judge.js'
import { systemClock } from '../../src/adapters/os/system-clock.js'
import { createPlainSandbox } from '../../src/adapters/sandboxes/none.js'
import { createShells } from '../../src/adapters/tools/shells.js'
import { createWorkspaceTools } from '../../src/adapters/tools/workspace-tools.js'
import type { AgentDefinition } from '../../src/core/agent-definition.js'
import type { RuleLayer } from '../../src/core/permission/permission-rules.js'
import type { Policy } from '../../src/core/policy.js'
import type { Script } from '../../src/testing/scripted-model.js'
import { layer, rulesOf } from '../support/judging.js'
import { createTestWorkspace } from '../support/tool-workspace.js'
import { agent, call, type House, house, task } from './house.js'

const opened: (() => unknown)[] = []
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close()
})

/** A workspace, its tools, and a judge with these rules. */
function guarded(
  script: Readonly<Record<string, Script>>,
  given: {
    readonly layers?: RuleLayer[]
    readonly policy?: Partial<Policy>
    readonly agents?: readonly AgentDefinition[]
  },
): House & { readonly path: (name: string) => string } {
  const workspace = createTestWorkspace()
  const shells = createShells()
  opened.push(workspace.remove, () => shells.close())
  const h = house(script, {
    clock: systemClock() as never,
    agents: given.agents ?? [agent('worker')],
    tools: createWorkspaceTools({ shells }),
    judge: createJudge({ layers: () => given.layers ?? [], stateDirs: [], home: workspace.path('home') }),
    sandbox: createPlainSandbox({ cwd: workspace.root }),
    policy: { cwd: workspace.root, ...given.policy },
  })
  opened.push(() => h.offshoot.close())
  return { ...h, path: name => workspace.path(name) }
}
const ended = ({ events }: House, name: string) =>
  events.flatMap(({ event, agent: who }) =>
    event.type === 'tool.ended' && event.name === name ? [{ who, ...event }] : [],
  )

test('C01 O2 a deny of the caller binds a child with every tool: nothing runs, and the event names the rule', async () => {
  const h = guarded(
    {
      main: [{ calls: [task('worker')] }, 'ok'],
      worker: [call('Bash', { command: 'touch made; curl x' }), 'could not'],
    },
    { layers: [layer({ deny: ['Bash(curl:*)'], allow: ['Bash'] })], policy: { mode: 'bypassPermissions' } },
  )
  await h.run()
  expect(ended(h, 'Bash')).toMatchObject([{ who: 'worker', status: 'denied', rule: 'Bash(curl:*)' }])
  expect(existsSync(h.path('made'))).toBe(false)
  expect(h.toolTexts('worker')[0]).toContain('Bash(curl:*)')
})

test('C02 P11 a caller in plan mode: its powerful child writes no file and runs no command', async () => {
  const h = guarded(
    {
      main: [{ calls: [task('worker')] }, 'ok'],
      worker: [
        {
          calls: [
            { name: 'Write', input: { file_path: 'made', content: 'x' } },
            { name: 'Bash', input: { command: 'touch made' } },
          ],
        },
        'could not',
      ],
    },
    { agents: [agent('worker', { permissionMode: 'bypassPermissions' })], policy: { mode: 'plan' } },
  )
  await h.run()
  expect([...ended(h, 'Write'), ...ended(h, 'Bash')].map(({ status, rule }) => [status, rule])).toEqual([
    ['denied', 'plan-mode'],
    ['denied', 'plan-mode'],
  ])
  expect(existsSync(h.path('made'))).toBe(false)
})

test('C03 a call to a tool that was not given is rejected when it is made, not only left out of the list', async () => {
  const h = guarded(
    {
      main: [{ calls: [task('reader')] }, 'ok'],
      reader: [
        {
          calls: [
            { name: 'Write', input: { file_path: 'made', content: 'x' } },
            { name: 'mcp__other__send', input: {} },
            task('reader'),
          ],
        },
        'could not',
      ],
    },
    { agents: [agent('reader', { tools: [{ name: 'Read' }] })], policy: { mode: 'bypassPermissions' } },
  )
  await h.run()
  expect(h.model.requestsOf('reader')[0]!.declared.tools.map(({ name }) => name)).toEqual(['Read'])
  const answers = h.events.flatMap(({ event, agent: who }) =>
    event.type === 'tool.ended' && who === 'reader' ? [event.status] : [],
  )
  expect(answers).toHaveLength(3)
  expect(answers).not.toContain('ok')
  expect(existsSync(h.path('made'))).toBe(false)
  expect(await h.offshoot.list({})).toHaveLength(2)
})

test('C05 a denied agent is not created: no row in the list, no request to a model', async () => {
  const h = guarded(
    { main: [{ calls: [task('worker')] }, 'ok'] },
    { layers: [layer({ deny: ['Agent(worker)'] })], policy: { mode: 'bypassPermissions' } },
  )
  await h.run()
  expect(ended(h, 'Task')).toMatchObject([{ status: 'denied', rule: 'Agent(worker)' }])
  expect(await h.offshoot.list({ agent: 'worker' })).toEqual([])
  expect(h.model.requestsOf('worker')).toEqual([])
})

test('C09 P13 a deny added after a child ended binds it when it is resumed', async () => {
  const layers = [layer({ allow: ['Bash'] })]
  const h = guarded(
    {
      main: [{ calls: [task('worker')] }, 'ok'],
      worker: [call('Bash', { command: 'touch first' }), 'one', call('Bash', { command: 'touch second' }), 'two'],
    },
    { layers, policy: { mode: 'default' } },
  )
  await h.run()
  expect(existsSync(h.path('first'))).toBe(true)
  layers.push(layer({ deny: ['Bash(touch:*)'] }))
  const [child] = await h.offshoot.list({ agent: 'worker' })
  const again = await h.offshoot.resume(child!.runId, 'once more')
  if ('refused' in again) throw new Error(again.refused)
  expect(await again.result).toMatchObject({ outcome: 'completed', text: 'two' })
  expect(ended(h, 'Bash').map(({ status }) => status)).toEqual(['ok', 'denied'])
  expect(existsSync(h.path('second'))).toBe(false)
})

/** `mid` may not write and starts `leaf`, which tries to; whoever is above `mid` may. */
const writing = call('Write', { file_path: 'made', content: 'x' })
const strictMiddle = [
  agent('mid', { canSpawn: true, permissions: rulesOf({ deny: ['Write(./made)'] }) }),
  agent('leaf'),
]
const middle = [{ calls: [task('leaf', 'work', { name: 'leafy' })] }, 'done']

test.each([
  ['resumes', { calls: [task('leaf', 'again', { resume: 'leafy' })] }],
  ['writes to', call('TaskSend', { task_id: 'leafy', message: 'again' })],
])('C09 a run that %s a grandchild gives it nothing that its own caller has not', async (_, again) => {
  const h = guarded(
    { main: [{ calls: [task('mid')] }, again, 'ok'], mid: middle, leaf: [writing, 'no', writing, 'no again'] },
    { agents: strictMiddle, policy: { mode: 'bypassPermissions' } },
  )
  await h.run()
  expect(ended(h, 'Write').map(({ who, status, rule }) => [who, status, rule])).toEqual([
    ['leaf', 'denied', 'Write(./made)'],
    ['leaf', 'denied', 'Write(./made)'],
  ])
  expect(existsSync(h.path('made'))).toBe(false)
})

test('C03 a fork sees the tools of its caller and may use its own alone', async () => {
  const h = guarded(
    { main: [{ calls: [task('twin')] }, 'ok'], twin: [writing, 'no'] },
    {
      agents: [agent('twin', { tools: [{ name: 'Read' }], forkContext: 'full' })],
      policy: { mode: 'bypassPermissions' },
    },
  )
  await h.run()
  expect(ended(h, 'Write')).toMatchObject([{ who: 'twin', status: 'denied' }])
  expect(existsSync(h.path('made'))).toBe(false)
})

test('a child that gave its own child the name of another one got the messages for that', async () => {
  const h = guarded(
    {
      main: [
        { calls: [task('worker', 'first', { name: 'ada' })] },
        { calls: [task('mid')] },
        call('TaskSend', { task_id: 'ada', message: 'the key is 7' }),
        'ok',
      ],
      mid: [{ calls: [task('leaf', 'work', { name: 'ada' })] }, 'done'],
      worker: ['one', 'two'],
      leaf: ['three', 'four'],
    },
    { agents: [agent('worker'), agent('mid', { canSpawn: true }), agent('leaf')] },
  )
  await h.run()
  const heard = (name: string) => JSON.stringify(h.model.requestsOf(name).at(-1)?.messages).includes('the key is 7')
  expect([heard('worker'), heard('leaf')]).toEqual([true, false])
})

test('an agent that was denied meanwhile was woken by a message', async () => {
  const layers = [layer({})]
  const deny = () => {
    layers.push(layer({ deny: ['Agent(worker)'] }))
    return call('TaskSend', { task_id: 'ada', message: 'again' })
  }
  const h = guarded(
    { main: [{ calls: [task('worker', 'x', { name: 'ada' })] }, deny, 'ok'], worker: ['one', 'two'] },
    {
      layers,
    },
  )
  await h.run()
  expect(ended(h, 'TaskSend')).toMatchObject([{ status: 'denied', rule: 'Agent(worker)' }])
  expect(h.model.requestsOf('worker')).toHaveLength(1)
})
