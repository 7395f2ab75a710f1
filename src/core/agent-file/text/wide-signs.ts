/**
 * Signs as wide as a picture, as keyboards of East Asia write them, where an ASCII one is meant and nothing else could be:
 * the colon behind a known key at the left edge, and commas between the names of a list on its key's line.
 */
import { splitOutsideBrackets } from '../../permission/permission-rule.js'
import { anyComma } from '../../text/fold-letters.js'
import { canonicalToolName, withoutPattern } from '../../tools/tool-names.js'
import { type FieldName, fieldOf, isKnownKey } from '../field-table.js'

export interface MendedSigns {
  readonly lines: readonly string[]
  readonly mended: readonly { readonly key: string; readonly at: number; readonly sign: string }[]
}

export function withoutWideSigns(lines: readonly string[]): MendedSigns | undefined {
  const mended: { key: string; at: number; sign: string }[] = []
  const left = lines.map((line, at) => {
    if (!wide.test(line) || line.length > maxLine) return line
    const [, key = '', colon = '', value = ''] = edgeKey.exec(line) ?? []
    if (!isKnownKey(key) && !(colon === wideColon && areTools(value))) return line
    const field = fieldOf(key)
    const names = field !== undefined && field in nameIn ? withCommas(value, nameIn[field]!) : value
    if (colon === wideColon) mended.push({ key, at, sign: colon })
    if (names !== value) mended.push({ key, at, sign: comma.exec(value)![0] })
    return colon === wideColon || names !== value ? `${key}: ${names.trimStart()}` : line
  })
  return mended.length === 0 ? undefined : { lines: left, mended }
}

/** The same colons where lines are only looked at, whatever the key is. */
export const withPlainColons = (lines: readonly string[]): readonly string[] =>
  lines.some(line => line.includes('：'))
    ? lines.map(line => line.replace(/^(["']?[A-Za-z][\w-]{0,40}["']?)[ \t]*：[ \t]?/, '$1: '))
    : lines

/** `工具：Read`: whatever the key means, it is one, and no more of the text above it. */
const areTools = (value: string): boolean => {
  const words = splitOutsideBrackets(value.replace(/^\s*\[|\]\s*$/g, ''), anyComma)
  return words.length > 0 && words.every(word => canonicalToolName(withoutPattern(word)) !== undefined)
}

/** Inside of a pattern such a sign may be a file's name; behind the names a comment may stand. */
function withCommas(value: string, name: RegExp): string {
  if (!comma.test(value)) return value
  const [, open = '', inner = '', close = ''] = /^(\s*["'[]?)(.*?)(["'\]]?\s*(?:(?<=\s)#.*)?)$/.exec(value) ?? []
  const names = splitOutsideBrackets(inner, anyComma)
  // A comma at its end may be where something is lost.
  const last = lastComma.test(inner) ? ',' : ''
  return names.every(each => name.test(each)) ? `${open}${names.join(', ')}${last}${close}` : value
}

const wideColon = '：'
const comma = /[，、､﹐،]/
const wide = /[：，、､﹐،]/
const lastComma = /[,，、､﹐،]\s*$/
const edgeKey = /^["']?(\p{L}[\p{L}\p{M}\p{N}_-]{0,40})["']?[ \t\u00a0]*([:：])(.*)$/u
const tool = /^(["']?)[A-Za-z@*][\w.:/@*-]*(?:\([^()"'#]{0,200}\))?\1$/
const called = /^(["']?)[\p{L}*][\p{L}\p{M}\p{N}_.:/@* -]*\1$/u
const nameIn: Readonly<Partial<Record<FieldName, RegExp>>> = {
  tools: tool,
  disallowedTools: tool,
  canSpawn: called,
  skills: called,
}
const maxLine = 4000
