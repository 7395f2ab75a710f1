/**
 * All the slips there are in one place, where a sample has some of them: a letter lost, swapped, replaced, one more; a piece
 * lost, or written twice.
 */
import { anything } from './damage.js'
import type { SoundFile } from './sound-files.js'

interface Span {
  readonly from: number
  readonly to: number
}

/** All that one slip makes of a file: at each place of its limit, with each letter a sample may have, and `#`. */
export function everySlip({ text, limit }: SoundFile): Iterable<string> {
  return new Set(slipsIn(text, limit, every))
}

/** All that one slip makes of the keys of the limit. */
export function* everySlipOfKeys(file: SoundFile): Generator<string> {
  for (const key of keysOf(file)) yield* new Set(slipsIn(file.text, key, every))
}

/** All that is left when a piece of the limit is lost, and when it stands twice: each of two to six letters, at each place. */
export function everyPiece({ text, limit }: SoundFile): Iterable<string> {
  return new Set(piecesIn(text, limit))
}

function* piecesIn(text: string, { from, to }: Span): Generator<string> {
  for (let at = Math.max(0, from - 1); at <= to; at++)
    for (let size = 2; size <= maxPiece; size++) {
      yield text.slice(0, at) + text.slice(at + size)
      yield text.slice(0, at + size) + text.slice(at)
    }
}

const maxPiece = 6

/** All that two slips make of each key, with a letter of each kind: what a parser looks out for, and what it does not. */
export function* everyTwoSlipsOfKeys(file: SoundFile): Generator<string> {
  for (const key of keysOf(file)) yield* new Set(twoSlipsIn(file.text, key))
}

function* twoSlipsIn(text: string, { from, to }: Span): Generator<string> {
  for (let at = Math.max(0, from - 1); at <= to; at++)
    for (const once of slipsIn(text, { from: at + 1, to: at }, kinds))
      yield* slipsIn(once, { from: at, to: to + once.length - text.length }, kinds)
}

function* slipsIn(text: string, { from, to }: Span, characters: readonly string[]): Generator<string> {
  for (let at = Math.max(0, from - 1); at <= to; at++) {
    const [before, here, after] = [text.slice(0, at), text.slice(at, at + 1), text.slice(at + 1)]
    yield before + after
    yield before + after.slice(0, 1) + here + after.slice(1)
    for (const character of characters) {
      yield before + character + here + after
      yield before + character + after
    }
  }
}

/** Where the keys of a limit stand, with what is right behind them. */
function keysOf({ text, limit }: SoundFile): readonly Span[] {
  const keys = text.slice(limit.from, limit.to).matchAll(/["']?[\w*]+["']?[ ]?[:=](?=\s)[ ]?|\[tools\]/g)
  return [...keys].map(key => ({ from: limit.from + key.index, to: limit.from + key.index + key[0].length }))
}

const every = ['#', ...new Set(anything)]
const kinds = [...'x1 :-",\n']
