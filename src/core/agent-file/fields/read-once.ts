import type { Dialect } from '../dialect.js'

/** The files of a collection repeat a few lists: each that is short is taken apart once. What comes out is never changed. */
export function readOnce<Reading>(
  read: (value: unknown, dialect: Dialect) => Reading,
): (value: unknown, dialect: Dialect) => Reading {
  const known = new Map<string, Reading>()
  return (value, dialect) => {
    const text = tellingText(value)
    if (text === undefined) return read(value, dialect)
    const key = dialect + text
    const found = known.get(key)
    if (found !== undefined) return found
    const reading = read(value, dialect)
    if (known.size < maxKept) known.set(key, reading)
    return reading
  }
}

/** Of a short text, list or map: what tells it from all others. */
function tellingText(value: unknown): string | undefined {
  if (typeof value === 'string') return value.length <= maxText ? ` ${value}` : undefined
  if (typeof value !== 'object' || value === null) return undefined
  const parts = Object.values(value)
  if (parts.length > maxParts || !parts.every(part => typeof part === 'string' || typeof part === 'boolean'))
    return undefined
  const text = JSON.stringify(value)
  return text.length <= maxText ? text : undefined
}

const [maxKept, maxText, maxParts] = [500, 500, 30]
