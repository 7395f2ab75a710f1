/** The answer a person reads in a terminal: first the best place in a sentence or two, then the evidence. */
import { definitionIn } from './definitions.js'
import { type FileKind, fileKind } from './file-kind.js'
import type { Fused } from './fuse.js'
import { disclaimer } from './introduction.js'
import { asksForDeed, type Intent, isEnglish, namesOf, type Question, termLabels } from './question.js'
import { termList } from './report.js'

export function writeAnswer(question: Question, found: readonly Fused[], troubles: readonly string[]): string {
  const known = question.isCut ? ['only the beginning of the question was looked at', ...troubles] : troubles
  const trouble = known.length > 0 ? ['Incomplete:', ...known.map(line => `  ${line}`)] : []
  if (found.length === 0) return [...undone(question), ...nothingFound(question), '', ...trouble, disclaimer].join('\n')
  const { main, tests, docs } = byKind(question, found)
  const unseen = termLabels(question).filter(label => !found.some(({ matched }) => matched.includes(label)))
  return [
    ...undone(question),
    ...lacking(question, main, tests),
    direct(question, main),
    '',
    ...main.slice(0, isWeak(question, main) ? 3 : 5).map(cite),
    ...listed('Tests', tests),
    ...listed('Docs', docs),
    `Searched for: ${termList(question)}.${unseen.length > 0 ? ` None of these places has: ${unseen.join(', ')}.` : ''}`,
    ...trouble,
    disclaimer,
  ].join('\n')
}

/** A plan as the Plan run wrote it, with the tests and documents that go with it. */
export function writePlanAnswer(plan: string, related: readonly Fused[]): string {
  const near = [...listed('Tests', ofKind(related, 'test')), ...listed('Docs', ofKind(related, 'docs'))]
  const [body = '', ...closing] = plan.trim().split(/\n(?=Searched for: )/)
  return [body.trimEnd(), '', ...near, ...closing].join('\n').trimEnd()
}

const ofKind = (found: readonly Fused[], ...kinds: FileKind[]) =>
  found.filter(({ path }) => kinds.includes(fileKind(path)))

function byKind(question: Question, found: readonly Fused[]) {
  const tests = ofKind(found, 'test')
  const docs = ofKind(found, 'docs')
  const rest = ofKind(found, 'source', 'settings', 'example', 'generated')
  if (question.intent === 'tests' && tests.length > 0) return { main: [...tests, ...rest], tests: [], docs }
  if (question.intent === 'docs' && docs.length > 0) return { main: [...docs, ...rest], tests, docs: [] }
  if (rest.length > 0) {
    // A document that fits much better than any source is the answer, not a remark to it.
    const isBetter = ({ score }: Fused) => score > 1.3 * rest[0]!.score
    const main = found.filter(place => rest.includes(place) || (docs.includes(place) && isBetter(place)))
    return { main, tests, docs: docs.filter(place => !isBetter(place)) }
  }
  return docs.length > 0 ? { main: docs, tests, docs: [] } : { main: tests, tests: [], docs: [] }
}

function direct(question: Question, main: readonly Fused[]): string {
  const [best, second] = main as [Fused, Fused?]
  const says = best.excerpt.comment ? `\nThe comment there says: "${best.excerpt.comment}"` : ''
  const next = second ? `\nSee also ${second.path}:${second.line}${inSymbol(second)}.` : ''
  return `${opening(question, main)} ${best.path}:${best.line}${inSymbol(best)}.${says}${next}`
}

const undone = (question: Question): string[] =>
  asksForDeed(question) ? ['Nothing was changed or run: offline/scout only searches.'] : []

/** Whoever asks for a test, a document or a caller must not take the nearest other place for one. */
function lacking(question: Question, main: readonly Fused[], tests: readonly Fused[]): string[] {
  const names = namesOf(question)
  const about = (names.length > 0 ? names : [...question.quotes, ...termLabels(question)]).slice(0, 4).join(', ')
  if (lacksKind(question, main, 'tests', 'test')) return [`No test was found for ${about}.`]
  if (lacksKind(question, main, 'docs', 'docs')) return [`No document was found for ${about}.`]
  if (!lacksCallers(question, main)) return []
  const where = tests.length > 0 ? 'outside tests, besides its definition' : 'besides its definition'
  return [`No use of ${about} was found ${where}.`]
}

const lacksKind = ({ intent }: Question, main: readonly Fused[], asked: Intent, kind: FileKind): boolean =>
  intent === asked && fileKind(main[0]!.path) !== kind

function lacksCallers(question: Question, main: readonly Fused[]): boolean {
  const [name, ...others] = question.terms.map(term => term.name ?? term.label)
  if (question.intent !== 'callers' || name === undefined || others.length > 0) return false
  return main.every(({ line, excerpt }) => {
    const shown = excerpt.lines.find(each => each.line === line)
    return shown !== undefined && definitionIn(shown.text)?.name.toLowerCase() === name.toLowerCase()
  })
}

function opening(question: Question, main: readonly Fused[]): string {
  const best = main[0]!
  if (isWeak(question, main)) return 'Nothing matches the question well; the nearest place is'
  const isLacking = lacksKind(question, main, 'tests', 'test') || lacksKind(question, main, 'docs', 'docs')
  if (isLacking) return 'The nearest other place is'
  if (lacksCallers(question, main)) return 'It is defined in'
  const [name] = namesOf(question)
  if (question.intent === 'callers' && name) return `\`${name}\` is used in`
  if (question.intent === 'tests' && fileKind(best.path) === 'test') return 'The nearest test is'
  return shareOf(question, best) > 0.6 ? 'Most likely' : 'Probably'
}

/** None of the first places has more than a third of the terms. */
const isWeak = (question: Question, main: readonly Fused[]) =>
  main.slice(0, 3).every(place => shareOf(question, place) <= 0.34)

const shareOf = ({ terms }: Question, { matched }: Fused) => matched.length / Math.max(1, terms.length)

const inSymbol = ({ symbol }: Fused) => (symbol ? `, in \`${symbol}\`` : '')

function cite(place: Fused, index: number): string {
  const symbol = place.symbol ? ` · ${place.symbol}` : ''
  const also = place.also.slice(0, 4)
  const lines = place.excerpt.lines.slice(0, index === 0 ? 6 : 3)
  return [
    `${index + 1}. ${place.path}:${place.line}${symbol}`,
    ...(place.matched.length > 0
      ? [`   matches ${place.matched.join(', ')}${also.length > 0 ? `; also at ${also.join(', ')}` : ''}`]
      : []),
    ...(index === 0 && (place.defines?.length ?? 0) > 1 ? [`   defines ${place.defines!.join(', ')}`] : []),
    ...lines.map(({ line, text }) => `   ${String(line).padStart(5)} | ${text}`),
    '',
  ].join('\n')
}

function listed(title: string, places: readonly Fused[]): string[] {
  if (places.length === 0) return []
  return [
    title,
    ...places.slice(0, 3).map(place => `  - ${place.path}:${place.line}${place.symbol ? ` · ${place.symbol}` : ''}`),
    '',
  ]
}

function nothingFound(question: Question): string[] {
  return [
    `I found nothing for: ${termList(question)}.`,
    ...(isEnglish(question.text) ? [] : ['This does not look like English, and I know English questions only.']),
    'Other words may help: a name from the code, a part of a file name, or a piece of a message in quotes.',
  ]
}
