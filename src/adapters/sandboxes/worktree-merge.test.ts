import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { gitIn } from '../../../test/support/test-repository.js'
import { worktreePlace } from '../../../test/support/worktree-place.js'
import { contentHash } from '../os/content-hash.js'
import { writeMerge } from './merge-files.js'

const { repository, place, inRepository, enter, merge, commitHere } = worktreePlace()

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

describe('a merge that was cut off, or failed, took work of the user with it', () => {
  const merges = () => readdirSync(place.path('merges'))
  beforeEach(async () => {
    repository.write('z.txt', 'z\n')
    repository.write('deep/er/c.txt', 'c\n')
    commitHere('second')
    await enter('one')
    place.write('worktrees/one/new/n.txt', 'new\n')
    place.write('worktrees/one/z.txt', 'z\nrun\n')
    rmSync(place.path('worktrees/one/deep'), { recursive: true })
    place.write('worktrees/one/deep', 'a file now\n')
  })
  const isUntouched = () => {
    expect([repository.text('z.txt'), repository.text('deep/er/c.txt')]).toEqual(['z\n', 'c\n'])
    expect(inRepository('status', '--porcelain')).toBe('')
  }

  test('where files cannot be written all is as it was, and it is not called a misfit', async () => {
    place.write('merges', 'nothing can be made below a file')
    const refused = expect.stringMatching(/^It could not be brought over, and all is as it was: /)
    expect(await merge()).toEqual({ refused })
    isUntouched()
  })

  test('one that fails when half of the files are in their places puts them back', async () => {
    const patch = Buffer.from(`${gitIn(place.path('worktrees/one'), 'diff', '--binary', 'HEAD')}\n`)
    repository.write('.git/info/exclude', 'zz\n')
    repository.write('zz', 'a file')
    const more = Buffer.from(
      'diff --git a/zz/x b/zz/x\nnew file mode 100644\n--- /dev/null\n+++ b/zz/x\n@@ -0,0 +1 @@\n+x\n',
    )
    const names = ['deep/er/c.txt', 'z.txt', 'zz/x']
    const files = {
      root: repository.root,
      directory: place.path('merges'),
      runId: 'one',
      names,
      remember: async () => {},
    }
    await expect(writeMerge({ ...files, patch: Buffer.concat([patch, more]) })).rejects.toThrow('zz')
    isUntouched()
    expect(merges().filter(name => !name.endsWith('.lock'))).toEqual([])
  })

  test('one that was killed in the middle is put back by the next, which then brings over all', async () => {
    const { root } = repository
    const before = join(place.path('merges'), contentHash(root).slice(0, 16))
    const names = ['deep', 'deep/er/c.txt', 'new/n.txt', 'z.txt']
    const write = (name: string, text: string) => {
      mkdirSync(dirname(join(before, name)), { recursive: true })
      writeFileSync(join(before, name), text)
    }
    write('old/z.txt', 'mine\n')
    write('old/deep/er/c.txt', 'c\n')
    write('new/z.txt', 'mine\nrun\n')
    write('new/deep', 'a file now\n')
    write('new/new/n.txt', 'new\n')
    write('plan.json', JSON.stringify({ root, runId: 'one', names }))
    repository.write('z.txt', 'mine\nrun\n')
    rmSync(repository.path('deep'), { recursive: true })
    repository.write('.offshoot-merge/2', 'new\n')
    const earlier = expect.stringContaining('A merge of run one was cut off here')
    expect(await merge('two')).toMatchObject({ refused: expect.stringContaining('No worktree') })
    expect(await merge()).toMatchObject({ refused: expect.stringContaining('do not fit'), earlier })
    expect([repository.text('z.txt'), repository.text('deep/er/c.txt')]).toEqual(['mine\n', 'c\n'])
    expect(existsSync(repository.path('.offshoot-merge'))).toBe(false)
    repository.write('z.txt', 'z\n')
    expect(await merge()).toEqual({ merged: names, apart: [] })
    expect([repository.text('z.txt'), repository.text('deep')]).toEqual(['z\nrun\n', 'a file now\n'])
    expect(merges().filter(name => !name.endsWith('.lock'))).toEqual([])
  })

  test('a file that was changed after a merge was cut off is left as it is, and what it was before is kept', async () => {
    const before = join(place.path('merges'), contentHash(repository.root).slice(0, 16))
    mkdirSync(join(before, 'old'), { recursive: true })
    writeFileSync(join(before, 'old/z.txt'), 'before\n')
    writeFileSync(join(before, 'plan.json'), JSON.stringify({ runId: 'other', names: ['z.txt'] }))
    const said = await merge()
    expect(said).toMatchObject({ merged: expect.anything(), earlier: expect.stringContaining('changed since: z.txt') })
    expect(said.earlier).toContain(join(before, 'old'))
  })

  test('who may read a file, and whether it can be run, stay as the user has them', async () => {
    chmodSync(repository.path('z.txt'), 0o600)
    await merge()
    expect(statSync(repository.path('z.txt')).mode & 0o777).toBe(0o600)
    expect(existsSync(repository.path('.offshoot-merge'))).toBe(false)
  })
})

test('what a run did after its work was merged could not be merged any more', async () => {
  await enter('one')
  place.write('worktrees/one/made.txt', 'half\n')
  expect(await merge()).toMatchObject({ merged: ['made.txt'] })
  place.write('worktrees/one/made.txt', 'whole\n')
  place.write('worktrees/one/sub/b.txt', 'b\nmore\n')
  expect(await merge()).toEqual({ merged: ['made.txt', 'sub/b.txt'], apart: [] })
  expect([repository.text('made.txt'), repository.text('sub/b.txt')]).toEqual(['whole\n', 'b\nmore\n'])
  expect(await merge()).toEqual({ merged: [], apart: [] })
  inRepository('checkout', '-q', '.')
  inRepository('clean', '-fdq')
  expect(await merge()).toEqual({ merged: ['made.txt', 'sub/b.txt'], apart: [] })
  repository.write('made.txt', 'mine\n')
  expect(await merge()).toMatchObject({ refused: expect.stringContaining('do not fit') })
})
