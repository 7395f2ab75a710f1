/** What is heard of a run while it goes on, and is in no log. */
import type { TurnPurpose } from './events.js'
import type { CallId, RunId } from './message.js'

/** Told to whoever listens, and never stored. */
export type PassingEvent =
  | { readonly type: 'turn.started'; readonly turn: number; readonly purpose: TurnPurpose }
  | { readonly type: 'text.delta'; readonly text: string }
  | { readonly type: 'thought.delta'; readonly text: string }
  | { readonly type: 'tool.progress'; readonly callId: CallId; readonly text: string }
  | { readonly type: 'child.progress'; readonly runId: RunId; readonly text: string }
  | { readonly type: 'model.warned'; readonly text: string }
  | { readonly type: 'model.retrying'; readonly attempt: number; readonly waitMs: number; readonly reason: string }
  | { readonly type: 'slot.waiting'; readonly position: number }
  /** The run goes on where these tools it was given are not there: they are no longer shown to its model. */
  | { readonly type: 'tools.missed'; readonly names: readonly string[] }
  | { readonly type: 'file.skipped'; readonly path: string; readonly reason: string }

const passing: ReadonlySet<string> = new Set<PassingEvent['type']>([
  'turn.started',
  'text.delta',
  'thought.delta',
  'tool.progress',
  'child.progress',
  'model.warned',
  'model.retrying',
  'slot.waiting',
  'tools.missed',
  'file.skipped',
])

export const isPassing = (type: string): boolean => passing.has(type)
