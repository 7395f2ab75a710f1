/** Every setting Offshoot knows, as data: what a value must look like, and who may set it. */
import type { Json } from '../message.js'

export type SettingKind =
  | { readonly kind: 'boolean' }
  | { readonly kind: 'number'; readonly min: number; readonly max: number; readonly isWhole?: boolean }
  | { readonly kind: 'text'; readonly oneOf?: readonly string[] }
  | { readonly kind: 'texts' }
  | { readonly kind: 'object' }
  | { readonly kind: 'sandbox' }
  | { readonly kind: 'any' }

export interface KnownSetting {
  readonly is: SettingKind
  readonly about: string
  /** A project's file must not decide this, trusted or not: it says where keys go, or how much is contained. */
  readonly isPersonal?: boolean
  /** Left out, more is open: a value that cannot be read is no small thing. Asked with `isLimit`. */
  readonly isLimit?: boolean
  /** A list that files of all scopes add to: none takes away what another one names. A managed list stands alone. */
  readonly isJoined?: boolean
}

const whole = (min: number, max: number): SettingKind => ({ kind: 'number', min, max, isWhole: true })
const day = 86_400

/** `section.*` stands for any name in that section. */
export const knownSettings: Readonly<Record<string, KnownSetting>> = {
  'subagents.enabled': { is: { kind: 'boolean' }, about: 'Whether work can be handed to agents at all.' },
  'subagents.agentsDirs': {
    is: { kind: 'texts' },
    about: 'Further folders with agent files; `~` is the home in your own files. One that is not there is said.',
    isJoined: true,
  },
  'subagents.timeoutSeconds': { is: whole(1, 7 * day), about: 'Time limit of a run whose agent names none.' },
  'subagents.maxTurns': { is: whole(1, 1000), about: 'Turn limit of a run whose agent names none.' },
  'subagents.graceSeconds': { is: whole(0, 3600), about: 'Length of the last turn after a limit; 0 turns it off.' },
  'subagents.maxDepth': { is: whole(0, 10), about: 'How deep runs may nest; main is 0.' },
  'subagents.resultBytes': { is: whole(256, 1_048_576), about: 'Bound of a report in its caller’s conversation.' },
  'subagents.concurrency': { is: whole(1, 10_000), about: 'Runs that work at the same time.' },
  'subagents.queue': { is: whole(0, 100_000), about: 'Runs that may wait for a slot.' },
  'subagents.concurrencyPerRoot': { is: whole(1, 10_000), about: 'The same, for one conversation.' },
  'subagents.concurrencyPerModel': { is: whole(1, 10_000), about: 'The same, for one model.' },
  'subagents.cacheWaitSeconds': {
    is: whole(0, 60),
    about: 'How long runs of one agent wait for the first of them to open the provider’s prompt cache; 0: they do not.',
  },
  'subagents.maxDescendants': { is: whole(0, 1_000_000), about: 'Runs one conversation may start in all.' },
  'subagents.fanOutApproval': {
    is: whole(1, 10_000),
    about: 'More runs than this started or woken in one turn need an approval.',
    isPersonal: true,
  },
  'subagents.budgetUsd': {
    is: { kind: 'number', min: 0.000_001, max: 1e7 },
    about: 'US dollars one conversation and all its runs may cost.',
    isPersonal: true,
  },
  'subagents.budgetTokens': { is: whole(1, 1e12), about: 'The same in tokens.', isPersonal: true },
  'subagents.budgetToolCalls': { is: whole(1, 1e9), about: 'The same in tool calls.', isPersonal: true },
  'subagents.approvalExpiry': { is: whole(1, 365 * day), about: 'Seconds a request for approval waits.' },
  'subagents.retentionDays': {
    is: whole(0, 3650),
    about: 'Age in days past which `runs prune` removes a tree.',
    isPersonal: true,
  },
  'subagents.planUpgrade': { is: { kind: 'boolean' }, about: 'An inherited small model is raised in plan mode.' },
  'subagents.stopHookReturns': { is: whole(0, 20), about: 'How often a stop hook may send a run back.' },
  model: { is: { kind: 'text' }, about: 'Model of the main conversation.' },
  'models.*': { is: { kind: 'any' }, about: 'What is known of a model, or what an alias means.' },
  'providers.*': { is: { kind: 'object' }, about: 'Where a provider is and how it is reached.', isPersonal: true },
  'mcpServers.*': { is: { kind: 'object' }, about: 'An MCP server, as in .mcp.json.' },
  'permissions.defaultMode': {
    is: { kind: 'text', oneOf: ['default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions'] },
    about: 'Permission mode of the main conversation.',
    isLimit: true,
  },
  'permissions.disableBypassPermissionsMode': {
    is: { kind: 'text', oneOf: ['disable'] },
    about: 'Nobody chooses `bypassPermissions`, in whatever file or flag.',
    isLimit: true,
  },
  'permissions.additionalDirectories': {
    is: { kind: 'texts' },
    about: 'Further workspace roots; `~` is the home in your own files. One that is not there is left out, and said.',
  },
  plugins: { is: { kind: 'texts' }, about: 'Folders of plugins; each is off until it is trusted.', isJoined: true },
  sandbox: { is: { kind: 'sandbox' }, about: 'How commands are contained.', isPersonal: true, isLimit: true },
  statusLine: { is: { kind: 'object' }, about: 'A command whose output is shown below the prompt.' },
  'env.*': { is: { kind: 'text' }, about: 'A variable for commands, hooks and servers.' },
  disableAllHooks: {
    is: { kind: 'boolean' },
    about: 'No hook of this file or a lower one runs, nor of plugins and agents.',
    isPersonal: true,
  },
}

/** Sections whose names are settings of their own; everything else is one setting a key. */
const sections = new Set(['subagents', 'models', 'providers', 'mcpServers', 'env', 'permissions'])

export const isSection = (key: string): boolean => sections.has(key)

export function knownSetting(key: string): KnownSetting | undefined {
  if (Object.hasOwn(knownSettings, key)) return knownSettings[key]
  const section = key.split('.', 1)[0]!
  return Object.hasOwn(knownSettings, `${section}.*`) ? knownSettings[`${section}.*`] : undefined
}

/** A name that ends in `*` would stand for others of the environment, and one with `=` for none. */
export const isNoVariable = (key: string): boolean => key.startsWith('env.') && !/^env\.[A-Za-z_][\w.()-]*$/.test(key)

/** Whether more is open when it is left out. Below `subagents` nearly everything bounds what runs may do, take or remove. */
export function isLimit(key: string): boolean {
  if (key.startsWith('subagents.')) return !unlimiting.has(key)
  return knownSetting(key)?.isLimit === true
}

const unlimiting = new Set(['subagents.agentsDirs', 'subagents.cacheWaitSeconds'])

/** The value as it counts, or what is wrong with it. */
export function readSetting(is: SettingKind, value: unknown): { readonly value: Json } | { readonly fault: string } {
  switch (is.kind) {
    case 'boolean':
      return typeof value === 'boolean' ? { value } : { fault: 'must be true or false' }
    case 'number': {
      const fits = typeof value === 'number' && value >= is.min && value <= is.max
      const isRight = fits && (!is.isWhole || Number.isInteger(value))
      return isRight
        ? { value }
        : { fault: `must be a ${is.isWhole ? 'whole ' : ''}number from ${is.min} to ${is.max}` }
    }
    case 'text':
      if (is.oneOf) {
        return typeof value === 'string' && is.oneOf.includes(value)
          ? { value }
          : { fault: `must be one of ${is.oneOf.join(', ')}` }
      }
      if (typeof value === 'string') return { value }
      return typeof value === 'number' || typeof value === 'boolean'
        ? { value: String(value) }
        : { fault: 'must be a text' }
    case 'texts':
      return Array.isArray(value) && value.every(each => typeof each === 'string')
        ? { value: value as string[] }
        : { fault: 'must be a list of texts' }
    case 'object':
      return value !== null && typeof value === 'object' && !Array.isArray(value)
        ? { value: value as Json }
        : { fault: 'must be an object' }
    case 'sandbox':
      return readSandbox(value)
    case 'any':
      return { value: value as Json }
  }
}

export const sandboxKinds = ['none', 'bubblewrap'] as const

/** Nothing of it is left out: what nobody understands may be what was to be contained. */
function readSandbox(value: unknown): { readonly value: Json } | { readonly fault: string } {
  const isKind = (kind: unknown) => (sandboxKinds as readonly unknown[]).includes(kind)
  if (isKind(value)) return { value: value as string }
  const wish = value !== null && typeof value === 'object' && !Array.isArray(value) ? Object.entries(value) : []
  const isTexts = (each: unknown) => Array.isArray(each) && each.every(text => typeof text === 'string')
  const isUnderstood = ([key, each]: readonly [string, unknown]) => {
    if (key === 'kind') return isKind(each)
    return key === 'network' ? typeof each === 'boolean' || isTexts(each) : key === 'writable' && isTexts(each)
  }
  if (wish.some(([key]) => key === 'kind') && wish.every(isUnderstood)) return { value: value as Json }
  const kinds = sandboxKinds.map(kind => `"${kind}"`).join(' or ')
  return { fault: `must be ${kinds}, or an object of "kind", "network" (true, false) and "writable" (a list)` }
}
