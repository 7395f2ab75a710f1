/** What a model's answer means here: its calls, why it stopped, the summary it was asked for. */
import type { DurableEvent, FinishReason } from '../../core/events.js'
import type { AssistantPart, CallId, CallPart } from '../../core/message.js'
import { neutralise } from '../../core/notices.js'
import type { ModelReply } from '../../core/ports.js'
import type { summaryPlan } from '../../core/run/compaction.js'
import { standInText } from '../../core/run/digest.js'
import { calledTool } from '../../core/tools/tool-names.js'
import type { Declared } from '../../core/types.js'

export type ModelAnswer = Exclude<ModelReply, { error: unknown }>

/** A host's model may give anything back. */
export const isReply = (reply: ModelReply | undefined | null): reply is ModelReply =>
  typeof reply === 'object' && reply !== null && ('error' in reply || Array.isArray(reply.content))

/**
 * T2. Each with an id of its own, and with the name that rules, hooks and the log know its tool by. A call that a cut reply
 * ends with and that has no arguments has none yet: it is not run without them.
 */
export function readCalls(
  { content, finish }: ModelAnswer,
  { tools }: Declared,
  used: Set<string>,
): readonly AssistantPart[] {
  return content.map((part, at) => {
    if (part.type !== 'call') return part
    let id: string = part.id || 'call'
    for (let i = 2; used.has(id); i++) id = `${part.id || 'call'}_${i}`
    used.add(id)
    const name = calledTool(part.name, tools)
    const isUnfinished = finish === 'length' && at === content.length - 1 && hasNoArguments(part)
    const read = id === part.id && name === part.name ? part : { ...part, id: id as CallId, name }
    return isUnfinished ? { ...read, invalidInput: '' } : read
  })
}

const hasNoArguments = ({ input, invalidInput }: CallPart): boolean =>
  invalidInput === undefined && Object.keys(input ?? {}).length === 0

/** A host's model may have words of another kind for why it stopped: what they mean nobody knows here. */
export function stopOf(
  { finish, unknownStop }: Pick<ModelAnswer, 'unknownStop'> & { readonly finish?: unknown },
  hasCalls: boolean,
): Pick<ModelAnswer, 'finish' | 'unknownStop'> {
  const known = finishWords.find(word => word === finish)
  const word = typeof finish === 'string' ? finish.slice(0, 60).replace(/[^\w .:/-]/g, '?') : 'no word for it'
  const unknown = unknownStop ?? (known ? undefined : word)
  return { finish: known ?? (hasCalls ? 'calls' : 'other'), ...(unknown !== undefined && { unknownStop: unknown }) }
}
const finishWords: readonly FinishReason[] = ['stop', 'calls', 'length', 'refusal', 'filter', 'other']

/** A conversation of which the reply gives no summary is not compacted by it. */
export function summaryEvents(
  plan: ReturnType<typeof summaryPlan>,
  { finish, content }: ModelAnswer,
): readonly DurableEvent[] {
  const summary = standInText(finish, content)
  return summary === undefined ? [] : [{ type: 'context.compacted', ...plan, summary: neutralise(summary) }]
}
