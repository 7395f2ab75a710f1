/** What a request says to the scout: the task at hand, what was asked before it, and which calls are answered. */
import type { Message, ResultPart } from '../../../core/message.js'
import type { ModelRequest } from '../../../core/ports.js'
import { type Answer, Answers, type Call } from './script.js'

export interface Conversation {
  readonly task: string
  /** What was asked before, oldest first. */
  readonly earlier: readonly string[]
  /** Answers to calls made since the task was given. */
  readonly answers: Answers
  has(tool: string): boolean
  /** The folder of the documents it answers from, where its prompt names one. */
  readonly documents?: string
}

export function readConversation(request: ModelRequest): Conversation {
  const spoken = request.messages.flatMap((message, at) => {
    const text = message.role === 'user' ? spokenText(message) : ''
    return text ? [{ text, at }] : []
  })
  // Of a turn for a summary the last words are the request for it; the task came before.
  const asked = request.purpose === 'summary' && spoken.length > 1 ? spoken.slice(0, -1) : spoken
  const current = asked.at(-1) ?? { text: '', at: -1 }
  const tools = new Set(request.declared.tools.map(({ name }) => name))
  return {
    task: current.text,
    earlier: asked.slice(0, -1).map(({ text }) => text),
    answers: answersAfter(request.messages, current.at),
    has: tool => tools.has(tool),
    ...documentsOf(request.declared.system),
  }
}

/** As the prompt of `guide` says it. */
function documentsOf(prompt: string): { readonly documents?: string } {
  const folder = /^The documents are in ([/\\]\S+|[A-Z]:\\\S+):/m.exec(prompt)?.[1]
  return folder === undefined ? {} : { documents: folder }
}

/** What a person or a caller said: without the runtime's notices, and without reports it hands over with one. */
function spokenText(message: Message): string {
  const texts = message.content.map(part => (part.type === 'text' && !handsOver.test(part.text) ? part.text : ''))
  return texts
    .join('\n')
    .replace(/<([a-z][\w-]*)[^>]*>[\s\S]*?<\/\1>/g, ' ')
    .trim()
}

/** `backgroundEnded`, `stoppedChildEnded` and `resumedChildEnded` of the notices. */
const handsOver = /^<[\w-]*notice>\s*The (background )?run [^<]*\bIts report follows/

function answersAfter(messages: readonly Message[], from: number): Answers {
  const answers = new Answers()
  const calls = new Map<string, Call>()
  for (const message of messages.slice(from + 1)) {
    if (message.role === 'user') continue
    for (const part of message.content) {
      if (part.type === 'call') calls.set(part.id, { name: part.name, input: (part.input ?? {}) as Call['input'] })
      if (part.type === 'result' && calls.has(part.callId)) answers.add(calls.get(part.callId)!, answerOf(part))
    }
  }
  return answers
}

function answerOf(result: ResultPart): Answer {
  const text = result.content.map(part => (part.type === 'text' ? part.text : '')).join('\n')
  return { text, isMissing: result.isError }
}
