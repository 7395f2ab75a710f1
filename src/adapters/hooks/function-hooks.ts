/** Hooks in the host's own process: plain functions, each may be left out. */
import type { HookEvent, HookPoint, Hooks, HookVerdict } from '../../core/hooks.js'

/** What it says counts as a verdict; undefined lets it go on. May throw; see `functionHooks`. */
export type HookFunction = (
  event: HookEvent,
  signal: AbortSignal,
) => HookVerdict | undefined | Promise<HookVerdict | undefined>

/** One function a point; points without one cost nothing. */
export interface HookFunctions {
  /** May refuse the run, rewrite its prompt, add context or lower its turns. */
  readonly start?: HookFunction
  /** May look at the result, or send the run back. */
  readonly stop?: HookFunction
  /** A person's word to a run that is working: may refuse it, rewrite it, or add context. */
  readonly prompt?: HookFunction
  /** May refuse the call, change its input, or have a person asked. */
  readonly preTool?: HookFunction
  /** May add to what the model reads. */
  readonly postTool?: HookFunction
  /** May answer a request for approval: `approves`, or refuse. */
  readonly permission?: HookFunction
  /** May refuse that the conversation is summed up, or say what to mind (`context`). */
  readonly preCompact?: HookFunction
  readonly sessionEnd?: HookFunction
  /** Which runs and tools are listened to; all of them when absent. */
  readonly filter?: (brief: HookEvent['brief'], tool?: string) => boolean
}

const fields = {
  start: 'start',
  stop: 'stop',
  prompt: 'prompt',
  'pre-tool': 'preTool',
  'post-tool': 'postTool',
  permission: 'permission',
  'pre-compact': 'preCompact',
  'session-end': 'sessionEnd',
} as const satisfies Record<HookPoint, keyof HookFunctions>

/**
 * Hooks that are functions of the host. One that throws: before a call it denies, because a guard that failed is no
 * yes; elsewhere it is noted.
 */
export function functionHooks(functions: HookFunctions): Hooks {
  const { filter = () => true } = functions
  return {
    wants: (point, brief, tool) => functions[fields[point]] !== undefined && filter(brief, tool),
    async fire(event, signal) {
      const hook = functions[fields[event.point]]
      if (!hook || !filter(event.brief, event.call?.name)) return { verdict: 'go' }
      try {
        return (await hook(event, signal)) ?? { verdict: 'go' }
      } catch (error) {
        const fault = `a ${event.point} hook threw: ${error instanceof Error ? error.message : String(error)}`
        const isGuard = event.point === 'pre-tool' || event.point === 'permission'
        return isGuard
          ? { verdict: 'refuse', reason: `Denied: ${fault}. A guard that fails counts as a no.`, notes: [fault] }
          : { verdict: 'go', notes: [fault] }
      }
    },
  }
}
