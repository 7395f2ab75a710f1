/**
 * Copies of plain data: what is stored or judged is one that nobody can change, and who may change what it gets has one of
 * its own. Only lists and plain objects are copied; whatever else a host put between them stays what it is. Done for every
 * event, so it counts what it costs.
 */

/** Whoever tries to change it gets a TypeError. The value that was given stays its owner's, and as it was. */
export const frozenCopy = <T>(value: T): T => copyOf(value, true, []) as T

export const ownCopy = <T>(value: T): T => copyOf(value, false, []) as T

/** Nobody nests this deep by intention, and a stack has an end. */
const deepest = 1000

function copyOf(value: unknown, isFrozen: boolean, above: object[]): unknown {
  if (typeof value !== 'object' || value === null) return value
  const isList = Array.isArray(value)
  // What holds itself is no data: a store that writes says so.
  if ((!isList && !isPlain(value)) || above.length >= deepest || above.includes(value)) return value
  above.push(value)
  const copy = isList ? copyOfList(value, isFrozen, above) : copyOfObject(value, isFrozen, above)
  above.pop()
  return isFrozen ? Object.freeze(copy) : copy
}

function copyOfList(value: readonly unknown[], isFrozen: boolean, above: object[]): readonly unknown[] {
  const copy: unknown[] = []
  for (const each of value) copy.push(copyOf(each, isFrozen, above))
  return copy
}

/** A spread keeps a key `__proto__` as a key: assigned to a new object it would become the prototype, unseen by a judge. */
function copyOfObject(value: object, isFrozen: boolean, above: object[]): object {
  const copy: Record<string, unknown> = { ...value }
  for (const key of Object.keys(copy)) {
    const each = copy[key]
    if (typeof each !== 'object' || each === null) continue
    if (key === '__proto__') Object.defineProperty(copy, key, { value: copyOf(each, isFrozen, above) })
    else copy[key] = copyOf(each, isFrozen, above)
  }
  return copy
}

/** Also one of another realm. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
