/**
 * One tool call, from the model's wish to the event that answers it:
 * known? → allowed? → arguments fit? → hook → judge → approval → stored start → run → bounded output → hook.
 *
 * C1 A tool that is not allowed does not run, whether the model saw it or not.
 * C2 Judging fails closed: a judge that throws denies.
 * C3 Whatever a tool throws or returns becomes an output; nothing it does reaches another call.
 * C4 D2: the start of a call that cannot simply be done again is stored before it runs.
 */
import { completionTool, readCompletion } from '../core/completion.js'
import type { CallTraits, DurableEvent } from '../core/events.js'
import { fanOutLeader, fanOutRule } from '../core/fan-out.js'
import type { Hooks, HookVerdict } from '../core/hooks.js'
import type { CallPart } from '../core/message.js'
import { didYouMean } from '../core/nearest.js'
import * as notices from '../core/notices.js'
import type {
  Approver,
  ChildStart,
  Judge,
  Overflow,
  SchemaCheck,
  Tool,
  ToolContext,
  ToolOutput,
  Verdict,
} from '../core/ports.js'
import type { RunState } from '../core/run-state.js'
import type { ToolEffect } from '../core/types.js'
import { type CallInHand, childEvents, ended, questionEvents, shortContext, summaryOf } from './call-answer.js'
import { gateOf } from './call-gate.js'
import type { ChildEnds } from './child-hooks.js'
import { inputHash } from './ids.js'
import { asData, boundContent, readContent } from './output.js'
import type { PurseBook } from './purse.js'
import { orAbort } from './steps.js'
import { afterTool, beforeAsking, beforeTool } from './tool-hooks.js'

export interface ToolRunnerPorts {
  readonly tools: ReadonlyMap<string, Tool>
  /** Loaded with the first call: a run without tools never pays for it. */
  loadCheck(): Promise<SchemaCheck>
  readonly overflow: Overflow
  readonly outputBytes: number
  readonly judge?: Judge
  readonly approver?: Approver
  readonly hooks?: Hooks
  readonly childEnds: Pick<ChildEnds, 'keepContext'>
  readonly approvalExpiryMs?: number
  /** Absent when nobody limits what the run spends. */
  readonly purse?: Pick<PurseBook, 'takeCall' | 'release'>
  /** What the runs started in this turn may cost, in words. */
  describeFanOut(state: RunState): Promise<string>
}

export async function runCall(hand: CallInHand, ports: ToolRunnerPorts): Promise<readonly DurableEvent[]> {
  const { call, log } = hand
  const { name } = call.part
  const check = await ports.loadCheck()
  if (name === completionTool && log.state.brief.completion.mode === 'explicit') return [complete(hand, check)]
  const tool = ports.tools.get(name)
  if (!tool || !log.state.brief.allowed.includes(name)) return [unavailable(hand, tool)]
  const input = readInput(hand, tool, check)
  if ('fault' in input) return [ended(hand, 'error', input.fault, { rule: 'invalid-input' })]
  const permit = await permission(hand, tool, input.value, check, ports)
  if ('events' in permit) return permit.events
  // What may run beside others was decided by the model's wish; only a hook can have made something else of it.
  if (!ports.hooks) return execute(hand, tool, permit, ports)
  const { isParallel } = traitsOf(ports.tools, { ...call.part, input: permit.input })
  return gateOf(log).pass(!isParallel, hand.context.signal, () => execute(hand, tool, permit, ports))
}

export function traitsOf(tools: ReadonlyMap<string, Tool>, part: CallPart): CallTraits {
  const tool = tools.get(part.name)
  // A call to nothing does nothing: it is answered with an error, beside the others.
  if (!tool) return { id: part.id, effect: 'read', isParallel: true, isPolling: false, displayName: part.name }
  const effect = tool.effectOf?.(part.input) ?? tool.spec.effect
  return {
    id: part.id,
    effect,
    isParallel: tool.spec.isParallel ?? (effect === 'read' || effect === 'network' || effect === 'delegate'),
    isPolling: tool.spec.isPolling ?? false,
    displayName: tool.spec.displayName ?? tool.spec.name,
    ...(tool.spec.isSpawning && { isSpawning: true }),
  }
}

function complete(hand: CallInHand, check: SchemaCheck): DurableEvent {
  const { part } = hand.call
  const read =
    part.invalidInput !== undefined
      ? { faults: [notices.invalidJson(part.name, part.invalidInput)] }
      : readCompletion(hand.log.state.brief.completion, part.input, check)
  if ('faults' in read)
    return ended(hand, 'error', notices.invalidInput(completionTool, read.faults), { rule: 'invalid-completion' })
  return ended(hand, 'ok', 'Received.', { completion: read, summary: 'done' })
}

function unavailable(hand: CallInHand, tool: Tool | undefined): DurableEvent {
  const { name } = hand.call.part
  const { brief } = hand.log.state
  if (!tool) {
    const near = didYouMean(name, brief.allowed)
    return ended(hand, 'error', notices.unknownTool(name, near ? [near] : []), { rule: 'unknown-tool' })
  }
  const rule = brief.reasons.find(reason => reason.about === 'tool' && reason.subject === name)?.rule ?? 'not-granted'
  return ended(hand, 'denied', notices.toolNotAllowed(name, rule), { rule })
}

function readInput(
  { call }: CallInHand,
  tool: Tool,
  check: SchemaCheck,
): { readonly value: unknown } | { readonly fault: string } {
  if (call.part.invalidInput !== undefined)
    return { fault: notices.invalidJson(call.part.name, call.part.invalidInput) }
  const faults = check(tool.spec.inputSchema, call.part.input)
  return faults.length > 0 ? { fault: notices.invalidInput(call.part.name, faults) } : { value: call.part.input }
}

interface Granted {
  readonly input: unknown
  readonly rule: string
  /** What a hook wants the model to read beside the answer. */
  readonly context?: string
}
type Permit = Granted | { readonly events: readonly DurableEvent[] }

async function permission(
  hand: CallInHand,
  tool: Tool,
  wished: unknown,
  check: SchemaCheck,
  ports: ToolRunnerPorts,
): Promise<Permit> {
  const hook = await beforeTool(hand, wished, ports.hooks)
  if (hook.verdict === 'refuse') return { events: [ended(hand, 'denied', hook.reason, { rule: 'hook' })] }
  const input = hook.verdict === 'send-back' ? wished : (hook.input ?? wished)
  if (input !== wished) {
    const faults = check(tool.spec.inputSchema, input)
    if (faults.length > 0)
      return { events: [ended(hand, 'denied', notices.invalidInput(tool.spec.name, faults), { rule: 'hook-input' })] }
  }
  const permit = await decide(hand, tool, input, hook, ports)
  const context = hook.verdict === 'go' ? hook.context : undefined
  return 'events' in permit || !context ? permit : { ...permit, context }
}

async function decide(
  hand: CallInHand,
  tool: Tool,
  input: unknown,
  hook: HookVerdict,
  ports: ToolRunnerPorts,
): Promise<Permit> {
  const judged = await judge(hand, tool, input, ports)
  const asked: Verdict =
    judged.decision === 'allow' && hook.verdict === 'ask'
      ? { decision: 'ask', rule: 'hook', reason: hook.reason, lasting: false }
      : judged
  const verdict = await withFanOut(hand, asked, ports)
  if (verdict.decision === 'deny') return { events: [ended(hand, 'denied', verdict.reason, { rule: verdict.rule })] }
  if (verdict.decision === 'allow') return { input, rule: verdict.rule }
  const isApproved = hook.verdict === 'go' && hook.approves === true
  const answer = isApproved ? 'yes' : await beforeAsking(hand, input, verdict.reason, ports.hooks)
  if (typeof answer === 'object') return { events: [ended(hand, 'denied', answer.no, { rule: 'hook' })] }
  // A firm ask is for a person alone: a deny may be behind it.
  if (answer === 'yes' && !verdict.isFirm) return { input, rule: `approved by a hook: ${verdict.rule}` }
  return askFor(hand, input, verdict, ports)
}

async function judge(
  { log, call, context }: CallInHand,
  tool: Tool,
  input: unknown,
  ports: ToolRunnerPorts,
): Promise<Verdict> {
  if (!ports.judge) return { decision: 'allow', rule: 'no-judge' }
  try {
    const effect = tool.effectOf?.(input) ?? tool.spec.effect
    return await ports.judge.judge({
      runId: log.state.runId,
      rootId: log.state.rootId,
      callId: call.part.id,
      spec: tool.spec,
      effect,
      input,
      brief: log.state.brief,
      workspace: context.workspace,
    })
  } catch (error) {
    return {
      decision: 'deny',
      rule: 'judge-failed',
      reason: `The call was denied because judging it failed: ${messageOf(error)}`,
    }
  }
}

/** The first of many runs started together asks for all of them, whatever else is asked about it. */
async function withFanOut({ log, call }: CallInHand, judged: Verdict, ports: ToolRunnerPorts): Promise<Verdict> {
  if (judged.decision === 'deny' || fanOutLeader(log.state) !== log.state.calls.get(call.part.id)) return judged
  const cost = await ports.describeFanOut(log.state)
  if (judged.decision === 'allow') return { decision: 'ask', rule: fanOutRule, reason: cost, lasting: false }
  return { ...judged, rule: fanOutRule, reason: `${cost}; ${judged.reason}`, lasting: false }
}

/** An approval already given for this very input counts; otherwise the wish becomes a request, or a no where nobody is. */
function askFor(
  hand: CallInHand,
  input: unknown,
  verdict: Extract<Verdict, { decision: 'ask' }>,
  ports: ToolRunnerPorts,
): Permit {
  const { call, log, context } = hand
  const hash = inputHash(input)
  if (call.phase === 'approved' && call.approval?.inputHash === hash)
    return { input, rule: `approved: ${verdict.rule}` }
  if (!ports.approver?.isListening(log.state.rootId)) {
    return {
      events: [
        ended(
          hand,
          'denied',
          `This call needs an approval (${verdict.reason}) and nobody is there to give it. Go on without it, or report what you could not do.`,
          {
            rule: verdict.rule === fanOutRule ? fanOutRule : 'no-approver',
            context: shortContext(hand, ports, input),
          },
        ),
      ],
    }
  }
  const expiresAt = ports.approvalExpiryMs === undefined ? undefined : context.clock.now() + ports.approvalExpiryMs
  return {
    events: [
      {
        type: 'approval.requested',
        approvalId: `${log.state.runId}/${call.part.id}/${hash.slice(0, 12)}`,
        callId: call.part.id,
        name: call.part.name,
        input,
        inputHash: hash,
        path: log.state.brief.path,
        rule: verdict.rule,
        reason: verdict.reason,
        context: shortContext(hand, ports, input),
        ...(expiresAt !== undefined && { expiresAt }),
        ...(verdict.lasting !== undefined && { lasting: verdict.lasting }),
      },
    ],
  }
}

async function execute(
  hand: CallInHand,
  tool: Tool,
  permit: Granted,
  ports: ToolRunnerPorts,
): Promise<readonly DurableEvent[]> {
  const { call } = hand
  const effect = tool.effectOf?.(permit.input) ?? call.traits.effect
  const reached = ports.purse?.takeCall(hand.log.state, call.part.id)
  if (reached) return [ended(hand, 'not-run', notices.budgetReached(reached), { rule: 'budget' }), reached]
  const input = await settledInput(hand, tool, permit.input)
  const { id: callId, name } = call.part
  const start: DurableEvent = { type: 'tool.started', callId, name, input, effect, rule: permit.rule }
  // A run is only decided on here, and at once: its start and its child make one entry.
  const isDecision = effect === 'delegate' && tool.spec.isSpawning === true
  if (!isDecision) await storeStart(hand, start, effect, ports)
  const answer = await answerOf(hand, tool, { ...permit, input }, ports)
  return isDecision ? [start, ...answer] : answer
}

/** C4. */
async function storeStart(
  { note, log, call }: CallInHand,
  start: DurableEvent,
  effect: ToolEffect,
  ports: ToolRunnerPorts,
): Promise<void> {
  const stored = note([start])
  // Where it is not awaited it is stored with the answer, or the answer is not stored either.
  stored.catch(() => ports.purse?.release(log.state, `call/${call.part.id}`))
  // A read can be done again after a crash; anything else must not begin before its start is stored.
  if (effect !== 'read') await stored
}

async function answerOf(
  hand: CallInHand,
  tool: Tool,
  { input, rule, context: heard }: Granted,
  ports: ToolRunnerPorts,
): Promise<readonly DurableEvent[]> {
  const { context } = hand
  const before = context.clock.now()
  const output = await runTool(tool, input, context)
  if (output.child) return startChild(hand, output, output.child, { input, context: heard }, ports)
  if (output.question) return questionEvents(hand, output.question)
  const durationMs = Math.max(0, context.clock.now() - before)
  const given = asData(readContent(output.content), tool.spec)
  const content = await boundContent(given, ports.outputBytes, text =>
    ports.overflow.keep({ runId: context.runId, rootId: context.rootId, callId: context.callId }, text),
  )
  const extra = await afterTool(hand, { content, isError: output.isError ?? false }, heard, ports.hooks)
  return [
    ended(hand, output.isError ? 'error' : 'ok', [...content, ...extra], {
      context: shortContext(hand, ports, input),
      summary: output.summary ?? summaryOf(content),
      durationMs,
      rule,
      files: output.files,
      delivers: output.delivers,
    }),
  ]
}

/** In the background the call is answered now; in the foreground its answer comes with the child's end. */
async function startChild(
  hand: CallInHand,
  output: ToolOutput,
  child: ChildStart,
  { input, context }: Pick<Granted, 'input' | 'context'>,
  ports: ToolRunnerPorts,
): Promise<readonly DurableEvent[]> {
  if (!child.isBackground) {
    ports.childEnds.keepContext(hand.call.part.id, context)
    return childEvents(hand, output, child, ports)
  }
  const content = readContent(output.content)
  // Its start is stored together with this answer, so the log does not have the final input yet.
  const heard = { ...hand, call: { ...hand.call, input } }
  const extra = await afterTool(heard, { content, isError: false }, context, ports.hooks)
  return childEvents(hand, { ...output, content: [...content, ...extra] }, child, ports)
}

/** A call that had started before a crash keeps what its names meant then. */
async function settledInput({ call, context }: CallInHand, tool: Tool, input: unknown): Promise<unknown> {
  if (!tool.settle) return input
  return call.startedAt === undefined ? tool.settle(input, context) : call.input
}

async function runTool(tool: Tool, input: unknown, context: ToolContext): Promise<ToolOutput> {
  try {
    // The extra function turns a synchronous throw into a rejection.
    const output = await orAbort((async () => tool.run(input, context))(), context.signal)
    return output && typeof output === 'object' ? output : { content: String(output ?? '') }
  } catch (error) {
    if (context.signal.aborted) throw error
    return { content: `${tool.spec.name} failed: ${messageOf(error)}`, isError: true, summary: 'failed' }
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
