import { afterAll, expect, test } from 'vitest'
import { createTestWorkspace } from '../../../test/support/tool-workspace.js'
import { createOutputPipes } from './output-pipe.js'
import { startGroup } from './process-group.js'

const workspace = createTestWorkspace()
afterAll(() => workspace.remove())

test('the number of a command that had ended was signalled once more, when it could be another process’s', async () => {
  const pipes = createOutputPipes(async () => workspace.root)
  const group = startGroup(['true'], {
    cwd: '/',
    env: { PATH: process.env.PATH ?? '' },
    output: await pipes.open(),
    onOutput: () => {},
    mark: `OFFSHOOT_TEST_GROUP=${process.pid}`,
  })
  expect(await group.ended).toMatchObject({ code: 0, leftBehind: [] })
  const signalled: number[] = []
  const kill = process.kill
  process.kill = (pid, signal) => {
    signalled.push(pid)
    return kill.call(process, pid, signal)
  }
  try {
    await group.end()
  } finally {
    process.kill = kill
  }
  expect(signalled).toEqual([])
})
