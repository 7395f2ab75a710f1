/**
 * Globs matched by walking a set of states over the text: at most pattern × text steps, whatever the pattern.
 * The text may itself hold unknowns, as a shell word does before it is expanded. A match then means "could match":
 * 1. `anyText` stands for any text, 2. `anyName` for any text without a slash, 3. `anyLetter` for one such letter.
 * 4. As in a shell, the last two do not stand for a dot at the start of a name.
 */

export const anyText = '\u0001'
export const anyName = '\u0002'
export const anyLetter = '\u0003'

export interface Glob {
  readonly tokens: readonly Token[]
  /** The letters it begins and ends with, and the longest run of letters in it: most texts are told apart by these alone. */
  readonly start: string
  readonly end: string
  readonly needle: string
}
type Token =
  | { readonly kind: 'letter'; readonly letter: string }
  | { readonly kind: 'one' }
  | { readonly kind: 'name' }
  | { readonly kind: 'all' }
  /** `**` and its slash take two tokens: before any directory, and inside one. */
  | { readonly kind: 'directories' }
  | { readonly kind: 'inside' }
  | { readonly kind: 'class'; readonly isNegated: boolean; readonly ranges: readonly (readonly [string, string])[] }

/** Whether the whole text fits; with unknowns in the text, whether it could. */
export function globMatches({ tokens, start, end, needle }: Glob, text: string): boolean {
  const known = text.search(unknowns)
  if (known >= 0 && !fitsAround(text, known, start, end)) return false
  if (known < 0) {
    if (!text.startsWith(start) || !text.endsWith(end) || !text.includes(needle)) return false
    if (start.length === tokens.length) return text === start
    if (start.length === tokens.length - 1 && tokens.at(-1)?.kind === 'all') return true
  }
  let index = known < 0 || known >= start.length ? start.length : 0
  let states: States = new Uint8Array(tokens.length + 1)
  states[index] = 1
  skipEmpty(tokens, states)
  for (let spare: States = new Uint8Array(tokens.length + 1); index < text.length; index++) {
    if (!follow(tokens, states, text[index]!, text[index - 1] === '/', spare)) return false
    ;[states, spare] = [spare, states]
  }
  return states[tokens.length] === 1
}

const unknowns = /[\u0001-\u0003]/

/** The letters before its first unknown (at `known`) and after its last are those of the glob, as far as both have any. */
function fitsAround(text: string, known: number, start: string, end: string): boolean {
  if (!text.startsWith(start.length > known ? start.slice(0, known) : start)) return false
  let last = text.length - 1
  while (text.charCodeAt(last) > 3 || text.charCodeAt(last) === 0) last--
  const after = text.length - 1 - last
  return text.endsWith(end.length > after ? end.slice(end.length - after) : end)
}

/** The text itself and nothing else. */
export function literalGlob(text: string): Glob {
  return globOf(text.split('').map(letter => ({ kind: 'letter', letter })))
}

/** Without unknowns a match is certain. */
export function isCertain(text: string): boolean {
  return !unknowns.test(text)
}

/** Each unknown as a letter no pattern spells: what fits now fits whatever the unknowns turn out to be. */
export function withUnknownsFixed(text: string): string {
  return isCertain(text) ? text : text.replace(/[\u0001-\u0003]/g, '\u0004')
}

/** `*` covers anything, slashes and blanks included; `\*` is a star. */
export function commandGlob(pattern: string): Glob {
  const tokens: Token[] = []
  for (let index = 0; index < pattern.length; index++) {
    const letter = pattern[index]!
    if (letter === '*') tokens.push({ kind: 'all' })
    else if (letter === '\\' && (pattern[index + 1] === '*' || pattern[index + 1] === '\\'))
      tokens.push({ kind: 'letter', letter: pattern[++index]! })
    else tokens.push({ kind: 'letter', letter })
  }
  return globOf(tokens)
}

/** `*` and `?` stay inside a segment, `**` crosses them, `[a-z]` and `{a,b}` as in a shell. One glob for each alternative. */
export function pathGlobs(pattern: string): readonly Glob[] {
  return alternativesOf(pattern).map(pathGlob)
}

function pathGlob(pattern: string): Glob {
  const tokens: Token[] = []
  for (let index = 0; index < pattern.length; index++) {
    const letter = pattern[index]!
    if (letter === '*' && pattern[index + 1] === '*') {
      while (pattern[index + 1] === '*') index++
      if (pattern[index + 1] === '/') {
        index++
        tokens.push({ kind: 'directories' }, { kind: 'inside' })
      } else tokens.push({ kind: 'all' })
    } else if (letter === '*') tokens.push({ kind: 'name' })
    else if (letter === '?') tokens.push({ kind: 'one' })
    else if (letter === '[') index = readClass(pattern, index, tokens)
    else if (letter === '\\' && index + 1 < pattern.length) tokens.push({ kind: 'letter', letter: pattern[++index]! })
    else tokens.push({ kind: 'letter', letter })
  }
  return globOf(tokens)
}

/** Adds the class that opens at `start` and gives the index of its last letter; without an end `[` is itself. */
function readClass(pattern: string, start: number, tokens: Token[]): number {
  const isNegated = pattern[start + 1] === '!' || pattern[start + 1] === '^'
  const first = start + (isNegated ? 2 : 1)
  const end = pattern.indexOf(']', first + 1)
  if (end < 0) {
    tokens.push({ kind: 'letter', letter: '[' })
    return start
  }
  const ranges: [string, string][] = []
  for (let index = first; index < end; index++) {
    const isRange = pattern[index + 1] === '-' && index + 2 < end
    ranges.push([pattern[index]!, pattern[isRange ? index + 2 : index]!])
    if (isRange) index += 2
  }
  tokens.push({ kind: 'class', isNegated, ranges })
  return end
}

const maxAlternatives = 64

/** `{a,b}` written out, innermost first; past the bound the rest is left as it is written. */
export function alternativesOf(pattern: string): readonly string[] {
  let patterns = [pattern]
  for (let round = 0; round < 8; round++) {
    const next = patterns.flatMap(one => {
      const group = /(?<!\\)\{([^{}]*,[^{}]*)\}/.exec(one)
      if (!group) return [one]
      const [before, after] = [one.slice(0, group.index), one.slice(group.index + group[0].length)]
      return group[1]!.split(',').map(choice => before + choice + after)
    })
    if (next.length === patterns.length || next.length > maxAlternatives) break
    patterns = next
  }
  return patterns
}

function globOf(tokens: readonly Token[]): Glob {
  const runs = ['']
  for (const token of tokens) {
    if (token.kind === 'letter') runs[runs.length - 1] += token.letter
    else runs.push('')
  }
  const needle = runs.reduce((longest, run) => (run.length > longest.length ? run : longest))
  return { tokens, start: runs[0]!, end: runs.at(-1)!, needle }
}

type States = Uint8Array<ArrayBuffer>
type Tokens = readonly Token[]

/** Writes the states after one letter into `next`. False when none is left. */
function follow(tokens: Tokens, states: States, letter: string, isLeading: boolean, next: States): boolean {
  if (letter === anyText || (letter === anyName && !isLeading)) {
    next.set(states)
    reachAll(tokens, next, letter === anyText)
    return true
  }
  if (letter !== anyName) return step(tokens, states, letter, isLeading, next)
  if (step(tokens, states, anyLetter, true, next)) reachAll(tokens, next, false)
  states.forEach((isReached, state) => {
    if (isReached) next[state] = 1
  })
  return true
}

function step(tokens: Tokens, states: States, letter: string, isLeading: boolean, next: States): boolean {
  next.fill(0)
  let isAlive = false
  for (let state = 0; state < tokens.length; state++) {
    if (states[state] !== 1 || !takes(tokens[state]!, letter, isLeading)) continue
    isAlive = true
    advance(tokens, next, state, letter === '/')
  }
  skipEmpty(tokens, next)
  return isAlive
}

/** Adds where any text (without a slash unless `hasSlash`) can lead: one sweep, as every step goes forward or stays. */
function reachAll(tokens: Tokens, states: States, hasSlash: boolean): void {
  for (let state = 0; state < tokens.length; state++) {
    if (states[state] !== 1) continue
    const token = tokens[state]!
    const isSlash = token.kind === 'letter' && token.letter === '/'
    if (isSlash && !hasSlash) continue
    advance(tokens, states, state, isSlash || hasSlash)
    skipEmptyFrom(tokens, states, state)
  }
}

function takes(token: Token, letter: string, isLeading: boolean): boolean {
  switch (token.kind) {
    case 'letter':
      if (letter !== anyLetter) return token.letter === letter
      return token.letter !== '/' && !(isLeading && token.letter === '.')
    case 'one':
    case 'name':
      return letter !== '/'
    case 'class':
      return letter === anyLetter || (letter !== '/' && inRanges(token, letter) !== token.isNegated)
    default:
      return true
  }
}

function inRanges(token: Token & { kind: 'class' }, letter: string): boolean {
  return token.ranges.some(([from, to]) => letter >= from && letter <= to)
}

function advance(tokens: Tokens, next: States, state: number, isSlash: boolean): void {
  const { kind } = tokens[state]!
  if (kind === 'name' || kind === 'all') next[state] = 1
  else if (kind === 'directories' || kind === 'inside') {
    const inside = kind === 'inside' ? state : state + 1
    next[inside] = 1
    if (isSlash) next[inside + 1] = 1
  } else next[state + 1] = 1
}

function skipEmpty(tokens: Tokens, states: States): void {
  for (let state = 0; state < tokens.length; state++) if (states[state] === 1) skipEmptyFrom(tokens, states, state)
}

function skipEmptyFrom(tokens: Tokens, states: States, state: number): void {
  const { kind } = tokens[state]!
  if (kind === 'name' || kind === 'all') states[state + 1] = 1
  else if (kind === 'directories') states[state + 2] = 1
}
