/**
 * The Plan role: critical files and ordered steps, from what a search finds. The steps follow the habit of most
 * changes: understand, do as the neighbours do, make it known where they are known, test, document.
 */
import { explore } from './explore.js'
import { fileKind } from './file-kind.js'
import type { Finding } from './finding.js'
import { disclaimer } from './introduction.js'
import type { Question } from './question.js'
import { termList } from './report.js'
import type { Script } from './script.js'
import { mentionCall, mentionPattern } from './searches.js'
import { type Hit, readHits, readPaths } from './tool-output.js'

export function* makePlan(question: Question, has: (tool: string) => boolean): Script {
  const { findings, failed } = yield* explore(question, 'all', has)
  const models = findings.filter(({ path }) => fileKind(path) === 'source')
  if (models.length === 0) return nothingToPlan(question)
  const folder = busiestFolder(models)
  const siblings = has('Glob') ? yield* listFolder(folder, models[0]!.path) : []
  const examples = models.filter(({ path }) => folderOf(path) === folder)
  const registered = has('Grep') ? yield* findRegistration(examples, siblings) : []
  const ground: Ground = { question, findings, models, folder, siblings, examples, registered }
  return [
    `A plan for: ${question.text.replace(/\s+/g, ' ')}`,
    '',
    'Critical files',
    ...criticalFiles(ground),
    '',
    'Steps',
    ...stepsOn(ground).map((step, i) => `  ${i + 1}. ${step}`),
    '',
    `Searched for: ${termList(question)}.`,
    ...(failed.length > 0 ? [`Not available here: ${failed.join(', ')}; the plan may miss files.`] : []),
    'Nothing was changed. The files were found by search; the steps are the usual order of such a change, not thought out for this one.',
    disclaimer,
  ].join('\n')
}

/** What a plan stands on. */
interface Ground {
  readonly question: Question
  readonly findings: readonly Finding[]
  /** Sources, best first: there is at least one. */
  readonly models: readonly Finding[]
  readonly folder: string
  /** Every file of that folder with the same ending. */
  readonly siblings: readonly string[]
  /** The models in that folder. */
  readonly examples: readonly Finding[]
  /** Where several files of the folder are named together. */
  readonly registered: readonly Hit[]
}

function criticalFiles({ models, findings, registered }: Ground): string[] {
  const settings = findings.filter(({ path }) => fileKind(path) === 'settings').slice(0, 1)
  const places = [...models.slice(0, 4), ...settings].map(
    ({ path, line, symbol }) => `  - ${path}:${line}${symbol ? ` · ${symbol}` : ''}`,
  )
  const known = new Set(models.slice(0, 4).map(({ path }) => path))
  const lists = registered.filter(({ path }) => !known.has(path)).slice(0, 2)
  return [...places, ...lists.map(({ path, line }) => `  - ${path}:${line} · names several of these files`)]
}

function stepsOn({ question, findings, models, folder, siblings, examples, registered }: Ground): string[] {
  const [first, second] = models as [Finding, Finding?]
  const isAddition = /\b(add|new|create|introduce|implement|write|build|support|register)\b/i.test(question.text)
  const others = models.slice(1, 3).map(at).join(' and ')
  const manner = examples
    .slice(0, 3)
    .map(({ path }) => path)
    .join(', ')
  const test = findings.find(({ path }) => fileKind(path) === 'test')
  const testFile = test ? at(test) : siblings.find(path => fileKind(path) === 'test')
  const docs = findings.find(({ path }) => fileKind(path) === 'docs')
  return [
    `Read ${at(first)}${first.symbol ? ` (\`${first.symbol}\`)` : ''}${second ? `, then ${at(second)}` : ''}.`,
    isAddition && siblings.length > 1
      ? `Write the new part in ${folder || 'the same folder'}, in the manner of ${manner}.`
      : `Make the change at ${at(first)}${others ? `, and follow it through ${others}` : ''}.`,
    registered.length > 0
      ? `Make it known where the others are: ${registered.slice(0, 2).map(at).join(', ')}.`
      : `Look for the callers of ${first.symbol ? `\`${first.symbol}\`` : first.path} and bring them along.`,
    testFile ? `Test it in the manner of ${testFile}.` : 'Add a test; the search found none to follow.',
    ...(docs ? [`Bring ${at(docs)} up to date.`] : []),
  ]
}

const at = ({ path, line }: { path: string; line: number }) => `${path}:${line}`
const folderOf = (path: string) => path.split('/').slice(0, -1).join('/')

/** The folder that the findings speak for most. */
function busiestFolder(models: readonly Finding[]): string {
  const scores = new Map<string, number>()
  for (const { path, score } of models) scores.set(folderOf(path), (scores.get(folderOf(path)) ?? 0) + score)
  return [...scores].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0]![0]
}

function* listFolder(folder: string, example: string): Script<string[]> {
  const ending = /\.\w+$/.exec(example)?.[0] ?? ''
  const [answer] = yield [{ name: 'Glob', input: { pattern: `*${ending}`, ...(folder && { path: folder }) } }]
  const paths = answer!.isMissing ? [] : readPaths(answer!.text)
  return paths.filter(path => folderOf(path) === folder).sort()
}

/** Where the most files of the folder are named together: a list, a registry, an index. */
function* findRegistration(examples: readonly Finding[], siblings: readonly string[]): Script<Hit[]> {
  const named = [...examples.map(({ path }) => path), ...siblings.filter(path => fileKind(path) === 'source')]
  const stems = [...new Set(named.map(stemOfPath))].filter(stem => stem.length > 1).slice(0, 40)
  if (stems.length < 2) return []
  const [answer] = yield [mentionCall(stems)]
  const patterns = stems.map(stem => ({ stem, pattern: new RegExp(mentionPattern([stem])) }))
  const files = new Map<string, { first: Hit; stems: Set<string> }>()
  for (const hit of answer!.isMissing ? [] : readHits(answer!.text)) {
    if (fileKind(hit.path) !== 'source') continue
    const file = files.get(hit.path) ?? { first: hit, stems: new Set<string>() }
    for (const { stem, pattern } of patterns) if (pattern.test(hit.text)) file.stems.add(stem)
    files.set(hit.path, file)
  }
  const lists = [...files.values()]
    .filter(file => file.stems.size > 1)
    .sort((a, b) => b.stems.size - a.stems.size || (a.first.path < b.first.path ? -1 : 1))
    .map(({ first }) => first)
  // An example that leans on its neighbours is no list of them.
  const others = lists.filter(({ path }) => !examples.some(example => example.path === path))
  return others.length > 0 ? others : lists
}

const stemOfPath = (path: string) =>
  path
    .split('/')
    .pop()!
    .replace(/\.\w+$/, '')

function nothingToPlan(question: Question): string {
  return [
    `I found no source file to plan from, looking for: ${termList(question)}.`,
    'Name a file, a function or a folder that the change concerns.',
    '',
    disclaimer,
  ].join('\n')
}
