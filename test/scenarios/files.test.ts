/** Stories with the real tools in a real directory: what children do to files and processes of each other. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createFileLocks } from '../../src/adapters/os/file-lock.js'
import { createPlainSandbox } from '../../src/adapters/sandboxes/none.js'
import { createShells, type Shells } from '../../src/adapters/tools/shells.js'
import { createWorkspaceTools } from '../../src/adapters/tools/workspace-tools.js'
import { eventually, processesWith } from '../support/processes.js'
import { createTestWorkspace, type TestWorkspace } from '../support/tool-workspace.js'
import { agent, call, house, task, tool } from './house.js'

let workspace: TestWorkspace
let shells: Shells
beforeEach(() => {
  workspace = createTestWorkspace()
  shells = createShells()
})
afterEach(async () => {
  await shells.close()
  workspace.remove()
})
const options = () => ({
  sandbox: createPlainSandbox({ cwd: workspace.root }),
  tools: [...createWorkspaceTools({ shells, locks: createFileLocks(workspace.path('.locks')) })],
  judge: { judge: () => ({ decision: 'allow', rule: 'test' }) as const },
})

test('E09 two children edit the same file side by side: the second is told, looks again, and nothing is lost', async () => {
  workspace.write('list.txt', 'apples\npears\n')
  let arrived = 0
  let open: () => void = () => undefined
  const bothHaveRead = new Promise<void>(resolve => {
    open = resolve
  })
  const gate = tool('Gate', 'read', async () => {
    if (++arrived === 2) open()
    await bothHaveRead
    return 'both have read'
  })
  const change = (from: string) =>
    call('Edit', { file_path: 'list.txt', old_string: from, new_string: from.toUpperCase() })
  const child = (from: string) => () => [
    call('Read', { file_path: 'list.txt' }),
    call('Gate'),
    change(from),
    (request: { messages: readonly unknown[] }) =>
      JSON.stringify(request.messages.at(-1)).includes('Refused') ? call('Read', { file_path: 'list.txt' }) : 'done',
    change(from),
    'done after looking again',
  ]
  const setting = options()
  const h = house(
    { main: [{ calls: [task('left'), task('right')] }, 'ok'], left: child('apples'), right: child('pears') },
    { ...setting, agents: [agent('left'), agent('right')], tools: [...setting.tools, gate] },
  )
  expect(await h.run()).toMatchObject({ outcome: 'completed' })
  expect(workspace.text('list.txt')).toBe('APPLES\nPEARS\n')
  const texts = [...h.toolTexts('left'), ...h.toolTexts('right')]
  const refused = texts.filter(text => text.startsWith('Refused'))
  expect(refused).toHaveLength(1)
  expect(refused[0]).toMatch(/list\.txt changed after this run read it; last changed by agent (left|right) \(run \w+\)/)
  expect(refused[0]).toMatch(/\n-(apples|pears)\n\+(APPLES|PEARS)\n/)
  expect(h.toolTexts('main').filter(text => text.includes('list.txt'))).toHaveLength(2)
})

test('P28 stopping the root ends the commands of its children', async () => {
  const seconds = `${8_000_000 + Math.floor(Math.random() * 1e6)}.5`
  const h = house(
    {
      main: [{ calls: [task('worker')] }],
      worker: [call('Bash', { command: `sleep ${seconds} & setsid sleep ${seconds}` })],
    },
    { ...options(), agents: [agent('worker')] },
  )
  const run = await h.start()
  const started = await eventually(
    () => processesWith(`sleep ${seconds}`).length,
    count => count >= 2,
  )
  expect(started).toBeGreaterThanOrEqual(2)
  await run.stop('enough')
  expect(await run.result).toMatchObject({ outcome: 'cancelled' })
  expect(
    await eventually(
      () => processesWith(`sleep ${seconds}`),
      left => left.length === 0,
    ),
  ).toEqual([])
})
