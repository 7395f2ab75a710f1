/**
 * Slips of the pen in a file, one of them in what limits the agent: letters lost, added, replaced or swapped; or whole
 * pieces lost, written over or written twice, lines moved in or doubled, a fence between two lines, bits flipped, letters
 * that only look the same.
 */
import type { SoundFile } from './sound-files.js'

export type Random = (below: number) => number

export type Slip = 'letters' | 'pieces'

/** Undefined when nothing was damaged. */
export function damage(file: SoundFile, slips: number, random: Random, kind: Slip = 'letters'): string | undefined {
  let text = file.text
  for (let slip = 0; slip < slips; slip++) {
    const { from, to } = slip === 0 || random(2) === 0 ? file.limit : file.block
    const first = Math.max(file.block.from, from - 1)
    text = slipOf[kind](text, first + random(to + text.length - file.text.length - first + 1), random)
  }
  return isDamage(file, text) ? text : undefined
}

/** Not the same text, nor another sound way to say "every tool". */
export function isDamage(file: SoundFile, text: string): boolean {
  return text !== file.text && (!opened.test(text) || opened.test(file.text))
}

const opened = /tools"?\s*[:=].*\*(?!\))/

function slipOfLetters(text: string, at: number, random: Random): string {
  const character = characters[random(characters.length)]!
  const [before, here, after] = [text.slice(0, at), text.slice(at, at + 1), text.slice(at + 1)]
  const edits = [before + after, before + character + here + after, before + character + after]
  return edits[random(4)] ?? before + after.slice(0, 1) + here + after.slice(1)
}

function slipOfPieces(text: string, at: number, random: Random): string {
  const size = 2 + random(5)
  const [before, here, after] = [text.slice(0, at), text.slice(at, at + 1), text.slice(at + 1)]
  const line = text.lastIndexOf('\n', at - 1) + 1
  const lineEnd = text.indexOf('\n', at) + 1 || text.length
  const noise = Array.from({ length: size }, () => anything[random(anything.length)]).join('')
  const edits = [
    () => before + text.slice(at + size),
    () => before + text.slice(at, at + size) + text.slice(at),
    () => before + noise + text.slice(at + random(2) * size),
    () => before + anything[random(anything.length)] + text.slice(at + random(2)),
    () => before + flipped(here, random) + after,
    () => before + (here === here.toLowerCase() ? here.toUpperCase() : here.toLowerCase()) + after,
    () => before + (lookalikes[here] ?? here) + after,
    () => `${before}\n${' '.repeat(random(5))}${here}${after}`,
    () => `${before}\r${here}${after}`,
    () => text.slice(0, line) + ' '.repeat(1 + random(4)) + text.slice(line),
    () => text.slice(0, lineEnd) + text.slice(line),
    () => `${text.slice(0, line)}${fences[random(fences.length)]}\n${text.slice(line)}`,
  ]
  return edits[random(edits.length)]!()
}

const slipOf = { letters: slipOfLetters, pieces: slipOfPieces }

function flipped(here: string, random: Random): string {
  const bit = String.fromCharCode(here.charCodeAt(0) ^ (1 << random(7)))
  return bit === '#' ? here : bit
}

/** `#` makes a comment, which is a sound way to take a line out, so it is no damage. */
const characters = [...'abxTRW01 :,-()[]{}"\'*&!|>=.;?~%@`/_\n\t\u00a0\ufeffé']

export const anything = [
  ...characters,
  ...'cdefghijklmnopqrstuvwyzABCDEFGHIJKLMNOPQSUVXYZ23456789<$^+\\ß中😀\n',
  ...'\u0000\u0007\u0301\u200b\u2028\u202e\ufffd',
]
const fences = ['---', '...', '---', ' ---', '--- x', '-----', '+++', '```', '', '--- # x']
const lookalikes: Readonly<Record<string, string>> = {
  ...{
    a: '\u0430',
    c: '\u0441',
    e: '\u0435',
    i: '\u0456',
    m: '\u043c',
    o: '\u043e',
    p: '\u0440',
    s: '\u0455',
    t: '\u0442',
  },
  ...{ B: '\u0412', R: '\uff32', l: 'I', ':': '\uff1a', ',': '\uff0c', '[': '\uff3b', '-': '\u2013', ' ': '\u3000' },
  ...{ '"': '\u201c', "'": '\u2019' },
}

/** The same numbers for the same seed. */
export function randomOf(seed: number): Random {
  let state = (seed ^ 0x2545f491) | 1
  return below => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % below
  }
}
