/**
 * Which files and which lines of them answer a question best. Scores are shares of what a perfect match would bring.
 *
 * R1 A file's name fits best; then the names it defines; then lines where several terms stand together; then frequency.
 * R2 Rare terms count more than common ones; each further distinct term counts more than the same one again.
 * R3 Tests, docs, settings and generated files come behind sources unless the question asks for them.
 * R4 Who uses a name: lines that use it count, its definition hardly, and where files lie not at all.
 * R5 Ties are broken by path and line, so that the same tree always gives the same order.
 */
import { definitionIn } from './definitions.js'
import { definitionsOf, type Evidence, pathsOf } from './evidence.js'
import { fileKind, kindWeight } from './file-kind.js'
import { better, type Fit, isHit, judgeName, judgeText, pairsFound, worth } from './judge.js'
import type { Question } from './question.js'
import { stemOf, wordParts } from './stem.js'
import type { Hit } from './tool-output.js'
import { stopWords } from './words.js'

export interface Candidate {
  readonly path: string
  readonly score: number
}
export interface Place {
  readonly path: string
  readonly line: number
  /** The definition, heading or test it lies in. */
  readonly symbol?: string
  readonly score: number
  /** Labels of the terms found there. */
  readonly matched: readonly string[]
  readonly text: string
  /** What the file defines, in its order; told for the best files only. */
  readonly defines?: readonly string[]
}

/** Files worth a closer look, best first. */
export function rankFiles(question: Question, evidence: Evidence, weights: readonly number[]): Candidate[] {
  const total = sum(weights) || 1
  const byPath = groupByPath(evidence.hits)
  return pathsOf(question, evidence)
    .map(path => {
      const lines = byPath.get(path) ?? []
      const names = definitionsOf(lines).map(
        ({ hit, name }) => nameScore(question, name, weights) * useFactor(question, hit.text),
      )
      const together = Math.max(
        0,
        ...lines.map(({ text }) => lineScore(question, text, weights) * useFactor(question, text)),
      )
      const frequent = frequencyScore(evidence, path, weights)
      const score =
        0.7 * pathScore(question, path, weights) + 0.5 * Math.max(0, ...names) + 0.5 * together + 0.6 * frequent
      return { path, score: (score / total) * kindFactor(question, path) }
    })
    .filter(({ score }) => score > 0)
    .sort(byScore)
}

/** The best places of one file, from its outline and every line with a term in it; best first, at most `limit`. */
export function rankPlaces(
  question: Question,
  path: string,
  hits: readonly Hit[],
  weights: readonly number[],
  limit = 3,
): Place[] {
  const total = sum(weights) || 1
  const lines = hits.map(hit => ({ ...hit, fit: judgeText(question, hit.text), definition: definitionIn(hit.text) }))
  const fromPath = 0.7 * pathScore(question, path, weights)
  const places: Place[] = []
  for (const line of lines.filter(({ fit }) => isHit(fit))) {
    const near = lines.filter(other => Math.abs(other.line - line.line) <= reach && isHit(other.fit))
    const around = near.reduce<Fit>(
      (fit, other) => better(fit, faded(other.fit, Math.abs(other.line - line.line))),
      line.fit,
    )
    const own = line.definition ? 0.8 * nameScore(question, line.definition.name, weights) : 0
    const pairs = 0.25 * pairsFound(question, line.text) * (total / question.terms.length)
    const score =
      (worth(around, weights) + own + pairs + 0.2 * worth(line.fit, weights)) * useFactor(question, line.text)
    const symbol = line.definition?.name ?? enclosing(lines, line.line)
    const matched = question.terms.filter((_, i) => around[i]! > 0).map(({ label }) => label)
    if (score > 0)
      places.push({ path, line: line.line, symbol, score: (score + fromPath) / total, matched, text: line.text.trim() })
  }
  return apart(places.sort(byScore), limit).map(place => ({
    ...place,
    score: place.score * kindFactor(question, path),
  }))
}

/** R4: what a line is worth to somebody who asks for uses; 1 for every other question. */
export function useFactor(question: Question, text: string): number {
  const names = question.intent === 'callers' ? question.terms.flatMap(({ name }) => name ?? []) : []
  if (names.length === 0) return 1
  if (!names.some(name => text.includes(name))) return 0
  if (names.includes(definitionIn(text)?.name ?? '')) return 0.1
  return /^\s*(import|from|export \{|use |#include|const \{?.*require\()/.test(text) ? 0.6 : 1
}

/** R3. */
export function kindFactor(question: Question, path: string): number {
  const kind = fileKind(path)
  if (question.intent === 'tests' && kind === 'test') return 1.3
  if (question.intent === 'docs' && kind === 'docs') return 1.3
  return kindWeight[kind]
}

export function pathScore(question: Question, path: string, weights: readonly number[]): number {
  if (useFactor(question, '') === 0) return 0
  const parts = path.split('/')
  const file = parts.pop()!
  const stem = file.replace(/(\.(test|spec))?\.\w+$/, '')
  const named = question.paths.some(
    said => path === said || path.endsWith(`/${said}`) || (said.endsWith('/') && path.includes(said)),
  )
  const inName = judgeName(question, stem)
  const inFolder = judgeName(question, parts.slice(-3).join('/')).map((strength, i) => (inName[i]! > 0 ? 0 : strength))
  return nameWorth(question, stem, inName, weights) + 0.25 * worth(inFolder, weights) + (named ? sum(weights) : 0)
}

const reach = 10

/** Names that consist of the question's words and little else come first. */
function nameScore(question: Question, name: string, weights: readonly number[]): number {
  return nameWorth(question, name, judgeName(question, name), weights)
}

function nameWorth(question: Question, name: string, fit: Fit, weights: readonly number[]): number {
  const pairs = pairsFound(question, name) * 0.5 * (sum(weights) / weights.length)
  return worth(fit, weights) * (0.4 + 0.6 * share(question, name)) + pairs
}

function lineScore(question: Question, text: string, weights: readonly number[]): number {
  return worth(judgeText(question, text), weights) + 0.3 * pairsFound(question, text)
}

function frequencyScore(evidence: Evidence, path: string, weights: readonly number[]): number {
  return sum(
    weights.map((weight, i) => {
      const count = evidence.counts[i]
      const lines = count && !count.isCut ? (count.lines.get(path) ?? 0) : 0
      return weight * (lines / (lines + 3))
    }),
  )
}

/** The share of a name's words that the question asks for. */
function share(question: Question, name: string): number {
  const words = wordParts(name).filter(word => !stopWords.has(word))
  if (words.length === 0) return 0
  const asked = words.filter(word => question.terms.some(term => (term.stems.get(stemOf(word)) ?? 0) > 0))
  return asked.length / words.length
}

const faded = (fit: Fit, distance: number): Fit => fit.map(strength => strength / (1 + distance / 8))

function enclosing(lines: readonly { line: number; definition?: { name: string } }[], at: number): string | undefined {
  return lines.filter(({ line, definition }) => line <= at && definition).at(-1)?.definition?.name
}

function apart(places: readonly Place[], limit: number): Place[] {
  const kept: Place[] = []
  for (const place of places) {
    if (kept.length >= limit) break
    if (kept.every(other => Math.abs(other.line - place.line) > reach)) kept.push(place)
  }
  return kept
}

function groupByPath(hits: readonly Hit[]): Map<string, Hit[]> {
  const groups = new Map<string, Hit[]>()
  for (const hit of hits) {
    const group = groups.get(hit.path)
    if (group) group.push(hit)
    else groups.set(hit.path, [hit])
  }
  return groups
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

function byScore(
  a: { score: number; path: string; line?: number },
  b: { score: number; path: string; line?: number },
): number {
  return b.score - a.score || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0) || (a.line ?? 0) - (b.line ?? 0)
}
