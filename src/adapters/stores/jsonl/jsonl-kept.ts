/**
 * Texts kept by content: `kept/<hash>.txt`. A text stays while a log names it, and for `keptGraceMs` after it was last
 * kept or newly named, which the file's own time says.
 */
import { readdir, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { addressOf, isAddress, keptGraceMs } from '../content-address.js'
import { type JsonlFiles, readIfThere } from './jsonl-files.js'

export class JsonlKept {
  readonly #files: JsonlFiles
  readonly #now: () => number

  constructor(files: JsonlFiles, now: () => number) {
    this.#files = files
    this.#now = now
  }

  async keep(content: string): Promise<string> {
    const address = addressOf(content)
    if (await this.#touch(address)) return address
    await this.#files.writeWhole(this.#path(address), content)
    await this.#touch(address)
    return address
  }

  async fetch(address: string): Promise<string | undefined> {
    return isAddress(address) ? readIfThere(this.#path(address)) : undefined
  }

  /** A log has come to name these. */
  async noteUses(addresses: Iterable<string>): Promise<void> {
    for (const address of addresses) await this.#touch(address)
  }

  async addresses(): Promise<readonly string[]> {
    const names = await readdir(this.#files.kept)
    return names.filter(name => name.endsWith('.txt')).map(name => `sha256:${name.slice(0, -'.txt'.length)}`)
  }

  /** Deletes those of them, which no log names, that nobody has touched for long enough. */
  async sweep(addresses: Iterable<string>): Promise<void> {
    for (const address of addresses) {
      const file = await stat(this.#path(address)).catch(() => undefined)
      if (file && file.mtimeMs < this.#now() - keptGraceMs) await rm(this.#path(address), { force: true })
    }
  }

  /** False when it is not there. */
  async #touch(address: string): Promise<boolean> {
    const seconds = this.#now() / 1_000
    return utimes(this.#path(address), seconds, seconds).then(
      () => true,
      () => false,
    )
  }

  #path(address: string): string {
    return join(this.#files.kept, `${address.slice('sha256:'.length)}.txt`)
  }
}
