/**
 * Sampling, thinking and tool choice in each provider's own words.
 *
 * R1 Only what a definition sets is sent: a model's own defaults stay.
 * R2 A forced tool is a choice among the declared tools, never a shorter list, so that the prefix stays the same bytes.
 *    Where a model refuses to be forced, the choice is left open and the run rejects other calls.
 */
import type { LanguageModelV3CallOptions, LanguageModelV3ToolChoice, SharedV3ProviderOptions } from '@ai-sdk/provider'
import type { Effort, Sampling } from '../../../core/agent-definition.js'
import type { ModelRequest } from '../../../core/ports.js'
import type { ProviderKind } from '../providers/provider-kind.js'

export interface OptionTarget {
  readonly kind: ProviderKind
  readonly provider: string
  /** The name without the provider. */
  readonly model: string
}

export function toSampling({ sampling, maxOutputTokens }: ModelRequest): Partial<LanguageModelV3CallOptions> {
  return {
    ...(sampling.temperature !== undefined && { temperature: sampling.temperature }),
    ...(sampling.topP !== undefined && { topP: sampling.topP }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
  }
}

/** R2. Without tools there is nothing to choose. */
export function toToolChoice(request: ModelRequest, target: OptionTarget): LanguageModelV3ToolChoice | undefined {
  const { toolChoice, declared, sampling } = request
  if (declared.tools.length === 0) return undefined
  if (toolChoice === 'auto' || toolChoice === 'none') return { type: toolChoice }
  if (target.kind === 'anthropic' && !canForceTool(target.model, sampling)) return { type: 'auto' }
  return { type: 'tool', toolName: toolChoice.tool }
}

/** Claude refuses a forced tool while it thinks, and some of its models always do. */
function canForceTool(model: string, sampling: Sampling): boolean {
  if (/claude-(sonnet|opus)-5-5|claude-fable-5-1/.test(model)) return false
  return sampling.thinkingBudget === undefined || sampling.thinkingBudget === 0
}

export function toProviderOptions(
  request: ModelRequest,
  target: OptionTarget,
  cacheKey?: string,
): SharedV3ProviderOptions {
  const { sampling } = request
  switch (target.kind) {
    case 'anthropic':
      return group('anthropic', anthropicThinking(sampling, target.model))
    case 'openai':
      // Nothing is kept on the server, so the conversation can be replayed, forked and resumed from the log alone.
      return group('openai', {
        store: false,
        promptCacheKey: cacheKey,
        reasoningEffort: openaiEffort(sampling, target.model),
      })
    case 'openai-chat':
      return group('openai', { store: false, reasoningEffort: openaiEffort(sampling, target.model) })
    case 'google':
      return group('google', { thinkingConfig: googleThinking(sampling, target.model) })
    case 'compatible':
      return group('openaiCompatible', { reasoningEffort: toLevel(sampling) })
    case 'bedrock':
      return group('bedrock', bedrockThinking(sampling))
  }
}

type Options = Record<string, string | number | boolean | undefined | Record<string, string | number | boolean>>

function group(name: string, options: Options): SharedV3ProviderOptions {
  const set = Object.entries(options).filter(([, value]) => value !== undefined)
  return set.length === 0 ? {} : { [name]: Object.fromEntries(set) as SharedV3ProviderOptions[string] }
}

const smallestBudget = 1_024
const unlimitedBudget = 32_000

function anthropicThinking({ thinkingBudget: budget, effort }: Sampling, model: string): Options {
  const level = effort !== undefined && takesEffort(model) ? levelOf(effort) : undefined
  if (budget === undefined) return { effort: level }
  if (budget === 0) return { effort: level, thinking: { type: 'disabled' } }
  if (budget < 0 && isAdaptive(model)) return { effort: level, thinking: { type: 'adaptive' } }
  const budgetTokens = budget < 0 ? unlimitedBudget : Math.max(budget, smallestBudget)
  return { effort: level, thinking: { type: 'enabled', budgetTokens } }
}

function bedrockThinking({ thinkingBudget: budget }: Sampling): Options {
  if (budget === undefined || budget === 0) return {}
  const budgetTokens = budget < 0 ? unlimitedBudget : Math.max(budget, smallestBudget)
  return { reasoningConfig: { type: 'enabled', budgetTokens } }
}

/** Claude 4.6 and later decide for themselves how long to think. */
const isAdaptive = (model: string): boolean => claudeVersion(model) >= 4.6
const takesEffort = (model: string): boolean =>
  model.includes('opus') ? claudeVersion(model) >= 4.5 : claudeVersion(model) >= 4.6

/** `claude-opus-4-6` → 4.6; a date is no minor version. */
function claudeVersion(model: string): number {
  const found = /claude-[a-z]+-(\d+)(?:-(\d{1,2}))?(?!\d)/.exec(model)
  return found ? Number(found[1]) + Number(found[2] ?? 0) / 10 : 0
}

function openaiEffort(sampling: Sampling, model: string): string | undefined {
  const version = Number(/^gpt-(\d+(?:\.\d+)?)/.exec(model)?.[1] ?? 0)
  if (sampling.thinkingBudget === 0 && sampling.effort === undefined) {
    if (version >= 6 || version === 0) return 'low'
    return version >= 5.1 ? 'none' : 'minimal'
  }
  const level = toLevel(sampling)
  if (level === 'max') return version >= 5.6 ? 'max' : version >= 5.2 ? 'xhigh' : 'high'
  return level === 'xhigh' && version < 5.2 ? 'high' : level
}

function googleThinking(sampling: Sampling, model: string): Record<string, string | number | boolean> | undefined {
  const { thinkingBudget: budget, effort } = sampling
  if (budget === undefined && effort === undefined) return undefined
  const isLevelled = Number(/gemini-(\d+)/.exec(model)?.[1] ?? 0) >= 3
  if (!isLevelled) return { thinkingBudget: budget ?? budgetOf(levelOf(effort!)), includeThoughts: budget !== 0 }
  if (budget === 0 && effort === undefined) return { thinkingLevel: 'low', includeThoughts: false }
  const level = toLevel(sampling)
  return { thinkingLevel: level === 'low' ? 'low' : level === 'medium' ? 'medium' : 'high', includeThoughts: true }
}

type Level = 'low' | 'medium' | 'high' | 'xhigh' | 'max'

function toLevel({ effort, thinkingBudget: budget }: Sampling): Level | undefined {
  if (effort !== undefined) return levelOf(effort)
  if (budget === undefined) return undefined
  if (budget < 0) return 'high'
  if (budget <= 2_048) return 'low'
  return budget <= 8_192 ? 'medium' : 'high'
}

/** A number is a share of the most, in percent. */
function levelOf(effort: Effort): Level {
  if (typeof effort !== 'number') return effort
  if (effort < 25) return 'low'
  if (effort < 50) return 'medium'
  if (effort < 75) return 'high'
  return effort < 90 ? 'xhigh' : 'max'
}

const budgets: Readonly<Record<Level, number>> = { low: 1_024, medium: 4_096, high: 16_384, xhigh: 24_576, max: -1 }
const budgetOf = (level: Level): number => budgets[level]
