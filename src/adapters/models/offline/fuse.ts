/** Several reports on one question, made one list: a file that several angles found comes before one that only one found. */
import type { Finding } from './finding.js'
import { type Question, termLabels } from './question.js'

export interface Fused extends Finding {
  /** Other places in the same file. */
  readonly also: readonly number[]
}

export function fuse(question: Question, reports: readonly (readonly Finding[])[]): Fused[] {
  const files = new Map<string, Finding[]>()
  for (const finding of reports.flat()) {
    const file = files.get(finding.path)
    if (file) file.push(finding)
    else files.set(finding.path, [finding])
  }
  return [...files.values()].map(findings => fuseFile(question, findings)).sort(byScore)
}

function fuseFile(question: Question, findings: readonly Finding[]): Fused {
  const best = findings.reduce((a, b) => (richness(b) > richness(a) ? b : a))
  const also = [...new Set(findings.map(({ line }) => line))].filter(line => line !== best.line).sort((a, b) => a - b)
  const found = new Set(findings.flatMap(({ matched }) => matched))
  const score = findings.reduce((sum, finding) => sum + finding.score, 0)
  return { ...best, score, also, matched: termLabels(question).filter(label => found.has(label)) }
}

/** Of two places in one file the better one, and among equals the one that shows more. */
const richness = (finding: Finding) => finding.score + Math.min(finding.excerpt.lines.length, 2) * 0.1
const byScore = (a: Fused, b: Fused) => b.score - a.score || (a.path < b.path ? -1 : 1)
