/**
 * AskCaller: a child's question to whoever gave it the task, or to the user. Its clock stands still until the answer is
 * there. Nobody there to answer: the default holds at once. Only agents whose definition names this tool have it.
 */
import type { Json } from '../core/message.js'
import * as notices from '../core/notices.js'
import type { Tool } from '../core/ports.js'
import { type Question, readAnswer } from '../core/run/question.js'

const defaultSeconds = 600
const maxSeconds = 86_400

interface AskInput {
  readonly question: string
  readonly type?: 'text' | 'number' | 'boolean'
  readonly options?: readonly string[]
  readonly default?: Json
  readonly to?: 'caller' | 'user'
  readonly deadline?: number
}

export function askCallerTool(): Tool {
  return {
    spec: {
      name: 'AskCaller',
      description:
        'Ask your caller (or the user) one question you cannot settle yourself. You wait for the answer; without one in time the default holds.',
      inputSchema: {
        type: 'object',
        properties: {
          question: { type: 'string' },
          type: { type: 'string', enum: ['text', 'number', 'boolean'] },
          options: { type: 'array', items: { type: 'string' }, minItems: 2, maxItems: 20 },
          default: { description: 'What you go on with if nobody answers' },
          to: { type: 'string', enum: ['caller', 'user'] },
          deadline: { type: 'number', minimum: 1, description: `Seconds (default ${defaultSeconds})` },
        },
        required: ['question'],
      },
      effect: 'read',
      displayName: 'Ask caller',
      isParallel: false,
      isByNameOnly: true,
    },
    context: input => (input as AskInput).question,
    run: async (input, { delegation }) => {
      const { to = 'caller', deadline = defaultSeconds, ...asked } = input as AskInput
      const question = readQuestion(asked)
      if (typeof question === 'string') return { content: question, isError: true, summary: 'invalid question' }
      const who = await delegation.whoAnswers(to)
      if (who !== 'nobody')
        return { content: '', question: { question, to: who, deadlineMs: Math.min(deadline, maxSeconds) * 1000 } }
      const text = question.default === undefined ? undefined : String(question.default)
      return { content: notices.answer(text, 'default'), summary: 'nobody to ask' }
    },
  }
}

function readQuestion({ question: text, type, options, default: fallback }: Omit<AskInput, 'to'>): Question | string {
  if (text.trim() === '') return 'The question is blank.'
  const question: Question = { text, type: options ? 'choice' : (type ?? 'text'), ...(options && { options }) }
  if (fallback === undefined || fallback === null) return question
  const read = readAnswer(question, fallback)
  return 'fault' in read ? `The default does not fit: ${read.fault}.` : { ...question, default: read.value }
}
