/** What the loop acts through, over the pipe. */
import type { CallTraits } from '../../core/events.js'
import type { CallId, CallPart } from '../../core/message.js'
import type { Clock, Model, ModelDelta } from '../../core/ports.js'
import type { ProcessTells } from '../../core/run-process.js'
import { canonicalJson } from '../../core/text.js'
import { childEndEvents } from '../../runtime/child-end.js'
import type { DrivePorts, Note, SlotDesk } from '../../runtime/drive.js'
import type { Host } from './host.js'
import type { PipedLog } from './piped-log.js'

export interface PipedPorts {
  readonly ports: DrivePorts
  /** Facts the host has about a call that is under way. */
  note(callId: CallId, events: Parameters<Note>[0]): Promise<void>
  delta(value: ProcessTells['delta']): void
  held(value: ProcessTells['held']): void
}

export function pipedPorts(host: Host, log: PipedLog, clock: Clock): PipedPorts {
  const notes = new Map<CallId, Note>()
  const model = new PipedModel(host, log)
  const slots = new PipedSlots(host)
  return {
    async note(callId, events) {
      const note = notes.get(callId)
      if (!note) throw new DOMException('no longer wanted', 'AbortError')
      await note(events)
    },
    delta: ({ ask, delta }) => model.hear(ask, delta),
    held: ({ slot }) => slots.held(slot),
    ports: {
      clock,
      model,
      slots,
      store: { inbox: () => host.call('inbox', null) },
      traitsOf: part => model.traitsOf(part),
      async runCall(_, { call }, note, signal) {
        const callId = call.part.id
        notes.set(callId, note)
        try {
          return await host.call('call', { callId }, signal)
        } finally {
          notes.delete(callId)
        }
      },
      fireHook: (_, effect, signal) => host.call('hook', { effect }, signal),
      joinChild: ({ runId }, signal) => host.call('join', { runId }, signal),
      stopChild: (runId, reason) => host.tell('stopChild', { runId, reason }),
      childEnd: childEndEvents,
      childResult: async (runId, attempt) => (await host.call('childResult', { runId, attempt })) ?? undefined,
    },
  }
}

/** The request itself is built by the host, from the same log: only its name crosses. */
class PipedModel implements Model {
  readonly #host: Host
  readonly #log: PipedLog
  readonly #traits = new Map<string, CallTraits>()
  #asked = 0
  #on: (delta: ModelDelta) => void = () => {}

  constructor(host: Host, log: PipedLog) {
    this.#host = host
    this.#log = log
  }

  async ask(
    { purpose }: Parameters<Model['ask']>[0],
    on: (delta: ModelDelta) => void,
    signal: AbortSignal,
  ): ReturnType<Model['ask']> {
    const { turn, seq: upto } = this.#log.state
    this.#asked += 1
    this.#on = on
    const { reply, traits } = await this.#host.call('ask', { ask: this.#asked, turn, purpose, upto }, signal)
    this.#traits.clear()
    const calls = 'error' in reply ? [] : reply.content.filter((part): part is CallPart => part.type === 'call')
    for (const [i, part] of calls.entries()) this.#traits.set(keyOf(part), traits[i]!)
    return reply
  }

  hear(ask: number, delta: ModelDelta): void {
    if (ask === this.#asked) this.#on(delta)
  }

  /** By what was called, because a repeated id is renamed after the reply. */
  traitsOf(part: CallPart): CallTraits {
    const traits = this.#traits.get(keyOf(part))
    if (!traits) throw new Error(`the host did not say what a call to ${part.name} does`)
    return { ...traits, id: part.id }
  }
}

const keyOf = ({ name, input }: CallPart): string => `${name} ${canonicalJson(input)}`

class PipedSlots implements SlotDesk {
  readonly #host: Host
  #count = 0
  #current: { readonly slot: number; isHeld: boolean; readonly onHeld: () => void } | undefined

  constructor(host: Host) {
    this.#host = host
  }

  async acquire({ isReturning }: Parameters<SlotDesk['acquire']>[0], onHeld: () => void) {
    this.#count += 1
    const slot = this.#count
    const mine = { slot, isHeld: false, onHeld }
    this.#current = mine
    const { isHeld, position } = await this.#host.call('slot', { slot, isReturning })
    mine.isHeld ||= isHeld
    return {
      isHeld: () => mine.isHeld,
      position: () => (mine.isHeld ? 0 : position),
      release: () => {
        if (this.#current !== mine) return
        this.#current = undefined
        this.#host.tell('release', { slot })
      },
    }
  }

  held(slot: number): void {
    if (this.#current?.slot !== slot) return
    this.#current.isHeld = true
    this.#current.onHeld()
  }
}
