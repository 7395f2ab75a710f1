/**
 * Which files deserve a closer look. Scores are shares of what a perfect match would bring.
 *
 * R1 A file's name fits best; then the names it defines; then lines where several terms stand together; then frequency.
 * R2 Rare terms count more than common ones; each further distinct term counts more than the same one again.
 * R3 Tests, docs, settings and generated files come behind sources unless the question asks for them.
 * R4 Who uses a name: lines that use it count, its definition hardly, and where files lie not at all.
 * R5 Ties are broken by path and line, so that the same tree always gives the same order.
 */
import { definitionIn } from './definitions.js'
import { type Evidence, type JudgedHit, pathsOf, type Scale } from './evidence.js'
import { fileKind, kindWeight } from './file-kind.js'
import { pairsFound, worth } from './judge.js'
import { nameScore, pathScore } from './names.js'
import { namesOf, type Question } from './question.js'

export interface Candidate {
  readonly path: string
  readonly score: number
}

/** Best first. */
export function rankFiles(scale: Scale, evidence: Evidence): Candidate[] {
  const byPath = groupByPath(evidence.hits)
  const score = (path: string) => {
    const lines = byPath.get(path) ?? []
    const parts =
      0.7 * placeWorth(scale, path) +
      0.5 * Math.max(0, ...lines.map(line => definitionScore(scale, line))) +
      0.5 * Math.max(0, ...lines.map(line => lineScore(scale, line))) +
      0.6 * frequencyScore(scale, evidence, path)
    return (parts / scale.total) * kindFactor(scale.question, path)
  }
  return pathsOf(evidence)
    .map(path => ({ path, score: score(path) }))
    .filter(candidate => candidate.score > 0)
    .sort(byScore)
}

/** R3. */
export function kindFactor(question: Question, path: string): number {
  const kind = fileKind(path)
  if (question.intent === 'tests' && kind === 'test') return 1.3
  if (question.intent === 'docs' && kind === 'docs') return 1.3
  return kindWeight[kind]
}

/** R4: what a line is worth to somebody who asks for uses; 1 for every other question. */
export function useFactor(question: Question, text: string): number {
  const names = question.intent === 'callers' ? namesOf(question) : []
  if (names.length === 0) return 1
  if (!names.some(name => text.includes(name))) return 0
  if (names.includes(definitionIn(text)?.name ?? '')) return 0.1
  return comment.test(text) ? 0.2 : importing.test(text) ? 0.6 : 1
}

const importing = /^\s*(import|from|export \{|use |#include|const \{?.*require\()/
const comment = /^\s*(\/\/|\/?\*|#|--|""")/

/** What lying at this path is worth. */
export const placeWorth = (scale: Scale, path: string): number =>
  useFactor(scale.question, '') === 0 ? 0 : pathScore(scale, path)

interface Ranked {
  readonly score: number
  readonly path: string
  readonly line?: number
}
/** R5. */
export function byScore(a: Ranked, b: Ranked): number {
  return b.score - a.score || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0) || (a.line ?? 0) - (b.line ?? 0)
}

function definitionScore(scale: Scale, { definition, text }: JudgedHit): number {
  return definition ? nameScore(scale, definition.name) * useFactor(scale.question, text) : 0
}

function lineScore({ question, weights }: Scale, { fit, text }: JudgedHit): number {
  return (worth(fit, weights) + 0.3 * pairsFound(question, text)) * useFactor(question, text)
}

function frequencyScore({ weights }: Scale, { counts }: Evidence, path: string): number {
  return weights.reduce((sum, weight, i) => {
    const count = counts[i]
    const lines = count && !count.isCut ? (count.lines.get(path) ?? 0) : 0
    return sum + weight * (lines / (lines + 2))
  }, 0)
}

function groupByPath(hits: readonly JudgedHit[]): Map<string, JudgedHit[]> {
  const groups = new Map<string, JudgedHit[]>()
  for (const hit of hits) {
    const group = groups.get(hit.path)
    if (group) group.push(hit)
    else groups.set(hit.path, [hit])
  }
  return groups
}
