/** Answers to requests for approval, from whoever holds the house. */

import type { RunId } from './core/message.js'
import type { Clock } from './core/ports.js'
import { isOverdue } from './core/run/run-calls.js'
import type { ApprovalScope, InboxItem } from './core/run-store.js'
import type { Offshoot } from './offshoot.js'
import { findApproval, requestsOf } from './runtime/calls/approvals.js'
import type { Supervisor } from './runtime/supervisor.js'

const isAnswerTo = (item: InboxItem, approvalId: string): boolean =>
  item.kind === 'answer' && item.approvalId === approvalId

const verdicts: readonly string[] = ['allow', 'deny']
const scopes: readonly ApprovalScope[] = ['once', 'run', 'session', 'always']
const noSuch = (what: string, given: unknown, known: readonly string[]): string =>
  `an approval has no ${what} ${JSON.stringify(given)}: it is one of ${known.join(', ')}`

/** Answers are bound to the call and the input that were shown; the run itself takes the first. */
export function approvalDesk(
  { approvals, postman, reader }: Supervisor,
  clock: Clock,
  whenOpen: <T>(work: () => Promise<T>) => Promise<T>,
): Offshoot['approvals'] {
  /** Of two at once the first is stored before the second is looked at. */
  const answering = new Set<string>()
  const elsewhere = async (approvalId: string) =>
    process.env.OFFSHOOT_RUN ? undefined : findApproval(approvalId, runId => reader.state(runId))
  const waitingIn = async (runId: RunId) => {
    const state = await reader.state(runId)
    const asked = state ? requestsOf(state) : []
    const inbox = asked.length > 0 ? await postman.inbox(runId) : []
    return asked.filter(
      ({ approvalId, expiresAt }) =>
        !isOverdue(expiresAt, clock.now()) && !inbox.some(item => isAnswerTo(item, approvalId)),
    )
  }
  return {
    open: () => approvals.open(),
    list: () =>
      whenOpen(async () => {
        const runs = await reader.list({ isEnded: false })
        const waiting = await Promise.all(runs.map(({ runId }) => waitingIn(runId)))
        return waiting.flat()
      }),
    async answer(approvalId, { verdict, scope = 'once', by = 'user', reason }) {
      if (!verdicts.includes(verdict)) throw new Error(noSuch('verdict', verdict, verdicts))
      if (!scopes.includes(scope)) throw new Error(noSuch('scope', scope, scopes))
      const here = approvals.open().find(open => open.approvalId === approvalId)
      const request = here ?? (await whenOpen(() => elsewhere(approvalId)))
      const at = clock.now()
      if (!request || isOverdue(request.expiresAt, at) || answering.has(approvalId)) return false
      const { runId, callId, inputHash } = request
      const id = `answer/${approvalId}/${clock.id()}`
      const answer = { id, kind: 'answer', approvalId, callId, inputHash, verdict, scope, by, reason, at } as const
      answering.add(approvalId)
      try {
        return await whenOpen(async () => {
          if ((await postman.inbox(runId)).some(item => isAnswerTo(item, approvalId))) return false
          await postman.post(runId, answer)
          return true
        })
      } finally {
        answering.delete(approvalId)
      }
    },
  }
}
