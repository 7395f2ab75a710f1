/** Answers of servers that speak OpenAI's chat format more freely: thoughts, late names, places left out, lists of text. */
import type { LanguageModelV3FinishReason } from '@ai-sdk/provider'
import { awaitNames, collectCalls, invalid } from './openai-calls.js'
import { type CallDelta, type ChatChunk, type ChatDelta, chatUsage } from './openai-chunk.js'
import { finishOf, firstFault, readChunks, type Take } from './openai-events.js'
import type { EventReader } from './wire.js'

export function readCompatibleEvents(provider: string, take: Take): EventReader {
  const calls = awaitNames(collectCalls(take, delta => sealOf(delta, provider)))
  const said = alternate(take)
  let usage: ChatChunk['usage']
  let finishReason: LanguageModelV3FinishReason | undefined
  let isFirst = true

  return readChunks('compatible', take, {
    chunk({ model, choices: [choice], ...rest }) {
      if (isFirst) take({ type: 'response-metadata', modelId: model ?? undefined })
      isFirst = false
      usage = rest.usage ?? usage
      const reason = choice?.finish_reason
      if (reason != null) finishReason = { unified: finishOf(reason), raw: reason }
      const delta = choice?.delta
      if (!delta) return undefined
      for (const [type, text] of wordsOf(delta)) said.say(type, text)
      const pieces = delta.tool_calls ?? []
      if (pieces.length > 0) said.endThought()
      return firstFault(pieces, piece => calls.grow(piece))
    },
    error: error => error,
    end() {
      const fault = calls.end()
      if (fault || !finishReason) return fault ?? invalid('Response stream ended without a finish reason.')
      take({ type: 'finish', finishReason, usage: chatUsage(usage ?? undefined, 'compatible') })
      return undefined
    },
  })
}

type Words = readonly [type: 'text' | 'thought', text: string]

/** A thought and a text end where the other begins. */
function alternate(take: Take) {
  let isThinking = false
  let isTalking = false
  const endThought = () => {
    if (isThinking) take({ type: 'reasoning-end', id: '0' })
    isThinking = false
  }
  return {
    endThought,
    say(...[type, delta]: Words): void {
      if (type === 'text') endThought()
      else if (isTalking) take({ type: 'text-end', id: '0' })
      isTalking = type === 'text'
      isThinking = !isTalking
      take({ type: isTalking ? 'text-delta' : 'reasoning-delta', id: '0', delta })
    },
  }
}

function wordsOf({ content, reasoning_content, reasoning }: ChatDelta): readonly Words[] {
  const thought = reasoning_content ?? reasoning ?? ''
  const spoken: readonly Words[] =
    typeof content === 'string' ? [['text', content]] : (content ?? []).map(part => wordsOfPart(part))
  return [['thought', thought] as const, ...spoken].filter(([, text]) => text !== '')
}

function wordsOfPart({ type, text, thinking }: Readonly<Record<string, unknown>>): Words {
  if (type === 'thinking' && Array.isArray(thinking)) return ['thought', thinking.map(textOf).join('')]
  return ['text', type === 'text' && typeof text === 'string' ? text : '']
}

const textOf = (part: { type?: unknown; text?: unknown } | null): string =>
  part?.type === 'text' && typeof part.text === 'string' ? part.text : ''

/** Gemini's, which has to go back with the call. */
function sealOf({ extra_content }: CallDelta, provider: string) {
  const thoughtSignature = extra_content?.google?.thought_signature
  return thoughtSignature ? { [provider]: { thoughtSignature } } : undefined
}
