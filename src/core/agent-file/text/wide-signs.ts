/**
 * Signs as wide as a picture, as keyboards of East Asia write them, where an ASCII one is meant and nothing else could be:
 * the colon behind a known key at the left edge, and commas between the names of a list on its key's line.
 */
import { splitOutsideBrackets } from '../../permission/permission-rule.js'
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
    if (!isKnownKey(key)) return line
    const names = lists.has(fieldOf(key)!) ? withCommas(value) : value
    if (colon === wideColon) mended.push({ key, at, sign: colon })
    if (names !== value) mended.push({ key, at, sign: comma.exec(value)![0] })
    return colon === wideColon || names !== value ? `${key}: ${names.trimStart()}` : line
  })
  return mended.length === 0 ? undefined : { lines: left, mended }
}

/** Inside of a pattern such a sign may be a file's name. */
function withCommas(value: string): string {
  if (!comma.test(value)) return value
  const [, open = '', inner = '', close = ''] = /^(\s*\[?)(.*?)(\]?\s*)$/.exec(value) ?? []
  const names = splitOutsideBrackets(inner, /[,，、]/)
  // A comma at its end may be where something is lost.
  const last = /[,，、]\s*$/.test(inner) ? ',' : ''
  return names.every(each => name.test(each)) ? `${open}${names.join(', ')}${last}${close}` : value
}

const wideColon = '：'
const wide = /[：，、]/
const comma = /[，、]/
const edgeKey = /^["']?([A-Za-z][\w-]{0,40})["']?[ \t]*([:：])(.*)$/
const name = /^(["']?)[A-Za-z@*][\w.:/@*-]*(?:\([^()"'#]{0,200}\))?\1$/
const lists: ReadonlySet<FieldName> = new Set(['tools', 'disallowedTools', 'canSpawn', 'skills'])
const maxLine = 4000
