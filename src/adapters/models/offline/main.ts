/** The main role: hand the question to Explore runs over different angles, then lay their reports side by side. */
import { writeAnswer } from './answer.js'
import { fuse } from './fuse.js'
import type { Question } from './question.js'
import { readReport, termList } from './report.js'
import type { Call, Script } from './script.js'
import type { Angle } from './searches.js'

export function* answerByDelegating(question: Question, earlier: readonly string[]): Script {
  const angles: readonly Angle[] = ['definitions', 'uses', 'tests and docs']
  const answers = yield angles.map(angle => exploreTask(question, angle, earlier))
  const reports = angles.map((angle, i) => ({ angle, findings: answers[i]!.isMissing ? [] : readReport(answers[i]!.text) }))
  const unanswered = angles.filter((_, i) => answers[i]!.isMissing)
  return writeAnswer(question, fuse(question, reports), unanswered)
}

export function exploreTask(question: Question, angle: Angle, earlier: readonly string[]): Call {
  const prompt = [
    `Question: ${question.text.replace(/\s+/g, ' ')}`,
    ...(earlier.length > 0 ? [`Earlier terms: ${earlier.join(', ')}`] : []),
    `Angle: ${angle}`,
    `${assignments[angle]} Report the best places as path:line with a short excerpt. Terms: ${termList(question)}.`,
  ].join('\n')
  return { name: 'Task', input: { subagent_type: 'Explore', description: `Find ${angle}`, prompt } }
}

const assignments: { readonly [angle in Angle]: string } = {
  definitions: 'Find where the things the question is about are defined: functions, classes, types, constants, files named after them.',
  uses: 'Find where the things the question is about are done and used: lines in which its terms stand together, calls, comments.',
  'tests and docs': 'Find tests and documents about the question, and the code that they name.',
  all: 'Find definitions, uses, tests and documents about the question.',
}
