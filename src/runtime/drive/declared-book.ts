/** What runs declare, kept once by content: one object for equal bytes, so that adapters serialise it once. */
import type { RunStore } from '../../core/run-store.js'
import type { Declared } from '../../core/types.js'

const bound = 256

export class DeclaredBook {
  readonly #store: RunStore
  readonly #asked = new WeakMap<Declared, Promise<string>>()
  readonly #hashes = new Map<string, Promise<string>>()
  readonly #values = new Map<string, Declared>()
  #latest: Declared | undefined

  constructor(store: RunStore) {
    this.#store = store
  }

  /** Its address, once it is stored. Asking ahead stores it together with whatever else is being stored. */
  keep(declared: Declared): Promise<string> {
    const known = this.#asked.get(declared) ?? this.#asked.get(this.#twinOf(declared) ?? declared)
    if (known) return known
    const kept = this.#keepText(JSON.stringify(declared), declared)
    this.#asked.set(declared, kept)
    this.#latest = declared
    kept.catch(() => this.#asked.delete(declared))
    return kept
  }

  /** The children of one turn declare the same, each in an object of its own: that is seen without spelling it out. */
  #twinOf({ system, tools }: Declared): Declared | undefined {
    const twin = this.#latest
    if (twin?.system !== system || twin.tools.length !== tools.length) return undefined
    return tools.every((tool, at) => tool === twin.tools[at]) ? twin : undefined
  }

  #keepText(text: string, declared: Declared): Promise<string> {
    const known = this.#hashes.get(text)
    if (known) return known
    const kept = this.#store.keep(text)
    remember(this.#hashes, text, kept)
    kept.then(
      hash => {
        if (!this.#values.has(hash)) remember(this.#values, hash, declared)
      },
      () => this.#hashes.delete(text),
    )
    return kept
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
