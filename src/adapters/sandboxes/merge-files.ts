/**
 * Writes a merge into a working tree so that it may be cut off anywhere and nothing is lost.
 * M1 It is made ready elsewhere, from copies of the files as they are, by git. What fails until then has changed nothing.
 * M2 Then every new file is written into one folder of the working tree: a full disk is found out there.
 * M3 Only then each is put in its place by a rename. What fails there is put back at once; whoever asks us to stop
 *    meanwhile waits for that moment. Killed all the same, the next merge finds the plan, and puts back what it says.
 */
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  symlinkSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { messageOf } from '../../core/thrown.js'
import { contentHash } from '../os/content-hash.js'
import { createFileLocks } from '../os/file-lock.js'
import { makeDirectories } from '../os/make-directories.js'
import { readPrivateJson, writePrivateJson } from '../os/private-json.js'
import { git, tryGit } from '../os/safe-git.js'

export interface MergeFiles {
  /** The top of the working tree. */
  readonly root: string
  readonly directory: string
  readonly runId: string
  readonly patch: Buffer
  /** All that the patch touches. */
  readonly names: readonly string[]
  /** All is ready: remembers what is being brought over. */
  remember(): Promise<unknown>
}

/** In the working tree, for as long as a merge takes. */
const readyFolder = '.offshoot-merge'

const placeFor = (root: string, directory: string): string => join(directory, contentHash(root).slice(0, 16))
const planIn = (place: string): string => join(place, 'plan.json')

/** Not all could be put back; the message says what. */
export class HalfWritten extends Error {}

/** Rejects when anything fails: then all is as it was, but for a `HalfWritten`. */
export function writeMerge(files: MergeFiles): Promise<void> {
  const place = placeFor(files.root, files.directory)
  return locked(files.directory, place, async () => {
    rmSync(place, { recursive: true, force: true })
    try {
      await makeReady(files, place)
      writePrivateJson(planIn(place), { root: files.root, runId: files.runId, names: files.names })
      fillReadyFolder(files, place)
      await files.remember()
    } catch (error) {
      forget(files.root, place)
      throw error
    }
    undisturbed(() => {
      putInPlace(files, place)
      forget(files.root, place)
    })
  })
}

/** What became of a merge into this working tree that was cut off; undefined when there was none. */
export async function putBackCutOff(root: string, directory: string): Promise<string | undefined> {
  const place = placeFor(root, directory)
  if (!existsSync(place)) return undefined
  return locked(directory, place, async () => {
    const plan = readPrivateJson(planIn(place))
    if (!plan) {
      forget(root, place)
      return undefined
    }
    const left = putBack(root, place, plan.names as readonly string[])
    const words = `A merge of run ${plan.runId} was cut off here; what it had written was put back as it was before.`
    forget(root, place, left.length > 0)
    if (left.length === 0) return words
    return `${words} Left as they are, because they were changed since: ${left.join(', ')}; how they were before is in ${join(place, 'old')}.`
  })
}

async function locked<T>(directory: string, place: string, work: () => Promise<T>): Promise<T> {
  makeDirectories(directory, 0o700)
  return createFileLocks(directory).withLock(place, work)
}

/** M1. `old` holds the files as they are, `new` as they will be. */
async function makeReady({ root, patch, names }: MergeFiles, place: string): Promise<void> {
  const [before, after] = [join(place, 'old'), join(place, 'new')]
  for (const folder of [before, after]) makeDirectories(folder, 0o700)
  for (const name of names) {
    copy(join(root, name), join(before, name))
    copy(join(root, name), join(after, name))
  }
  for (const name of attributeFiles(names)) if (!names.includes(name)) copy(join(root, name), join(after, name))
  const own = (await git(['rev-parse', '--absolute-git-dir'], { cwd: root })).trim()
  const there = [`--git-dir=${own}`, `--work-tree=${after}`, '-C', after]
  const applied = await tryGit([...there, 'apply', '-'], { cwd: root, input: patch })
  if (applied.code !== 0) throw new Error(applied.stderr.trim() || 'git was stopped')
}

/** They say how a file is converted between a patch and the disk: line ends, keywords. */
function attributeFiles(names: readonly string[]): readonly string[] {
  const folders = new Set(['.'])
  for (const name of names)
    for (let folder = dirname(name); folder !== '.'; folder = dirname(folder)) folders.add(folder)
  return [...folders].map(folder => join(folder, '.gitattributes'))
}

/** M2. */
function fillReadyFolder({ root, names }: MergeFiles, place: string): void {
  const folder = join(root, readyFolder)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  for (const [index, name] of names.entries()) {
    const ready = join(folder, String(index))
    copy(join(place, 'new', name), ready)
    const [was, becomes] = [statsOf(join(root, name)), statsOf(ready)]
    if (!becomes?.isFile()) continue
    if (was?.isFile()) chmodSync(ready, modeOf(was.mode, becomes.mode))
    sync(ready)
  }
}

/** What the user had allowed others stays so; only whether it can be run is the merge's to say. */
function modeOf(was: number, becomes: number): number {
  const readers = was & 0o444
  return (was & 0o666) | ((becomes & 0o100) === 0 ? 0 : readers >> 2)
}

/** M3. */
function putInPlace({ root, names }: MergeFiles, place: string): void {
  try {
    const ready = (index: number) => join(root, readyFolder, String(index))
    for (const name of names) {
      const now = join(root, name)
      // A folder holds others of these names.
      if (statsOf(now)?.isDirectory() || isSame(now, join(place, 'old', name))) continue
      throw new Error(`${name} was changed meanwhile`)
    }
    for (const [index, name] of names.entries()) if (!statsOf(ready(index))) takeAway(root, name)
    for (const [index, name] of names.entries()) {
      if (!statsOf(ready(index))) continue
      makeDirectories(dirname(join(root, name)))
      renameSync(ready(index), join(root, name))
    }
  } catch (error) {
    const left = putBack(root, place, names)
    forget(root, place, left.length > 0)
    if (left.length === 0) throw error
    throw new HalfWritten(`${messageOf(error)}. ${left.join(', ')}: how they were is in ${join(place, 'old')}`)
  }
}

/** The names of those that are neither as they were nor as the merge wrote them: they stay. */
function putBack(root: string, place: string, names: readonly string[]): readonly string[] {
  const left: string[] = []
  const ready = join(root, readyFolder, 'back')
  for (const name of names) {
    const [was, becomes, now] = [join(place, 'old', name), join(place, 'new', name), join(root, name)]
    if (isSame(now, was)) continue
    try {
      if (!isSame(now, becomes)) throw new Error('changed since')
      if (!statsOf(was)) takeAway(root, name)
      else {
        copy(was, ready)
        makeDirectories(dirname(now))
        renameSync(ready, now)
      }
    } catch {
      left.push(name)
    }
  }
  return left
}

function forget(root: string, place: string, keepsOld = false): void {
  rmSync(join(root, readyFolder), { recursive: true, force: true })
  rmSync(planIn(place), { force: true })
  if (!keepsOld) rmSync(place, { recursive: true, force: true })
}

/** With the folders that are empty without it, as git does. */
function takeAway(root: string, name: string): void {
  rmSync(join(root, name), { force: true })
  for (let folder = dirname(name); folder !== '.'; folder = dirname(folder)) {
    try {
      rmdirSync(join(root, folder))
    } catch {
      return
    }
  }
}

/** Files and links; nothing where there is nothing. */
function copy(from: string, to: string): void {
  const stats = statsOf(from)
  if (!stats || stats.isDirectory()) return
  makeDirectories(dirname(to))
  rmSync(to, { force: true })
  if (stats.isSymbolicLink()) symlinkSync(readlinkSync(from), to)
  else copyFileSync(from, to)
}

function isSame(one: string, other: string): boolean {
  const [first, second] = [statsOf(one), statsOf(other)]
  if (!first || !second) return first === second
  // What is in them has names of its own.
  if (first.isDirectory() && second.isDirectory()) return true
  if (first.isSymbolicLink() && second.isSymbolicLink()) return readlinkSync(one) === readlinkSync(other)
  if (!first.isFile() || !second.isFile() || first.size !== second.size) return false
  return readFileSync(one).equals(readFileSync(other))
}

function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as { code?: string }).code ?? '')) return undefined
    throw error
  }
}

function sync(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Nothing in `act` waits, so who listens for a signal hears it after it. */
function undisturbed(act: () => void): void {
  const listens = () => {}
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const signal of signals) process.on(signal, listens)
  try {
    act()
  } finally {
    for (const signal of signals) process.off(signal, listens)
  }
}
