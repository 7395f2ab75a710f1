/**
 * Headers of a request without undici, which Node loads (a tenth of a start) as soon as `Headers` is touched. The build puts
 * this in its place in the program: providers only set, read and list a few names with it.
 */
export type PlainHeadersInit = Iterable<readonly [string, string]> | Readonly<Record<string, string>>

export class PlainHeaders implements Iterable<[string, string]> {
  readonly #values = new Map<string, string>()

  constructor(init: PlainHeadersInit = []) {
    const pairs = Symbol.iterator in init ? (init as Iterable<readonly [string, string]>) : Object.entries(init)
    for (const [name, value] of pairs) this.append(name, value)
  }

  append(name: string, value: string): void {
    const key = name.toLowerCase()
    const known = this.#values.get(key)
    const between = key === 'cookie' ? '; ' : ', '
    this.#values.set(key, known === undefined ? clean(value) : `${known}${between}${clean(value)}`)
  }

  set(name: string, value: string): void {
    this.#values.set(name.toLowerCase(), clean(value))
  }

  get(name: string): string | null {
    return this.#values.get(name.toLowerCase()) ?? null
  }

  has(name: string): boolean {
    return this.#values.has(name.toLowerCase())
  }

  delete(name: string): void {
    this.#values.delete(name.toLowerCase())
  }

  forEach(see: (value: string, name: string) => void): void {
    for (const [name, value] of this) see(value, name)
  }

  *keys(): IterableIterator<string> {
    for (const [name] of this) yield name
  }

  *values(): IterableIterator<string> {
    for (const [, value] of this) yield value
  }

  entries(): IterableIterator<[string, string]> {
    return this[Symbol.iterator]()
  }

  [Symbol.iterator](): IterableIterator<[string, string]> {
    return [...this.#values].sort(([a], [b]) => (a < b ? -1 : 1))[Symbol.iterator]()
  }
}

/** Line breaks and zeros are refused by node:http itself, with the name of the header. */
const clean = (value: string): string => String(value).replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, '')
