/** What runs declare, kept once by content: one object for equal bytes, so that adapters serialise it once. */
import type { RunStore } from '../core/run-store.js'
import type { Declared } from '../core/types.js'

const bound = 256

export class DeclaredBook {
  readonly #store: RunStore
  readonly #hashes = new Map<string, string>()
  readonly #values = new Map<string, Declared>()

  constructor(store: RunStore) {
    this.#store = store
  }

  async keep(declared: Declared): Promise<string> {
    const text = JSON.stringify(declared)
    const known = this.#hashes.get(text)
    if (known !== undefined) return known
    const hash = await this.#store.keep(text)
    remember(this.#hashes, text, hash)
    if (!this.#values.has(hash)) remember(this.#values, hash, declared)
    return hash
  }

  async fetch(hash: string): Promise<Declared> {
    const known = this.#values.get(hash)
    if (known) return known
    const text = await this.#store.fetch(hash)
    if (text === undefined) throw new Error(`what was declared under ${hash} is no longer in the store`)
    const declared = JSON.parse(text) as Declared
    remember(this.#values, hash, declared)
    return declared
  }
}

/** The oldest goes when there are too many: it can be read again. */
function remember<V>(map: Map<string, V>, key: string, value: V): void {
  map.set(key, value)
  if (map.size > bound) map.delete(map.keys().next().value as string)
}
