/** The session as a status line command reads it on stdin; the names are those of Claude Code where it has them. */
import { totals } from './model/house-view.js'
import type { Screen } from './model/screen.js'

export interface SessionJsonFacts {
  readonly runId: string | undefined
  readonly model: string
  readonly cwd: string
  readonly projectDir: string
  readonly version: string
  readonly mode: string
  readonly agent: string
  readonly startedAt: number
}

export function sessionJson({ house, now }: Screen, facts: SessionJsonFacts): object {
  const { tokens, cost, active, isEstimated } = totals(house)
  return {
    session_id: facts.runId ?? null,
    cwd: facts.cwd,
    model: { id: facts.model, display_name: facts.model.split('/').at(-1) },
    workspace: { current_dir: facts.cwd, project_dir: facts.projectDir },
    version: facts.version,
    permission_mode: facts.mode,
    agent: { name: facts.agent },
    cost: {
      total_cost_usd: cost ?? null,
      total_duration_ms: Math.max(0, now - facts.startedAt),
      ...(isEstimated && { is_estimated: true }),
    },
    tokens,
    children: active,
  }
}
