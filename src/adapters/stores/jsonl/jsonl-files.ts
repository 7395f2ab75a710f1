/** Where things lie below a JSONL store's directory, and how small files are written: whole or not at all. */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { RunId } from '../../../core/message.js'
import { parseJson } from '../../../core/text/parse-json.js'
import { draftName } from '../../os/process-owner.js'
import { sha256 } from '../content-address.js'
import { closeDirectory, closeFile, fromSystemError, prepareDirectory } from '../private-files.js'
import { StoreError } from '../store-error.js'

export class JsonlFiles {
  readonly root: string
  readonly inbox: string
  readonly kept: string
  readonly locks: string
  readonly owners: string
  readonly #isSynced: boolean

  /** `isSynced`: what is written is on the disk before anybody is told. */
  constructor(root: string, isSynced: boolean) {
    this.root = root
    this.#isSynced = isSynced
    this.inbox = join(root, 'inbox')
    this.kept = join(root, 'kept')
    this.locks = join(root, 'locks')
    this.owners = join(root, 'owners')
  }

  /** Wherever something is written whole. */
  get folders(): readonly string[] {
    return [
      this.root,
      join(this.root, 'runs'),
      join(this.root, 'claims'),
      this.owners,
      this.inbox,
      this.kept,
      this.locks,
    ]
  }

  log(runId: string): string {
    return join(this.root, 'runs', `${safeName(runId)}.jsonl`)
  }
  claim(runId: string): string {
    return join(this.root, 'claims', `${safeName(runId)}.json`)
  }
  lock(runId: string): string {
    return join(this.locks, safeName(runId))
  }
  owner(key: string): string {
    return join(this.owners, `${safeName(key)}.json`)
  }

  /** The run whose log would lie there. */
  runOf(log: string): RunId {
    const name = basename(log, '.jsonl')
    try {
      return decodeURIComponent(name) as RunId
    } catch {
      return name as RunId
    }
  }

  async logs(): Promise<readonly string[]> {
    const names = await readdir(join(this.root, 'runs'))
    return names
      .filter(name => name.endsWith('.jsonl'))
      .sort()
      .map(name => join(this.root, 'runs', name))
  }

  /** Another process sees the old content or the new, never half of it. */
  async writeWhole(path: string, text: string): Promise<void> {
    const draft = join(dirname(path), draftName(randomUUID()))
    try {
      await writeDraft(draft, text, this.#isSynced)
      await rename(draft, path)
      if (this.#isSynced) await syncDirectory(dirname(path))
    } catch (error) {
      await rm(draft, { force: true }).catch(() => {})
      throw fromSystemError(error, path)
    }
  }

  /** Makes the directories and sees that the format is one we know. */
  async prepare(): Promise<void> {
    for (const name of ['runs', 'claims', 'locks', 'owners', 'inbox', 'kept']) {
      await prepareDirectory(join(this.root, name))
      await closeDirectory(join(this.root, name))
    }
    const path = join(this.root, 'format.json')
    await closeFile(path)
    const text = await readIfThere(path)
    if (text === undefined) return this.writeWhole(path, `${JSON.stringify({ version: formatVersion })}\n`)
    const version = (parseJson(text) as { version?: unknown } | undefined)?.version
    if (typeof version !== 'number') {
      throw new StoreError('corrupt', `${path} is damaged. Delete it when the logs beside it are of this version.`, {
        path,
      })
    }
    if (version > formatVersion) {
      const message = `${this.root} was written by a newer Offshoot (its format is ${version}, this one knows ${formatVersion}).`
      throw new StoreError('newer-version', `${message} Update Offshoot, or choose another directory.`, { path })
    }
  }
}

const formatVersion = 1

/** A file name for any id: ids of our own stay readable, nothing can lead out of the directory. */
export function safeName(id: string): string {
  const name = encodeURIComponent(id).replace(/[.!'()*~]/g, char => `%${char.charCodeAt(0).toString(16)}`)
  return name.length > 0 && name.length <= 150 ? name : `long-${sha256(id)}`
}

async function writeDraft(path: string, text: string, isSynced: boolean): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(text)
    if (isSynced) await file.datasync()
  } finally {
    await file.close()
  }
}

/** A new name is durable only when its directory is. Where directories cannot be synced (Windows), nothing is lost by it. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r').catch(() => undefined)
  try {
    await directory?.sync().catch(() => {})
  } finally {
    await directory?.close()
  }
}

export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw fromSystemError(error, path)
  }
}

/** The same without leaving the tick: for the few bytes that every append looks at. */
export function readInPlace(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw fromSystemError(error, path)
  }
}
