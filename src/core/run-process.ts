/**
 * A run in a process of its own: its loop and its tools live there, everything that decides or keeps stays in the host.
 * This names what crosses the pipe. All of it is plain data, and each side answers the calls of the other.
 *
 * W1 The host holds the log: what the process wants recorded is stored, folded and published here, then there.
 * W2 The host builds requests, judges calls and runs tools the process cannot make. The process never sees a key.
 */

import type { PermissionMode } from './agent-definition.js'
import type { DurableEvent, StoredEvent, TurnPurpose } from './events.js'
import type { CallId, Json, RunId } from './message.js'
import type { PassingEvent } from './passing-event.js'
import type { Tool, ToolOutput } from './ports.js'
import type { Effect } from './run/run-next.js'
import type { InboxItem } from './run-store.js'
import type { Result } from './types.js'
import type { Workspace } from './workspace.js'

/** What the process asks of its host's desk; each answers with a promise of its value. */
export interface DeskCalls {
  /** Stored events from `fromSeq`, as many as fit into a message; none at the end. */
  read(value: { readonly fromSeq: number }): readonly StoredEvent[]
  /** `seq`: what the process holds for the last one. Rejects with the code `claim-lost` or `log-broken`. */
  record(value: {
    readonly seq: number
    readonly events: readonly DurableEvent[]
    readonly consumed: readonly string[]
  }): {
    readonly at: number /** As they were stored, where the host knew more of them. */
    readonly stored?: readonly DurableEvent[]
  }
  inbox(value: null): readonly InboxItem[]
  /** Takes one turn to the events that tell of it. `ask` names it, so that words of one that was dropped reach nobody. */
  turn(value: {
    readonly ask: number
    readonly turn: number
    readonly purpose: TurnPurpose
    readonly upto: number
  }): readonly DurableEvent[]
  /** Judges and runs one call of the last turn to the events that answer it. */
  call(value: { readonly callId: CallId }): readonly DurableEvent[]
  /** Why the call that is under way must not use this real path, or null when it may. */
  mayUse(value: {
    readonly callId: CallId
    readonly path: string
    readonly use: 'read' | 'write'
  }): string | null | Promise<string | null>
  /** The same for many paths that a search has found, in their order. */
  mayRead(value: { readonly callId: CallId; readonly paths: readonly string[] }): readonly (string | null)[]
  /**
   * Whether the run may read it without asking anybody, by the name it was asked for and by its real one. Null: nobody can
   * tell.
   */
  maySee(value: { readonly callId: CallId; readonly path: string; readonly realPath: string }): boolean | null
  hook(value: { readonly effect: Extract<Effect, { do: 'hook' }> }): readonly DurableEvent[]
  join(value: { readonly runId: RunId }): Result
  childResult(value: { readonly runId: RunId; readonly attempt: number }): Result | null
  slot(value: { readonly slot: number; readonly isReturning: boolean }): {
    readonly isHeld: boolean
    readonly position: number
  }
  /** The loop is over; nothing follows. */
  done(value: {
    readonly left?: { readonly left: 'by-us' | 'claim-lost' | 'log-broken'; readonly message: string }
  }): null
}
/** What the process says to the desk without waiting. */
export interface DeskTells {
  pass: PassingEvent
  stopChild: { readonly runId: RunId; readonly reason: string }
  release: { readonly slot: number }
  /** Timers of a clock that only the host has. */
  after: { readonly timer: number; readonly ms: number }
  cancel: { readonly timer: number }
}
/** What the host asks of a process, and what comes back. */
export interface ProcessCalls {
  /** Begins to drive; answers once that is under way. */
  start(value: StartOrder): null
  /** Runs a tool the process has made itself. The input is final: judged, approved, hooked. */
  tool(value: {
    readonly callId: CallId
    readonly name: string
    readonly input: unknown
    readonly workspace: CarriedWorkspace
    readonly mode: PermissionMode
    /** What its kit was made with, as it is now. */
    readonly options?: Json
  }): { readonly output: ToolOutput; readonly report?: Json }
  /** Facts in the middle of an effect: the loop is the only one that writes. */
  note(value: { readonly key: string; readonly events: readonly DurableEvent[] }): null
}
/** What the host only says to a process: nothing comes back. */
export interface ProcessTells {
  /** The turn under way was sent, and what its model has said: added to what was there, or in its place. */
  said: { readonly ask: number; readonly text: string; readonly isAnew: boolean }
  held: { readonly slot: number }
  look: null
  leave: null
  timer: { readonly timer: number }
}

/** The other end of a pipe broke the protocol: nothing it says afterwards counts. */
export class ProtocolFault extends Error {
  readonly code = 'protocol'
}

/** The other end is gone, or on its way: how it ended says why. */
export class PipeClosed extends Error {
  readonly code = 'pipe-closed'
}

/** What a process needs to take up its run. */
export interface StartOrder {
  readonly runId: RunId
  readonly epoch: number
  readonly owner: string
  readonly kits: readonly KitOrder[]
  /** `host`: the host was given a clock of its own, and the process goes by that. */
  readonly clock: 'own' | 'host'
}

/** Where a process finds the makers of tools: a module that exports `createKit(options)`. */
export interface KitOrder {
  /** A URL, or `offshoot:workspace` for the tools of this package. */
  readonly module: string
  readonly options?: Json
}
/** What a kit may ask of its host. */
export interface KitPorts {
  mayUse(callId: CallId, path: string, use: 'read' | 'write'): Promise<string | undefined>
  /** For what a search has found: one question for many paths. */
  mayRead(callId: CallId, paths: readonly string[]): Promise<readonly (string | undefined)[]>
  /** Whether the run may read a path without asking anybody. Undefined: nobody can tell. */
  maySee(callId: CallId, path: string, realPath: string): Promise<boolean | undefined>
}
/** Tools made anew in a process, with what they share. */
export interface Kit {
  readonly tools: readonly Tool[]
  /** Before each call: what the kit was made with, as the host has it now. Rules may have changed since. */
  renew?(options: Json | undefined): void
  /** State the host has to know after each call, such as where a shell stands. */
  report?(runId: RunId, workspace: Workspace): Json
  /** Ends whatever the tools have left running for the run. */
  close?(runId: RunId): Promise<void>
}
/** Judges a path for a process, in its host: why not, or nothing when it may be used. */
export interface CarriedGuard {
  (path: string, use: 'read' | 'write', call: CarriedCall): string | undefined | Promise<string | undefined>
  /** True where it would surely let the call read a path. */
  plainly?(call: CarriedCall): ((path: string) => boolean) | undefined
  /** Whether the run of the call may read a path without asking anybody. */
  sees?(path: string, realPath: string, call: CarriedCall): Promise<boolean | undefined>
}
/** Which call wants a path, as the process names it. */
export interface CarriedCall {
  readonly runId: RunId
  readonly callId: CallId
  readonly workspace: Workspace
}

/** How a process makes this very tool. Without it a run in its own process has its host run the tool. */
export interface Portable extends KitOrder {
  /** Judges each path at the moment of use: the process asks its host, which knows the rules. */
  readonly guard?: CarriedGuard
  /** Takes up what the kit reported. Must not trust it: the process may be in anybody's hands. */
  heard?(report: Json, run: { readonly runId: RunId; readonly workspace: Workspace }): void
}

/** A workspace as data. A sandbox that puts commands into another command is carried as the parts around them. */
export interface CarriedWorkspace {
  readonly cwd: string
  readonly roots: readonly string[]
  readonly copies?: Workspace['copies']
  readonly wrap?: { readonly before: readonly string[]; readonly after: readonly string[] }
}

/** Starts a process for each run that wants one of its own. */
export interface RunProcesses {
  /** Never throws: a process that cannot be started ends at once, with the reason. */
  start(order: ProcessOrder): RunProcess
  /** Ends all that still run. */
  close(): Promise<void>
}
/** A process to be started for a run, and who answers it. */
export interface ProcessOrder {
  readonly runId: RunId
  readonly resources?: { readonly memoryMb?: number; readonly cpuSeconds?: number }
  /** Answers a call, or hears what was only said. A throw is answered as an error. */
  answer(method: string, value: unknown, signal: AbortSignal): unknown
  /** Put on every message, for a process that goes by the host's clock. */
  now?(): number
}
/** A process that carries one run. */
export interface RunProcess {
  /** Waits until the process is up. Rejects with what the other side threw, with the signal's reason, or when it ends. */
  call<M extends keyof ProcessCalls>(
    method: M,
    value: Parameters<ProcessCalls[M]>[0],
    signal?: AbortSignal,
  ): Promise<ReturnType<ProcessCalls[M]>>
  tell<M extends keyof ProcessTells>(method: M, value: ProcessTells[M]): void
  /** A stop waits for it: when it does not answer within `ms`, it counts as blocked and is ended. */
  hurry(ms: number): void
  /** Ends it, and all it started. Twice is once. */
  end(): Promise<void>
  /** How it came to its end. Never rejects; calls that were open are aborted before. */
  readonly ended: Promise<ProcessEnd>
}
/** How a process came to its end. */
export interface ProcessEnd {
  readonly rule: ProcessEndRule
  /** What happened, in words for people. */
  readonly message: string
  /** The last it printed. */
  readonly printed?: string
}
/** Why it ended. */
export type ProcessEndRule =
  | 'process-left' // by its own will, or ended by us when all was done
  | 'process-died'
  | 'process-start'
  | 'out-of-memory'
  | 'cpu-limit'
  | 'blocked'
  | 'protocol'
