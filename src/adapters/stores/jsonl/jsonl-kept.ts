/**
 * Texts kept by content: `kept/<hash>.txt`, or `.json` where the text is no proper Unicode and would not come back from
 * a file as it was. A text stays while a log names it, and for `keptGraceMs` after it was last
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
    if (isProper(content)) await this.#files.writeWhole(this.#path(address), content)
    else await this.#files.writeWhole(this.#path(address, 'json'), JSON.stringify(content))
    await this.#touch(address)
    return address
  }

  async fetch(address: string): Promise<string | undefined> {
    if (!isAddress(address)) return undefined
    const text = await readIfThere(this.#path(address))
    if (text !== undefined) return text
    const json = await readIfThere(this.#path(address, 'json'))
    return json === undefined ? undefined : JSON.parse(json)
  }

  /** A log has come to name these. */
  async noteUses(addresses: Iterable<string>): Promise<void> {
    for (const address of addresses) await this.#touch(address)
  }

  async addresses(): Promise<readonly string[]> {
    const names = await readdir(this.#files.kept)
    return names.filter(name => /\.(txt|json)$/.test(name)).map(name => `sha256:${name.replace(/\.\w+$/, '')}`)
  }

  /** Deletes those of them, which no log names, that nobody has touched for long enough. */
  async sweep(addresses: Iterable<string>): Promise<void> {
    for (const address of addresses) {
      for (const path of this.#paths(address)) {
        const file = await stat(path).catch(() => undefined)
        if (file && file.mtimeMs < this.#now() - keptGraceMs) await rm(path, { force: true })
      }
    }
  }

  /** False when it is not there. */
  async #touch(address: string): Promise<boolean> {
    const seconds = this.#now() / 1_000
    for (const path of this.#paths(address)) {
      const isThere = await utimes(path, seconds, seconds).then(
        () => true,
        () => false,
      )
      if (isThere) return true
    }
    return false
  }

  #paths(address: string): readonly string[] {
    return [this.#path(address), this.#path(address, 'json')]
  }

  #path(address: string, kind = 'txt'): string {
    return join(this.#files.kept, `${address.slice('sha256:'.length)}.${kind}`)
  }
}

// Half of a pair is written as another sign.
const isProper = (text: string): boolean => !/\p{Surrogate}/u.test(text)
