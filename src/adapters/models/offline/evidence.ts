/** What the first look over a tree brought, and what each term is worth in this tree. */
import { type Definition, definitionIn } from './definitions.js'
import { type Fit, isHit, judgeText } from './judge.js'
import type { Question } from './question.js'
import type { Hit } from './tool-output.js'

export interface Evidence {
  /** For the first terms of the question, in its order; the others are known to be common. Empty: nothing was counted. */
  readonly counts: readonly Count[]
  /** Lines that define something, hold several terms, or call a name. */
  readonly hits: readonly JudgedHit[]
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

export interface JudgedHit extends Hit {
  readonly fit: Fit
  readonly definition?: Definition
}

export function judgeHit(question: Question, hit: Hit): JudgedHit {
  const definition = definitionIn(hit.text)
  return { ...hit, fit: judgeText(question, hit.text), ...(definition && { definition }) }
}

/** A question, and what each of its terms is worth in this tree. */
export interface Scale {
  readonly question: Question
  readonly weights: readonly number[]
  readonly total: number
}

/** A term is worth its weight in the question, less where it is common in the tree (a smooth idf). */
export function weighTerms(question: Question, evidence: Evidence): Scale {
  const frequency = question.terms.map((_, i) => filesWith(evidence, i))
  const largest = Math.max(64, ...frequency.map(files => files ?? 0))
  const weights = question.terms.map((term, i) => {
    const rarity = Math.log(1 + largest / (1 + (frequency[i] ?? largest))) / Math.log(1 + largest)
    return term.weight * (0.05 + 0.95 * rarity ** 1.2)
  })
  return { question, weights, total: weights.reduce((sum, weight) => sum + weight, 0) || 1 }
}

/** Every file that something was found in, or whose path fits. */
export function pathsOf({ counts, hits, paths }: Evidence): string[] {
  const counted = counts.flatMap(({ lines, isCut }) => (isCut ? [] : [...lines.keys()]))
  const hit = hits.filter(({ fit }) => isHit(fit)).map(({ path }) => path)
  return [...new Set([...hit, ...counted, ...paths])].sort()
}

function filesWith({ counts, hits }: Evidence, term: number): number | undefined {
  if (counts.length > 0) return counts[term]?.files
  return new Set(hits.filter(({ fit }) => fit[term]! > 0.6).map(({ path }) => path)).size
}
