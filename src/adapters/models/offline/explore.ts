/**
 * The Explore role: look over the tree, look closer at the best files, follow the names found there, read, report.
 * Everything is decided from tool results; a call that fails counts as having found nothing.
 */
import { definitionIn } from './definitions.js'
import { type Scale, weighTerms } from './evidence.js'
import { endsBefore, showFile, showPlace } from './excerpt.js'
import { type FileKind, fileKind } from './file-kind.js'
import type { Finding, Findings, Place } from './finding.js'
import { namesWorthFollowing } from './follow.js'
import { isNamed } from './names.js'
import { rankPlaces } from './places.js'
import type { Question } from './question.js'
import { byScore, type Candidate, rankFiles } from './rank.js'
import { type Call, nothing, type Script } from './script.js'
import { type Angle, exactDefinitionCall, inspectCall, readCall } from './searches.js'
import { type Ask, survey } from './survey.js'
import { type Hit, readHits } from './tool-output.js'

export function* explore(question: Question, angle: Angle, has: (tool: string) => boolean): Script<Findings> {
  const failed = new Set<string>()
  const ask = askWith(has, failed)
  const evidence = yield* survey(question, angle, ask)
  const scale = weighTerms(question, evidence)
  const candidates = rankFiles(scale, evidence).slice(0, closerLook[angle])
  const places = yield* inspect(scale, candidates, ask)
  const near = yield* read(question, bestPerFile(places).slice(0, reported), ask)
  const leading = near.filter(({ path }) => leadsOn[angle].includes(fileKind(path)))
  const followed = yield* follow(scale, leading, places, ask)
  const far = bestPerFile(followed).map(place => ({ ...place, ...showPlace(place, '') }))
  const findings = [...near, ...far].sort(byScore).slice(0, reported)
  return { findings, failed: [...failed].sort() }
}

const closerLook: { readonly [angle in Angle]: number } = { definitions: 6, uses: 8, 'tests and docs': 5, all: 9 }
/** Whose names are worth following. The definitions angle has been everywhere that names lead to. */
const leadsOn: { readonly [angle in Angle]: readonly FileKind[] } = {
  definitions: [],
  uses: ['source', 'docs'],
  'tests and docs': ['docs'],
  all: ['source', 'docs'],
}
const followedTo = 4
const reported = 8
const readFully = 5

function askWith(has: (tool: string) => boolean, failed: Set<string>): Ask {
  return function* (calls: readonly Call[]) {
    const usable = calls.filter(call => has(call.name))
    const answers = usable.length > 0 ? yield usable : []
    for (const [i, call] of usable.entries()) if (answers[i]!.isMissing) failed.add(call.name)
    return calls.map(call => answers[usable.indexOf(call)] ?? nothing)
  }
}

function* inspect(scale: Scale, candidates: readonly Candidate[], ask: Ask): Script<Place[]> {
  const answers = yield* ask(candidates.map(({ path }) => inspectCall(scale.question, path)))
  return candidates.flatMap(({ path, score }, i): Place[] => {
    const hits = readHits(answers[i]!.text, path)
    const places = rankPlaces(scale, path, hits)
    return places.map(place => ({ ...place, score: place.score + 0.6 * score, defines: outlineOf(hits) }))
  })
}

/** The names a file defines at its left edge, in its order. */
function outlineOf(hits: readonly Hit[]): string[] {
  const names = hits.flatMap(({ text }) => {
    const definition = /^\s/.test(text) ? undefined : definitionIn(text)
    return definition && definition.kind !== 'heading' && definition.kind !== 'test' ? [definition.name] : []
  })
  return [...new Set(names)].slice(0, 8)
}

/** Docs, comments and calls name the things that other files define: go where they are defined. */
function* follow(scale: Scale, leading: readonly Finding[], seen: readonly Place[], ask: Ask): Script<Place[]> {
  const defined = new Set(seen.flatMap(({ defines }) => defines ?? []))
  const names = namesWorthFollowing(scale, leading).filter(({ name }) => !defined.has(name))
  if (names.length === 0) return []
  const [answer] = yield* ask([exactDefinitionCall(names.map(({ name }) => name))])
  const known = new Set(seen.map(({ path }) => path))
  const shares = new Map(names.map(({ name, share }) => [name, share]))
  const found = new Map<string, number>()
  for (const { path, text } of readHits(answer!.text)) {
    const share = shares.get(definitionIn(text)?.name ?? '') ?? 0
    if (!known.has(path) && fileKind(path) === 'source') found.set(path, Math.max(found.get(path) ?? 0, share))
  }
  const candidates = [...found].map(([path, share]) => ({ path, score: 0.5 * share })).sort(byScore)
  return yield* inspect(scale, candidates.slice(0, followedTo), ask)
}

function* read(question: Question, places: readonly Place[], ask: Ask): Script<Finding[]> {
  const isWhole = ({ path, text }: Place) => text === '' || (question.intent === 'file' && isNamed(question, path))
  const window = (place: Place) => readCall(place.path, isWhole(place) ? 1 : place.line - 12, 40)
  const answers = yield* ask(places.slice(0, readFully).map(window))
  return places.map((place, i) => {
    const text = answers[i]?.text ?? ''
    const { symbol: _, ...file } = place
    if (isWhole(place)) return { ...file, ...showFile(text) }
    const isOutside = fileKind(place.path) !== 'docs' && endsBefore(place, text) && !definitionIn(place.text)
    return { ...(isOutside ? file : place), ...showPlace(place, text) }
  })
}

function bestPerFile(places: readonly Place[]): Place[] {
  const best = new Map<string, Place>()
  for (const place of [...places].sort(byScore)) if (!best.has(place.path)) best.set(place.path, place)
  return [...best.values()]
}
