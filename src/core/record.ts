/** An object of keys and values: no list, and not null. What it was made by does not count. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** While it is made, field by field. */
export type Writable<T> = { -readonly [Key in keyof T]: T[Key] }
