/**
 * Lines at the left edge behind a text that has ended. Most are a part of it all the same: labels (`**Examples:**`), what is
 * listed below them, short sentences. A slip gives a limit no capital letter at its start, and no word far from every limit.
 */
import { looseKey } from '../../text/nearest.js'
import { isSomebodys } from './segments.js'

/** Which of these lines somebody says: no remains of a key and its value, however short they are. */
export function saidBelow(lines: readonly string[]): readonly boolean[] {
  let isBelowSaid = false
  return lines.map(line => {
    const text = line.slice(0, maxLine).replaceAll(emphasis, '').trim()
    if (text === '') return false
    const bare = text.replace(bullet, '')
    if (bare !== text) return isBelowSaid || isSaid(bare)
    isBelowSaid = isSaid(bare)
    return isBelowSaid
  })
}

const maxLine = 200
const emphasis = /\*\*|__/g
const bullet = /^(?:[-*•]|\d{1,2}[.)])\s+/

function isSaid(text: string): boolean {
  if (/^<\/?[a-z][\w-]*>/.test(text)) return true
  const [, label] = /^([A-Z][\w -]{1,40}):(?:\s|$)/.exec(text) ?? []
  if (label !== undefined) return isSomebodys(looseKey(label))
  return /^[A-Z]['’\w-]*,?(?: ['’\w-]+,?)*[.!?]?$/.test(text) && /\w[ .!?]/.test(text) && !/\d/.test(text)
}
