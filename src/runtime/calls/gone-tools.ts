/**
 * Tools that a run was given and that are not there where it goes on: their server is gone, or nobody offers them any
 * more. What a request shows stays as it was, byte for byte, but for these.
 */
import { completionTool } from '../../core/brief/completion.js'
import type { Tool } from '../../core/ports.js'
import type { RunState } from '../../core/run/run-state.js'
import type { Declared } from '../../core/types.js'

export interface Remaining {
  readonly declared: Declared
  readonly gone: ReadonlySet<string>
}

export function remainingOf(declared: Declared, tools: ReadonlyMap<string, Tool>, state: RunState): Remaining {
  // A new run was briefed with what is there. A fork also shows what only its caller may use.
  if (state.owner === undefined) return { declared, gone: new Set() }
  const { allowed, reasons } = state.brief
  const hadIt = (name: string) =>
    allowed.includes(name) || reasons.some(({ rule, subject }) => rule === 'tool-gone' && subject === name)
  const isGone = (name: string) => name !== completionTool && !tools.has(name) && (state.attempt > 1 || hadIt(name))
  const gone = new Set(declared.tools.map(({ name }) => name).filter(isGone))
  if (gone.size === 0) return { declared, gone }
  return { declared: { ...declared, tools: declared.tools.filter(({ name }) => !gone.has(name)) }, gone }
}
