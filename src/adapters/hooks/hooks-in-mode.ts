/** Hooks hear the mode that calls are judged in now (`permission_mode`), not the one their run was begun in. */
import { modeOfLink, type SwitchedMode } from '../../core/brief/mode.js'
import type { HookEvent, Hooks } from '../../core/hooks/hooks.js'

export function hooksInMode(hooks: Hooks, switched: (rootId: string) => SwitchedMode | undefined): Hooks {
  const asNow = (event: HookEvent): HookEvent => {
    const mode = switched(event.rootId)
    if (!mode) return event
    const chain = event.brief.chain.map(link => ({ ...link, mode: modeOfLink(link, mode) }))
    return { ...event, brief: { ...event.brief, chain } }
  }
  return {
    ...(hooks.runsAgentHooks !== undefined && { runsAgentHooks: hooks.runsAgentHooks }),
    wants: (point, brief, tool) => hooks.wants(point, brief, tool),
    fire: (event, signal) => hooks.fire(asNow(event), signal),
  }
}
