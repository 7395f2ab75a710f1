/** Several reports on one question, made one list: a file that several angles found comes before one that only one found. */
import type { Finding } from './explore.js'
import type { Question } from './question.js'

export interface Report {
  readonly angle: string
  readonly findings: readonly Finding[]
}
export interface Fused extends Finding {
  /** Other places in the same file. */
  readonly also: readonly number[]
}

export function fuse(question: Question, reports: readonly Report[]): Fused[] {
  const files = new Map<string, { findings: Finding[]; score: number }>()
  for (const { findings } of reports) {
    for (const finding of findings) {
      const file = files.get(finding.path) ?? { findings: [], score: 0 }
      file.findings.push(finding)
      file.score += finding.score
      files.set(finding.path, file)
    }
  }
  return [...files.values()]
    .map(({ findings, score }) => {
      const best = findings.reduce((a, b) => (richness(b) > richness(a) ? b : a))
      const also = [...new Set(findings.map(({ line }) => line))].filter(line => line !== best.line).sort((a, b) => a - b)
      return { ...best, score, also, matched: unique(findings.flatMap(({ matched }) => matched), question) }
    })
    .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1))
}

/** Of two places in one file the better one, and among equals the one that shows more. */
const richness = (finding: Finding) => finding.score + Math.min(finding.excerpt.lines.length, 2) * 0.1

function unique(labels: readonly string[], question: Question): string[] {
  return question.terms.map(({ label }) => label).filter(label => labels.includes(label))
}
