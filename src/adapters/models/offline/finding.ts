/** What a search hands on: places, and what they show. */

export interface Place {
  readonly path: string
  readonly line: number
  /** The definition, heading or test it lies in. */
  readonly symbol?: string
  readonly score: number
  /** Labels of the terms found there. */
  readonly matched: readonly string[]
  readonly text: string
  /** What the file defines, in its order. */
  readonly defines?: readonly string[]
}

export interface Excerpt {
  readonly lines: readonly { readonly line: number; readonly text: string }[]
  /** The comment above the definition, as one line of prose. */
  readonly comment?: string
}

export interface Finding extends Place {
  readonly excerpt: Excerpt
}

export interface Findings {
  readonly findings: readonly Finding[]
  /** Tools that failed or were denied, by name. */
  readonly failed: readonly string[]
}
