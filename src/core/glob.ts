/**
 * Globs matched by walking a set of states over the text: at most pattern × text steps, whatever the pattern.
 * The text may itself hold unknowns, as a shell word does before it is expanded. A match then means "could match":
 * 1. `anyText` stands for any text, 2. `anyName` for any text without a slash, 3. `anyLetter` for one such letter.
 * 4. As in a shell, the last two do not stand for a dot at the start of a name.
 */

export const anyText = '\u0001'
export const anyName = '\u0002'
export const anyLetter = '\u0003'

export type Glob = readonly Token[]
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
export function globMatches(glob: Glob, text: string): boolean {
  let states = new Uint8Array(glob.length + 1)
  states[0] = 1
  skipEmpty(glob, states)
  for (let index = 0; index < text.length; index++) {
    const next = follow(glob, states, text[index]!, text[index - 1] === '/')
    if (!next) return false
    states = next
  }
  return states[glob.length] === 1
}

/** Whether some continuation of the text fits. */
export function globCouldStartWith(glob: Glob, start: string): boolean {
  return globMatches(glob, start + anyText)
}

/** The text itself and nothing else. */
export function literalGlob(text: string): Glob {
  return [...text].map(letter => ({ kind: 'letter', letter }))
}

/** Without unknowns a match is certain. */
export function isCertain(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code >= 1 && code <= 3) return false
  }
  return true
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
  return tokens
}

/** `*` and `?` stay inside a segment, `**` crosses them, `[a-z]` and `{a,b}` as in a shell. One glob for each alternative. */
export function pathGlobs(pattern: string): readonly Glob[] {
  return expandAlternatives(pattern).map(pathGlob)
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
  return tokens
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

/** Flat `{a,b}` groups; past the bound the rest is left as it is written. */
function expandAlternatives(pattern: string): readonly string[] {
  let patterns = [pattern]
  for (let round = 0; round < 8; round++) {
    const next = patterns.flatMap(one => {
      const group = /\{([^{}]*,[^{}]*)\}/.exec(one)
      if (!group) return [one]
      const [before, after] = [one.slice(0, group.index), one.slice(group.index + group[0].length)]
      return group[1]!.split(',').map(choice => before + choice + after)
    })
    if (next.length === patterns.length || next.length > maxAlternatives) break
    patterns = next
  }
  return patterns
}

type States = Uint8Array<ArrayBuffer>

function follow(glob: Glob, states: States, letter: string, isLeading: boolean): States | undefined {
  if (letter === anyText) return reachAll(glob, states, true)
  if (letter !== anyName) return step(glob, states, letter, isLeading)
  if (!isLeading) return reachAll(glob, states, false)
  const further = step(glob, states, anyLetter, true)
  const reached = further ? reachAll(glob, further, false) : new Uint8Array(glob.length + 1)
  return reached.map((isReached, state) => isReached | states[state]!)
}

function step(glob: Glob, states: States, letter: string, isLeading: boolean): States | undefined {
  const next = new Uint8Array(glob.length + 1)
  let isAlive = false
  for (let state = 0; state < glob.length; state++) {
    if (states[state] !== 1 || !takes(glob[state]!, letter, isLeading)) continue
    isAlive = true
    advance(glob, next, state, letter === '/')
  }
  if (!isAlive) return undefined
  skipEmpty(glob, next)
  return next
}

/** Where any text (without a slash unless `hasSlash`) can lead: one sweep, as every step goes forward or stays. */
function reachAll(glob: Glob, states: States, hasSlash: boolean): States {
  const next = new Uint8Array(states)
  for (let state = 0; state < glob.length; state++) {
    if (next[state] !== 1) continue
    const token = glob[state]!
    const isSlash = token.kind === 'letter' && token.letter === '/'
    if (isSlash && !hasSlash) continue
    advance(glob, next, state, isSlash || hasSlash)
    skipEmptyFrom(glob, next, state)
  }
  return next
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

function advance(glob: Glob, next: Uint8Array, state: number, isSlash: boolean): void {
  const { kind } = glob[state]!
  if (kind === 'name' || kind === 'all') next[state] = 1
  else if (kind === 'directories' || kind === 'inside') {
    const inside = kind === 'inside' ? state : state + 1
    next[inside] = 1
    if (isSlash) next[inside + 1] = 1
  } else next[state + 1] = 1
}

function skipEmpty(glob: Glob, states: Uint8Array): void {
  for (let state = 0; state < glob.length; state++) if (states[state] === 1) skipEmptyFrom(glob, states, state)
}

function skipEmptyFrom(glob: Glob, states: Uint8Array, state: number): void {
  const { kind } = glob[state]!
  if (kind === 'name' || kind === 'all') states[state + 1] = 1
  else if (kind === 'directories') states[state + 2] = 1
}
