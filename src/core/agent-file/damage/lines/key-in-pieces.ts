/**
 * Keys of limits that line ends, blanks or colons took to pieces, with a slip more somewhere: `dis`, `llowe`, then
 * `Tools: Bash`; `bud`, `et`, then the sum; `ex: tends: reviewer`. The value is whole, and says that it was that limit.
 */
import { editDistance, tearOf } from '../../../text/nearest.js'
import { fieldOf, isKnownKey } from '../../field-table.js'
import { allLimits, type IsAbsent, type Limit, lettersOf } from '../keys/near-limits.js'
import { couldFollow, listedActions } from '../words/limit-words.js'
import { isTool } from '../words/tool-words.js'

/** The limit whose key ends in this line, or undefined. */
export function limitInPieces(lines: readonly string[], at: number, isAbsent: IsAbsent): string | undefined {
  const line = lines[at]!
  if (endOfAllowed.test(line) && /^\s+all\s*$/.test(lines[at - 1] ?? '')) return 'tools'
  if (!mayEndKey(line, lines[at - 1] ?? '')) return undefined
  const [, head, tail, rest] = twoColons.exec(line) ?? []
  if (head !== undefined && !isKnownKey(head)) {
    if (isTool(tail!) && switches.includes(rest?.trim())) return 'permissions'
    return limitOf(head + tail, tail!, rest ?? '', lines[at + 1] ?? '', isAbsent)
  }
  const [, last, value] = lastPiece.exec(line) ?? []
  const above = last === undefined ? undefined : pieceAtEnd(lines[at - 1])
  if (last === undefined || above === undefined) return undefined
  // Without a colon, what stands below is the value, and that colon was the second slip.
  const [text, below] = value === undefined ? [lines[at + 1] ?? '', ''] : [value, lines[at + 1] ?? '']
  const first = lines[at - 2]
  const heads = isPiece(first) && isPiece(lines[at - 1]) ? [above, `${first}${above}`] : [above]
  for (const before of heads) {
    const limit = limitOf(before + last, last, text, below, isAbsent)
    if (limit !== undefined) return limit
  }
  return undefined
}

/** Of `tools: {allowed: [Read]}` in block form: `tools: all` is every tool. */
const endOfAllowed = /^\s*o?w(?:ed)?\s*:/

/** Cheap first: it is asked of every line of every file. */
function mayEndKey(line: string, above: string): boolean {
  const colon = line.indexOf(':')
  if (line.length > maxLine || colon === 0) return false
  const second = colon > 0 && colon < maxPiece ? line.indexOf(':', colon + 1) : -1
  if (second > 0 && second - colon <= maxPiece + 1) return /^[A-Za-z]/.test(line)
  if (above !== '' && above.length <= maxPieces && !above.includes(': ')) return /^[A-Za-z]/.test(line)
  const key = line.slice(0, Math.max(colon, 0))
  return above.includes('ools: ') && (key.endsWith('ools') || !isKnownKey(key))
}

const maxPiece = 16
const maxPieces = 18
const maxLine = 400
const twoColons = /^([A-Za-z]\w{0,13}) ?: (\w{0,14}):(?: (\S.*))?$/
const switches: readonly (string | undefined)[] = [...listedActions, 'true', 'false']
const lastPiece = /^((?:\w{1,4} )?[A-Za-z][\w\u00c0-\u024f]{0,15})["']?\s?(?::((?:\s.*)?))?$/

/** The line if it is nothing else; or a scrap behind the last of its tools: `tools: Read, Bash ext`, then `ends: reviewer`. */
function pieceAtEnd(line = ''): string | undefined {
  if (isPiece(line)) return line
  const scrap = line.length > maxLine ? undefined : /^\w*tools: .* ([a-z]{1,6})$/i.exec(line)?.[1]
  return scrap === undefined || isTool(scrap) ? undefined : scrap
}

/** A line of one or two scraps: no item of a list, no comment, and no key with a value or that anybody knows. */
function isPiece(line = ''): boolean {
  if (line.length > maxPieces || !/^[:",' -]?[A-Za-z]\w*(?: \w+)?:?\s*$/.test(line)) return false
  return !isKnownKey(line.replace(/:\s*$/, ''))
}

function limitOf(pieces: string, last: string, value: string, next: string, isAbsent: IsAbsent): string | undefined {
  const letters = lettersOf(pieces)
  const isMeant = ({ letters: wanted }: Limit) =>
    isLeftOf(letters, wanted) ||
    (Math.abs(wanted.length - letters.length) <= 2 && editDistance(letters, wanted) <= (wanted.length < 7 ? 1 : 2))
  return allLimits.find(
    limit =>
      fieldOf(limit.limit) !== fieldOf(last) &&
      isAbsent(limit.limit) &&
      isMeant(limit) &&
      couldFollow(limit.limit, value, next, 'tight'),
  )?.limit
}

/** `disabKc0`, then `eatures: [shell, web]`: what is between its two ends was written over. */
function isLeftOf(letters: string, wanted: string): boolean {
  const { head, tail, kept, added } = tearOf(letters, wanted)
  return wanted.length > 6 && Math.min(head, tail) > 0 && 2 * kept > wanted.length && added <= 6
}
