import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestRepository, gitIn } from '../../../test/support/test-repository.js'
import { createTestWorkspace, type TestWorkspace } from '../../../test/support/tool-workspace.js'
import type { RunId } from '../../core/message.js'
import type { Brief } from '../../core/types.js'
import { createPlainSandbox } from './none.js'
import { createWorktreeSandbox } from './worktree.js'
import { mergeWorktree } from './worktree-list.js'

const made: TestWorkspace[] = []
let repository: TestWorkspace
let place: TestWorkspace
const inRepository = (...args: string[]) => gitIn(repository.root, ...args)

beforeEach(() => {
  repository = createTestRepository()
  place = createTestWorkspace()
  made.push(repository, place)
})
afterAll(() => {
  for (const workspace of made) workspace.remove()
})

const enter = (runId: string, carriesChanges = false) => {
  const { root } = repository
  const options = { otherwise: createPlainSandbox({ cwd: root }), cwd: root, directory: place.path('worktrees') }
  const brief = { isolation: 'worktree' } as Brief
  return createWorktreeSandbox({ ...options, carriesChanges }).enter({ runId: runId as RunId, brief })
}
const merge = (runId = 'one', cwd = repository.root) => mergeWorktree(cwd, runId)
const commitHere = (name: string) => {
  inRepository('add', '-A')
  inRepository('commit', '-qm', name)
}

describe('settings of the user changed what a merge brings over', () => {
  const lines = (first: string, last: string) =>
    [first, ...Array.from({ length: 20 }, (_, index) => `line ${index}`), last, ''].join('\n')
  const settings: readonly (readonly string[])[] = [
    ['diff.noprefix=true'],
    ['diff.mnemonicPrefix=true', 'diff.suppressBlankEmpty=true', 'diff.submodule=log', 'core.quotePath=false'],
    ['diff.context=0', 'diff.interHunkContext=40', 'diff.relative=true', 'diff.renames=copies', 'status.branch=true'],
    ['diff.orderFile=nowhere', 'color.ui=always'],
    ['core.autocrlf=true', 'core.safecrlf=true'],
    ['apply.whitespace=fix', 'apply.ignoreWhitespace=change'],
  ]
  const set = (those: readonly string[]) => {
    for (const each of those) inRepository('config', ...each.split('='))
  }
  beforeEach(() => {
    repository.write('config.txt', lines('one', 'two'))
    repository.write('src/config.txt', lines('one', 'two'))
    repository.write('src/gone.txt', 'gone\n')
    commitHere('second')
  })

  test.each(settings.map(those => [those]))('%s', async those => {
    set(those)
    await enter('one')
    const wrote = lines('ONE', 'two')
    place.write('worktrees/one/src/config.txt', wrote)
    place.write('worktrees/one/src/ümlaut made.txt', 'made  \n\n')
    place.write('worktrees/one/a.txt', 'a\nmore \t\n')
    rmSync(place.path('worktrees/one/src/gone.txt'))
    // The user's own, elsewhere in the file.
    repository.write('src/config.txt', lines('one', 'mine'))
    const merged = ['a.txt', 'src/config.txt', 'src/gone.txt', 'src/ümlaut made.txt']
    mkdirSync(repository.path('src/deep'))
    expect(await merge('one', repository.path('src/deep'))).toEqual({ merged, apart: [] })
    const text = (path: string) => repository.text(path).replaceAll('\r\n', '\n')
    expect(text('config.txt')).toBe(lines('one', 'two'))
    expect(text('src/config.txt')).toBe(lines('ONE', 'mine'))
    expect([text('src/ümlaut made.txt'), text('a.txt')]).toEqual(['made  \n\n', 'a\nmore \t\n'])
    expect(existsSync(repository.path('src/gone.txt'))).toBe(false)
  })

  test.each(settings.map(those => [those]))('%s, and what a new worktree takes along', async those => {
    set(those)
    repository.write('src/config.txt', lines('one', 'mine '))
    await enter('one', true)
    const text = (path: string) => place.text(`worktrees/one/${path}`).replaceAll('\r\n', '\n')
    expect([text('src/config.txt'), text('config.txt')]).toEqual([lines('one', 'mine '), lines('one', 'two')])
  })
})
