/** What a request says to the scout: the task at hand, what was asked before it, and which calls are answered. */
import type { Message, ResultPart } from '../../../core/message.js'
import type { ModelRequest } from '../../../core/ports.js'
import { Answers, type Call } from './script.js'

export interface Conversation {
  readonly task: string
  /** What the user asked before, oldest first. */
  readonly earlier: readonly string[]
  readonly answers: Answers
  has(tool: string): boolean
}

export function readConversation(request: ModelRequest): Conversation {
  const asked = request.messages.flatMap((message, at) => {
    const text = message.role === 'user' ? spokenText(message) : ''
    return text ? [{ text, at }] : []
  })
  // Outside of ordinary work the last words are the runtime's ("report now"), not the task.
  const spoken = request.purpose === 'work' || asked.length < 2 || !isLast(request, asked.at(-1)!.at) ? asked : asked.slice(0, -1)
  const current = spoken.at(-1) ?? { text: '', at: -1 }
  const tools = new Set(request.declared.tools.map(({ name }) => name))
  return {
    task: current.text,
    earlier: spoken.slice(0, -1).map(({ text }) => text),
    answers: answersAfter(request.messages, current.at),
    has: tool => tools.has(tool),
  }
}

/** A user's words without the blocks the runtime wraps in tags. */
function spokenText(message: Message): string {
  const text = message.content.map(part => (part.type === 'text' ? part.text : '')).join('\n')
  return text.replace(/<([a-z][\w-]*)[^>]*>[\s\S]*?<\/\1>/g, ' ').trim()
}

function isLast(request: ModelRequest, at: number): boolean {
  return request.messages.slice(at + 1).every(({ role }) => role === 'user')
}

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

function answerOf(result: ResultPart) {
  return { text: result.content.map(part => (part.type === 'text' ? part.text : '')).join('\n'), isMissing: result.isError }
}
