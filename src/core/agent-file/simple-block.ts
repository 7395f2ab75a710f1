/**
 * The commonest front matter, one `key: value` a line, read without a parser: most files need no more, and a start with
 * only such files never loads one. Takes only what every YAML parser reads the same way; a test holds it against one.
 */
import type { Entry } from './block.js'

/** Undefined when any line is not of the simplest kind. */
export function readSimpleBlock(lines: readonly string[], firstLine: number): readonly Entry[] | undefined {
  const entries: Entry[] = []
  const seen = new Set<string>()
  for (const [at, line] of lines.entries()) {
    if (line === '') continue
    const match = LINE.exec(line)
    const value = match ? scalarOf(match[2]!) : undefined
    if (value === undefined || seen.has(match![1]!.toLowerCase())) return undefined
    seen.add(match![1]!.toLowerCase())
    entries.push({ key: match![1]!, value, line: firstLine + at, column: 1, raw: match![2]!.trim() })
  }
  return entries.length === 0 ? undefined : entries
}

const LINE = /^([A-Za-z][\w-]{0,63}): (.+)$/
const PLAIN = /^[\p{L}_][^\u0000-\u001f\u007f-\u00a0\u2028\u2029\ufeff]*$/u
const MAX_VALUE = 32_768
const WORDS = /^(?:true|false|null)$/i

function scalarOf(text: string): string | undefined {
  if (text.length > MAX_VALUE) return undefined
  const value = text.trimEnd()
  if (value.length < text.length && /[^ ]/.test(text.slice(value.length))) return undefined
  const quote = value[0]
  if (quote === '"' || quote === "'") {
    const inner = value.slice(1, -1)
    const isSimple = value.length > 1 && value.endsWith(quote) && !inner.includes(quote) && !inner.includes('\\')
    return isSimple && PLAIN.test(`x${inner}`) ? inner : undefined
  }
  if (!PLAIN.test(value) || WORDS.test(value) || value.includes(': ') || value.endsWith(':')) return undefined
  return value.includes(' #') ? undefined : value
}
