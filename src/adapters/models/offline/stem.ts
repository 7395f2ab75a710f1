/**
 * Brings words and identifiers to comparable stems.
 *
 * S1 An identifier is its parts: `retryCount`, `retry_count` and `RETRY-COUNT` are all `retry` + `count`.
 * S2 A stem is a prefix of its regular words, so that one expression finds them all; irregular words are listed.
 * S3 What `wordPattern` finds is a superset of what `stemOf` calls equal: lines are judged again after the search.
 */
import { wordFamilies } from './word-families.js'

export function stemOf(word: string): string {
  const known = remembered.get(word)
  if (known !== undefined) return known
  const stem = irregular.get(word) ?? oneSpelling(stripSuffix(word))
  if (remembered.size > 50_000) remembered.clear()
  remembered.set(word, stem)
  return stem
}

/** The parts of an identifier or of running text, in lower case: `HTTPServer2` → http, server, 2. */
export function wordParts(text: string): string[] {
  return (text.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+(?:'[a-z]+)?|\d+/g) ?? []).map(part => part.toLowerCase())
}

export function stemsOf(text: string): string[] {
  return wordParts(text).map(stemOf)
}

/** An expression (ripgrep's and JavaScript's alike) for the words of a stem, as a word or as a part of an identifier. */
export function wordPattern(stem: string): string {
  const { roots, ending } = spellings(stem)
  const tail = ending === '[a-z]*' ? '' : `${ending}(?:[^a-z]|$)`
  const anyCase = either(roots.map(anyCapital))
  const capital = either(roots.map(capitalised))
  return `(?:\\b|_)${anyCase}${tail}|[a-z0-9]${capital}${tail}|${either(roots.map(root => root.toUpperCase()))}`
}

/** The looser form for use inside a name: the stem anywhere, in any of the usual cases. */
export function namePattern(stem: string): string {
  const { roots } = spellings(stem)
  return roots.flatMap(root => [anyCapital(root), root.toUpperCase()]).join('|')
}

/** The beginnings that the words of a stem have: one for regular words, several for a family like decide, decision. */
export function beginningsOf(stem: string): string[] {
  const { roots } = spellings(stem)
  return roots.filter(root => !roots.some(other => other !== root && root.startsWith(other)))
}

// What a word may have after its stem. A short stem begins many words that have nothing to do with it (mode, model), so
// its endings are spelled out; there may be several (filt-er-ing-s).
const endings = `ation ator ated ate ment ance ence ity ing ion ies ied ying able ible ive iv al ers er ors or ed es ly e y s`
const shortEnding = `(?:[a-z]?(?:${endings.split(' ').join('|')})){0,4}`
const irregular = new Map(wordFamilies.flatMap(family => family.map(word => [word, family[0]!] as const)))
const families = new Map(wordFamilies.map(family => [family[0]!, family]))

// Every line of every search passes through here; the answers never change.
const remembered = new Map<string, string>()

/** optimis → optimiz, colour → color. */
function oneSpelling(stem: string): string {
  return stem.length < 5 ? stem : stem.replace(/is$/, 'iz').replace(/our$/, 'or')
}

/** Endings come off in the order in which a word takes them on, last first: filterings → filtering → filter → filt. */
function stripSuffix(word: string): string {
  if (/\d/.test(word)) return word
  const root = steps.reduce((rest, step) => (rest.length > 3 ? step(rest) : rest), word)
  // generate, generated, generation, generator → gener; but repeat stays, and format, formatted.
  return /[^aeo]at(e|es|ed|ing|ions?|ors?|ive)$/.test(word) ? without(root, /at$/, 4) : root
}

/** Takes an ending off when at least `least` letters and a vowel stay. */
function without(word: string, ending: RegExp, least: number): string {
  const root = word.replace(ending, '')
  return root.length >= least && root.length < word.length && /[aeiouy]/.test(root) ? root : word
}

/** The same for endings that double the letter before them: stopped, logging, mapper. But not passed, or added. */
function withoutDoubling(word: string, ending: RegExp): string {
  const root = without(word, ending, 3)
  return root === word || root.length < 4 ? root : root.replace(/([bdgmnprt])\1$/, '$1')
}

const steps: readonly ((word: string) => string)[] = [
  word => without(word, /(?<![sui])s$/, 3),
  word => without(word, /(?<=[^aeiou])ied?$/, 3),
  word => withoutDoubling(word, /(?<!e)ed$|ing$/),
  word => without(word, /ly$/, 4),
  word => withoutDoubling(word, /(er)+$/),
  word => without(word, /(?<=[st])or$/, 4),
  // approval, refusal, renewal come from verbs; signal, global and final do not.
  word => without(word, /(?<=.{3}(v|us|w|os))al$/, 4),
  word => without(word, /ment$|ance$|ence$|ity$|able$|ible$|ion$|(?<=[st])ive?$/, 4),
  word => without(word, /e$/, 3),
  word => without(word, /(?<=[^aeiou])y$/, 3),
]

function spellings(stem: string): { roots: readonly string[]; ending: string } {
  const family = families.get(stem)
  if (family) return { roots: family, ending: '' }
  return { roots: spelledBothWays(stem), ending: stem.length > 4 ? '[a-z]*' : stem.length > 2 ? shortEnding : '' }
}

function spelledBothWays(stem: string): string[] {
  if (stem.length < 5) return [stem]
  if (stem.endsWith('iz')) return [stem, `${stem.slice(0, -1)}s`]
  return stem.endsWith('or') ? [stem, `${stem.slice(0, -1)}ur`] : [stem]
}

const capitalised = (word: string) => word[0]!.toUpperCase() + word.slice(1)
const anyCapital = (word: string) =>
  /^[a-z]/.test(word) ? `[${word[0]!}${word[0]!.toUpperCase()}]${word.slice(1)}` : word
/** A pattern for any of these. */
export const either = (choices: readonly string[]) => (choices.length > 1 ? `(?:${choices.join('|')})` : choices[0]!)
