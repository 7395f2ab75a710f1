/** The port of hooks: what they hear, and what they may say to it. */
import type { CallId, RunId } from '../message.js'
import type { Brief, Result, ToolEffect } from '../types.js'

/**
 * Where hooks are heard. start, stop: an attempt of a run. prompt: a person's word to a run that is working. permission:
 * a call is about to be put to a person. session-end: a root that ran here is let go of. The last three are not recorded
 * in the log.
 */
export type HookPoint =
  | 'start'
  | 'stop'
  | 'prompt'
  | 'pre-tool'
  | 'post-tool'
  | 'permission'
  | 'pre-compact'
  | 'session-end'
/** What a hook hears: the point, the run, and what is about to happen or has. */
export interface HookEvent {
  readonly point: HookPoint
  /** Stable over a crash, so that a script can tell a repeat. */
  readonly key: string
  readonly runId: RunId
  readonly rootId: RunId
  readonly parentId?: RunId
  readonly brief: Pick<Brief, 'agent' | 'path' | 'depth' | 'hooks' | 'description' | 'model' | 'chain'> &
    Partial<Pick<Brief, 'source' | 'allowed' | 'inputs'>>
  readonly prompt?: string
  readonly call?: { readonly id: CallId; readonly name: string; readonly input: unknown; readonly effect: ToolEffect }
  /** Where a call is made: relative names in its input start there. */
  readonly cwd?: string
  readonly output?: { readonly text: string; readonly isError: boolean }
  readonly result?: Pick<Result, 'outcome' | 'text' | 'usage'>
  readonly attempt?: number
  /** Why a request is put to a person, why a session ends, what makes a conversation be compacted. */
  readonly reason?: string
  /** How often a stop hook has sent this run back already. */
  readonly returns?: number
}
/** What a hook says. At most it answers in a person's place: no deny gives way to it. */
export type HookVerdict = {
  /** For people. */
  readonly notes?: readonly string[]
} & (
  | {
      readonly verdict: 'go'
      readonly context?: string
      /** What the call is to be made with instead. Of a request's answer it counts with `approves` alone. */
      readonly input?: unknown
      /** Who gave that input, for the log. */
      readonly changedBy?: string
      readonly prompt?: string
      readonly maxTurns?: number
      /** Answers an ask with yes, in a person's place. A deny stands. */
      readonly approves?: boolean
    }
  | {
      readonly verdict: 'refuse'
      readonly reason: string
      /** The name under which a call is denied; `hook` when absent. */
      readonly rule?: string
    }
  | {
      readonly verdict: 'ask'
      readonly reason: string
      readonly input?: unknown
      readonly changedBy?: string
      readonly context?: string
    }
  | { readonly verdict: 'send-back'; readonly reason: string }
)
/** Whoever may look, refuse and change at fixed points of a run. */
export interface Hooks {
  /**
   * Runs what definitions bring along (`brief.hooks`) and what was given when a tree was begun (`chain`, `given.guards`).
   * Where nobody does, an agent whose calls are to be guarded is refused.
   */
  readonly runsAgentHooks?: boolean
  /** Whether anything listens, so that a run without hooks pays nothing. */
  wants(point: HookPoint, brief: HookEvent['brief'], tool?: string): boolean
  /**
   * Must not throw, and must end in bounded time: what goes wrong in a hook is decided here, by the class of the event. Of
   * what is no verdict of its point a call is denied. A changed `input` is one that every guard behind this port has heard,
   * and `approves` is about that very input.
   */
  fire(event: HookEvent, signal: AbortSignal): Promise<HookVerdict>
}
