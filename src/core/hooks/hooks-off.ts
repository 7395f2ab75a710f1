/**
 * `disableAllHooks`: whose hooks it switches off, and who is told.
 *
 * 1. Of settings: those of its own file and of every lower one. Beside them those of plugins and agents' files.
 * 2. What an administrator wrote goes off by an administrator's word alone.
 * 3. Whoever wrote a guard hears that it does not guard, and where that was said.
 */
import type { AgentSource } from '../agent-definition.js'
import type { Diagnostic } from '../ports.js'
import type { Setting, Settings } from '../settings/settings.js'
import { guardsCalls } from './hook-config.js'

/** Hooks, and what they stand in. */
interface Written {
  readonly origin: string
  readonly hooks?: unknown
}

/** The setting that switches hooks off; undefined where they are on. */
export const hooksOffBy = ({ values }: Pick<Settings, 'values'>): Setting | undefined =>
  values.find(({ key, value }) => key === 'disableAllHooks' && value === true)

/** Whether an agent's own hooks are switched off. An agent of whom nobody knows where it is from is no administrator's. */
export const areAgentsHooksOff = (off: Setting | undefined, source: Pick<AgentSource, 'scope'> | undefined): boolean =>
  off !== undefined && (off.scope === 'managed' || source?.scope !== 'managed')

/** Says that these do not run, where a guard is among them. */
export function guardsOff({ origin }: Pick<Setting, 'origin'>, written: readonly Written[]): readonly Diagnostic[] {
  const places = new Set(written.filter(({ hooks }) => guardsCalls(hooks)).map(each => each.origin))
  if (places.size === 0) return []
  return [
    {
      code: 'guards-off',
      severity: 'warning',
      message: `"disableAllHooks" is on here: the guards of ${[...places].join(', ')} guard nothing`,
      file: origin,
      hint: 'take it out to have them back',
    },
  ]
}
