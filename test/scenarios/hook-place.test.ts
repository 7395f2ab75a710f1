/** What hooks hear of where, and in which attempt. */
import { expect, test } from 'vitest'
import { functionHooks } from '../../src/adapters/hooks/function-hooks.js'
import type { Sandbox } from '../../src/core/workspace.js'
import { agent, call, house, task, tool } from './house.js'

test('hooks of a child in a directory of its own heard that its call was made in the project', async () => {
  const sandbox: Sandbox = {
    enter: async ({ brief }) => {
      const cwd = brief.depth > 0 ? '/copy' : '/project'
      return { cwd, roots: [cwd], leave: async () => undefined }
    },
  }
  const heard: unknown[] = []
  const note = ({ point, brief, cwd }: { point: string; brief: { agent: string }; cwd?: string }) => {
    heard.push([point, brief.agent, cwd])
    return undefined
  }
  const { run } = house(
    { main: [call('Look'), { calls: [task('worker')] }, 'ok'], worker: [call('Look'), 'seen'] },
    {
      agents: [agent('worker')],
      tools: [tool('Look', 'read', () => 'x')],
      sandbox,
      hooks: functionHooks({ preTool: note, postTool: note, filter: (_, name) => name === 'Look' }),
    },
  )
  await run()
  expect(heard).toEqual([
    ['pre-tool', 'main', '/project'],
    ['post-tool', 'main', '/project'],
    ['pre-tool', 'worker', '/copy'],
    ['post-tool', 'worker', '/copy'],
  ])
})

test('the end of a session said that the first attempt had ended, after a resume', async () => {
  const attempts: unknown[] = []
  const { offshoot, run } = house(
    { main: ['once', 'twice'] },
    { hooks: functionHooks({ sessionEnd: ({ attempt }) => void attempts.push(attempt) }) },
  )
  const { runId } = await run()
  const again = await offshoot.resume(runId, 'go on')
  if ('refused' in again) throw new Error(again.refused)
  await again.result
  await offshoot.close()
  expect(attempts).toEqual([2])
})
