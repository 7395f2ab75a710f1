/**
 * The Explore role: look over the tree, look closer at the best files, follow the names found there, read, report.
 * Everything is decided from tool results; a call that fails counts as having found nothing.
 */
import { definitionIn } from './definitions.js'
import { type Count, type Evidence, termWeights } from './evidence.js'
import { type Excerpt, excerptOf } from './excerpt.js'
import { fileKind } from './file-kind.js'
import { namesWorthFollowing } from './follow.js'
import type { Question } from './question.js'
import { type Candidate, type Place, rankFiles, rankPlaces } from './rank.js'
import type { Answer, Call, Script } from './script.js'
import * as search from './searches.js'
import { readCounts, readFileTotal, readHits, readPaths } from './tool-output.js'

export interface Finding extends Place {
  readonly excerpt: Excerpt
}
export interface Findings {
  readonly findings: readonly Finding[]
  /** Tools that failed or were denied, by name. */
  readonly failed: readonly string[]
}

export function* explore(question: Question, angle: search.Angle, has: (tool: string) => boolean): Script<Findings> {
  const failed = new Set<string>()
  const ask = function* (calls: readonly Call[]): Script<readonly Answer[]> {
    const usable = calls.filter(call => has(call.name))
    const answers = usable.length > 0 ? yield usable : []
    usable.forEach((call, i) => answers[i]!.isMissing && failed.add(call.name))
    return calls.map(call => answers[usable.indexOf(call)] ?? { text: '', isMissing: true })
  }
  const { evidence, weights } = yield* survey(question, angle, ask)
  const candidates = rankFiles(question, evidence, weights).slice(0, closerLook)
  const places = yield* inspect(question, candidates, weights, ask)
  // The definitions angle has been everywhere that names lead to.
  const followed = angle === 'definitions' ? [] : yield* follow(question, places, weights, ask)
  const best = bestPerFile([...places, ...followed]).slice(0, reported)
  const findings = yield* read(best, ask)
  return { findings, failed: [...failed].sort() }
}

type Ask = (calls: readonly Call[]) => Script<readonly Answer[]>
const closerLook = 8
const mostCounted = 5
const mostWidened = 3
const reported = 8
const readFully = 5

function* survey(question: Question, angle: search.Angle, ask: Ask): Script<{ evidence: Evidence; weights: number[] }> {
  const counted = angle === 'uses' || angle === 'all' ? question.terms.slice(0, mostCounted) : []
  const counts = counted.map(term => search.countCall(term, false))
  const others = surveyCalls(question, angle)
  const answers = yield* ask([...counts, ...others])
  const found = others.map((call, i) => ({ tool: call.name, text: answers[counts.length + i]!.text }))
  const first = counted.map((_, i) => readCount(answers[i]!.text))
  const evidence = {
    counts: yield* widen(question, first, ask),
    hits: found.flatMap(({ tool, text }) => (tool === 'Grep' ? readHits(text) : [])),
    paths: found.flatMap(({ tool, text }) => (tool === 'Glob' ? readPaths(text) : [])),
  }
  return { evidence, weights: termWeights(question, evidence) }
}

function surveyCalls(question: Question, angle: search.Angle): Call[] {
  const names = question.terms.flatMap(({ name }) => (name ? [name] : []))
  const calls: (Call | undefined)[] = []
  if (angle === 'definitions' || angle === 'all') {
    calls.push(search.definitionCall(question), ...search.pathCalls(question))
    if (names.length > 0) calls.push(search.exactDefinitionCall(names))
  }
  if (angle === 'uses' || angle === 'all') {
    calls.push(search.togetherCall(question), ...question.quotes.map(search.quoteCall))
    if (names.length > 0) calls.push(search.usesCall(names))
  }
  if (angle === 'tests and docs' || angle === 'all') {
    calls.push(search.docsCall(question), search.testCall(question))
  }
  return calls.filter(call => call !== undefined)
}

/** A word that nobody in the tree uses is counted by its synonyms instead. */
function* widen(question: Question, counts: readonly Count[], ask: Ask): Script<Count[]> {
  const unused = counts
    .flatMap(({ files }, i) => (files === 0 && question.terms[i]!.stems.size > 1 ? [i] : []))
    .slice(0, mostWidened)
  const answers = yield* ask(unused.map(i => search.countCall(question.terms[i]!, true)))
  return counts.map((count, i) => (unused.includes(i) ? readCount(answers[unused.indexOf(i)]!.text) : count))
}

function readCount(text: string): Count {
  const lines = readCounts(text)
  const files = readFileTotal(text) ?? lines.size
  return { lines, files, isCut: files > lines.size || lines.size >= search.countLimit }
}

function* inspect(
  question: Question,
  candidates: readonly Candidate[],
  weights: readonly number[],
  ask: Ask,
): Script<Place[]> {
  const answers = yield* ask(candidates.map(({ path }) => search.inspectCall(question, path)))
  return candidates.flatMap(({ path, score }, i) => {
    const places = rankPlaces(question, path, readHits(answers[i]!.text, path), weights)
    // A file without a fitting line is still worth naming when its path fits.
    if (places.length === 0) return [{ path, line: 1, score: score / 2, matched: [], text: '' }]
    return places.map(place => ({ ...place, score: place.score + score }))
  })
}

/** Docs, comments and calls name the things that other files define: go where they are defined. */
function* follow(question: Question, places: readonly Place[], weights: readonly number[], ask: Ask): Script<Place[]> {
  const names = namesWorthFollowing(question, places, weights)
  if (names.length === 0) return []
  const [answer] = yield* ask([search.exactDefinitionCall(names.map(({ name }) => name))])
  const known = new Set(places.map(({ path }) => path))
  const shares = new Map(names.map(({ name, share }) => [name, share]))
  const found = new Map<string, number>()
  for (const { path, text } of readHits(answer!.text)) {
    const share = shares.get(definitionIn(text)?.name ?? '') ?? 0
    if (!known.has(path) && fileKind(path) === 'source') found.set(path, Math.max(found.get(path) ?? 0, share))
  }
  const candidates = [...found].map(([path, share]) => ({ path, score: 0.5 * share })).sort((a, b) => b.score - a.score)
  return yield* inspect(question, candidates.slice(0, 4), weights, ask)
}

function* read(places: readonly (Place & { also?: readonly number[] })[], ask: Ask): Script<Finding[]> {
  const calls = places.slice(0, readFully).map(({ path, line }) => search.readCall(path, line - 12, 40))
  const answers = yield* ask(calls)
  return places.map((place, i) => ({ ...place, excerpt: excerptOf(place, answers[i]?.text ?? '') }))
}

/** One place a file: its best, with what its other places add. */
function bestPerFile(places: readonly Place[]): Place[] {
  const best = new Map<string, Place>()
  for (const place of places) {
    const before = best.get(place.path)
    if (!before || before.score < place.score) best.set(place.path, place)
  }
  return [...best.values()].sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1))
}
