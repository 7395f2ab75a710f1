/**
 * What comes to the loop of a run: what an effect brought, the end of a child, a note from outside, or a reason to look
 * again.
 */
import type { DurableEvent } from '../../core/events.js'
import type { ChildState } from '../../core/run/run-state.js'
import type { Result } from '../../core/types.js'

export type Arrival =
  | { readonly type: 'effect'; readonly key: string; readonly events: readonly DurableEvent[] }
  | { readonly type: 'child'; readonly key: string; readonly child: ChildState; readonly result: Result }
  | {
      readonly type: 'note'
      readonly key: string
      readonly events: readonly DurableEvent[]
      readonly stored: () => void
      readonly dropped: (error: unknown) => void
    }
  | { readonly type: 'threw'; readonly key: string; readonly error: unknown }
  | { readonly type: 'wake' }
