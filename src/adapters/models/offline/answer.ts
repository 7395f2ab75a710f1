/** The answer a person reads in a terminal: first the best place in a sentence or two, then the evidence. */
import { type FileKind, fileKind } from './file-kind.js'
import type { Fused } from './fuse.js'
import { disclaimer } from './introduction.js'
import type { Question } from './question.js'
import { termList } from './report.js'

export function writeAnswer(question: Question, found: readonly Fused[], troubles: readonly string[]): string {
  const trouble = troubles.length > 0 ? ['', 'Incomplete:', ...troubles.map(line => `  ${line}`)] : []
  if (found.length === 0) return [nothingFound(question), ...trouble, '', disclaimer].join('\n')
  const { main, tests, docs } = byKind(question, found)
  return [
    direct(question, main),
    '',
    ...main.slice(0, 5).map(cite),
    ...listed('Tests', tests),
    ...listed('Docs', docs),
    `Searched for: ${termList(question)}.`,
    ...trouble,
    disclaimer,
  ].join('\n')
}

/** A plan as the Plan run wrote it, with the tests and documents that go with it. */
export function writePlanAnswer(question: Question, plan: string, related: readonly Fused[]): string {
  const { main, tests, docs } = byKind({ ...question, intent: 'locate' }, related)
  const near =
    related.length === 0 || main === tests || main === docs ? [] : [...listed('Tests', tests), ...listed('Docs', docs)]
  return [plan.trim(), ...(near.length > 0 ? ['', ...near] : [])].join('\n').trimEnd()
}

function byKind(question: Question, found: readonly Fused[]) {
  const of = (...kinds: FileKind[]) => found.filter(({ path }) => kinds.includes(fileKind(path)))
  const tests = of('test')
  const docs = of('docs')
  const rest = of('source', 'settings', 'example', 'generated')
  if (question.intent === 'tests' && tests.length > 0) return { main: [...tests, ...rest], tests: [], docs }
  if (question.intent === 'docs' && docs.length > 0) return { main: [...docs, ...rest], tests, docs: [] }
  // A test or a document that fits better than any source is the answer, not a remark to it.
  const isBetter = ({ score }: Fused) => score > (rest[0]?.score ?? Number.POSITIVE_INFINITY)
  if (rest.length > 0) {
    const main = found.filter(place => rest.includes(place) || isBetter(place))
    return { main, tests: tests.filter(place => !isBetter(place)), docs: docs.filter(place => !isBetter(place)) }
  }
  return docs.length > 0 ? { main: docs, tests, docs: [] } : { main: tests, tests: [], docs: [] }
}

function direct(question: Question, main: readonly Fused[]): string {
  const [best, second] = main as [Fused, Fused?]
  const share = best.matched.length / Math.max(1, question.terms.length)
  const opening =
    share < 0.35
      ? 'Nothing matches the question well; the nearest place is'
      : question.intent === 'tests'
        ? 'The nearest test is'
        : question.intent === 'callers'
          ? 'It is used in'
          : share > 0.6
            ? 'Most likely'
            : 'Probably'
  const says = best.excerpt.comment ? `\nThe comment there says: "${best.excerpt.comment}"` : ''
  const next = second ? `\nSee also ${second.path}:${second.line}${inSymbol(second)}.` : ''
  return `${opening} ${best.path}:${best.line}${inSymbol(best)}.${says}${next}`
}

const inSymbol = ({ symbol }: Fused) => (symbol ? `, in \`${symbol}\`` : '')

function cite(place: Fused, index: number): string {
  const symbol = place.symbol ? ` · ${place.symbol}` : ''
  const also =
    place.also.length > 0 ? ` · also line${place.also.length > 1 ? 's' : ''} ${place.also.slice(0, 4).join(', ')}` : ''
  const why = place.matched.length > 0 ? [`   matches ${place.matched.join(', ')}${also}`] : []
  const defines = place.defines && place.defines.length > 1 ? [`   defines ${place.defines.join(', ')}`] : []
  const lines = place.excerpt.lines
    .slice(0, index === 0 ? 6 : 3)
    .map(({ line, text }) => `   ${String(line).padStart(5)} | ${text}`)
  return [`${index + 1}. ${place.path}:${place.line}${symbol}`, ...why, ...defines, ...lines, ''].join('\n')
}

function listed(title: string, places: readonly Fused[]): string[] {
  if (places.length === 0) return []
  return [
    title,
    ...places.slice(0, 3).map(place => `  - ${place.path}:${place.line}${place.symbol ? ` · ${place.symbol}` : ''}`),
    '',
  ]
}

function nothingFound(question: Question): string {
  return [
    `I found nothing for: ${termList(question)}.`,
    'Other words may help: a name from the code, a part of a file name, or a piece of a message in quotes.',
  ].join('\n')
}
