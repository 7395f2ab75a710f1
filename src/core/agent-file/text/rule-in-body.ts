/**
 * A line of dashes that closes nothing: front matter that lost its end, and a rule across the body further down. Told only
 * where nothing above the line could be a key: a title with blank lines around it, sentences, and nothing with a colon behind
 * a word as keys have it.
 */

import { isSecurityKey } from '../field-table.js'
import { isForeignLimitKey } from '../fields/foreign-limits.js'

/** `lines` are all that stands above the dashes, `from` is the first blank one below a key. */
export function isRuleInBody(lines: readonly string[], from: number): boolean {
  const title = lines.findIndex((line, at) => at >= from && line.trim() !== '')
  if (title <= from || lines[from]!.trim() !== '' || !/^#{1,6} \S/.test(lines[title]!)) return false
  if (lines[title + 1]?.trim() !== '' || mayGoOn(lines.slice(0, from))) return false
  const edge = lines.slice(title + 1).filter(line => /^[^\s#]/.test(line))
  return edge.some(line => sentence.test(line)) && !edge.some(isLikeKey)
}

/** A text in quotes, or in a block, has blank lines as well. */
function mayGoOn(above: readonly string[]): boolean {
  const last = above.findLast(line => /^\S/.test(line) && !line.startsWith('#')) ?? ''
  return /:\s*(?:["'|>]|$)/.test(last)
}

const sentence = /^[\p{Lu}\p{Lo}*_`].{20,}/u

/** A label begins with a capital (`Note: …`), and is no limit's. */
function isLikeKey(line: string): boolean {
  const key = /^["']?([A-Za-z][\w-]*)["']?[ \t]*[:=]/.exec(line)?.[1]
  return key !== undefined && (/^[a-z]/.test(key) || isSecurityKey(key) || isForeignLimitKey(key))
}
