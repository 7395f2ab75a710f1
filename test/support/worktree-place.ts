import { createPlainSandbox } from '../../src/adapters/sandboxes/none.js'
import { createWorktreeSandbox } from '../../src/adapters/sandboxes/worktree.js'
import { mergeWorktree } from '../../src/adapters/sandboxes/worktree-merge.js'
import type { RunId } from '../../src/core/message.js'
import type { Brief } from '../../src/core/types.js'
import { freshWorkspace } from './fresh-workspace.js'
import { createTestRepository, gitIn } from './test-repository.js'

export const isolated = { isolation: 'worktree' } as Brief

/** Once at the top of a file: for each of its tests a repository, and outside of it a place for work trees and merges. */
export function worktreePlace() {
  const repository = freshWorkspace(createTestRepository)
  const place = freshWorkspace()
  const inRepository = (...args: string[]) => gitIn(repository.root, ...args)
  const sandbox = (carriesChanges = false) =>
    createWorktreeSandbox({
      otherwise: createPlainSandbox({ cwd: repository.root }),
      cwd: repository.root,
      directory: place.path('worktrees'),
      carriesChanges,
    })
  return {
    repository,
    place,
    inRepository,
    sandbox,
    enter: (runId = 'one', carriesChanges = false) =>
      sandbox(carriesChanges).enter({ runId: runId as RunId, brief: isolated }),
    merge: (runId = 'one', cwd = repository.root) => mergeWorktree({ cwd, runId, directory: place.path('merges') }),
    commitHere: (name: string) => {
      inRepository('add', '-A')
      inRepository('commit', '-qm', name)
    },
  }
}
