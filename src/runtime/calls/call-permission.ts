/**
 * Whether a call may run: hook → judge → approval.
 *
 * P1 Judging fails closed: a judge that throws denies. P2 An approval counts for the very input it was given for, and for
 * what that meant then: the same words in another directory, over another link or at another server ask again.
 */

import { fanOutLeader, fanOutRule } from '../../core/budget/fan-out.js'
import type { DurableEvent } from '../../core/events.js'
import type { Hooks, HookVerdict } from '../../core/hooks/hooks.js'
import * as notices from '../../core/notices.js'
import { type JudgedFacts, whyVoid } from '../../core/permission/judged-facts.js'
import type { Approver, Judge, SchemaCheck, Tool, Verdict } from '../../core/ports.js'
import type { RunState } from '../../core/run/run-state.js'
import { messageOf } from '../../core/thrown.js'
import { inputHash } from '../logs/ids.js'
import { type CallInHand, ended, shortContext } from './call-answer.js'
import { hearAgain } from './hear-again.js'
import { type AnsweredByHooks, beforeAsking, beforeTool } from './tool-hooks.js'

export interface PermissionPorts {
  readonly check: SchemaCheck
  readonly tools: ReadonlyMap<string, Tool>
  readonly judge?: Judge
  readonly approver?: Approver
  readonly hooks?: Hooks
  readonly approvalExpiryMs?: number
  /** What a call is told that would ask where nobody is. */
  cannotAsk?(reason: string): string
  /** What the runs started in this turn may cost, in words. */
  describeFanOut(state: RunState): Promise<string>
}

export interface Granted {
  readonly input: unknown
  readonly rule: string
  /** What a hook wants the model to read beside the answer. */
  readonly context?: string
}
type Permit = Granted | { readonly events: readonly DurableEvent[] }

export async function permission(
  hand: CallInHand,
  tool: Tool,
  wished: unknown,
  ports: PermissionPorts,
): Promise<Permit> {
  const hook = await beforeTool(hand, wished, ports.hooks)
  const no = denials(hand, ports)
  if (hook.verdict === 'refuse') return no(wished, hook.reason, hook.rule ?? 'hook')
  const input = hook.verdict === 'send-back' ? wished : (hook.input ?? wished)
  if (input !== wished) {
    const faults = await ports.check(tool.spec.inputSchema, input)
    if (faults.length > 0) return no(wished, notices.invalidHookInput(tool.spec.name, faults), 'hook-input')
  }
  const permit = await decide(hand, tool, input, hook, ports)
  const context = 'context' in hook ? hook.context : undefined
  return 'events' in permit || !context ? permit : { context, ...permit }
}

/** A no says what it was said to, as the answer of a call that ran does. */
const denials =
  (hand: CallInHand, ports: PermissionPorts) =>
  (input: unknown, why: string, rule: string): Permit => ({
    events: [ended(hand, 'denied', why, { rule, context: shortContext(hand, ports, input) })],
  })

async function decide(
  hand: CallInHand,
  tool: Tool,
  input: unknown,
  hook: HookVerdict,
  ports: PermissionPorts,
): Promise<Permit> {
  const no = denials(hand, ports)
  const judged = await judge(hand, tool, input, ports)
  const asked: Verdict =
    judged.decision === 'allow' && hook.verdict === 'ask'
      ? { decision: 'ask', rule: 'hook', reason: hook.reason, lasting: false, ...factsOf(judged) }
      : judged
  const verdict = await withFanOut(hand, asked, ports)
  if (verdict.decision === 'deny') return no(input, whyDenied(verdict.reason, hook), verdict.rule)
  if (verdict.decision === 'allow') return { input, rule: verdict.rule }
  // Who heard of one call alone has not heard how many there are.
  const isApproved = hook.verdict === 'go' && hook.approves === true && verdict.rule !== fanOutRule
  const answer: AnsweredByHooks | undefined = isApproved
    ? { yes: true }
    : await beforeAsking(hand, input, verdict.reason, ports.hooks)
  if (answer && 'no' in answer) return no(input, answer.no, 'hook')
  // A firm ask is for a person alone: a deny may be behind it.
  const isAnswered = answer !== undefined && !verdict.isFirm
  if (isAnswered && !('input' in answer)) return { input, rule: `approved by a hook: ${verdict.rule}` }
  const changed = isAnswered && (await hearChanged(hand, tool, answer, ports))
  return changed || askFor(hand, input, verdict, ports)
}

const whyDenied = (reason: string, hook: HookVerdict): string =>
  'input' in hook && hook.input !== undefined ? notices.changedByHook(reason) : reason

/** A yes to another input than was asked about. Undefined: it needs a person all the same, and so the yes is worth nothing. */
async function hearChanged(
  hand: CallInHand,
  tool: Tool,
  { input }: { readonly input?: unknown },
  ports: PermissionPorts,
): Promise<Permit | undefined> {
  const no = denials(hand, ports)
  const heard = await hearAgain(hand, tool, input, ports)
  if ('no' in heard) return no(input, heard.no, heard.rule)
  const judged = await judge(hand, tool, input, ports)
  if (judged.decision === 'deny') return no(input, notices.changedByHook(judged.reason), judged.rule)
  if (judged.decision === 'ask' && judged.isFirm) return undefined
  return { input, rule: `approved by a hook: ${judged.rule}`, ...(heard.context && { context: heard.context }) }
}

async function judge(
  { log, call, context }: CallInHand,
  tool: Tool,
  input: unknown,
  ports: PermissionPorts,
): Promise<Verdict> {
  if (!ports.judge) return { decision: 'allow', rule: 'no-judge' }
  try {
    const effect = tool.effectOf?.(input) ?? tool.spec.effect
    const handsTo = await tool.handsTo?.(input, context)
    return await ports.judge.judge({
      runId: log.state.runId,
      rootId: log.state.rootId,
      callId: call.part.id,
      spec: tool.spec,
      effect,
      input,
      ...(handsTo !== undefined && { handsTo }),
      brief: log.state.brief,
      workspace: context.workspace,
      ...(log.state.shellDirectory !== undefined && { shellDirectory: log.state.shellDirectory }),
    })
  } catch (error) {
    return {
      decision: 'deny',
      rule: 'judge-failed',
      reason: `The call was denied because judging it failed: ${messageOf(error)}`,
    }
  }
}

const factsOf = ({ judged }: { readonly judged?: JudgedFacts }): { readonly judged?: JudgedFacts } =>
  judged ? { judged } : {}

/** The first of many runs started together asks for all of them, whatever else is asked about it. */
async function withFanOut({ log, call }: CallInHand, judged: Verdict, ports: PermissionPorts): Promise<Verdict> {
  if (judged.decision === 'deny' || fanOutLeader(log.state) !== log.state.calls.get(call.part.id)) return judged
  const cost = await ports.describeFanOut(log.state)
  if (judged.decision === 'allow')
    return { decision: 'ask', rule: fanOutRule, reason: cost, lasting: false, ...factsOf(judged) }
  return { ...judged, rule: fanOutRule, reason: `${cost}; ${judged.reason}`, lasting: false }
}

/** P2. An approval already given for this very call counts; otherwise the wish becomes a request, or a no where nobody is. */
function askFor(
  hand: CallInHand,
  input: unknown,
  verdict: Extract<Verdict, { decision: 'ask' }>,
  ports: PermissionPorts,
): Permit {
  const { call, log, context } = hand
  const hash = inputHash(input)
  const answered = call.phase === 'approved' ? call.approval : undefined
  const isVoid = answered && (answered.inputHash === hash ? whyVoid(answered, verdict) : 'a hook changed the input')
  if (answered && isVoid === undefined) return { input, rule: `approved: ${verdict.rule}` }
  const reason = isVoid === undefined ? verdict.reason : notices.askedAgain(verdict.reason, isVoid)
  if (!ports.approver?.isListening(log.state.rootId)) {
    return {
      events: [
        ended(hand, 'denied', (ports.cannotAsk ?? notices.nobodyToApprove)(reason), {
          rule: verdict.rule === fanOutRule ? fanOutRule : 'no-approver',
          context: shortContext(hand, ports, input),
          ...(verdict.lasting !== undefined && { lasting: verdict.lasting }),
        }),
      ],
    }
  }
  const expiresAt = ports.approvalExpiryMs === undefined ? undefined : context.clock.now() + ports.approvalExpiryMs
  return {
    events: [
      {
        type: 'approval.requested',
        // Of another request of this call no id may be a part: an answer to that one is none to this.
        approvalId: `${log.state.runId}/${call.part.id}/${answered ? `${log.state.seq}-` : ''}${hash.slice(0, 12)}`,
        callId: call.part.id,
        name: call.part.name,
        input,
        inputHash: hash,
        path: log.state.brief.path,
        rule: verdict.rule,
        reason,
        context: shortContext(hand, ports, input),
        ...(expiresAt !== undefined && { expiresAt }),
        ...(verdict.lasting !== undefined && { lasting: verdict.lasting }),
        ...factsOf(verdict),
      },
    ],
  }
}
