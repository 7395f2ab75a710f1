/**
 * Brings words and identifiers to comparable stems.
 *
 * S1 An identifier is its parts: `retryCount`, `retry_count` and `RETRY-COUNT` are all `retry` + `count`.
 * S2 A stem is a prefix of its regular words, so that one expression finds them all; irregular words are listed.
 * S3 What `wordPattern` finds is a superset of what `stemOf` calls equal: lines are judged again after the search.
 */
import { wordFamilies } from './words.js'

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
  const either = group(roots.map(anyCapital))
  const capital = group(roots.map(capitalised))
  return `(?:\\b|_)${either}${tail}|[a-z0-9]${capital}${tail}|${group(roots.map(root => root.toUpperCase()))}`
}

/** The looser form for use inside a name: the stem anywhere, in any of the usual cases. */
export function namePattern(stem: string): string {
  const { roots } = spellings(stem)
  return roots.flatMap(root => [anyCapital(root), root.toUpperCase()]).join('|')
}

const suffixes =
  `ations ation ating ators ator ated ates ate ments ment ances ance ences ence ities ity ings ing ions ion
  ies ied ying able ible ives ive ers er ors or ed es ly e y s`.split(/\s+/)
// A short stem begins many words that have nothing to do with it (mode, model), so its endings are spelled out.
const shortEnding = `(?:[a-z]?(?:${suffixes.filter(suffix => suffix.length < 5).join('|')}))?`
const irregular = new Map(wordFamilies.flatMap(family => family.map(word => [word, family[0]!] as const)))
const families = new Map(wordFamilies.map(family => [family[0]!, family]))

// Every line of every search passes through here; the answers never change.
const remembered = new Map<string, string>()

/** optimis → optimiz, colour → color. */
function oneSpelling(stem: string): string {
  return stem.length < 5 ? stem : stem.replace(/is$/, 'iz').replace(/our$/, 'or')
}

function stripSuffix(word: string): string {
  if (word.length <= 3 || /\d/.test(word)) return word
  // approval, refusal, renewal come from verbs; signal, global and final do not.
  if (/.{3}(?:v|us|w|os)al$/.test(word)) return word.slice(0, -2)
  for (const suffix of suffixes) {
    if (!word.endsWith(suffix) || (suffix === 's' && /(ss|us|is)$/.test(word))) continue
    const root = word.slice(0, -suffix.length)
    if (root.length >= (suffix.length === 1 ? 3 : 4) && /[aeiouy]/.test(root)) return undouble(root)
  }
  return word
}

/** stopp → stop, but not pass → pas. */
function undouble(root: string): string {
  return /([bdgmnprt])\1$/.test(root) && root.length > 4 ? root.slice(0, -1) : root
}

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
const group = (choices: readonly string[]) => (choices.length > 1 ? `(?:${choices.join('|')})` : choices[0]!)
