/** What the first look over a tree brought, and what each term is worth in this tree. */
import { definitionIn } from './definitions.js'
import { isHit, judgeText } from './judge.js'
import type { Question } from './question.js'
import type { Hit } from './tool-output.js'

export interface Evidence {
  /** One for each term of the question that was counted, in its order. */
  readonly counts: readonly Count[]
  /** Lines that define something, hold several terms, or call a name. */
  readonly hits: readonly Hit[]
  /** Files whose path fits. */
  readonly paths: readonly string[]
}

export interface Count {
  /** Path → lines with the term. */
  readonly lines: ReadonlyMap<string, number>
  readonly files: number
  /** Only the first files are listed: the term is common, and who else has it is not known. */
  readonly isCut: boolean
}

/** What each term is worth: its weight in the question, less where it is common in the tree (a smooth idf). */
export function termWeights(question: Question, evidence: Evidence): number[] {
  const frequency = question.terms.map((_, i) => filesWith(question, evidence, i))
  const largest = Math.max(64, ...frequency)
  return question.terms.map((term, i) => {
    const rarity = Math.log(1 + largest / (1 + frequency[i]!)) / Math.log(1 + largest)
    return term.weight * (0.15 + 0.85 * rarity)
  })
}

export function definitionsOf(hits: readonly Hit[]): { readonly hit: Hit; readonly name: string }[] {
  return hits.flatMap(hit => {
    const definition = definitionIn(hit.text)
    return definition ? [{ hit, name: definition.name }] : []
  })
}

function filesWith(question: Question, evidence: Evidence, term: number): number {
  const counted = evidence.counts[term]
  if (counted) return counted.files
  const files = new Set<string>()
  for (const hit of evidence.hits) if (judgeText(question, hit.text)[term]! > 0.6) files.add(hit.path)
  return files.size
}

export function pathsOf(question: Question, evidence: Evidence): string[] {
  const counted = evidence.counts.flatMap(({ lines, isCut }) => (isCut ? [] : [...lines.keys()]))
  const hit = evidence.hits.filter(({ text }) => isHit(judgeText(question, text))).map(({ path }) => path)
  return [...new Set([...hit, ...counted, ...evidence.paths])].sort()
}
