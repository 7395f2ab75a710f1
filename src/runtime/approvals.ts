/**
 * Requests for approval are events, and answers are inbox items: this only shows what is open, and takes it down
 * again. It also tells the callers of a waiting run, because their clocks stand still with it (D6).
 */
import type { DurableEvent } from '../core/events.js'
import type { Close, RunId } from '../core/message.js'
import type { ApprovalRequest, Approver } from '../core/ports.js'
import type { ApprovalRequested, RunState } from '../core/run-state.js'
import type { InboxItem } from '../core/run-store.js'

export class Approvals {
  readonly #approver: Approver | undefined
  readonly #post: (runId: RunId, item: InboxItem) => void
  readonly #shown = new Map<string, { readonly request: ApprovalRequest; readonly close: Close }>()
  readonly #held = new Map<RunId, number>()

  constructor(approver: Approver | undefined, post: (runId: RunId, item: InboxItem) => void) {
    this.#approver = approver
    this.#post = post
  }

  /** What waits for an answer in this process, oldest first. */
  open(): readonly ApprovalRequest[] {
    return [...this.#shown.values()].map(({ request }) => request)
  }

  /** After a claim: what was asked before the last process died is asked still. */
  showAgain(state: RunState): void {
    for (const call of state.calls.values())
      if (call.phase === 'asking' && call.approval) this.#show(state, call.approval)
    this.#tellCaller(state)
  }

  heard(state: RunState, events: readonly DurableEvent[]): void {
    let mayHaveChanged = false
    for (const event of events) {
      if (event.type === 'approval.requested') this.#show(state, event)
      else if (event.type === 'approval.resolved') this.#takeDown(event.approvalId)
      else if (event.type === 'run.ended') this.#takeDownAll(state.runId)
      else if (event.type === 'question.asked' || event.type === 'question.answered') mayHaveChanged = true
      else if (event.type !== 'clock.stopped' && event.type !== 'clock.started' && event.type !== 'child.ended')
        continue
      mayHaveChanged = true
    }
    if (mayHaveChanged) this.#tellCaller(state)
  }

  #show(state: RunState, event: ApprovalRequested): void {
    if (this.#shown.has(event.approvalId)) return
    const { type: _, ...facts } = event
    const request: ApprovalRequest = { ...facts, runId: state.runId, rootId: state.rootId }
    this.#shown.set(event.approvalId, { request, close: this.#present(request) })
  }

  /** A screen that breaks must not break the run: the request stays open, and can be answered from elsewhere. */
  #present(request: ApprovalRequest): Close {
    try {
      return this.#approver?.present(request) ?? (() => {})
    } catch {
      return () => {}
    }
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
    if (!state.parentId || state.brief.isBackground) return
    const isAsking = [...state.calls.values()].some(call => call.phase === 'asking')
    const isHeld = !state.result && (isAsking || [...state.clockCauses].some(cause => cause.startsWith('child/')))
    const before = this.#held.get(state.runId)
    if (isHeld === (before !== undefined)) return
    if (isHeld) this.#held.set(state.runId, state.seq)
    else this.#held.delete(state.runId)
    if (!state.result)
      this.#post(state.parentId, {
        id: `clock/${state.runId}/${state.seq}`,
        kind: 'child-clock',
        runId: state.runId,
        isStopped: isHeld,
      })
  }
}
