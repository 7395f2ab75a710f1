/** What the program says to whoever called it. Documented in docs/cli.md. */
import type { Result } from '../../core/types.js'

export const exitCodes = { ok: 0, error: 1, usage: 2, limit: 3, permission: 4, interrupted: 130 } as const

export function exitCodeOf(result: Pick<Result, 'outcome'>, wasInterrupted: boolean): number {
  if (wasInterrupted) return exitCodes.interrupted
  switch (result.outcome) {
    case 'completed':
      return exitCodes.ok
    case 'timeout':
    case 'max_turns':
    case 'budget':
      return exitCodes.limit
    case 'approval_expired':
      return exitCodes.permission
    default:
      return exitCodes.error
  }
}
