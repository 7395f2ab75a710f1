/** What a house on this machine is opened with, and what is handed back. */
import type { ExplainingJudge } from '../adapters/judge/judge.js'
import type { Models } from '../adapters/models/registry.js'
import type { Directories } from '../adapters/os/directories.js'
import type { BlockedLoop } from '../adapters/processes/loop-watchdog.js'
import type { AskUser } from '../adapters/tools/ask-user.js'
import type { ShowTodos } from '../adapters/tools/todo-write.js'
import type { AgentDefinition, PermissionRule } from '../core/agent-definition.js'
import type { Catalog } from '../core/catalog/catalog.js'
import type { Hooks } from '../core/hooks/hooks.js'
import type { RuleLayer } from '../core/permission/permission-rules.js'
import type { Policy } from '../core/policy.js'
import type { Approver, Diagnostic, Model, Tool } from '../core/ports.js'
import type { RunStore } from '../core/run-store.js'
import type { Offshoot } from '../offshoot.js'

/** What whoever opens a house brings along, beside or before the settings. */
export type Brought = Omit<NodeOptions, 'cwd' | 'env' | 'agents' | 'settings' | 'isBare' | 'trustsProject'>

/** Everything may be left out: then it is this directory as the program sees it, SQLite, and nobody to ask. */
export interface NodeOptions {
  readonly cwd?: string
  /** Further directories to work in. */
  readonly addedDirectories?: readonly string[]
  readonly env?: Readonly<Record<string, string | undefined>>
  /**
   * Agents of your own, above the built-in ones and those of files; or a function that gives all there are. A project's
   * files count only where a person trusted them (`offshoot trust`).
   */
  readonly agents?: readonly AgentDefinition[] | (() => Catalog)
  /** Further settings, above those of files: `{ permissions: { deny: ['Bash(rm *)'] }, mcpServers: {…}, hooks: {…} }`. */
  readonly settings?: { readonly [key: string]: unknown }
  /**
   * True: of this directory and its user nothing counts but agent files, and what they bring along. No settings (but an
   * administrator's), no plugins, skills, servers or instructions, nothing that was approved "always". Not kept with a run:
   * one that is resumed by another house goes by the files that count there.
   */
  readonly isBare?: boolean
  /** Lets the agents, hooks, servers and settings of this project act without a person's word. */
  readonly trustsProject?: boolean
  /** Further rules as they are now; asked at every call. `parsePermissionRules` makes them of texts. */
  readonly rules?: () => readonly RuleLayer[]
  /** Keeps an "always allow". Default: as the program does, for this project, in the user's configuration. */
  readonly saveRule?: (rule: PermissionRule) => void
  /** A model of your own, for every run, instead of those that the keys and settings give. */
  readonly model?: Model
  /** Goes before what the settings say, an administrator's too: whoever writes the program stands above them. */
  readonly policy?: Partial<Policy>
  /** By name it is opened here and closed with the house; one that is handed in is closed by whoever opened it. */
  readonly store?: RunStore | 'sqlite' | 'jsonl' | 'memory'
  readonly approver?: Approver
  readonly askUser?: AskUser
  readonly showTodos?: ShowTodos
  /** Asked beside those of settings, plugins and agent files. */
  readonly hooks?: Hooks
  readonly tools?: readonly Tool[]
  /** As `policy` does. */
  readonly sandbox?: SandboxWish
  /** Told which run and tool blocked the event loop, and where. Starts a thread that watches; absent: none. */
  readonly onBlockedLoop?: (report: BlockedLoop) => void
  readonly onError?: (error: unknown) => void
}

/** What holds the commands of runs in, and how much it leaves open. */
export interface SandboxWish {
  readonly kind: 'none' | 'bubblewrap'
  readonly network?: boolean
  readonly writable?: readonly string[]
}

/** An Offshoot with the parts it was made of. Closing it closes these as well. */
export interface NodeOffshoot extends Offshoot {
  readonly models: Models
  readonly directories: Directories
  readonly judge: ExplainingJudge
  readonly store: RunStore
  /** Every rule that counts now, by origin: those of settings and of the host, and what was approved for longer than once. */
  rules(): readonly RuleLayer[]
  /** What was found wrong, or left out, in settings, agent files, plugins, servers, skills and instructions. */
  readonly diagnostics: readonly Diagnostic[]
}
