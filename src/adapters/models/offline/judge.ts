/** How well a line of text or a path fits a question: for each term, the strength of its best match, 0 to 1. */
import type { Question, Term } from './question.js'
import { stemOf, stemsOf, wordParts } from './stem.js'

/** One strength for each term of the question, in its order. */
export type Fit = readonly number[]

export function judgeText(question: Question, text: string): Fit {
  const stems = stemsOf(text)
  const set = new Set(stems)
  return question.terms.map(term => strengthIn(term, stems, set, text))
}

/** The same for a name of a file or definition, where words may be run together: `textwrap`, `rmtree`. */
export function judgeName(question: Question, name: string): Fit {
  const parts = wordParts(name)
  const stems = parts.map(stemOf)
  const set = new Set(stems)
  const long = parts.filter(part => part.length >= 6)
  return question.terms.map(term =>
    Math.max(strengthIn(term, stems, set, name), ...long.map(part => strengthInside(term, part))),
  )
}

export const isHit = (fit: Fit) => fit.some(strength => strength > 0)

/** Term by term the better of the two. */
export function better(a: Fit, b: Fit): Fit {
  return a.map((strength, i) => Math.max(strength, b[i] ?? 0))
}

/** What a fit is worth when each term is worth its weight. */
export function worth(fit: Fit, weights: readonly number[]): number {
  return fit.reduce((sum, strength, i) => sum + strength * weights[i]!, 0)
}

/** How many pairs of neighbouring words of the question stand together in the text. */
export function pairsFound(question: Question, text: string): number {
  if (question.pairs.length === 0) return 0
  const stems = stemsOf(text)
  const joined = new Set(wordParts(text).map(stemOf))
  return question.pairs.filter(pair => standTogether(stems, pair) || joined.has(pair.join(''))).length
}

function strengthIn(term: Term, stems: readonly string[], set: ReadonlySet<string>, text: string): number {
  if (term.name !== undefined && hasName(text, term.name)) return 1
  if (term.compound && standTogether(stems, term.compound)) return 1
  let best = 0
  for (const [stem, strength] of term.stems) if (strength > best && set.has(stem)) best = strength
  return best
}

function standTogether(stems: readonly string[], compound: readonly string[]): boolean {
  return stems.some((_, i) => compound.every((stem, offset) => stems[i + offset] === stem))
}

/** A stem of four letters or more at the start or the end of a longer word. */
function strengthInside(term: Term, part: string): number {
  let best = 0
  for (const [stem, strength] of term.stems) {
    if (stem.length >= 4 && strength * 0.8 > best && (part.startsWith(stem) || part.endsWith(stem)))
      best = strength * 0.8
  }
  return best
}

function hasName(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    if (!isWordAt(text, at - 1) && !isWordAt(text, at + name.length)) return true
  }
  return false
}

const isWordAt = (text: string, at: number) => /[\w$]/.test(text[at] ?? '')
