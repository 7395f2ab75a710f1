/**
 * Token counts as an adapter reports them, made fit for a log: every count is a finite number from 0. What is missing,
 * or is no count (no number, negative, endless), is guessed, and said to be: counted as nothing it would let a budget
 * bind nobody.
 */
import { estimateTokens } from '../brief/fork.js'
import type { ModelRequest } from '../ports.js'
import type { Usage } from '../types.js'
import { noUsage } from './usage.js'

export function knownUsage(given: unknown, guess: () => Usage): Usage {
  if (typeof given !== 'object' || given === null) return guess()
  const { input, output, cacheRead, cacheWrite, serverTools, serviceTier, isEstimated } = given as Loose
  const counts = { input: tokenCount(input), output: tokenCount(output) }
  const guessed = counts.input === undefined || counts.output === undefined ? guess() : noUsage
  // An adapter that knows of no cache need not speak of one.
  const isSound = guessed === noUsage && [cacheRead, cacheWrite].every(count => tokenCount(count ?? 0) !== undefined)
  return {
    input: counts.input ?? guessed.input,
    output: counts.output ?? guessed.output,
    cacheRead: tokenCount(cacheRead) ?? 0,
    cacheWrite: tokenCount(cacheWrite) ?? 0,
    ...(tokenCount(serverTools) && { serverTools: tokenCount(serverTools) }),
    ...(typeof serviceTier === 'string' && { serviceTier }),
    ...((isEstimated || !isSound) && { isEstimated: true }),
  }
}

type Loose = { readonly [K in keyof Usage]?: unknown }

/** A count of tokens, or nothing. */
export const tokenCount = (given: unknown): number | undefined =>
  typeof given === 'number' && given >= 0 && given <= Number.MAX_SAFE_INTEGER ? given : undefined

/** What a request and so much of its answer hold, by estimate. */
export const guessUsage = (
  { declared, messages }: Pick<ModelRequest, 'declared' | 'messages'>,
  outputTokens: number,
): Usage => ({
  ...noUsage,
  input: messages.reduce((sum, message) => sum + estimateTokens(message), estimateTokens(declared)),
  output: outputTokens,
  isEstimated: true,
})
