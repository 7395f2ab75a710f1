/**
 * Texts kept by content: `kept/<hash>.txt`. Beside it lies one `<hash>.<number>.awaited` for each `keep` whose log does
 * not name the text yet, so that a removal of another tree leaves it alone.
 */
import { randomUUID } from 'node:crypto'
import { readdir, rm, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { addressOf, isAddress } from './content-address.js'
import { type JsonlFiles, readIfThere } from './jsonl-files.js'

export class JsonlKept {
  readonly #files: JsonlFiles
  readonly #directory: string

  constructor(files: JsonlFiles) {
    this.#files = files
    this.#directory = files.kept
  }

  async keep(content: string): Promise<string> {
    const address = addressOf(content)
    await this.#files.writeWhole(join(this.#directory, `${hashIn(address)}.${randomUUID()}.awaited`), '')
    if ((await this.fetch(address)) === undefined) await this.#files.writeWhole(this.#path(address), content)
    return address
  }

  async fetch(address: string): Promise<string | undefined> {
    return isAddress(address) ? readIfThere(this.#path(address)) : undefined
  }

  /** A log names these now. */
  async arrived(addresses: Iterable<string>): Promise<void> {
    for (const address of addresses) {
      for (const name of await this.#awaiting(address)) {
        const isMine = await unlink(join(this.#directory, name)).then(
          () => true,
          () => false,
        )
        if (isMine) break
      }
    }
  }

  /** Deletes these unless a log was awaited for them since `before`. */
  async drop(addresses: Iterable<string>, before: number): Promise<void> {
    for (const address of addresses) {
      const awaiting = await this.#awaiting(address)
      const times = await Promise.all(awaiting.map(name => stat(join(this.#directory, name)).catch(() => undefined)))
      if (times.some(time => time && time.mtimeMs >= before)) continue
      for (const name of awaiting) await rm(join(this.#directory, name), { force: true })
      await rm(this.#path(address), { force: true })
    }
  }

  async #awaiting(address: string): Promise<readonly string[]> {
    const prefix = `${hashIn(address)}.`
    return (await readdir(this.#directory)).filter(name => name.startsWith(prefix) && name.endsWith('.awaited'))
  }

  #path(address: string): string {
    return join(this.#directory, `${hashIn(address)}.txt`)
  }
}

const hashIn = (address: string): string => address.slice('sha256:'.length)
