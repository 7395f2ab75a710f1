/** What a file's text is taken apart into, before anything in it has a meaning. */
import type { Code } from './diagnostic-codes.js'

/** Must not throw, and must read data only: no tags that build objects, no unbounded aliases. */
export type Parse = (text: string) => Parsed
export type Parsed =
  | {
      readonly value: unknown
      /** Keys that the outermost table has more than once, named for each time too many. */
      readonly repeated?: readonly string[]
    }
  | { readonly fault: string; readonly line?: number; readonly isHostile?: boolean }
export interface Parsers {
  readonly yaml: Parse
  readonly toml: Parse
}

export interface Entry {
  readonly key: string
  readonly value: unknown
  /** Counted from 1, in the file. */
  readonly line: number
  readonly column: number
  /** The rest of the key's line, as written. */
  readonly raw?: string
}
export interface Problem {
  readonly code: Code
  readonly message: string
  readonly line: number
  readonly column?: number
  readonly hint?: string
}
/** Real files have a few dozen, the keys of tables in them included; each that nobody knows is held against many words. */
export const maxKeys = 200

export interface Block {
  readonly entries: readonly Entry[]
  readonly problems: readonly Problem[]
  /** Prose found behind the last key, where the closing fence was missing. */
  readonly trailing: string
}

/** Keys that would change what every object is: never set. */
export const isPoison = (key: string): boolean => /^(?:__proto__|constructor|prototype)$/.test(key)
