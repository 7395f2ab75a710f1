/** The calls an Explore run makes. Patterns are valid for ripgrep and for JavaScript: no lookaround, all text escaped. */
import { definitionPattern, escapePattern, exactDefinitionPattern, outlinePattern } from './definitions.js'
import { testsAndDocsGlob } from './file-kind.js'
import { namesOf, type Question, type Term, tellingTerms, termLabels } from './question.js'
import type { Call } from './script.js'
import { beginningsOf, either, namePattern, wordPattern } from './stem.js'

export type Angle = 'definitions' | 'uses' | 'tests and docs' | 'all'

/** How many lines with a term each file has. `isWide` counts the synonyms instead of the word itself. */
export function countCall(term: Term, isWide: boolean): Call {
  const own = term.name ? [wholeName(term.name)] : compoundPatterns(term)
  const stems = stemsFrom(term, isWide ? 0 : 0.6, 6).map(wordPattern)
  const pattern = isWide && stems.length > 0 ? stems : term.name ? own : [...own, ...stems]
  return { name: 'Grep', input: { pattern: pattern.join('|'), output_mode: 'count', head_limit: countLimit } }
}

/** Definitions with any of the question's words in their names. */
export function definitionCall(question: Question): Call {
  const stems = unique(tellingTerms(question).flatMap(term => stemsFrom(term, 0.3, 4)))
  const pattern = stems.length > 0 ? definitionPattern(stems) : exactDefinitionPattern(termLabels(question))
  return content({ pattern, '-i': true, head_limit: 500 })
}

/** The same for each word by itself: a rare one is not lost in a list that a common one fills. */
export function definitionCalls(question: Question): Call[] {
  const each = tellingTerms(question).filter(({ name }) => name === undefined)
  return each
    .slice(0, 3)
    .map(term => content({ pattern: definitionPattern(unique(stemsFrom(term, 0.6, 4))), '-i': true, head_limit: 150 }))
}

/** Lines that hold words of two different terms. */
export function togetherCall(question: Question): Call | undefined {
  const pairs = pairPatterns(question)
  return pairs.length > 0 ? content({ pattern: pairs.join('|'), '-i': true, head_limit: 300 }) : undefined
}

/** In documents: headings with any of the words, lines with words of two terms. In tests: titles with any of the words. */
export function testsAndDocsCall(question: Question): Call {
  const word = either(unique(tellingTerms(question).flatMap(fragmentsFrom)))
  const title = `(?:\\b(?:test|it|describe)(?:[.]\\w+)?\\(|def test|func Test|fn test|class \\w*Test|void test).*${word}`
  const pattern = [`^#{1,6} .*${word}`, title, ...pairPatterns(question)].join('|')
  return content({ pattern, '-i': true, glob: testsAndDocsGlob, head_limit: 400 })
}

/** Places that use a name: calls, imports, mentions. */
export function usesCall(names: readonly string[]): Call {
  return content({ pattern: either(names.map(wholeName)), head_limit: 200 })
}

/** Lines that import or list one of these files: `'./grep.js'`, `from .grep import`, `mod grep;`. */
export function mentionPattern(stems: readonly string[]): string {
  const stem = either(stems.map(escapePattern))
  return `['"/]${stem}(?:[.]\\w+)?['"]|^\\s*(?:from|import)\\s+[\\w.]*\\b${stem}\\b|\\bmod\\s+${stem};`
}

export const mentionCall = (stems: readonly string[]): Call =>
  content({ pattern: mentionPattern(stems), head_limit: 400 })

export function exactDefinitionCall(names: readonly string[]): Call {
  return content({ pattern: exactDefinitionPattern(names), head_limit: 60 })
}

export function quoteCall(quote: string): Call {
  return content({ pattern: escapePattern(quote), '-i': true, head_limit: 60 })
}

/** Files that the question names itself, and files with its words in their names. */
export function pathCalls(question: Question): Call[] {
  const named = question.paths.map(path => (path.endsWith('/') ? `**/${path}**` : `**/${path}`))
  const words = fileWords(question)
  return [...named, ...(words ? [`**/*${words}*`] : [])].map(glob)
}

/** Files that are all about one of the words: what is left when there are too many with a word somewhere in the name. */
export function exactPathCall(question: Question): Call {
  return glob(`**/${fileWords(question)}{,e,s,es,y,er,or,ing}.*`)
}

/** Everything in one file that bears on the question, and the file's outline. */
export function inspectCall(question: Question, path: string): Call {
  const stems = unique(question.terms.flatMap(term => stemsFrom(term, 0, 8)).flatMap(beginningsOf))
  const names = namesOf(question).map(escapePattern)
  // The words first: people see the start of a pattern.
  return content({ pattern: [...names, ...stems, outlinePattern].join('|'), path, '-i': true, head_limit: 400 })
}

export function readCall(path: string, from: number, lines: number): Call {
  return { name: 'Read', input: { file_path: path, offset: Math.max(1, from), limit: lines } }
}

export const countLimit = 400
/** A list of paths this long may be cut. */
export const pathLimit = 100

function pairPatterns(question: Question): string[] {
  const groups = [...new Set(question.terms.slice(0, 6).map(term => either(fragmentsFrom(term))))]
  return groups.flatMap((a, i) => groups.slice(i + 1).flatMap(b => [`${a}.*${b}`, `${b}.*${a}`]))
}

function fileWords(question: Question): string {
  const stems = unique(tellingTerms(question).flatMap(term => stemsFrom(term, 0.4, 3)))
  const words = stems.flatMap(beginningsOf).slice(0, 24)
  return words.length > 1 ? `{${words.map(anyCase).join(',')}}` : words.map(anyCase).join('')
}

const glob = (pattern: string): Call => ({ name: 'Glob', input: { pattern } })

function content(input: Call['input']): Call {
  return { name: 'Grep', input: { output_mode: 'content', '-n': true, ...input } }
}

/** `read-only` as it is written in code: read-only, read_only, readOnly. */
function compoundPatterns({ compound }: Term): string[] {
  return compound ? [compound.map(stem => `(?:${namePattern(stem)})`).join('[a-z]*[-_ ]?')] : []
}

/** Parts of a pattern that ignores case; at least one. */
function fragmentsFrom(term: Term): string[] {
  const fragments = [...compoundPatterns(term), ...unique(stemsFrom(term, 0.4, 3).flatMap(beginningsOf))]
  return fragments.length > 0 ? fragments : [escapePattern(term.name ?? term.label)]
}

/** A name and no longer one; `$x` has no word boundary before it. */
const wholeName = (name: string) =>
  `${/^\w/.test(name) ? '\\b' : ''}${escapePattern(name)}${/\w$/.test(name) ? '\\b' : ''}`

function stemsFrom(term: Term, least: number, limit: number): string[] {
  const stems = [...term.stems].filter(([, strength]) => strength >= least).map(([stem]) => stem)
  return (stems.length > 0 ? stems : [...term.stems.keys()]).slice(0, limit)
}

const anyCase = (stem: string) => `[${stem[0]!.toUpperCase()}${stem[0]!}]${stem.slice(1)}`
const unique = (words: readonly string[]) => [...new Set(words)].filter(word => word.length > 1)
