/** Gemini's streamGenerateContent over SSE. */
import { defaultUsage, type Said } from './said.js'
import { event, jsonAnswer, type WireAnswer } from './server.js'

export function geminiAnswer(said: Said): WireAnswer {
  const usage = { ...defaultUsage, ...said.usage }
  const parts = [
    ...(said.thought ? [{ text: said.thought.text, thought: true }] : []),
    ...(said.text ?? []).map(text => ({ text })),
    ...(said.calls ?? []).map(call => ({
      functionCall: { id: call.id, name: call.name, args: JSON.parse(call.arguments) },
      ...(said.thought && { thoughtSignature: said.thought.signature }),
    })),
  ]
  return {
    chunks: [
      ...parts.map(part => event({ responseId: 'r1', candidates: [{ content: { role: 'model', parts: [part] } }] })),
      event({
        responseId: 'r1',
        candidates: [{ content: { role: 'model', parts: [{ text: '' }] }, finishReason: finishReason(said) }],
        usageMetadata: {
          promptTokenCount: usage.input + usage.cacheRead,
          candidatesTokenCount: usage.output,
          cachedContentTokenCount: usage.cacheRead,
          totalTokenCount: usage.input + usage.cacheRead + usage.output,
        },
      }),
    ],
  }
}

export const geminiError = (
  code: number,
  status: string,
  message: string,
  details: readonly object[] = [],
): WireAnswer => jsonAnswer(code, { error: { code, message, status, details } })

function finishReason({ end }: Said): string {
  if (end === 'length') return 'MAX_TOKENS'
  return end === 'refusal' || end === 'filter' ? 'SAFETY' : 'STOP'
}
