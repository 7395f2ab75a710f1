/**
 * Whether the references of a schema lead anywhere. Followed are those that a check would meet: what nobody refers to may
 * refer to anything.
 */
import type { JsonSchema } from '../message.js'
import { isRecord } from '../record.js'
import { isNamed, isOldDialect, ownRef, resolvePointer } from './schema-refs.js'

export class References {
  readonly #root: JsonSchema
  readonly #isAside: boolean
  readonly #met = new Set<unknown>()
  #names?: Names

  constructor(root: JsonSchema, isAside = false) {
    this.#root = root
    this.#isAside = isAside
  }

  /** For where references count from elsewhere, or where nobody comes who was not led there. */
  get aside(): References {
    return this.#isAside ? this : new References(this.#root, true)
  }

  get isOldDialect(): boolean {
    return isOldDialect(this.#root)
  }

  /** What is wrong with a reference, or what it leads to when that was not met before. */
  follow(ref: unknown, at: string): { readonly fault: string } | { readonly target?: unknown; readonly at?: string } {
    if (typeof ref !== 'string') return { fault: `${at} must be a text` }
    if (this.#isAside) return {}
    const own = typeof this.#root.$id === 'string' ? ownRef(this.#root.$id, ref) : ref
    if (own !== '#' && !own.startsWith('#/')) return this.#isKnownName(own) ? {} : { fault: nowhere(at, ref) }
    const target = this.#resolve(own)
    if (!isRecord(target) && typeof target !== 'boolean') return { fault: nowhere(at, ref) }
    if (this.#isCircle(target)) return { fault: `${at} leads back to itself: ${JSON.stringify(ref)}` }
    if (this.#met.has(target)) return {}
    this.#met.add(target)
    return { target, at: `the schema${own.slice(1).replaceAll('/', '.')}` }
  }

  #resolve(pointer: string): unknown {
    try {
      return resolvePointer(this.#root, decodeURIComponent(pointer))
    } catch {
      return undefined
    }
  }

  /** A check of one that is nothing but the next would never end. */
  #isCircle(start: unknown): boolean {
    const passed = new Set<unknown>()
    let at = start
    while (isRecord(at) && typeof at.$ref === 'string') {
      if (passed.has(at)) return true
      passed.add(at)
      at = this.#resolve(at.$ref)
    }
    return false
  }

  /** Where parts have names of their own, who can tell what another name leads to is whoever resolves them. */
  #isKnownName(ref: string): boolean {
    this.#names ??= namesIn(this.#root)
    return ref.startsWith('#')
      ? this.#names.anchors.has(ref.slice(1))
      : this.#names.hasNamedParts || /^https?:\/\/json-schema\.org\//.test(ref)
  }
}

interface Names {
  readonly anchors: ReadonlySet<unknown>
  readonly hasNamedParts: boolean
}

function namesIn(root: JsonSchema): Names {
  const anchors = new Set<unknown>()
  let hasNamedParts = false
  const look = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    if (isRecord(value)) {
      anchors.add(value.$anchor).add(value.$dynamicAnchor)
      if (typeof value.$id === 'string' && value.$id.startsWith('#')) anchors.add(value.$id.slice(1))
      if (value !== root && isNamed(value)) hasNamedParts = true
    }
    for (const each of Object.values(value)) look(each)
  }
  look(root)
  return { anchors, hasNamedParts }
}

const nowhere = (at: string, ref: string): string => `${at} leads to nothing in the schema: ${JSON.stringify(ref)}`
