/** Several reports on one question, made one list: a file that several angles found comes before one that only one found. */

import { fileKind } from './file-kind.js'
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
  const fused = [...files.values()].map(findings => fuseFile(question, findings))
  return fused.map(file => ({ ...file, score: file.score + fromTests(file, fused) })).sort(byScore)
}

/** A test that fits speaks for the file it tests: `slots.test.ts`, `test_slots.py` and `slots_test.go` for `slots.*`. */
function fromTests(file: Fused, all: readonly Fused[]): number {
  if (fileKind(file.path) !== 'source') return 0
  const tests = all.filter(({ path }) => fileKind(path) === 'test' && testedName(path) === fileName(file.path))
  return 0.5 * Math.max(0, ...tests.map(({ score }) => score))
}

const fileName = (path: string) => path.split('/').pop()!
const testedName = (path: string) => fileName(path).replace(/[._](test|spec)(?=\.)|^test_/, '')

function fuseFile(question: Question, findings: readonly Finding[]): Fused {
  const best = findings.reduce((a, b) => (richness(b) > richness(a) ? b : a))
  const also = [...new Set(findings.map(({ line }) => line))].filter(line => line !== best.line).sort((a, b) => a - b)
  const found = new Set(findings.flatMap(({ matched }) => matched))
  // Each angle judged the whole file: a second one confirms, it does not add as much again.
  const top = Math.max(...findings.map(finding => finding.score))
  const score = (top + findings.reduce((sum, finding) => sum + finding.score, 0)) / 2
  return { ...best, score, also, matched: termLabels(question).filter(label => found.has(label)) }
}

/** Of two places in one file the better one, and among equals the one that shows more. */
const richness = (finding: Finding) => finding.score + Math.min(finding.excerpt.lines.length, 2) * 0.1
const byScore = (a: Fused, b: Fused) => b.score - a.score || (a.path < b.path ? -1 : 1)
