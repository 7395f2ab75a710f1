/** Slips of the pen in a file: characters lost, added, replaced or swapped, one of them in what limits the agent. */
import type { SoundFile } from './sound-files.js'

export type Random = (below: number) => number

/** Undefined when nothing was damaged: the same text, a new fence, or another sound way to say "every tool". */
export function damage(file: SoundFile, slips: number, random: Random): string | undefined {
  let text = file.text
  for (let slip = 0; slip < slips; slip++) {
    const { from, to } = slip === 0 || random(2) === 0 ? file.limit : file.block
    const first = Math.max(file.block.from, from - 1)
    text = edit(text, first + random(to + text.length - file.text.length - first + 1), random)
  }
  const isOpened = /tools"?\s*[:=].*\*(?!\))/.test(text) && !/tools"?\s*[:=].*\*(?!\))/.test(file.text)
  return text === file.text || fences(text) !== fences(file.text) || isOpened ? undefined : text
}

function edit(text: string, at: number, random: Random): string {
  const character = CHARACTERS[random(CHARACTERS.length)]!
  const [before, here, after] = [text.slice(0, at), text.slice(at, at + 1), text.slice(at + 1)]
  const edits = [before + after, before + character + here + after, before + character + after]
  return edits[random(4)] ?? before + after.slice(0, 1) + here + after.slice(1)
}

/** `#` makes a comment, which is a sound way to take a line out, so it is no damage. */
const CHARACTERS = [...'abxTRW01 :,-()[]{}"\'*&!|>=.;?~%@`/_\n\t\u00a0\ufeffé']

function fences(text: string): number {
  return text.split(/^\s*(?:-{3}|\.{3}|\+{3})/m).length
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
