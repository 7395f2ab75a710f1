/** Ids that follow from other values, so that a crash between two steps finds the same one again. */
import { createHash } from 'node:crypto'
import type { CallId, RunId } from '../../core/message.js'
import { canonicalJson } from '../../core/text/text.js'

/** A child's id is a function of its caller's run and call: starting it twice finds the first. */
export function childRunId(caller: RunId, callId: CallId): RunId {
  return `a${digest(`${caller}\n${callId}`).slice(0, 24)}` as RunId
}

/** Binds an approval to the very input it was shown for. */
export const inputHash = (input: unknown): string => digest(canonicalJson(input) ?? 'undefined')

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
