/**
 * A list begun on the line of its key, which is no YAML: `tools: - Read`, and `- Grep` below, at the same edge or further in.
 * It is put into brackets on that line, so that all lines keep their numbers. What is more than a word, or ends in anything
 * but a key, a comment or a blank line, stays as it is, and is unclear.
 */
export interface MendedLists {
  readonly lines: readonly string[]
  /** The keys, and where they stand. */
  readonly mended: readonly { readonly key: string; readonly at: number }[]
}

export function listsOnKeyLines(lines: readonly string[]): MendedLists | undefined {
  const mended: { key: string; at: number }[] = []
  const left = [...lines]
  for (const [at, line] of lines.entries()) {
    const [, key, first] = begun.exec(line) ?? []
    if (key === undefined || first === undefined) continue
    let end = at + 1
    while (item.test(lines[end] ?? '')) end++
    if (!ending.test(lines[end] ?? '')) continue
    const words = [first, ...lines.slice(at + 1, end).map(each => item.exec(each)![1]!)].map(word => word.trim())
    left.splice(at, end - at, `${key}: ${JSON.stringify(words)}`, ...Array<string>(end - at - 1).fill(''))
    mended.push({ key, at })
  }
  return mended.length === 0 ? undefined : { lines: left, mended }
}

/** A name, and a pattern in brackets: nothing that YAML gives a meaning. */
const word = '([A-Za-z][\\w./@-]*(?:\\([^()"\'#]{1,200}\\))?)'
const begun = new RegExp(`^([A-Za-z][\\w-]{0,40}):[ \\t]+- +${word}[ \\t]*$`)
const item = new RegExp(`^[ \\t]*- +${word}[ \\t]*$`)
const ending = /^(?:[A-Za-z][\w-]*:(?:\s.*)?|\s*#.*|\s*)$/
