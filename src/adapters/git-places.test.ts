import { symlinkSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestRepository, gitIn } from '../../test/support/test-repository.js'
import { createTestWorkspace, type TestWorkspace } from '../../test/support/tool-workspace.js'
import { gitPlaces } from './git-places.js'

let home: TestWorkspace
let project: TestWorkspace
beforeEach(() => {
  home = createTestWorkspace()
  project = createTestRepository()
})
afterEach(() => {
  home.remove()
  project.remove()
})

const placesIn = (...roots: readonly string[]) => gitPlaces({ roots, home: home.root, env: {} })

test('a folder of hooks that git’s settings name is one of the places, and no other folder is', () => {
  project.write('githooks/pre-commit', 'x')
  const places = placesIn(project.root)
  expect(places()).toEqual([])
  gitIn(project.root, 'config', 'core.hooksPath', 'githooks')
  expect(places()).toEqual([project.path('githooks')])
  gitIn(project.root, 'config', 'core.hooksPath', project.path('tools/my hooks'))
  expect(places()).toEqual([project.path('tools/my hooks')])
  gitIn(project.root, 'config', '--unset', 'core.hooksPath')
  expect(places()).toEqual([])
})

test('a folder of hooks elsewhere is none of the workspace: writing to /dev/null stays free', () => {
  for (const path of ['/dev/null', '~/hooks', '../hooks', '']) {
    project.write('.git/config', `[core]\n\thooksPath = ${path}\n`)
    expect(placesIn(project.root)(), path).toEqual([])
  }
})

test('a folder of hooks that is the whole workspace leaves all but the hooks free', () => {
  gitIn(project.root, 'config', 'core.hooksPath', '.')
  const places = placesIn(project.root)()
  expect(places).toContain(project.path('pre-commit'))
  expect(places).not.toContain(project.root)
})

test('settings that git takes from the work tree are places, under any condition and over any number of files', () => {
  project.write('.gitconfig', '[Include]\n  PATH = "conf/more" ; further\n')
  gitIn(project.root, 'config', 'include.path', '../.gitconfig')
  gitIn(project.root, 'config', 'includeIf.gitdir:/x/.path', '../not-there')
  // Git itself gives up on a circle.
  project.write('conf/more', '[core] hookspath = "conf\\"s/hooks" # here\n[include]\npath=../.gitconfig\n')
  const places = placesIn(project.root)
  expect([...places()].sort()).toEqual(
    [
      project.path('.gitconfig'),
      project.path('conf"s/hooks'),
      project.path('conf/more'),
      project.path('not-there'),
    ].sort(),
  )
  project.write('not-there', '[core]\nhooksPath = made\\\n-later\n')
  expect(places()).toContain(project.path('made-later'))
})

test('the user’s own settings may name a folder of every repository, and may lie in the workspace themselves', () => {
  project.write('gitconfig', '[core]\n\thooksPath = .githooks\n')
  symlinkSync(project.path('gitconfig'), home.path('.gitconfig'))
  expect(new Set(placesIn(project.root)())).toEqual(new Set([home.path('.gitconfig'), project.path('.githooks')]))
})

test('in a linked work tree the settings of its repository and its own count', () => {
  gitIn(project.root, 'worktree', 'add', '-q', home.path('linked'))
  gitIn(project.root, 'config', 'core.hooksPath', 'githooks')
  gitIn(project.root, 'config', 'extensions.worktreeConfig', 'true')
  gitIn(home.path('linked'), 'config', '--worktree', 'include.path', home.path('linked/own'))
  expect([...placesIn(home.path('linked'))()].sort()).toEqual([home.path('linked/githooks'), home.path('linked/own')])
  expect(placesIn(project.path('sub'))()).toEqual([])
})
