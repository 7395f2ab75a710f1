/**
 * The Plan role: critical files and ordered steps, from what a search finds. The steps follow the habit of most
 * changes: understand, do as the neighbours do, make it known where they are known, test, document.
 */
import { explore, type Finding } from './explore.js'
import { fileKind } from './file-kind.js'
import { disclaimer } from './introduction.js'
import type { Question } from './question.js'
import { termList } from './report.js'
import type { Answer, Call, Script } from './script.js'
import { mentionCall } from './searches.js'
import { type Hit, readHits, readPaths } from './tool-output.js'

export function* makePlan(question: Question, has: (tool: string) => boolean): Script {
  const { findings, failed } = yield* explore(question, 'all', has)
  const sources = findings.filter(({ path }) => fileKind(path) === 'source')
  const [model] = sources
  if (!model) return nothingToPlan(question)
  const neighbours = yield* findNeighbours(model, has)
  const registered = yield* findRegistration(model, neighbours, has)
  const critical = [...sources.slice(0, 4), ...findings.filter(({ path }) => fileKind(path) === 'settings').slice(0, 1)]
  return [
    `A plan for: ${question.text.replace(/\s+/g, ' ')}`,
    '',
    'Critical files',
    ...critical.map(critically),
    ...registered
      .slice(0, 2)
      .map(({ path, line }) => `  - ${path}:${line} · names ${model.path.split('/').pop()} and its neighbours`),
    '',
    'Steps',
    ...numbered(steps(question, model, neighbours, registered, findings)),
    '',
    ...(failed.length > 0 ? [`Not available here: ${failed.join(', ')}; the plan may miss files.`] : []),
    `Searched for: ${termList(question)}.`,
    `The files were found by search; the steps are the usual order of such a change, not thought out for this one. ${disclaimer}`,
  ].join('\n')
}

function steps(
  question: Question,
  model: Finding,
  neighbours: readonly string[],
  registered: readonly Hit[],
  findings: readonly Finding[],
): string[] {
  const others = findings.filter(({ path }) => path !== model.path && fileKind(path) === 'source')
  const test = findings.find(({ path }) => fileKind(path) === 'test')
  const docs = findings.find(({ path }) => fileKind(path) === 'docs')
  const isAddition = /\b(add|new|create|introduce|implement|write|build|support|register)\b/i.test(question.text)
  const folder = model.path.split('/').slice(0, -1).join('/') || '.'
  return [
    `Read ${model.path}:${model.line}${model.symbol ? ` (\`${model.symbol}\`)` : ''}${others[0] ? `, then ${others[0].path}:${others[0].line}` : ''}.`,
    isAddition && neighbours.length > 1
      ? `Write the new part in ${folder}/, in the manner of its neighbours: ${neighbours.slice(0, 4).join(', ')}.`
      : `Make the change at ${model.path}:${model.line}, and follow it through ${
          others
            .slice(0, 2)
            .map(({ path, line }) => `${path}:${line}`)
            .join(' and ') || 'its callers'
        }.`,
    registered[0]
      ? `Make it known where the neighbours are: ${registered
          .slice(0, 2)
          .map(({ path, line }) => `${path}:${line}`)
          .join(', ')}.`
      : `Look for the callers of ${model.symbol ? `\`${model.symbol}\`` : model.path} and bring them along.`,
    test ? `Test it as ${test.path}:${test.line} does.` : 'Add a test: the search found none near this.',
    ...(docs ? [`Bring ${docs.path}:${docs.line} up to date.`] : []),
  ]
}

/** Files of the same kind in the same folder. */
function* findNeighbours(model: Finding, has: (tool: string) => boolean): Script<string[]> {
  if (!has('Glob')) return []
  const folder = model.path.split('/').slice(0, -1).join('/')
  const ending = /\.\w+$/.exec(model.path)?.[0] ?? ''
  const [answer] = yield [{ name: 'Glob', input: { pattern: `*${ending}`, ...(folder && { path: folder }) } }]
  return linesOf(answer!, readPaths)
    .filter(path => path.split('/').slice(0, -1).join('/') === folder && fileKind(path) === 'source')
    .sort()
}

/** Where several files of that folder are named together: a list, a registry, an index. */
function* findRegistration(
  model: Finding,
  neighbours: readonly string[],
  has: (tool: string) => boolean,
): Script<Hit[]> {
  const stems = [...new Set([model.path, ...neighbours].map(stemOfPath))].filter(stem => stem.length > 1).slice(0, 12)
  if (!has('Grep') || stems.length < 2) return []
  const call: Call = mentionCall(stems)
  const [answer] = yield [call]
  const files = new Map<string, { first: Hit; stems: Set<string> }>()
  for (const hit of linesOf(answer!, text => readHits(text))) {
    if (fileKind(hit.path) !== 'source' || hit.path === model.path) continue
    const file = files.get(hit.path) ?? { first: hit, stems: new Set<string>() }
    for (const stem of stems) if (hit.text.includes(stem)) file.stems.add(stem)
    files.set(hit.path, file)
  }
  return [...files.values()]
    .filter(file => file.stems.size > 1)
    .sort((a, b) => b.stems.size - a.stems.size || (a.first.path < b.first.path ? -1 : 1))
    .map(({ first }) => first)
}

const stemOfPath = (path: string) =>
  path
    .split('/')
    .pop()!
    .replace(/\.\w+$/, '')
const linesOf = <T>(answer: Answer, read: (text: string) => T[]): T[] => (answer.isMissing ? [] : read(answer.text))
const numbered = (rows: readonly string[]) => rows.map((row, i) => `  ${i + 1}. ${row}`)
const critically = ({ path, line, symbol }: Finding) => `  - ${path}:${line}${symbol ? ` · ${symbol}` : ''}`

function nothingToPlan(question: Question): string {
  return [
    `I found no source file to plan from, looking for: ${termList(question)}.`,
    'Name a file, a function or a folder that the change concerns.',
    '',
    disclaimer,
  ].join('\n')
}
