/**
 * The words of a task in the message a run is begun with: its last text, and the inputs before it. A critical reminder,
 * which may stand there as well, is none of them.
 */
import type { Message, UserMessage } from '../message.js'
import { isOwnWord } from '../notices.js'
import type { Decision, StoredBrief } from '../types.js'

/** The words of the task stand in the system prompt as well (`${prompt}`), which goes out with every request. */
export const taskInSystem: Decision = {
  about: 'prompt',
  subject: 'system',
  verdict: 'holds the task',
  rule: 'prompt-in-system',
}

export const holdsTask = ({ reasons }: Pick<StoredBrief, 'reasons'>): boolean =>
  reasons.some(({ rule }) => rule === taskInSystem.rule)

/** What start hooks hear: all of it, since all of it goes to a model. */
export function taskWords(message: Message | undefined): string {
  if (message?.role !== 'user') return ''
  const { words } = partsOf(message)
  return words.map(part => ('text' in part ? part.text : '')).join('\n\n')
}

/** Whoever heard all of it has said these in the place of all of it. */
export const withTaskWords = (message: UserMessage, text: string): UserMessage => ({
  ...message,
  content: [...partsOf(message).others, { type: 'text', text }],
})

/** What is left without it; undefined when that is nothing. */
export function withoutTaskWords(message: UserMessage): UserMessage | undefined {
  const { others } = partsOf(message)
  return others.length > 0 ? { ...message, content: others } : undefined
}

function partsOf({ content }: UserMessage) {
  const last = content.findLastIndex(part => part.type === 'text')
  const isWord = (part: UserMessage['content'][number], i: number) =>
    i === last || (part.type === 'text' && !isOwnWord(part.text))
  return { words: content.filter(isWord), others: content.filter((part, i) => !isWord(part, i)) }
}
