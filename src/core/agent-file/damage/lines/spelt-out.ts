/**
 * Limits that are spelt out, letter by letter, where nothing is read. Nobody writes `disabledFeatures: web` in a sentence: a
 * key of several words with its colon is meant wherever it begins a line, and in a broken block wherever it stands. Of
 * `tools`, which is a word, the value tells: `none`, `All tools except Edit`, a list with a remark behind it.
 */
import { once } from '../../../once.js'
import { snakeOf } from '../../../text/nearest.js'
import { withoutPattern } from '../../../tools/tool-names.js'
import { allLimitKeys } from '../words/limit-words.js'
import { isTool } from '../words/tool-words.js'
import type { How } from './scraps.js'

/** The key; undefined for a line without one. */
export function speltOut(line: string, how: How, isOwn: boolean): string | undefined {
  if (line.length > maxLine || !(line.includes(':') || /tools/i.test(line))) return undefined
  const found = isOwn && how === 'strict' ? null : (how === 'strict' ? startsLine() : standsAnywhere()).exec(line)
  if (found && !inCode.test(line)) return found[1]
  const tools = (how === 'strict' ? toolsAtStart : toolsAnywhere).exec(line)
  return tools && isOnlyTools(tools[1]!.trim(), how) ? 'tools' : undefined
}

/** Of several words, so that no word of a sentence is like it. */
const keys = once(() => {
  const long = allLimitKeys.filter(key => /[A-Z]/.test(key.slice(1)) && key.length > 7 && key !== 'allowedTools')
  return [...new Set(long.flatMap(key => [key, snakeOf(key)]))].join('|')
})
const startsLine = once(() => new RegExp(`^\\s*(${keys()}):\\s+\\S`))
/** Behind it a sentence does not go on. */
const standsAnywhere = once(() => new RegExp(`(?:^|[\\s,;.])(${keys()}):\\s+(?:\\S+|[[{].*[\\]}])\\s*$`))
const toolsAtStart = /^\s*tools:\s+(\S.*)$/
const toolsAnywhere = /(?:^|\s)tools(?:\s?[:=.-]?\s?)(\S.*)$/
/** Spoken of, and not meant. */
const inCode = /`[^`]*\w+:[^`]*`|["'(]\w+:/
const maxLine = 400

function isOnlyTools(value: string, how: How): boolean {
  if (how === 'repaired' && /^(?:none|\[\s*\])$/.test(value)) return true
  if (how === 'strict' && (value === 'none' || value === '[]')) return true
  if (/^all tools except\s+\S/i.test(value))
    return value
      .split(/[\s,]+/)
      .slice(3)
      .every(word => isTool(withoutPattern(word)))
  const [names = '', remark] = value.split(/\s#/)
  return remark !== undefined && names.split(/,\s*/).every(word => isTool(withoutPattern(word.trim())))
}
