/**
 * Tells every run that begins in plan mode so, and one that can write which file its plan goes into: the only one it may
 * write. Whoever has no tool for that (Explore, Plan) hands its plan over in its report.
 */

import { planFileOf } from '../../core/brief/plan-file.js'
import type { HookEvent, Hooks } from '../../core/hooks/hooks.js'
import * as notices from '../../core/notices.js'
import { functionHooks } from './function-hooks.js'

export function planHooks(plansDir: string): Hooks {
  return functionHooks({
    filter: isPlanning,
    start: ({ runId, rootId, brief }) => ({
      verdict: 'go',
      context: brief.allowed?.includes('Write')
        ? notices.planFile(planFileOf(plansDir, { runId, rootId, depth: brief.depth }))
        : notices.planMode,
    }),
  })
}

const isPlanning = ({ chain }: HookEvent['brief']): boolean => chain.at(-1)?.mode === 'plan'
