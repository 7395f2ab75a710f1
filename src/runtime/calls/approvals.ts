/**
 * Requests for approval are events, and answers are inbox items: this only shows what is open, and takes it down
 * again. It also tells the callers of a waiting run, because their clocks stand still with it (D6).
 *
 * W1 A run that is taken up where nobody listens does not wait: what it had asked is denied there, as it would be if it
 *    were asked now. An answer that came before that counts, because the inbox is read in its order.
 * W2 So is what could not be shown: nobody has seen it.
 */
import { ownCopy } from '../../core/copies.js'
import type { DurableEvent } from '../../core/events.js'
import type { Close, RunId } from '../../core/message.js'
import type { ApprovalRequest, Approver } from '../../core/ports.js'
import { type ApprovalRequested, callerIdOf, type RunState } from '../../core/run/run-state.js'
import type { InboxItem } from '../../core/run-store.js'
import { tellFailure } from '../tell-failure.js'
import { show } from './guarded-approver.js'

export interface ApprovalPorts {
  /** Says whether anybody listens without throwing; may fail to show. */
  readonly approver?: Approver
  onError(error: unknown): void
  post(runId: RunId, item: InboxItem): Promise<unknown>
}

export class Approvals {
  readonly #ports: ApprovalPorts
  readonly #shown = new Map<string, { readonly request: ApprovalRequest; close: Close }>()
  readonly #held = new Map<RunId, number>()

  constructor(ports: ApprovalPorts) {
    this.#ports = ports
  }

  /** What waits for an answer in this process, oldest first. */
  open(): readonly ApprovalRequest[] {
    return [...this.#shown.values()].map(({ request }) => ownCopy(request))
  }

  /** After a claim: what was asked before the last process died is asked still, or denied (W1) once this resolves. */
  async showAgain(state: RunState): Promise<void> {
    const asked = openApprovals(state)
    for (const event of asked) this.#show(state, event)
    this.#tellCaller(state)
    if (asked.length > 0 && !this.#ports.approver?.isListening(state.rootId))
      for (const event of asked) await this.#ports.post(state.runId, unheard(event, state.seq))
  }

  heard(state: RunState, events: readonly DurableEvent[]): void {
    for (const event of events) {
      if (event.type === 'approval.requested') this.#show(state, event)
      else if (event.type === 'approval.resolved') this.#takeDown(event.approvalId)
      else if (event.type === 'run.ended') this.#takeDownAll(state.runId)
    }
    if (events.some(({ type }) => waitingTypes.has(type))) this.#tellCaller(state)
  }

  #show(state: RunState, event: ApprovalRequested): void {
    if (this.#shown.has(event.approvalId)) return
    const request = requestOf(state, event)
    // Open before it is shown: whoever shows it may answer at once. What is shown is a copy, which may be blanked.
    const entry = { request, close: () => {} }
    this.#shown.set(event.approvalId, entry)
    const { approver, onError, post } = this.#ports
    if (!approver) return
    const { seq } = state
    const deny = () => {
      if (this.#shown.get(event.approvalId) === entry) post(state.runId, unheard(event, seq)).catch(onError)
    }
    entry.close = show(approver, ownCopy(request), onError, deny)
  }

  #takeDown(approvalId: string): void {
    this.#shown.get(approvalId)?.close()
    this.#shown.delete(approvalId)
  }

  #takeDownAll(runId: RunId): void {
    for (const [id, { request }] of this.#shown) if (request.runId === runId) this.#takeDown(id)
    this.#held.delete(runId)
  }

  /** A caller that waits in the foreground stands still while anything below it waits for a person. */
  #tellCaller(state: RunState): void {
    const callerId = callerIdOf(state)
    if (!callerId || state.brief.isBackground) return
    const isAsking = [...state.calls.values()].some(call => call.phase === 'asking')
    const isHeld = !state.result && (isAsking || [...state.clockCauses].some(cause => cause.startsWith('child/')))
    const before = this.#held.get(state.runId)
    if (isHeld === (before !== undefined)) return
    if (isHeld) this.#held.set(state.runId, state.seq)
    else this.#held.delete(state.runId)
    if (!state.result)
      void this.#ports
        .post(callerId, {
          id: `clock/${state.runId}/${state.seq}`,
          kind: 'child-clock',
          runId: state.runId,
          isStopped: isHeld,
        })
        .catch(tellFailure(this.#ports.onError, `the clock of run ${callerId} does not stand still with its child`))
  }
}

/** What may begin or end a wait for a person, here or below. */
const waitingTypes: ReadonlySet<DurableEvent['type']> = new Set([
  ...(['approval.requested', 'approval.resolved', 'question.asked', 'question.answered'] as const),
  ...(['clock.stopped', 'clock.started', 'child.ended', 'run.ended'] as const),
])

function requestOf({ runId, rootId }: RunState, { type: _, ...facts }: ApprovalRequested): ApprovalRequest {
  return { ...facts, runId, rootId }
}

/** What a run waits for, wherever it is driven. */
export const requestsOf = (state: RunState): readonly ApprovalRequest[] =>
  state.result ? [] : openApprovals(state).map(event => ownCopy(requestOf(state, event)))

const openApprovals = (state: RunState): readonly ApprovalRequested[] =>
  [...state.calls.values()].flatMap(({ phase, approval }) => (phase === 'asking' && approval ? [approval] : []))

const unheard = ({ approvalId, callId, inputHash }: ApprovalRequested, seq: number): InboxItem => ({
  ...{ id: `unheard/${approvalId}/${seq}`, kind: 'answer', approvalId, callId, inputHash },
  ...{ verdict: 'deny', scope: 'once', by: 'runtime' },
})

/** What a run that may be driven anywhere waits for; an id begins with that of its run. */
export async function findApproval(
  approvalId: string,
  readState: (runId: RunId) => Promise<RunState | undefined>,
): Promise<Pick<ApprovalRequest, 'runId' | 'callId' | 'inputHash' | 'expiresAt'> | undefined> {
  const runId = approvalId.split('/', 1)[0] as RunId
  const state = runId && (await readState(runId))
  const asked = state && openApprovals(state).find(open => open.approvalId === approvalId)
  return asked && { runId, callId: asked.callId, inputHash: asked.inputHash, expiresAt: asked.expiresAt }
}
