/** What the loop acts through, over the pipe. */
import type { Clock } from '../../core/ports.js'
import type { ProcessTells } from '../../core/run-process.js'
import { childEndEvents } from '../../runtime/children/child-end.js'
import type { DrivePorts, Note, SlotDesk } from '../../runtime/drive/drive-ports.js'
import type { TurnInFlight } from '../../runtime/drive/turn-in-flight.js'
import type { Host } from './host.js'

export interface PipedPorts {
  readonly ports: DrivePorts
  /** Facts the host has about an effect that is under way. */
  note(key: string, events: Parameters<Note>[0]): Promise<void>
  said(value: ProcessTells['said']): void
  held(value: ProcessTells['held']): void
}

export function pipedPorts(host: Host, clock: Clock): PipedPorts {
  const notes = new Map<string, Note>()
  const slots = new PipedSlots(host)
  let asked = 0
  let flight: TurnInFlight | undefined
  const noted = async <T>(key: string, note: Note, work: () => Promise<T>): Promise<T> => {
    notes.set(key, note)
    try {
      return await work()
    } finally {
      notes.delete(key)
    }
  }
  return {
    async note(key, events) {
      const note = notes.get(key)
      if (!note) throw new DOMException('no longer wanted', 'AbortError')
      await note(events)
    },
    said({ ask, ...said }) {
      if (ask === asked) flight?.say(said)
    },
    held: ({ slot }) => slots.held(slot),
    ports: {
      clock,
      slots,
      store: { inbox: () => host.call('inbox', null) },
      takeTurn(under, note, signal) {
        asked += 1
        flight = under
        return noted(under.key, note, () => host.call('turn', { ask: asked, ...under.facts }, signal))
      },
      runCall: ({ key, call }, note, signal) =>
        noted(key, note, () => host.call('call', { callId: call.part.id }, signal)),
      fireHook: (effect, signal) => host.call('hook', { effect }, signal),
      joinChild: ({ runId }, signal) => host.call('join', { runId }, signal),
      stopChild: (runId, reason) => host.tell('stopChild', { runId, reason }),
      childEnd: childEndEvents,
      childResult: async (runId, attempt) => (await host.call('childResult', { runId, attempt })) ?? undefined,
    },
  }
}

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
