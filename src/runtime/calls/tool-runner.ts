/**
 * One tool call, from the model's wish to the event that answers it:
 * known? → allowed? → arguments fit? → hook → judge → can it succeed? → approval → stored start → run → bounded output →
 * hook.
 *
 * C1 A tool that is not allowed does not run, whether the model saw it or not.
 * C2 Whatever a tool throws or returns becomes an output; nothing it does reaches another call.
 *    What it does to its input, it does to a copy: the call stays what was judged.
 * C3 D2: the start of a call that cannot simply be done again is stored before it runs.
 * C4 Nobody is asked for a call that is known to fail. A no of a rule or a hook comes first, and says so.
 */
import type { OutputSpec } from '../../core/agent-definition.js'
import { completionTool, readCompletion } from '../../core/brief/completion.js'
import { wouldWake } from '../../core/budget/fan-out.js'
import { frozenCopy, ownCopy } from '../../core/copies.js'
import type { CallTraits, ChildStart, DurableEvent } from '../../core/events.js'
import type { CallPart } from '../../core/message.js'
import * as notices from '../../core/notices.js'
import type { Overflow, SchemaCheck, Tool, ToolContext, ToolOutput } from '../../core/ports.js'
import type { RunState } from '../../core/run/run-state.js'
import { messageOf, stackOf } from '../../core/thrown.js'
import { nearTool } from '../../core/tools/tool-guess.js'
import type { PurseBook } from '../children/purse.js'
import { orAbort } from '../drive/steps.js'
import { type CallInHand, childEvents, ended, questionEvents, shortContext, summaryOf } from './call-answer.js'
import { gateOf } from './call-gate.js'
import { type Granted, type PermissionPorts, permission } from './call-permission.js'
import type { ChildEnds } from './child-hooks.js'
import { asData, boundContent, readContent, readOutput } from './output.js'
import { afterTool } from './tool-hooks.js'

export interface ToolRunnerPorts extends PermissionPorts {
  readonly overflow: Overflow
  readonly outputBytes: number
  readonly childEnds: Pick<ChildEnds, 'keep'>
  /** Tools the run once had, and that are not there any more. */
  readonly gone: ReadonlySet<string>
  /** What an agent hands back, as its definition says now. */
  outputOf?(agent: string): OutputSpec | undefined
  /** Absent when nobody limits what the run spends. */
  readonly purse?: Pick<PurseBook, 'takeCall' | 'release'>
}

export async function runCall(
  wished: Omit<CallInHand, 'notes'>,
  ports: ToolRunnerPorts,
): Promise<readonly DurableEvent[]> {
  const notes: string[] = []
  const events = await carryOut({ ...wished, notes }, ports)
  return notes.length > 0 ? events.map(event => (event.type === 'tool.ended' ? { ...event, notes } : event)) : events
}

async function carryOut(hand: CallInHand, ports: ToolRunnerPorts): Promise<readonly DurableEvent[]> {
  const { call, log } = hand
  const { name } = call.part
  const { check } = ports
  if (name === completionTool && log.state.brief.completion.mode === 'explicit') return [await complete(hand, ports)]
  const tool = ports.tools.get(name)
  if (!tool || !log.state.brief.allowed.includes(name)) return [unavailable(hand, tool, ports)]
  const input = await readInput(hand, tool, check)
  if ('fault' in input) return [ended(hand, 'error', input.fault, { rule: 'invalid-input' })]
  const permit = await permission(hand, tool, input.value, ports)
  if ('events' in permit) return [(await foreseen(hand, tool, permit.events, ports)) ?? permit.events].flat()
  // What may run beside others was decided by the model's wish; only a hook can have made something else of it.
  if (!ports.hooks) return execute(hand, tool, permit, ports)
  const { isParallel } = traitsOf(ports.tools, { ...call.part, input: permit.input })
  return gateOf(log).pass(!isParallel, hand.context.signal, () => execute(hand, tool, permit, ports))
}

/** C4. The answer of a call that would be asked about and cannot succeed, whatever is answered. */
async function foreseen(
  hand: CallInHand,
  tool: Tool,
  events: readonly DurableEvent[],
  ports: ToolRunnerPorts,
): Promise<DurableEvent | undefined> {
  const wish = events.find(event => event.type === 'approval.requested')
  if (!wish || !tool.foresee) return undefined
  const { signal } = hand.context
  // The extra function turns a synchronous throw into a rejection.
  const looking = (async () => tool.foresee?.(ownCopy(wish.input), hand.context))()
  const found = await orAbort(looking, signal).catch(() => undefined)
  signal.throwIfAborted()
  if (!found) return undefined
  const output = readOutput(tool.spec.name, found)
  const content = await boundedContent(hand, tool, output, ports)
  const summary = output.summary ?? summaryOf(content)
  return ended(hand, 'error', content, { context: wish.context, summary, rule: 'cannot-succeed' })
}

/** `caller`: as it is when the model makes the call. */
export function traitsOf(
  tools: ReadonlyMap<string, Tool>,
  part: CallPart,
  caller?: Pick<RunState, 'children'>,
): CallTraits {
  const tool = tools.get(part.name)
  // A call to nothing does nothing: it is answered with an error, beside the others.
  if (!tool) return { id: part.id, effect: 'read', isParallel: true, isPolling: false, displayName: part.name }
  const effect = tool.effectOf?.(part.input) ?? tool.spec.effect
  const woken = caller && tool.wakes?.(part.input)
  const isSpawning = tool.spec.isSpawning || (woken !== undefined && wouldWake(caller!, woken))
  return {
    id: part.id,
    effect,
    isParallel: tool.spec.isParallel ?? (effect === 'read' || effect === 'network' || effect === 'delegate'),
    isPolling: tool.spec.isPolling ?? false,
    displayName: tool.spec.displayName ?? tool.spec.name,
    ...(isSpawning && { isSpawning }),
  }
}

async function complete(hand: CallInHand, { check, outputOf }: ToolRunnerPorts): Promise<DurableEvent> {
  const { part } = hand.call
  const { agent, completion } = hand.log.state.brief
  // By the definition of today, and only if it still speaks of the same.
  const output = outputOf?.(agent)
  const ownCheck = output?.name === completion.outputName ? output.check : undefined
  const unread = unreadable(hand)
  const read =
    unread !== undefined ? { faults: [unread] } : await readCompletion(completion, part.input, check, ownCheck)
  if ('faults' in read)
    return ended(hand, 'error', notices.invalidInput(completionTool, read.faults), { rule: 'invalid-completion' })
  return ended(hand, 'ok', 'Received.', { completion: read, summary: 'done' })
}

function unavailable(hand: CallInHand, tool: Tool | undefined, { tools, gone }: ToolRunnerPorts): DurableEvent {
  const { name } = hand.call.part
  if (gone.has(name)) return ended(hand, 'error', notices.toolGone(name), { rule: 'tool-gone' })
  const { brief } = hand.log.state
  const decided = brief.reasons.find(({ about, subject }) => about === 'tool' && subject === name)
  if (!tool && (brief.allowed.includes(name) || decided?.rule === 'tool-gone'))
    return ended(hand, 'error', notices.toolGone(name), { rule: 'tool-gone' })
  if (!tool) {
    const near = nearTool(
      name,
      brief.allowed.filter(allowed => tools.has(allowed)),
    )
    return ended(hand, 'error', notices.unknownTool(name, near ? [near] : []), { rule: 'unknown-tool' })
  }
  const rule = decided?.rule ?? 'not-granted'
  return ended(hand, 'denied', notices.toolNotAllowed(name, rule), { rule })
}

/** Why the arguments cannot be read; undefined when they can. */
function unreadable({ call: { part }, log }: CallInHand): string | undefined {
  if (part.invalidInput === undefined) return undefined
  return log.state.last?.finish === 'length'
    ? notices.cutCall(part.name, part.invalidInput)
    : notices.invalidJson(part.name, part.invalidInput)
}

async function readInput(
  hand: CallInHand,
  tool: Tool,
  check: SchemaCheck,
): Promise<{ readonly value: unknown } | { readonly fault: string }> {
  const { call } = hand
  const unread = unreadable(hand)
  if (unread !== undefined) return { fault: unread }
  const faults = await check(tool.spec.inputSchema, call.part.input)
  return faults.length > 0
    ? { fault: notices.invalidInput(call.part.name, faults) }
    : { value: frozenCopy(call.part.input) }
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
  const answer = (as = hand) => answerOf(as, tool, { ...permit, input }, ports)
  // A run is only decided on here, and at once: its start and its child make one entry.
  if (effect === 'delegate' && tool.spec.isSpawning) return decideAndTell(hand, start, ports, answer)
  if (effect === 'read') return readThenTell(hand, start, ports, answer)
  await storeStart(hand, start, ports)
  return answer()
}

async function decideAndTell(
  hand: CallInHand,
  start: DurableEvent,
  ports: ToolRunnerPorts,
  decide: () => Promise<readonly DurableEvent[]>,
): Promise<readonly DurableEvent[]> {
  try {
    return [start, ...(await decide())]
  } catch (error) {
    giveBack(hand, ports)
    throw error
  }
}

/** C3. A read can be done again after a crash; so one that is done at once makes one entry, start and answer together. */
async function readThenTell(
  hand: CallInHand,
  start: DurableEvent,
  ports: ToolRunnerPorts,
  read: (as: CallInHand) => Promise<readonly DurableEvent[]>,
): Promise<readonly DurableEvent[]> {
  // Stored before the answer, or the answer is not stored either.
  let told: Promise<void> | undefined
  let heard: Promise<void> | undefined
  const tell = () => {
    told ??= storeStart(hand, start, ports)
    told.catch(() => {})
    return told
  }
  const telling = setImmediate(tell)
  // Nobody hears how far a call is before that it has begun.
  const progress = (text: string) => {
    heard = tell().then(
      () => hand.context.progress(text),
      () => {},
    )
  }
  try {
    const answer = await read({ ...hand, context: { ...hand.context, progress } })
    await heard
    return told ? answer : [start, ...answer]
  } catch (error) {
    if (!told) giveBack(hand, ports)
    throw error
  } finally {
    clearImmediate(telling)
  }
}

async function storeStart(hand: CallInHand, start: DurableEvent, ports: ToolRunnerPorts): Promise<void> {
  try {
    await hand.note([start])
  } catch (error) {
    giveBack(hand, ports)
    throw error
  }
}

const giveBack = ({ log, call }: CallInHand, { purse }: ToolRunnerPorts): void =>
  purse?.release(log.state, `call/${call.part.id}`)

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
  const content = await boundedContent(hand, tool, output, ports)
  const extra = await afterTool(hand, { content, isError: output.isError ?? false }, heard, ports.hooks)
  return [
    ended(hand, output.isError ? 'error' : 'ok', [...content, ...extra], {
      context: shortContext(hand, ports, input),
      summary: output.summary ?? summaryOf(content),
      durationMs,
      rule,
      files: output.files,
      delivers: output.delivers,
      leftRunning: output.leftRunning,
      ...(output.shellDirectory !== undefined && { shellDirectory: output.shellDirectory }),
      ...(output.thrownAt !== undefined && { stack: output.thrownAt }),
    }),
  ]
}

/** What a tool gave, or what is given for one that threw. */
interface RunOutput extends ToolOutput {
  readonly thrownAt?: string | undefined
}

function boundedContent({ context }: CallInHand, { spec }: Tool, output: ToolOutput, ports: ToolRunnerPorts) {
  const { runId, rootId, callId } = context
  const given = asData(readContent(output.content), spec)
  return boundContent(given, ports.outputBytes, text => ports.overflow.keep({ runId, rootId, callId }, text))
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
    ports.childEnds.keep(hand.call.part.id, context, hand.notes)
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

async function runTool(tool: Tool, input: unknown, context: ToolContext): Promise<RunOutput> {
  try {
    // The extra function turns a synchronous throw into a rejection.
    const running = (async () => tool.run(ownCopy(input), context))()
    return readOutput(tool.spec.name, await orAbort(running, context.signal))
  } catch (error) {
    if (context.signal.aborted) throw error
    const message = messageOf(error)
    const content = `${tool.spec.name} failed: ${message}`
    return { content, isError: true, summary: `failed: ${message}`, thrownAt: stackOf(error) }
  }
}
