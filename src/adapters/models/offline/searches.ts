/** The calls an Explore run makes. Patterns are valid for ripgrep and for JavaScript: no lookaround, all text escaped. */
import { definitionPattern, escapePattern, exactDefinitionPattern, outlinePattern } from './definitions.js'
import { docsGlob, testsGlob } from './file-kind.js'
import type { Question, Term } from './question.js'
import type { Call } from './script.js'
import { wordPattern } from './stem.js'

export type Angle = 'definitions' | 'uses' | 'tests and docs' | 'all'

/** How many lines with a term each file has. `isWide` counts the synonyms instead of the word itself. */
export function countCall(term: Term, isWide: boolean): Call {
  const pattern =
    term.name && !isWide
      ? `\\b${escapePattern(term.name)}\\b`
      : stemsFrom(term, isWide ? 0 : 0.6, 6)
          .map(wordPattern)
          .join('|')
  return { name: 'Grep', input: { pattern, output_mode: 'count', head_limit: countLimit } }
}

/** Definitions with any of the question's words in their names. */
export function definitionCall(question: Question): Call {
  const stems = unique(telling(question).flatMap(term => stemsFrom(term, 0.3, 4)))
  return content({ pattern: definitionPattern(stems), '-i': true, head_limit: 500 })
}

/** Lines that hold words of two different terms. */
export function togetherCall(question: Question): Call | undefined {
  const pairs = pairPatterns(question)
  return pairs.length > 0 ? content({ pattern: pairs.join('|'), '-i': true, head_limit: 300 }) : undefined
}

/** Headings of documents with any of the words, and their lines with words of two terms. */
export function docsCall(question: Question): Call {
  const stems = unique(telling(question).flatMap(term => stemsFrom(term, 0.4, 3)))
  const pattern = [`^#{1,6} .*${either(stems)}`, ...pairPatterns(question)].join('|')
  return content({ pattern, '-i': true, glob: docsGlob, head_limit: 250 })
}

/** Titles and names of tests with any of the words. */
export function testCall(question: Question): Call {
  const stems = unique(telling(question).flatMap(term => stemsFrom(term, 0.4, 3)))
  const title = `(?:\\b(?:test|it|describe)(?:[.]\\w+)?\\(|def test|func Test|fn test|class \\w*Test|void test).*(?:${stems.join('|')})`
  return content({ pattern: title, '-i': true, glob: testsGlob, head_limit: 300 })
}

/** Places that use a name: calls, imports, mentions. */
export function usesCall(names: readonly string[]): Call {
  return content({ pattern: `\\b${either(names.map(escapePattern))}\\b`, head_limit: 200 })
}

/** Lines that import or list files by their stems: `./grep.js`, `from .grep import`, `"grep"`. */
export function mentionCall(stems: readonly string[]): Call {
  const either = stems.map(escapePattern).join('|')
  return content({
    pattern: `(?:import|require|from|use|include|export).*[/'"., ](?:${either})(?:[.'"; ]|$)`,
    head_limit: 300,
  })
}

export function exactDefinitionCall(names: readonly string[]): Call {
  return content({ pattern: exactDefinitionPattern(names), head_limit: 60 })
}

export function quoteCall(quote: string): Call {
  return content({ pattern: escapePattern(quote), '-i': true, head_limit: 60 })
}

/** Files named after the question's words, and files it names itself. */
export function pathCalls(question: Question): Call[] {
  const words = unique(telling(question).flatMap(term => stemsFrom(term, 0.4, 3))).slice(0, 16)
  const named = question.paths.map(path => (path.endsWith('/') ? `**/${path}**` : `**/${path}`))
  const either = braces(words.map(anyCase))
  // The second finds the file that is all about a word where the first finds too many that have it in their names.
  const globs = words.length > 0 ? [`**/*${either}*`, `**/${either}{,e,s,es,y,er,or,ing}.*`] : []
  return [...named, ...globs].map(pattern => ({ name: 'Glob', input: { pattern } }))
}

/** Everything in one file that bears on the question, and the file's outline. */
export function inspectCall(question: Question, path: string): Call {
  const stems = unique(question.terms.flatMap(term => stemsFrom(term, 0, 8)))
  const names = question.terms.flatMap(({ name }) => (name ? [escapePattern(name)] : []))
  return content({ pattern: `${outlinePattern}|${[...names, ...stems].join('|')}`, path, '-i': true, head_limit: 400 })
}

export function readCall(path: string, from: number, lines: number): Call {
  return { name: 'Read', input: { file_path: path, offset: Math.max(1, from), limit: lines } }
}

export const countLimit = 400

/** The terms without those that occur everywhere, unless there are no others. */
function telling({ terms }: Question): readonly Term[] {
  const rare = terms.filter(({ weight }) => weight > 0.5)
  return rare.length > 0 ? rare : terms
}

function pairPatterns(question: Question): string[] {
  const groups = [...new Set(question.terms.slice(0, 6).map(term => either(stemsFrom(term, 0.4, 3))))]
  return groups.flatMap((a, i) => groups.slice(i + 1).flatMap(b => [`${a}.*${b}`, `${b}.*${a}`]))
}

function content(input: Call['input']): Call {
  return { name: 'Grep', input: { output_mode: 'content', '-n': true, ...input } }
}

function stemsFrom(term: Term, least: number, limit: number): string[] {
  const stems = [...term.stems].filter(([, strength]) => strength >= least).map(([stem]) => stem)
  return (stems.length > 0 ? stems : [...term.stems.keys()]).slice(0, limit)
}

const anyCase = (stem: string) => `[${stem[0]!.toUpperCase()}${stem[0]!}]${stem.slice(1)}`
const braces = (choices: readonly string[]) => (choices.length > 1 ? `{${choices.join(',')}}` : choices[0]!)
const either = (choices: readonly string[]) => (choices.length > 1 ? `(?:${choices.join('|')})` : choices[0]!)
const unique = (words: readonly string[]) => [...new Set(words)].filter(word => word.length > 1)
