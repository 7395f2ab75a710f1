/** What runs declare, kept once by content: one object for equal bytes, so that adapters serialise it once. */
import type { RunStore } from '../../core/run-store.js'
import type { Declared } from '../../core/types.js'

const bound = 256

export class DeclaredBook {
  readonly #store: RunStore
  readonly #texts = new WeakMap<Declared, string>()
  /** Of one object as often as it was asked for: a run takes one of them. */
  readonly #ahead = new WeakMap<Declared, Promise<string>[]>()
  readonly #values = new Map<string, Declared>()
  #latest: Declared | undefined

  constructor(store: RunStore) {
    this.#store = store
  }

  /**
   * Its address, once it is stored. Asked for each run anew: a store lets go of a text that no log names any more, and only
   * keeping it says that one is about to.
   */
  keep(declared: Declared): Promise<string> {
    return this.#ahead.get(declared)?.shift() ?? this.#keep(declared)
  }

  /** Begins to, so that it is stored with whatever else is being stored; the `keep` that follows hears how it went. */
  keepAhead(declared: Declared): void {
    const kept = this.#keep(declared)
    this.#ahead.set(declared, [...(this.#ahead.get(declared) ?? []), kept])
    kept.catch(() => {})
  }

  #keep(declared: Declared): Promise<string> {
    const kept = this.#store.keep(this.#textOf(declared))
    kept.then(
      hash => {
        if (!this.#values.has(hash)) remember(this.#values, hash, declared)
      },
      () => {},
    )
    return kept
  }

  #textOf(declared: Declared): string {
    const text =
      this.#texts.get(declared) ?? this.#texts.get(this.#twinOf(declared) ?? declared) ?? JSON.stringify(declared)
    this.#texts.set(declared, text)
    this.#latest = declared
    return text
  }

  /** The children of one turn declare the same, each in an object of its own: that is seen without spelling it out. */
  #twinOf({ system, tools }: Declared): Declared | undefined {
    const twin = this.#latest
    if (twin?.system !== system || twin.tools.length !== tools.length) return undefined
    return tools.every((tool, at) => tool === twin.tools[at]) ? twin : undefined
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
