/**
 * An approver is a host's code. Whatever it throws, rejects or returns, at once or later, is told to `onError` and reaches
 * neither a run nor its log.
 */
import type { Close } from '../../core/message.js'
import type { ApprovalRequest, Approver } from '../../core/ports.js'

type Tell = (error: unknown) => void

/** One that cannot say whether anybody is there counts as nobody. */
export function guardListening(approver: Approver, onError: Tell): Approver {
  return {
    present: request => approver.present(request),
    isListening(rootId) {
      try {
        const answer: unknown = approver.isListening(rootId)
        if (!isPromise(answer)) return Boolean(answer)
        answer.then(undefined, onError)
        onError(new Error('approver.isListening must answer at once with true or false, not with a promise'))
      } catch (error) {
        onError(error)
      }
      return false
    },
  }
}

/** Takes the request down again; never throws. `onFailed`: it was not shown. The closer may come by a promise. */
export function show(approver: Approver, request: ApprovalRequest, onError: Tell, onFailed: () => void): Close {
  const fail = (error: unknown) => {
    onError(error)
    onFailed()
  }
  try {
    const closer: unknown = approver.present(request)
    if (!isPromise(closer)) return () => takeDown(closer, onError)
    const coming = closer.then(later => later, fail)
    return () => void coming.then(later => takeDown(later, onError))
  } catch (error) {
    fail(error)
    return () => {}
  }
}

function takeDown(closer: unknown, onError: Tell): void {
  if (typeof closer !== 'function') return
  try {
    const closing: unknown = closer()
    if (isPromise(closing)) closing.then(undefined, onError)
  } catch (error) {
    onError(error)
  }
}

const isPromise = (value: unknown): value is PromiseLike<unknown> =>
  typeof (value as { readonly then?: unknown } | null | undefined)?.then === 'function'
