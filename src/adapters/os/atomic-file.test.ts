import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { bundleTo } from '../../../test/support/bundle.js'
import { createTestWorkspace } from '../../../test/support/tool-workspace.js'
import { changeFile } from './atomic-file.js'
import { contentHash } from './content-hash.js'
import { createFileLocks } from './file-lock.js'
import { createPrivateDir, createPrivateFile } from './private-dir.js'
import { FileRefused, openRealFile, resolveRealPath } from './real-file.js'

const workspace = createTestWorkspace()
const outside = createTestWorkspace()
afterAll(() => {
  workspace.remove()
  outside.remove()
})
const locks = createFileLocks(workspace.path('.locks'))
const to = (text: string) => () => Buffer.from(text)

test('a new file comes with its directories; an old one keeps its mode; nothing is left beside it', async () => {
  const made = await changeFile(workspace.path('a/b/new.txt'), locks, to('hello'))
  expect(made).toEqual({ version: contentHash('hello'), before: undefined })
  chmodSync(workspace.path('a/b/new.txt'), 0o640)
  const changed = await changeFile(workspace.path('a/b/new.txt'), locks, before => {
    expect(before?.bytes?.toString()).toBe('hello')
    return Buffer.from('changed')
  })
  expect(changed.before?.version).toBe(contentHash('hello'))
  expect(workspace.text('a/b/new.txt')).toBe('changed')
  expect(statSync(workspace.path('a/b/new.txt')).mode & 0o777).toBe(0o640)
  expect(readdirSync(workspace.path('a/b'))).toEqual(['new.txt'])
})

test('when the decision throws, or the content cannot be placed, nothing is changed and nothing is left', async () => {
  const path = workspace.write('kept/file.txt', 'as it was')
  const refuse = () => {
    throw new Error('no')
  }
  await expect(changeFile(path, locks, refuse)).rejects.toThrow('no')
  await expect(
    changeFile(workspace.path('kept/new.txt'), locks, () => {
      writeFileSync(workspace.path('kept/new.txt'), 'theirs')
      return Buffer.from('ours')
    }),
  ).rejects.toThrow('appeared just now')
  await expect(
    changeFile(path, locks, () => {
      writeFileSync(path, 'changed by another program')
      return Buffer.from('ours')
    }),
  ).rejects.toThrow('changed by another program just now')
  expect(workspace.text('kept/new.txt')).toBe('theirs')
  expect(readdirSync(workspace.path('kept')).sort()).toEqual(['file.txt', 'new.txt'])
})

test('a file that is marked read-only is not replaced', async () => {
  const path = workspace.write('locked.txt', 'kept', 0o444)
  await expect(changeFile(path, locks, to('x'))).rejects.toThrow('is read-only')
  expect(workspace.text('locked.txt')).toBe('kept')
})

test('a link, a directory, a pipe or a dangling link is never written through', async () => {
  outside.write('victim.txt', 'intact')
  symlinkSync(outside.path('victim.txt'), workspace.path('link.txt'))
  symlinkSync(outside.path('missing.txt'), workspace.path('dangling.txt'))
  mkdirSync(workspace.path('folder'))
  await expect(changeFile(workspace.path('link.txt'), locks, to('x'))).rejects.toThrow(FileRefused)
  await expect(changeFile(workspace.path('folder'), locks, to('x'))).rejects.toThrow('not a regular file')
  expect(() => resolveRealPath(workspace.path('dangling.txt'))).toThrow('does not exist')
  expect(() => openRealFile(workspace.path('link.txt'))).toThrow('turned into a link')
  expect(outside.text('victim.txt')).toBe('intact')
})

test('E04 a directory swapped for a link again and again never moves a write outside', async () => {
  mkdirSync(workspace.path('race/real/dir'), { recursive: true })
  mkdirSync(outside.path('dir'))
  outside.write('dir/target.txt', 'intact')
  const swapper = spawn(
    process.execPath,
    [
      '-e',
      `const fs = require('fs'); process.chdir(process.argv[1]); console.log('ready')
       const end = Date.now() + 1500
       while (Date.now() < end) {
         try {
           fs.renameSync('real', 'aside'); fs.symlinkSync(process.argv[2], 'real')
           fs.unlinkSync('real'); fs.renameSync('aside', 'real')
         } catch {
           // The writer made the missing directory anew, between the two steps.
           try { fs.renameSync('real', 'trash' + Math.random()) } catch {}
           try { fs.renameSync('aside', 'real') } catch {}
         }
       }`,
      workspace.path('race'),
      outside.root,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const ended = new Promise(resolve => swapper.on('exit', resolve))
  await new Promise(resolve => swapper.stdout.once('data', resolve))
  const isOver = { now: false }
  ended.then(() => {
    isOver.now = true
  })
  let [written, refused] = [0, 0]
  while (!isOver.now) {
    try {
      await changeFile(workspace.path('race/real/dir/target.txt'), locks, to(`write ${written}`))
      written++
    } catch {
      refused++
    }
  }
  expect(written + refused).toBeGreaterThan(20)
  expect(readFileSync(outside.path('dir/target.txt'), 'utf8')).toBe('intact')
  expect(readdirSync(outside.path('dir'))).toEqual(['target.txt'])
})

test('E09 three processes appending to one file lose nothing', async () => {
  const program = workspace.path('appender.mjs')
  await bundleTo(
    program,
    `import { changeFile } from './src/adapters/os/atomic-file.js'
     import { createFileLocks } from './src/adapters/os/file-lock.js'
     const [, , path, directory, name] = process.argv
     const locks = createFileLocks(directory)
     for (let i = 0; i < 30; i++) {
       await changeFile(path, locks, before => Buffer.from((before?.bytes ?? '') + name + i + '\\n'))
     }`,
  )
  const path = workspace.path('appended.txt')
  const ends = ['a', 'b', 'c'].map(name => {
    const child = spawn(process.execPath, [program, path, workspace.path('.shared-locks'), name], { stdio: 'inherit' })
    return new Promise(resolve => child.on('exit', resolve))
  })
  expect(await Promise.all(ends)).toEqual([0, 0, 0])
  const lines = workspace.text('appended.txt').trim().split('\n')
  expect(new Set(lines).size).toBe(90)
  for (const name of ['a', 'b', 'c']) {
    expect(lines.filter(line => line.startsWith(name))).toEqual(Array.from({ length: 30 }, (_, i) => `${name}${i}`))
  }
})

test('E07 H05 private directories and files are ours alone, and a planted name is an error', async () => {
  const before = process.umask(0)
  const place = await createPrivateDir().finally(() => process.umask(before))
  try {
    const file = await place.write('note.txt', 'text')
    expect(statSync(place.path).mode & 0o777).toBe(0o700)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    outside.write('mine.txt', 'intact')
    symlinkSync(outside.path('mine.txt'), `${place.path}/planted`)
    await expect(createPrivateFile(`${place.path}/planted`, 'x')).rejects.toThrow('EEXIST')
    expect(outside.text('mine.txt')).toBe('intact')
  } finally {
    await place.remove()
  }
})
