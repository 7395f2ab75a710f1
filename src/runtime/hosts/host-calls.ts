/**
 * A host's calls are decided as a run's are: hook → judge → fan-out. Nobody can be asked there, because a loop that is not
 * ours cannot wait. It tells no turns either: calls count as made together when one comes while another is open.
 */
import type { Hooks } from '../../core/hooks/hooks.js'
import type { CallId, TextPart } from '../../core/message.js'
import { hostCannotAsk } from '../../core/notices.js'
import type { Judge, SchemaCheck, Tool, ToolContext, ToolOutput } from '../../core/ports.js'
import type { CallState, RunState } from '../../core/run/run-state.js'
import type { CallInHand } from '../calls/call-answer.js'
import { type Granted, permission } from '../calls/call-permission.js'
import { readContent } from '../calls/output.js'
import { afterTool } from '../calls/tool-hooks.js'
import { traitsOf } from '../calls/tool-runner.js'
import type { RunLog } from '../logs/run-log.js'

export interface HostCallPorts {
  readonly check: SchemaCheck
  readonly judge?: Judge | undefined
  readonly hooks?: Hooks | undefined
  describeFanOut(state: RunState): Promise<string>
}

/** A call of the host, from its coming until it is answered. */
export interface OpenCall {
  readonly state: CallState
  /** Those it is made together with, itself among them. */
  readonly company: Map<CallId, CallState>
}

export class HostCalls {
  readonly #log: RunLog
  readonly #ports: HostCallPorts
  readonly #open = new Set<OpenCall>()
  readonly #undecided = new Set<OpenCall>()

  constructor(log: RunLog, ports: HostCallPorts) {
    this.#log = log
    this.#ports = ports
  }

  /** At once when the call is made: what comes with it in one step is known before any of them is decided. */
  begin(tool: Tool, input: unknown, id: CallId): OpenCall {
    const { name } = tool.spec
    const part = { type: 'call', id, name, input } as const
    const state: CallState = {
      part,
      traits: traitsOf(new Map([[name, tool]]), part, this.#log.state),
      phase: 'open',
      input,
    }
    const call: OpenCall = { state, company: new Map([[id, state]]) }
    for (const other of this.#undecided) other.company.set(id, state)
    for (const other of this.#open) call.company.set(other.state.part.id, other.state)
    this.#undecided.add(call)
    this.#open.add(call)
    return call
  }

  end(call: OpenCall): void {
    this.#open.delete(call)
    this.#undecided.delete(call)
  }

  /** The input to run with, or the answer that says why it does not run. */
  async decide(call: OpenCall, tool: Tool, input: unknown, context: ToolContext): Promise<Granted | ToolOutput> {
    const { name } = tool.spec
    const ports = { ...this.#ports, tools: new Map([[name, tool]]), cannotAsk: hostCannotAsk }
    const permit = await permission(this.#inHand(call, context), tool, input, ports)
    this.#undecided.delete(call)
    if (!('events' in permit)) return permit
    const [event] = permit.events
    const content = event?.type === 'tool.ended' ? event.content : hostCannotAsk(`${name} asks`)
    return { content: textOf(content), isError: true, summary: 'denied' }
  }

  /** With what hooks have to say about it. */
  async heard(call: OpenCall, output: ToolOutput, granted: Granted, context: ToolContext): Promise<ToolOutput> {
    const hand = this.#inHand({ ...call, state: { ...call.state, input: granted.input } }, context)
    const content = readContent(output.content)
    const isError = output.isError ?? false
    const extra = await afterTool(hand, { content, isError }, granted.context, this.#ports.hooks)
    return extra.length > 0 ? { ...output, content: [...content, ...extra] } : output
  }

  /** The host's log holds no calls: those of the moment are laid over its state, this one first, so that it asks for all. */
  #inHand({ state: call, company }: OpenCall, context: ToolContext): CallInHand {
    const { id } = call.part
    const order = [id, ...[...company.keys()].filter(other => other !== id)]
    const state: RunState = { ...this.#log.state, calls: new Map([...company, [id, call]]), order }
    const log = { state, pass: (event: Parameters<RunLog['pass']>[0]) => this.#log.pass(event) }
    return { log, call, context, notes: [], note: async () => {} }
  }
}

function textOf(content: string | Exclude<ToolOutput['content'], string>): string {
  if (typeof content === 'string') return content
  return content
    .filter((part): part is TextPart => part.type === 'text')
    .map(({ text }) => text)
    .join('\n')
}
