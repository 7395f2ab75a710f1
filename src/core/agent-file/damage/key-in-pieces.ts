/**
 * Keys of limits that line ends, blanks or colons took to pieces, with a slip more somewhere: `dis`, `llowe`, then
 * `Tools: Bash`; `bud`, `et`, then the sum; `ex: tends: reviewer`. The value is whole, and says that it was that limit.
 */
import { editDistance, tearOf } from '../../text/nearest.js'
import { fieldOf, isKnownKey } from '../field-table.js'
import { couldFollow, LISTED_ACTIONS } from './limit-words.js'
import { ALL_LIMITS, type IsAbsent, type Limit, lettersOf } from './near-limits.js'
import { isTool } from './tool-words.js'

/** The limit whose key ends in this line, or undefined. */
export function limitInPieces(lines: readonly string[], at: number, isAbsent: IsAbsent): string | undefined {
  const line = lines[at]!
  if (!mayEndKey(line, lines[at - 1] ?? '')) return undefined
  const [, head, tail, rest] = TWO_COLONS.exec(line) ?? []
  if (head !== undefined && !isKnownKey(head)) {
    if (isTool(tail!) && SWITCHES.includes(rest?.trim())) return 'permissions'
    return limitOf(head + tail, tail!, rest ?? '', lines[at + 1] ?? '', isAbsent)
  }
  const [, last, value] = LAST_PIECE.exec(line) ?? []
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

/** Cheap first: it is asked of every line of every file. */
function mayEndKey(line: string, above: string): boolean {
  const colon = line.indexOf(':')
  if (line.length > MAX_LINE || colon === 0) return false
  const second = colon > 0 && colon < MAX_PIECE ? line.indexOf(':', colon + 1) : -1
  if (second > 0 && second - colon <= MAX_PIECE + 1) return /^[A-Za-z]/.test(line)
  if (above !== '' && above.length <= MAX_PIECES && !above.includes(': ')) return /^[A-Za-z]/.test(line)
  const key = line.slice(0, Math.max(colon, 0))
  return above.includes('ools: ') && (key.endsWith('ools') || !isKnownKey(key))
}

const MAX_PIECE = 16
const MAX_PIECES = 18
const MAX_LINE = 400
const TWO_COLONS = /^([A-Za-z]\w{0,13}) ?: (\w{0,14}):(?: (\S.*))?$/
const SWITCHES: readonly (string | undefined)[] = [...LISTED_ACTIONS, 'true', 'false']
const LAST_PIECE = /^((?:\w{1,4} )?[A-Za-z][\w\u00c0-\u024f]{0,15})["']?\s?(?::((?:\s.*)?))?$/

/** The line if it is nothing else; or a scrap behind the last of its tools: `tools: Read, Bash ext`, then `ends: reviewer`. */
function pieceAtEnd(line = ''): string | undefined {
  if (isPiece(line)) return line
  const scrap = line.length > MAX_LINE ? undefined : /^\w*tools: .* ([a-z]{1,6})$/i.exec(line)?.[1]
  return scrap === undefined || isTool(scrap) ? undefined : scrap
}

/** A line of one or two scraps: no item of a list, no comment, and no key with a value or that anybody knows. */
function isPiece(line = ''): boolean {
  if (line.length > MAX_PIECES || !/^[:",' -]?[A-Za-z]\w*(?: \w+)?:?\s*$/.test(line)) return false
  return !isKnownKey(line.replace(/:\s*$/, ''))
}

function limitOf(pieces: string, last: string, value: string, next: string, isAbsent: IsAbsent): string | undefined {
  const letters = lettersOf(pieces)
  const isMeant = ({ letters: wanted }: Limit) =>
    isLeftOf(letters, wanted) ||
    (Math.abs(wanted.length - letters.length) <= 2 && editDistance(letters, wanted) <= (wanted.length < 7 ? 1 : 2))
  return ALL_LIMITS.find(
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
  const isMost = kept === wanted.length || (wanted.length > 8 && 3 * kept >= 2 * wanted.length)
  return wanted.length > 6 && head > 2 && tail > 2 && isMost && added <= 6
}
