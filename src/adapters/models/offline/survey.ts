/** The first look over the whole tree: how common each term is, and which lines and paths stand out. */
import { type Count, type Evidence, judgeHit } from './evidence.js'
import { namesOf, type Question, tellingTerms } from './question.js'
import { type Answer, type Call, keyOf, nothing, type Script } from './script.js'
import * as search from './searches.js'
import { type Hit, isCutShort, readCounts, readFileTotal, readHits, readPaths } from './tool-output.js'

/** Asks for calls and gets one answer for each; what a run has no tool for is answered with nothing. */
export type Ask = (calls: readonly Call[]) => Script<readonly Answer[]>

const mostCounted = 5
const mostWidened = 2

export function* survey(question: Question, angle: search.Angle, ask: Ask): Script<Evidence> {
  const counted = angle === 'uses' || angle === 'all' ? tellingTerms(question).slice(0, mostCounted) : []
  const counting = counted.map(term => search.countCall(term, false))
  const first = yield* gather([...counting, ...firstCalls(question, angle)], ask)
  const counts = counting.map(call => readCount(first.textOf(call)))
  const widened = unusedTerms(question, counts)
  const wide = widened.map(i => search.countCall(question.terms[i]!, true))
  const second = yield* gather([...wide, ...secondCalls(question, counts, first)], ask)
  return {
    counts: counts.map((count, i) =>
      widened.includes(i) ? readCount(second.textOf(wide[widened.indexOf(i)]!)) : count,
    ),
    hits: [...first.hits, ...second.hits].map(hit => judgeHit(question, hit)),
    paths: [...first.paths, ...second.paths],
  }
}

function firstCalls(question: Question, angle: search.Angle): Call[] {
  const names = namesOf(question)
  const calls: Call[] = []
  if (angle === 'definitions' || angle === 'all') {
    calls.push(search.definitionCall(question), ...search.pathCalls(question))
    if (names.length > 0) calls.push(search.exactDefinitionCall(names))
  }
  if (angle === 'uses' || angle === 'all') {
    calls.push(...question.quotes.map(search.quoteCall))
    if (names.length > 0) calls.push(search.usesCall(names))
  }
  if (angle === 'tests and docs' || angle === 'all') calls.push(search.testsAndDocsCall(question))
  return calls
}

/** Where a list was cut, a narrower look: common words where they stand together, each word alone, files all about one. */
function secondCalls(question: Question, counts: readonly Count[], first: Gathered): Call[] {
  const together = counts.some(({ isCut }) => isCut) ? search.togetherCall(question) : undefined
  const exact = first.paths.length >= search.pathLimit ? search.exactPathCall(question) : undefined
  const definitions = isCutShort(first.textOf(search.definitionCall(question))) ? search.definitionCalls(question) : []
  return [together, exact, ...definitions].filter(call => call !== undefined)
}

/** Words that nobody in the tree uses: they are counted by their synonyms instead. */
function unusedTerms(question: Question, counts: readonly Count[]): number[] {
  const isUnused = ({ files }: Count, i: number) => files === 0 && question.terms[i]!.stems.size > 1
  return counts.flatMap((count, i) => (isUnused(count, i) ? [i] : [])).slice(0, mostWidened)
}

interface Gathered {
  readonly textOf: (call: Call) => string
  readonly hits: readonly Hit[]
  readonly paths: readonly string[]
}

function* gather(calls: readonly Call[], ask: Ask): Script<Gathered> {
  const answers = yield* ask(calls)
  const texts = new Map(calls.map((call, i) => [keyOf(call), (answers[i] ?? nothing).text]))
  const textOf = (call: Call) => texts.get(keyOf(call)) ?? ''
  const lists = calls.filter(({ name }) => name === 'Glob').map(textOf)
  const contents = calls.filter(({ name, input }) => name === 'Grep' && input.output_mode === 'content').map(textOf)
  return { textOf, hits: contents.flatMap(text => readHits(text)), paths: lists.flatMap(readPaths) }
}

function readCount(text: string): Count {
  const lines = readCounts(text)
  const files = readFileTotal(text) ?? lines.size
  return { lines, files, isCut: files > lines.size || lines.size >= search.countLimit }
}
