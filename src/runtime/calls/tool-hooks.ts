/** Hooks around one tool call. What they say for people is passed on as progress of the call, and kept with its end. */

import { frozenCopy } from '../../core/copies.js'
import { readHookAnswer } from '../../core/hooks/hook-answer.js'
import type { HookEvent, HookPoint, Hooks, HookVerdict } from '../../core/hooks/hooks.js'
import type { ImagePart, TextPart } from '../../core/message.js'
import * as notices from '../../core/notices.js'
import type { ToolContext } from '../../core/ports.js'
import { canonicalJson } from '../../core/text/text.js'
import type { CallInHand } from './call-answer.js'

/** A call hooks hear of. */
type HeardCall = Pick<CallInHand, 'log' | 'call' | 'notes'> & {
  readonly context: Pick<ToolContext, 'signal'> & Partial<Pick<ToolContext, 'workspace'>>
}

/** `again`: after the input was changed by whoever answered for a person. */
export async function beforeTool(
  hand: CallInHand,
  input: unknown,
  hooks: Hooks | undefined,
  again = '',
): Promise<HookVerdict> {
  if (!hooks?.wants('pre-tool', hand.log.state.brief, hand.call.part.name)) return { verdict: 'go' }
  return fire(hand, hooks, 'pre-tool', { call: callFacts(hand, input) }, again)
}

/** What hooks say in a person's place. `input`: the yes is for a call made with that instead. */
export type AnsweredByHooks = { readonly yes: true; readonly input?: unknown } | { readonly no: string }

/** Hooks may answer in a person's place, before anybody is asked. Undefined: they say nothing. */
export async function beforeAsking(
  hand: CallInHand,
  input: unknown,
  reason: string,
  hooks: Hooks | undefined,
): Promise<AnsweredByHooks | undefined> {
  if (hand.call.phase === 'approved') return undefined
  if (!hooks?.wants('permission', hand.log.state.brief, hand.call.part.name)) return undefined
  const verdict = await fire(hand, hooks, 'permission', { call: callFacts(hand, input), reason })
  if (verdict.verdict === 'refuse') return { no: verdict.reason }
  if (verdict.verdict !== 'go' || !verdict.approves) return undefined
  return verdict.input === undefined ? { yes: true } : { yes: true, input: verdict.input }
}

/** What hooks add to an answer; `before` was said by one that heard of the call before it ran. */
export async function afterTool(
  hand: HeardCall,
  output: { readonly content: readonly (TextPart | ImagePart)[]; readonly isError: boolean },
  before: string | undefined,
  hooks: Hooks | undefined,
): Promise<readonly TextPart[]> {
  const first = before ? [contextPart(before)] : []
  if (!hooks?.wants('post-tool', hand.log.state.brief, hand.call.part.name)) return first
  const text = output.content.map(part => (part.type === 'text' ? part.text : '')).join('\n')
  const verdict = await fire(hand, hooks, 'post-tool', {
    call: callFacts(hand, hand.call.input),
    output: { text, isError: output.isError },
  })
  const said = verdict.verdict === 'go' ? verdict.context : verdict.reason
  return said ? [...first, contextPart(said)] : first
}

const contextPart = (text: string): TextPart => ({ type: 'text', text: notices.hookContext(text) })

async function fire(
  { log, call, context, notes }: HeardCall,
  hooks: Hooks,
  point: HookPoint,
  facts: Partial<HookEvent>,
  again = '',
): Promise<HookVerdict> {
  const { runId, rootId, parentId, brief, attempt } = log.state
  const key = `hook/${point}/${call.part.id}${again}`
  // Also of a port that broke its contract: what is no verdict does not let a call run.
  const place = placeOf(call, log.state.shellDirectory, context)
  const verdict = readHookAnswer(
    point,
    await hooks.fire({ point, key, runId, rootId, parentId, brief, attempt, ...place, ...facts }, context.signal),
  )
  for (const text of [...(verdict.notes ?? []), ...changeIn(verdict, point, facts.call?.input)]) {
    notes.push(text)
    log.pass({ type: 'tool.progress', callId: call.part.id, text })
  }
  // Whoever gave another input may not change it once it is judged.
  return 'input' in verdict ? { ...verdict, input: frozenCopy(verdict.input) } : verdict
}

/** An input that is not the model's own is never without a word of who gave it. */
function changeIn(verdict: HookVerdict, point: HookPoint, heard: unknown): readonly string[] {
  if (!('input' in verdict) || verdict.input === undefined) return []
  const isTaken = point === 'pre-tool' || (verdict.verdict === 'go' && verdict.approves === true)
  if (!isTaken || canonicalJson(verdict.input) === canonicalJson(heard)) return []
  return [`${verdict.changedBy ?? `a ${point} hook`} changed the input of this call`]
}

/** A shell stays where the one before it went; every other tool starts from the workspace. */
function placeOf(
  { traits }: HeardCall['call'],
  shellDirectory: string | undefined,
  { workspace }: HeardCall['context'],
): Pick<HookEvent, 'cwd'> {
  const cwd = traits.effect === 'execute' ? (shellDirectory ?? workspace?.cwd) : workspace?.cwd
  return cwd === undefined ? {} : { cwd }
}

const callFacts = ({ call }: HeardCall, input: unknown): NonNullable<HookEvent['call']> => ({
  id: call.part.id,
  name: call.part.name,
  input,
  effect: call.traits.effect,
})
