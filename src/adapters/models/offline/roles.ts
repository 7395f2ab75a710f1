/**
 * Which part the scout plays in a request.
 *
 * The agent's name decides before its tools do: a fork shows its caller's tools, of which it may use only its own.
 */
import { writeAnswer } from './answer.js'
import type { Conversation } from './conversation.js'
import { explore } from './explore.js'
import { fuse } from './fuse.js'
import { introduce } from './introduction.js'
import { answerByDelegating, handToNamed } from './main.js'
import { readNamedAgents } from './named-agents.js'
import { exploreProject } from './overview.js'
import { makePlan } from './plan.js'
import { isSmallTalk, type Question, readQuestion, saysOnlyKind, termLabels } from './question.js'
import { writeReport } from './report.js'
import { type Script, within } from './script.js'
import type { Angle } from './searches.js'

export function roleOf(agent: string, given: Conversation): Script {
  return within(given.documents, partOf(agent, given))
}

function partOf(agent: string, given: Conversation): Script {
  const { names, text } = readNamedAgents(given.task)
  const conversation = { ...given, task: text }
  const canSearch = ['Grep', 'Glob', 'LS'].some(conversation.has)
  const assignment = readAssignment(conversation)
  const { question } = assignment
  const isMain = agent === 'main' || !canSearch
  if (isMain && conversation.has('Task') && names.length > 0) return handToNamed(names, text)
  if (isMain && conversation.has('Task')) return answerByDelegating(question, assignment.earlier)
  if (!canSearch || (isMain && isSmallTalk(question))) return say(introduce(canSearch))
  if (/^plan(ner)?$/i.test(agent)) return makePlan(question, conversation.has)
  if (question.intent === 'overview') return exploreProject(conversation.has)
  return isMain ? answerAlone(question, conversation) : exploreAndReport(assignment, conversation)
}

interface Assignment {
  readonly question: Question
  readonly angle: Angle
  readonly earlier: readonly string[]
}

/** A prompt in the form that main gives its children, or any text at all. */
function readAssignment({ task, earlier }: Conversation): Assignment {
  const said = /^Question: (.+)$/m.exec(task)?.[1]
  const angle = (/^Angle: (definitions|uses|tests and docs)$/m.exec(task)?.[1] ?? 'all') as Angle
  const given = /^Earlier terms: (.+)$/m.exec(task)?.[1]?.split(', ')
  if (said !== undefined) return { question: readQuestion(said, given), angle, earlier: given ?? [] }
  const question = readQuestion(task)
  const before = earlier.at(-1)
  if (before === undefined || !leansOnEarlier(question)) return { question, angle, earlier: [] }
  const terms = termLabels(readQuestion(before)).slice(0, 4)
  return { question: readQuestion(task, terms), angle, earlier: terms }
}

/** `And where is it tested?` says little without what was asked before. */
function leansOnEarlier(question: Question): boolean {
  if (question.intent === 'chat') return false
  return (
    saysOnlyKind(question) ||
    (question.terms.length < 2 && /^\W*(and|or|but|also|then|what about|how about)\b/i.test(question.text)) ||
    /\b(it|its|that|this|they|them|those|these|there)\b(?! (is|are|a|an|any)\b)/i.test(question.text)
  )
}

function* say(text: string): Script {
  yield []
  return text
}

function* exploreAndReport({ question, angle }: Assignment, { has }: Conversation): Script {
  return writeReport(question, angle, yield* explore(question, angle, has))
}

function* answerAlone(question: Question, { has }: Conversation): Script {
  const { findings, failed } = yield* explore(question, 'all', has)
  return writeAnswer(
    question,
    fuse(question, [findings]),
    failed.map(tool => `${tool} did not answer`),
  )
}
