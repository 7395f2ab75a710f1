/** A reply that stands for something longer: the digest of a report, the summary of a conversation. */
import type { EventOf, FinishReason, TurnPurpose } from '../events.js'
import type { AssistantPart } from '../message.js'

/** Turns that make a report shorter. */
export const isDigest = (purpose: TurnPurpose): boolean => purpose === 'summary' || purpose === 'condense'

/** None in a reply that was refused or broken off, that wants to work on or says nothing: it would be all that is left. */
export function standInText(finish: FinishReason, content: readonly AssistantPart[]): string | undefined {
  if (finish !== 'stop' || content.some(part => part.type === 'call')) return undefined
  const text = content.map(part => (part.type === 'text' ? part.text : '')).join('')
  return text.trim() === '' ? undefined : text
}

/** D5: what a digest calls for is never run, so its calls are no part of the conversation. They stay in the log. */
export const saidContent = ({ purpose, message: { content } }: EventOf<'turn.ended'>): readonly AssistantPart[] =>
  isDigest(purpose) ? content.filter(part => part.type !== 'call') : content
