/**
 * Command hooks of settings and agent files, behind the Hooks port.
 *
 * 1. The configuration is a snapshot: what changes on disk later counts from the next session on.
 * 2. An agent file's hooks fire for that agent alone, and its `Stop` means the end of that agent's run. They can deny,
 *    ask and send back; what they cannot do is approve: an agent must not widen itself. Guards that were given when the
 *    tree was begun (`chain`) are heard in the same way.
 * 3. Of one event all matching hooks run side by side; the same entry runs once, but a copy with another time, or that
 *    may fail open, takes nobody's place; the strictest word counts. When one changes the input of a call, the others
 *    hear of that as well.
 * 4. For a root, the start of an attempt is SessionStart (once a process) and UserPromptSubmit, and its end is Stop.
 *    A person's word to a run that is working is UserPromptSubmit too.
 */
import {
  coversByName,
  failsClosed,
  type HookEntry,
  type HookEventName,
  matcherCovers,
  readHookConfig,
} from '../../core/hooks/hook-config.js'
import { hookPayload, hookSubject } from '../../core/hooks/hook-payload.js'
import { combineVerdicts, isAnswer, readHookEnd } from '../../core/hooks/hook-verdict.js'
import type { HookEvent, HookPoint, Hooks, HookVerdict } from '../../core/hooks/hooks.js'
import type { Json, RunId } from '../../core/message.js'
import { givenGuards } from '../../core/permission/given-bounds.js'
import type { Reaper } from '../os/reaper.js'
import { asHeard, settleInput } from './changed-input.js'
import { runHook } from './hook-process.js'
import { hookEnvironment, type ScriptSeal, sealScript } from './script-seal.js'

/** Which commands listen, and what they are given. */
export interface CommandHooksOptions {
  /** Hooks of settings files; only of files that are trusted. */
  readonly settings: readonly { readonly origin: string; readonly hooks: Json }[]
  readonly projectDir: string
  /** What hooks see of the environment; make it with `commandEnvironment`. */
  readonly env: Readonly<Record<string, string>>
  /** Gives the file a hook finds a run's conversation in, written up to now; see `transcriptFiles`. Must not throw. */
  transcriptPath?(runId: RunId): string | Promise<string>
  /** Whether hooks of definitions are run. All are when absent; who says no takes their guards away as well. */
  readonly runsHooksOf?: (brief: HookEvent['brief']) => boolean
  /** @internal Ends what hooks started, however this process dies. */
  readonly reaper?: Reaper
  /** For hooks that name no timeout. */
  readonly timeoutMs?: number
}

interface ReadyHook extends HookEntry {
  readonly isAgents: boolean
  readonly seal: ScriptSeal
}

/**
 * Hooks that are commands, as settings files name them. A command that fails or takes too long before a call denies
 * it; elsewhere it is noted. Throws when a guard cannot be read or would not be run, unless it says `failClosed: false`:
 * without it the hole would be seen by nobody.
 */
export function commandHooks(options: CommandHooksOptions): Hooks {
  return new CommandHooks(options)
}

const usualTimeoutMs = 60_000

class CommandHooks implements Hooks {
  readonly runsAgentHooks = true
  readonly #options: CommandHooksOptions
  readonly #env: Readonly<Record<string, string>>
  readonly #own: readonly ReadyHook[]
  readonly #agents = new WeakMap<object, readonly ReadyHook[]>()
  readonly #sessions = new Set<string>()

  constructor(options: CommandHooksOptions) {
    const { projectDir } = options
    this.#options = options
    this.#env = hookEnvironment(options.env, projectDir)
    this.#own = options.settings.flatMap(({ origin, hooks }) => {
      const hole = holeIn(hooks)
      if (hole !== undefined) throw new Error(`${origin}: ${hole}`)
      return this.#ready(hooks, false)
    })
  }

  wants(point: HookPoint, brief: HookEvent['brief'], tool?: string): boolean {
    const hooks = this.#hooksOf(brief)
    if (hooks.length === 0) return false
    const subject = tool ?? (brief.depth > 0 && (point === 'start' || point === 'stop') ? brief.agent : undefined)
    return eventsAt(point, brief.depth).some(name => hooks.some(hook => isFor(hook, name) && covers(hook, subject)))
  }

  async fire(event: HookEvent, signal: AbortSignal): Promise<HookVerdict> {
    const verdicts: HookVerdict[] = []
    const isNewSession = !this.#sessions.has(event.rootId)
    if (event.point === 'start' && event.brief.depth === 0) this.#sessions.add(event.rootId)
    for (const name of eventsAt(event.point, event.brief.depth)) {
      if (name === 'SessionStart' && !isNewSession) continue
      verdicts.push(...(await this.#fireOne(name, event, signal)))
      if (verdicts.some(({ verdict }) => verdict === 'refuse')) break
    }
    return combineVerdicts(verdicts)
  }

  async #fireOne(name: HookEventName, event: HookEvent, signal: AbortSignal): Promise<readonly HookVerdict[]> {
    const source = (event.attempt ?? 1) > 1 ? 'resume' : 'startup'
    const subject = hookSubject(name, event, source)
    const due = this.#hooksOf(event.brief).filter(hook => isFor(hook, name) && covers(hook, subject))
    if (due.length === 0) return []
    const { projectDir, transcriptPath = () => '' } = this.#options
    const transcript = await transcriptPath(event.rootId)
    const agentTranscript = name === 'SubagentStop' ? await transcriptPath(event.runId) : ''
    const once = due.filter((hook, i) => due.findIndex(other => isSame(other, hook)) === i)
    const hear = (hooks: readonly ReadyHook[], told: HookEvent) => {
      const cwd = told.cwd ?? projectDir
      const input = `${JSON.stringify(hookPayload(name, told, { cwd, source, transcript, agentTranscript }))}\n`
      return Promise.all(hooks.map(hook => this.#run({ ...hook, event: name }, input, told, signal)))
    }
    const verdicts = await hear(once, event)
    if (name !== 'PreToolUse' && name !== 'PermissionRequest') return verdicts
    const settled = await settleInput(event, {
      verdicts: verdicts.map(verdict => asHeard(verdict, event.call?.input)),
      hasHeard: () => false,
      hearAgain: (places, changed) =>
        hear(
          places.map(at => once[at]!),
          changed,
        ),
    })
    return [settled]
  }

  async #run(hook: ReadyHook, input: string, event: HookEvent, signal: AbortSignal): Promise<HookVerdict> {
    const changed = hook.seal()
    const end =
      changed === undefined
        ? await runHook(hook.command, {
            cwd: this.#options.projectDir,
            env: { ...this.#env, OFFSHOOT_RUN: event.runId },
            input,
            timeoutMs: hook.timeoutMs ?? this.#options.timeoutMs ?? usualTimeoutMs,
            signal,
            ...(failsClosed(hook) && { isAnswer }),
            ...(this.#options.reaper && { reaper: this.#options.reaper }),
          })
        : { stdout: '', stderr: '', fault: changed }
    const verdict = readHookEnd(hook, end)
    const isNamed = event.call === undefined || coversByName(hook.matcher, event.call.name)
    return (hook.isAgents || !isNamed) && verdict.verdict === 'go' ? { ...verdict, approves: false } : verdict
  }

  #hooksOf(brief: HookEvent['brief']): readonly ReadyHook[] {
    const { hooks } = brief
    const isRun = typeof hooks === 'object' && hooks !== null && this.#options.runsHooksOf?.(brief) !== false
    const further = [...givenGuards(brief.chain), ...(isRun ? [hooks] : [])]
    return further.length === 0 ? this.#own : [...this.#own, ...further.flatMap(each => this.#brought(each))]
  }

  #brought(config: Json & object): readonly ReadyHook[] {
    const ready = this.#agents.get(config) ?? [...this.#ready(config, true), ...standIns(config)]
    this.#agents.set(config, ready)
    return ready
  }

  #ready(config: Json, isAgents: boolean): readonly ReadyHook[] {
    return readHookConfig(config).entries.map(entry => ({
      ...entry,
      isAgents,
      seal: sealScript(entry.command, this.#options.projectDir, this.#env),
    }))
  }
}

/** An agent's own `Stop` is its end wherever it runs: no name is to be matched there. */
const covers = ({ event, matcher }: HookEntry, subject: string | undefined): boolean =>
  subject === undefined || event === 'Stop' || matcherCovers(matcher, subject)

/** Settings' own stand before an agent's: of two that are one, the one that may approve is kept. */
const isSame = (one: HookEntry, other: HookEntry): boolean =>
  one.command === other.command && one.timeoutMs === other.timeoutMs && one.failClosed === other.failClosed

/** What of the guards cannot be read. */
const holeIn = (config: Json): string | undefined =>
  readHookConfig(config).faults.find(({ isGuard }) => isGuard)?.message

/** An agent's guard that cannot be read denies what it may have been meant for: everything. */
function standIns(config: Json): readonly ReadyHook[] {
  const hole = holeIn(config)
  if (hole === undefined) return []
  const seal = () => `cannot be read (${hole})`
  return [{ event: 'PreToolUse', command: 'hooks of the agent', isAgents: true, seal }]
}

function eventsAt(point: HookPoint, depth: number): readonly HookEventName[] {
  switch (point) {
    case 'start':
      return depth === 0 ? ['SessionStart', 'UserPromptSubmit'] : ['SubagentStart']
    case 'stop':
      return depth === 0 ? ['Stop'] : ['SubagentStop']
    case 'prompt':
      return ['UserPromptSubmit']
    case 'pre-tool':
      return ['PreToolUse']
    case 'post-tool':
      return ['PostToolUse']
    case 'permission':
      return ['PermissionRequest']
    case 'pre-compact':
      return ['PreCompact']
    case 'session-end':
      return ['SessionEnd']
  }
}

/** In an agent file both words for the end mean the end of that agent's run, wherever it runs. */
function isFor({ event, isAgents }: ReadyHook, name: HookEventName): boolean {
  if (event === name) return true
  return isAgents && (event === 'Stop' || event === 'SubagentStop') && (name === 'Stop' || name === 'SubagentStop')
}
