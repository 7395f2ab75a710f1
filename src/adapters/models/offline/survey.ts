/** The first look over the whole tree: how common each term is, and which lines and paths stand out. */
import { type Count, type Evidence, judgeHit } from './evidence.js'
import { namesOf, type Question, tellingTerms } from './question.js'
import type { Answer, Call, Script } from './script.js'
import * as search from './searches.js'
import { readCounts, readFileTotal, readHits, readPaths } from './tool-output.js'

/** Asks for calls and gets one answer for each; what a run has no tool for is answered with nothing. */
export type Ask = (calls: readonly Call[]) => Script<readonly Answer[]>

const mostCounted = 5
const mostWidened = 2

export function* survey(question: Question, angle: search.Angle, ask: Ask): Script<Evidence> {
  const counted = angle === 'uses' || angle === 'all' ? tellingTerms(question).slice(0, mostCounted) : []
  const counts = counted.map(term => search.countCall(term, false))
  const others = surveyCalls(question, angle)
  const answers = yield* ask([...counts, ...others])
  const found = others.map((call, i) => ({ tool: call.name, text: answers[counts.length + i]!.text }))
  const first = counted.map((_, i) => readCount(answers[i]!.text))
  return {
    counts: yield* widen(question, first, ask),
    hits: found
      .flatMap(({ tool, text }) => (tool === 'Grep' ? readHits(text) : []))
      .map(hit => judgeHit(question, hit)),
    paths: yield* pathsIn(
      question,
      found.flatMap(({ tool, text }) => (tool === 'Glob' ? [text] : [])),
      ask,
    ),
  }
}

function surveyCalls(question: Question, angle: search.Angle): Call[] {
  const names = namesOf(question)
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
    calls.push(search.testsAndDocsCall(question))
  }
  return calls.filter(call => call !== undefined)
}

function* pathsIn(question: Question, lists: readonly string[], ask: Ask): Script<string[]> {
  const isCut = lists.some(list => readPaths(list).length >= search.pathLimit)
  const exact = isCut ? yield* ask([search.exactPathCall(question)]) : []
  return [...lists, ...exact.map(({ text }) => text)].flatMap(readPaths)
}

/** A word that nobody in the tree uses is counted by its synonyms instead. */
function* widen(question: Question, counts: readonly Count[], ask: Ask): Script<Count[]> {
  const isUnused = ({ files }: Count, i: number) => files === 0 && question.terms[i]!.stems.size > 1
  const unused = counts.flatMap((count, i) => (isUnused(count, i) ? [i] : [])).slice(0, mostWidened)
  const answers = yield* ask(unused.map(i => search.countCall(question.terms[i]!, true)))
  return counts.map((count, i) => (unused.includes(i) ? readCount(answers[unused.indexOf(i)]!.text) : count))
}

function readCount(text: string): Count {
  const lines = readCounts(text)
  const files = readFileTotal(text) ?? lines.size
  return { lines, files, isCut: files > lines.size || lines.size >= search.countLimit }
}
