/** References inside a JSON Schema: where they stand, and where they lead. */
import type { JsonSchema } from '../message.js'
import { isRecord } from '../record.js'

/** Under these names stand values: there `$ref` is nobody's keyword. */
export const valueKeys: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples'])
/** Under these names stand schemas by name. */
const nameKeys: ReadonlySet<string> = new Set([
  ...['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'dependencies'],
])

/** Up to draft 7 a list of `items` means another thing than after it. */
export const isOldDialect = ({ $schema }: JsonSchema): boolean =>
  typeof $schema === 'string' && /draft-0[4-7]/.test($schema)

/**
 * The schema with each of its references changed. What stands in a part with a name of its own (`$id`) counts from
 * there, and is left as it is.
 */
export function mapRefs<T>(schema: T, change: (ref: string) => string): T {
  const inside = (value: unknown, areNames: boolean, isRoot = false): unknown => {
    if (Array.isArray(value)) return value.map(each => inside(each, false))
    if (!isRecord(value) || (!areNames && !isRoot && isNamed(value))) return value
    const changed = ([key, each]: [string, unknown]): [string, unknown] => {
      if (areNames) return [key, inside(each, false)]
      if (refKeys.has(key) && typeof each === 'string') return [key, change(each)]
      return [key, valueKeys.has(key) ? each : inside(each, nameKeys.has(key))]
    }
    return Object.fromEntries(Object.entries(value).map(changed))
  }
  return inside(schema, false, true) as T
}

const refKeys: ReadonlySet<string> = new Set(['$ref', '$dynamicRef'])

/** Without its own name, which two schemas may share; references by that name become those to `#`. */
export function nameless({ $id, ...schema }: JsonSchema): JsonSchema {
  return typeof $id === 'string' ? mapRefs(schema, ref => ownRef($id, ref)) : schema
}

/** `https://x/y#/$defs/A` in a schema of the name `https://x/y` is `#/$defs/A`. */
export function ownRef(id: string, ref: string): string {
  if (ref.startsWith('#')) return ref
  const [home, [place, fragment = '']] = [resolved(id, unnamed)[0], resolved(ref, resolved(id, unnamed)[0])]
  return home === place ? `#${fragment}` : ref
}

const unnamed = 'schema://unnamed/'

function resolved(ref: string, base: string): [string, string?] {
  try {
    return new URL(ref, base).href.split('#', 2) as [string, string?]
  } catch {
    return [ref]
  }
}

/** What a reference of the form `#` or `#/a/b` leads to; undefined when that is nothing. */
export function resolvePointer(root: unknown, ref: string): unknown {
  if (ref === '#') return root
  if (!ref.startsWith('#/')) return undefined
  let at: unknown = root
  for (const segment of ref.slice(2).split('/')) {
    const key = segment.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined
    at = (at as Record<string, unknown>)[key]
  }
  return at
}

/** A name that begins with `#` is an anchor: references still count from the whole. */
export const isNamed = ({ $id }: Readonly<Record<string, unknown>>): boolean =>
  typeof $id === 'string' && !$id.startsWith('#')

export function depthExceeds(value: unknown, left: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return left === 0 || Object.values(value).some(each => depthExceeds(each, left - 1))
}
