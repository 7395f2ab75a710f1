import { rmSync, symlinkSync } from 'node:fs'
import { expect, test } from 'vitest'
import { freshWorkspace } from '../../../test/support/fresh-workspace.js'
import { createTestRepository, gitIn } from '../../../test/support/test-repository.js'
import { gitPlaces } from './git-places.js'

const home = freshWorkspace()
const project = freshWorkspace(createTestRepository)

const placesIn = (...roots: readonly string[]) => {
  const places = gitPlaces({ roots, home: home.root, env: {} })
  return () => places().filter(path => !always().includes(path))
}

/** The user's own settings, there or not. */
const always = () => ['/etc/gitconfig', home.path('.config/git/config'), home.path('.gitconfig')]

test('the user’s own settings are places in every directory, before they are there', () => {
  for (const root of [project.root, project.path('sub'), home.root])
    expect(gitPlaces({ roots: [root], home: home.root, env: {} })()).toEqual(always())
  const env = { GIT_CONFIG_GLOBAL: home.path('own'), XDG_CONFIG_HOME: home.path('xdg') }
  expect(gitPlaces({ roots: [project.root], home: home.root, env })()).toEqual(['/etc/gitconfig', home.path('own')])
  const { XDG_CONFIG_HOME } = env
  expect(gitPlaces({ roots: [project.root], home: home.root, env: { XDG_CONFIG_HOME } })()).toContain(
    home.path('xdg/git/config'),
  )
})

test('a script of the workspace that a hook links to is one of the places, and so is a folder that all hooks are', () => {
  project.write('scripts/check.sh', 'x')
  const places = placesIn(project.root)
  expect(places()).toEqual([])
  project.write('.git/hooks/README', 'x')
  symlinkSync('../../scripts/check.sh', project.path('.git/hooks/pre-commit'))
  expect(places()).toEqual([project.path('scripts/check.sh')])
  rmSync(project.path('.git/hooks'), { recursive: true })
  symlinkSync('../made-later', project.path('.git/hooks'))
  expect(places()).toEqual([project.path('made-later')])
})

test('a folder of hooks in the user’s home is a place as well, also before it is there', () => {
  home.write('.gitconfig', '[core]\n\thooksPath = ~/my-hooks\n[include]\n\tpath = more\n')
  expect(placesIn(project.root)()).toEqual([home.path('my-hooks'), home.path('more')])
})

test('a template whose hooks every new repository gets is a place', () => {
  home.write('.gitconfig', '[init]\n\ttemplateDir = ~/.git-template\n\tdefaultBranch = main\n')
  expect(placesIn(project.root)()).toEqual([home.path('.git-template')])
})

test('a folder of hooks that git’s settings name is one of the places, and no other folder is', () => {
  project.write('githooks/pre-commit', 'x')
  const places = placesIn(project.root)
  expect(places()).toEqual([])
  gitIn(project.root, 'config', 'core.hooksPath', 'githooks')
  expect(places()).toEqual([project.path('githooks')])
  gitIn(project.root, 'config', 'core.hooksPath', project.path('tools/my hooks'))
  expect(places()).toEqual([project.path('tools/my hooks')])
  gitIn(project.root, 'config', 'core.hooksPath', '.husky/_')
  expect(places()).toEqual([project.path('.husky/_'), project.path('.husky')])
  gitIn(project.root, 'config', '--unset', 'core.hooksPath')
  expect(places()).toEqual([])
})

test('a folder of hooks elsewhere is none of the workspace: writing to /dev/null stays free', () => {
  for (const path of ['/dev/null', '../hooks', '']) {
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
  expect(placesIn(project.root)()).toEqual([project.path('.githooks')])
})

test('in a linked work tree the settings of its repository and its own count', () => {
  gitIn(project.root, 'worktree', 'add', '-q', home.path('linked'))
  gitIn(project.root, 'config', 'core.hooksPath', 'githooks')
  gitIn(project.root, 'config', 'extensions.worktreeConfig', 'true')
  gitIn(home.path('linked'), 'config', '--worktree', 'include.path', home.path('linked/own'))
  expect([...placesIn(home.path('linked'))()].sort()).toEqual([home.path('linked/githooks'), home.path('linked/own')])
  expect(placesIn(project.path('sub'))()).toEqual([])
})
