/** The main role: hand the question to children over different angles, then lay their reports side by side. */
import { writeAnswer, writePlanAnswer } from './answer.js'
import { fuse } from './fuse.js'
import { introduce } from './introduction.js'
import { isSmallTalk, type Question } from './question.js'
import { readReport, readUnavailable, termList, withoutFooter } from './report.js'
import type { Answer, Call, Script } from './script.js'
import type { Angle } from './searches.js'

const angles = ['definitions', 'uses', 'tests and docs'] as const

export function* answerByDelegating(question: Question, earlier: readonly string[]): Script {
  if (question.intent === 'overview') return yield* passOn(question)
  if (isSmallTalk(question)) return introduce(true)
  if (question.intent === 'plan') {
    const plan = yield* plannedAnswer(question, earlier)
    if (plan !== undefined) return plan
  }
  const answers = yield angles.map(angle => exploreTask(question, angle, earlier))
  const reports = answers.filter(({ isMissing }) => !isMissing).map(({ text }) => readReport(text))
  return writeAnswer(
    question,
    fuse(question, reports),
    angles.flatMap((angle, i) => troubleWith(angle, answers[i]!)),
  )
}

function* plannedAnswer(question: Question, earlier: readonly string[]): Script<string | undefined> {
  const [plan, related] = yield [planTask(question), exploreTask(question, 'tests and docs', earlier)]
  if (plan!.isMissing) return undefined
  return writePlanAnswer(
    withoutFooter(plan!.text),
    fuse(question, related!.isMissing ? [] : [readReport(related!.text)]),
  )
}

function* passOn(question: Question): Script {
  const [report] = yield [task('Explore', 'Look over the project', [`Question: ${oneLine(question.text)}`])]
  return reportOf(report!)
}

/** Each agent that was named gets what was asked, and its report is the answer. */
export function* handToNamed(names: readonly string[], text: string): Script {
  const answers = yield names.map(name => task(name, 'Do what was asked', [text]))
  const reports = answers.map(reportOf)
  return names.length === 1 ? reports[0]! : names.map((name, at) => `${name}:\n${reports[at]}`).join('\n\n')
}

const reportOf = ({ text, isMissing }: Answer): string =>
  isMissing ? `No report came back: ${firstLine(text)}` : withoutFooter(text)

function exploreTask(question: Question, angle: Angle, earlier: readonly string[]): Call {
  return task('Explore', `Find ${angle}`, [
    `Question: ${oneLine(question.text)}`,
    ...(earlier.length > 0 ? [`Earlier terms: ${earlier.join(', ')}`] : []),
    `Angle: ${angle}`,
    `${assignments[angle]} Report the best places as path:line with a short excerpt. Terms: ${termList(question)}.`,
  ])
}

function planTask(question: Question): Call {
  return task('Plan', 'Plan the change', [
    `Question: ${oneLine(question.text)}`,
    'List the critical files and the steps in order, from what is found in the code.',
  ])
}

function task(agent: string, description: string, prompt: readonly string[]): Call {
  return { name: 'Task', input: { subagent_type: agent, description, prompt: prompt.join('\n') } }
}

function troubleWith(angle: string, answer: Answer): string[] {
  if (answer.isMissing) return [`${angle}: ${firstLine(answer.text) || 'no report yet'}`]
  const tools = readUnavailable(answer.text)
  return tools.map(tool => `${angle}: a call of ${tool} failed or was denied`)
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ')
const firstLine = (text: string) => text.split('\n', 1)[0]!.slice(0, 160)

const assignments: { readonly [angle in Angle]: string } = {
  definitions:
    'Find where the things in question are defined: functions, classes, types, constants, files named after them.',
  uses: 'Find where the things in question are done and used: lines where the terms stand together, calls, comments.',
  'tests and docs': 'Find tests and documents about the question, and the code that they name.',
  all: 'Find definitions, uses, tests and documents about the question.',
}
