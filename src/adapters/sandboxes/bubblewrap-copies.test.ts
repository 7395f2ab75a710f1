import { afterAll, describe, expect, test } from 'vitest'
import { createTestRepository, gitIn } from '../../../test/support/test-repository.js'
import { createTestRun, createTestWorkspace, textOf } from '../../../test/support/tool-workspace.js'
import type { RunId } from '../../core/message.js'
import type { Brief } from '../../core/types.js'
import { createScratch } from '../os/scratch.js'
import { createBashTool } from '../tools/bash.js'
import { createShells } from '../tools/shells.js'
import { openBubblewrap } from './bubblewrap.js'
import { findBubblewrap } from './bubblewrap-test.js'
import { createPlainSandbox } from './none.js'
import { createWorktreeSandbox } from './worktree.js'

const repository = createTestRepository()
const state = createTestWorkspace()
const scratch = createScratch()
const shells = createShells({ scratch })
afterAll(async () => {
  await shells.close()
  repository.remove()
  state.remove()
})

describe.skipIf(!findBubblewrap())('in bubblewrap', () => {
  test('git runs the hooks of a kept work tree from the work tree: the copy of what is decisive is read-only there', async () => {
    repository.write('githooks/pre-commit', 'true\n')
    gitIn(repository.root, 'add', '.')
    gitIn(repository.root, 'commit', '-qm', 'hooks')
    const otherwise = createPlainSandbox({ cwd: repository.root })
    const inside = createWorktreeSandbox({ otherwise, cwd: repository.root, directory: state.path('worktrees') })
    const decisive = () => [repository.path('githooks')]
    const sandbox = await openBubblewrap({ inside, scratch, network: false, decisive })
    const entered = await sandbox.enter({ runId: 'copied' as RunId, brief: { isolation: 'worktree' } as Brief })
    const run = createTestRun(entered, 'copied')
    const call = async (command: string) => textOf(await run.call(createBashTool(shells), { command }))
    for (const command of ['echo evil > githooks/pre-commit', 'echo evil > githooks/new', 'mv githooks aside'])
      expect(await call(command), command).toMatch(/exit code/)
    expect(await call('echo more >> a.txt; cat a.txt githooks/pre-commit')).toBe('a\nmore\ntrue')
  })
})
