/** Tells every run that begins in plan mode which file its plan goes into: the only one it may write. */

import { planFileOf } from '../../core/brief/plan-file.js'
import type { HookEvent, Hooks } from '../../core/hooks/hooks.js'
import * as notices from '../../core/notices.js'
import { functionHooks } from './function-hooks.js'

export function planHooks(plansDir: string): Hooks {
  return functionHooks({
    filter: isPlanning,
    start: ({ runId, rootId, brief }) => ({
      verdict: 'go',
      context: notices.planFile(planFileOf(plansDir, { runId, rootId, depth: brief.depth })),
    }),
  })
}

const isPlanning = ({ chain }: HookEvent['brief']): boolean => chain.at(-1)?.mode === 'plan'
