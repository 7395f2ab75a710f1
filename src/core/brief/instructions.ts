/**
 * `@file` imports in instruction files, as text. What a file imports stands where it is named.
 * Not an import: anything in code (fences, `spans`), a mail address, a handle or a package scope without an extension.
 */
export interface ImportMark {
  /** As written, without the `@`. */
  readonly path: string
  readonly start: number
  readonly end: number
}

export function importsIn(text: string): readonly ImportMark[] {
  const marks: ImportMark[] = []
  let at = 0
  let fence: string | undefined
  for (const line of text.split('\n')) {
    const opened = /^\s*(```+|~~~+)/.exec(line)?.[1]
    if (opened && fence === undefined) fence = opened
    else if (opened && fence !== undefined && opened.startsWith(fence)) fence = undefined
    else if (fence === undefined) marks.push(...marksIn(line, at))
    at += line.length + 1
  }
  return marks
}

function marksIn(line: string, offset: number): readonly ImportMark[] {
  const plain = line.replace(/`[^`]*`/g, span => ' '.repeat(span.length))
  return [...plain.matchAll(importPattern)].map(match => {
    const start = offset + match.index + match[1]!.length
    return { path: match[2]!, start, end: start + 1 + match[2]!.length }
  })
}

/** A path has an extension, or begins like one: `@README.md`, `@./notes`, `@~/x.md`, `@/abs`, `@docs/guide.md`. */
const importPattern =
  /(^|[\s(])@((?:~?\/|\.{1,2}\/)[^\s`)\]]*[^\s`)\].,;:!?]|[\w-][\w./-]*\.[A-Za-z][A-Za-z0-9]{0,9})(?=$|[\s)\].,;:!?])/g

/** The text with every mark replaced by what was found for it; a mark without a text is left as it was written. */
export function withImports(
  text: string,
  marks: readonly ImportMark[],
  found: readonly (string | undefined)[],
): string {
  let out = ''
  let from = 0
  for (const [i, { start, end }] of marks.entries()) {
    const replacement = found[i]
    if (replacement === undefined) continue
    out += text.slice(from, start) + replacement
    from = end
  }
  return out + text.slice(from)
}
