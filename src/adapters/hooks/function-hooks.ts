/** Hooks in the host's own process: plain functions, each may be left out. */
import { failedHook, readHookAnswer, type VerdictAt } from '../../core/hooks/hook-answer.js'
import type { HookEvent, HookPoint, Hooks, HookVerdict } from '../../core/hooks/hooks.js'
import type { Clock } from '../../core/ports.js'
import { atLeast, faultsOf, port, type Shape, work } from '../../core/shape.js'
import { messageOf } from '../../core/thrown.js'
import { systemClock } from '../os/system-clock.js'

/** What it says counts as a verdict; undefined lets it go on. May throw; see `functionHooks`. */
export type HookFunction<P extends HookPoint> = (
  event: HookEvent,
  signal: AbortSignal,
) => VerdictAt<P> | undefined | Promise<VerdictAt<P> | undefined>

/** One function a point; points without one cost nothing. */
export interface HookFunctions {
  /** May refuse the run, rewrite its prompt, add context or lower its turns. */
  readonly start?: HookFunction<'start'>
  /** May look at the result, or send the run back. */
  readonly stop?: HookFunction<'stop'>
  /** A person's word to a run that is working: may refuse it, rewrite it, or add context. */
  readonly prompt?: HookFunction<'prompt'>
  /** May refuse the call, change its input, or have a person asked. */
  readonly preTool?: HookFunction<'pre-tool'>
  /** May add to what the model reads. */
  readonly postTool?: HookFunction<'post-tool'>
  /** May answer a request for approval: `approves`, for another input too, or refuse, or leave it to a person (`ask`). */
  readonly permission?: HookFunction<'permission'>
  /** May refuse that the conversation is summed up, or say what to mind (`context`). */
  readonly preCompact?: HookFunction<'pre-compact'>
  readonly sessionEnd?: HookFunction<'session-end'>
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

/** How long they may take, and by which clock. */
export interface FunctionHooksOptions {
  /** For each call of a function. Default 60 s, at most 600. */
  readonly timeoutMs?: number
  readonly clock?: Pick<Clock, 'after'>
}

const usualTimeoutMs = 60_000
const longestTimeoutMs = 600_000

/**
 * Hooks that are functions of the host. One that throws, takes too long or says what is no verdict there: before a
 * call it denies, because a guard that failed is no yes; elsewhere it is noted. Throws for a name that is no point, or what
 * is no function: such a guard would never be asked.
 */
export function functionHooks(functions: HookFunctions, options: FunctionHooksOptions = {}): Hooks {
  checkFunctions(functions, options)
  const { filter = () => true } = functions
  const { timeoutMs = usualTimeoutMs, clock = systemClock() } = options
  const boundMs = Math.min(timeoutMs, longestTimeoutMs)
  return {
    wants: (point, brief, tool) => functions[fields[point]] !== undefined && filter(brief, tool),
    async fire(event, signal) {
      const { point } = event
      const hook = functions[fields[point]]
      if (!hook || !filter(event.brief, event.call?.name)) return { verdict: 'go' }
      const answer = await answerWithin(inner => hook(event, inner), boundMs, clock, signal)
      if ('said' in answer) return named(readHookAnswer(point, answer.said), fields[point])
      // A word that nobody has let pass stays where it is.
      if (point === 'prompt' && answer.isLate)
        return { verdict: 'refuse', reason: `a hook that hears prompts ${answer.fault}` }
      return failedHook(point, answer.fault)
    },
  }
}

const named = (verdict: HookVerdict, field: string): HookVerdict =>
  'input' in verdict ? { changedBy: `the function hook ${field}`, ...verdict } : verdict

function checkFunctions(functions: HookFunctions, options: FunctionHooksOptions): void {
  const faults = [...faultsOf(functions, points, [], settingsNames), ...faultsOf(options, optionTable)]
  if (faults.length > 0) throw new Error(`functionHooks: ${faults.join('; ')}.`)
}

const points = {
  ...{ start: work, stop: work, prompt: work, preTool: work, postTool: work, permission: work },
  ...{ preCompact: work, sessionEnd: work, filter: work },
} satisfies Record<keyof HookFunctions, Shape>

const optionTable = {
  timeoutMs: atLeast(0),
  clock: port('after'),
} satisfies Record<keyof FunctionHooksOptions, Shape>

/** What settings files call them. */
const settingsNames = {
  pretooluse: 'preTool',
  posttooluse: 'postTool',
  permissionrequest: 'permission',
  userpromptsubmit: 'prompt',
  sessionstart: 'start',
  subagentstart: 'start',
  subagentstop: 'stop',
} as const satisfies Record<string, keyof HookFunctions>

type Answer = { readonly said: unknown } | { readonly fault: string; readonly isLate?: boolean }

/** Never rejects, and never waits for longer than that, nor for what has been given up. */
function answerWithin(
  ask: (signal: AbortSignal) => unknown,
  ms: number,
  clock: Pick<Clock, 'after'>,
  outer: AbortSignal,
): Promise<Answer> {
  return new Promise(resolve => {
    const inner = new AbortController()
    const settle = (answer: Answer) => {
      closeTimer()
      outer.removeEventListener('abort', onAbort)
      resolve(answer)
    }
    const giveUp = (answer: Answer) => {
      settle(answer)
      inner.abort(new DOMException('fault' in answer ? answer.fault : '', 'AbortError'))
    }
    const onAbort = () => giveUp({ fault: 'was ended with its run', isLate: true })
    const closeTimer = clock.after(ms, () => giveUp({ fault: `gave no answer within ${ms / 1000} s`, isLate: true }))
    outer.addEventListener('abort', onAbort, { once: true })
    if (outer.aborted) return onAbort()
    // The extra function turns a synchronous throw into a rejection.
    const asked = (async () => ask(inner.signal))()
    asked.then(
      said => settle({ said }),
      (error: unknown) => settle({ fault: `threw: ${messageOf(error)}` }),
    )
  })
}
