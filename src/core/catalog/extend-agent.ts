/**
 * One definition built on another. The heir may change words and narrow powers:
 * R1 tools, spawning, delegation and servers: what both name. R2 denials, asks, guards and disabled features: what
 * either names. R3 modes, limits, budgets, isolation, a process of its own, evidence: the stricter. R4 trust: only if
 * both are trusted; a person's own: only if both are. R5 prompts and reminders: the base's, then the heir's. Everything
 * else: the heir's where it says something, else the base's. R6 what the heir asks for and does not get is told.
 * R7 a limit the base leaves open bounds nothing: there the heir's number counts, as that of any definition does. What
 * the house has instead is not known here, and may be higher, or none at all for a root: to leave the number out would
 * give more than the heir's own file says.
 */

import type { AgentDefinition, ApprovalMode, Limits, PermissionRules, ToolGrant } from '../agent-definition.js'
import { type Dialect, dialectOfDefaults, usualLimits } from '../agent-file/dialect.js'
import { type EvidenceDemand, readEvidenceDemand } from '../brief/evidence.js'
import { modesStrictestFirst } from '../brief/mode.js'
import { joinHooks } from '../hooks/join-hooks.js'
import type { Json } from '../message.js'
import { isPersonalSource } from './personal-source.js'

export function extendAgent(
  base: AgentDefinition,
  heir: AgentDefinition,
): { readonly agent: AgentDefinition; readonly notes: readonly string[] } {
  const notes: string[] = []
  const tell = (what: string) => notes.push(`agent "${heir.name}" ${what}, which "${base.name}" does not give it`)
  const said = Object.fromEntries(Object.entries(heir).filter(([, value]) => value !== undefined))
  const agent: AgentDefinition = {
    ...base,
    ...(said as unknown as AgentDefinition),
    aliases: heir.aliases,
    isHidden: heir.isHidden,
    isForPeople: heir.isForPeople,
    isDisabled: heir.isDisabled,
    systemPrompt: joinTexts(base.systemPrompt, heir.systemPrompt) ?? '',
    criticalReminder: joinTexts(base.criticalReminder, heir.criticalReminder),
    source: {
      ...heir.source,
      isTrusted: heir.source.isTrusted && base.source.isTrusted,
      ...(heir.source.isReadOnly || base.source.isReadOnly ? { isReadOnly: true } : {}),
      ...(isPersonalSource(base.source) ? {} : { isForeign: true }),
    },
    tools: narrowTools(base.tools, heir.tools, grant => tell(`names the tool ${grant}`)),
    ...narrowPowers(base, heir, tell),
    ...narrowSurroundings(base, heir, tell),
    ...tightenBounds(base, heir, tell),
  }
  return { agent: withoutUndefined(agent), notes }
}

type Tell = (what: string) => void

function narrowPowers(base: AgentDefinition, heir: AgentDefinition, tell: Tell): Partial<AgentDefinition> {
  return {
    disallowedTools: union(base.disallowedTools, heir.disallowedTools),
    disabledFeatures: union(base.disabledFeatures, heir.disabledFeatures),
    delegateTools: heir.delegateTools
      ? narrowGrants(base.delegateTools ?? [], heir.delegateTools, grant => tell(`hands on the tool ${grant}`))
      : base.delegateTools,
    canSpawn: narrowSpawn(base.canSpawn, heir.canSpawn, tell),
    // Without a mode it has its caller's, and any mode but this one can only tighten that.
    permissionMode:
      base.permissionMode === undefined && heir.permissionMode !== 'bypassPermissions'
        ? heir.permissionMode
        : stricter('permissionMode', modesStrictestFirst, [base.permissionMode, heir.permissionMode, 'default'], tell),
    approvalMode: stricter('approvalMode', approvalModes, [base.approvalMode, heir.approvalMode, 'caller'], tell),
    permissions: narrowRules(base.permissions, heir.permissions, tell),
  }
}

function narrowSurroundings(base: AgentDefinition, heir: AgentDefinition, tell: Tell): Partial<AgentDefinition> {
  // Two bounds on the place cannot be joined without the disk; the base's is the one that must hold.
  const isElsewhere = base.baseDir !== undefined && heir.baseDir !== undefined && base.baseDir !== heir.baseDir
  if (isElsewhere) tell(`sets baseDir ${JSON.stringify(heir.baseDir)}`)
  return {
    mcpServers: narrowServers(base, heir, tell),
    // Guards of both fire, the base's first.
    hooks: joinHooks(base.hooks, heir.hooks),
    baseDir: base.baseDir ?? heir.baseDir,
    isolation: stricter('isolation', ['worktree', 'none'], [base.isolation, heir.isolation], tell),
    executionMode: stricter('executionMode', ['process', 'in-process'], [base.executionMode, heir.executionMode], tell),
    evidence: joinEvidence(base.evidence, heir.evidence, tell),
  }
}

function tightenBounds(base: AgentDefinition, heir: AgentDefinition, tell: Tell): Partial<AgentDefinition> {
  const unsaid: Limits = usualLimits[dialectOfDefaults(heir.dialect as Dialect, heir.source.path)] ?? {}
  return {
    limits: lowest(base.limits, heir.limits, ['maxTurns', 'timeoutMs', 'graceMs', 'resultBytes'], (key, value) => {
      // What its product has for files that say nothing was not asked for by this one.
      if (unsaid[key as keyof Limits] !== value) tell(`sets ${boundOf(key, value)}`)
    }),
    budget: lowest(base.budget, heir.budget, ['tokens', 'usd', 'toolCalls'], (key, value) =>
      tell(`sets a budget of ${value} ${key}`),
    ),
    resources: lowest(base.resources, heir.resources, ['memoryMb', 'cpuSeconds'], (key, value) =>
      tell(`sets ${key} ${value}`),
    ),
  }
}

function boundOf(key: string, value: number): string {
  const time = { timeoutMs: 'a timeout', graceMs: 'a grace' }[key]
  return time === undefined ? `${key} ${value}` : `${time} of ${value / 1000} s`
}

function narrowTools(
  base: AgentDefinition['tools'],
  heir: AgentDefinition['tools'],
  tell: Tell,
): AgentDefinition['tools'] {
  if (base === 'all') return heir
  return heir === 'all' ? base : narrowGrants(base, heir, tell)
}

function narrowGrants(base: readonly ToolGrant[], heir: readonly ToolGrant[], tell: Tell): readonly ToolGrant[] {
  const kept = heir.flatMap(grant => {
    const shared = base.flatMap(other => overlap(other, grant) ?? [])
    if (shared.length === 0) tell(grant.pattern === undefined ? grant.name : `${grant.name}(${grant.pattern})`)
    return shared
  })
  return union(kept, []) ?? []
}

/** What both grants cover, where that is itself one grant; two patterns neither of which holds the other are none. */
function overlap(a: ToolGrant, b: ToolGrant): ToolGrant | undefined {
  const name = covers(a.name, b.name) ? b.name : covers(b.name, a.name) ? a.name : undefined
  if (name === undefined) return undefined
  if (a.pattern === undefined) return { ...b, name }
  if (b.pattern === undefined) return { ...a, name }
  if (a.pattern === b.pattern || patternCovers(a.pattern, b.pattern)) return { ...b, name }
  return patternCovers(b.pattern, a.pattern) ? { ...a, name } : undefined
}

/** `mcp__srv` and `mcp__srv__*` cover every tool of the server. */
function covers(wide: string, narrow: string): boolean {
  if (wide === narrow) return true
  const prefix = wide.endsWith('*') ? wide.slice(0, -1) : /^mcp__[^_]+(?:_[^_]+)*$/.test(wide) ? `${wide}__` : undefined
  return prefix !== undefined && narrow.startsWith(prefix)
}

/** Certain cases only: `git *` and `git:*` cover what starts with `git `. */
function patternCovers(wide: string, narrow: string): boolean {
  const prefix = wide.endsWith(' *') ? wide.slice(0, -1) : wide.endsWith(':*') ? `${wide.slice(0, -2)} ` : undefined
  return prefix !== undefined && !prefix.includes('*') && narrow.startsWith(prefix)
}

function narrowSpawn(
  base: AgentDefinition['canSpawn'],
  heir: AgentDefinition['canSpawn'],
  tell: Tell,
): AgentDefinition['canSpawn'] {
  if (heir === undefined) return base
  if (heir === false || base === true) return heir
  const given = base || []
  if (heir === true) {
    tell('delegates to any agent')
    return base ?? false
  }
  const lost = heir.filter(name => !given.includes(name))
  if (lost.length > 0) tell(`delegates to ${lost.join(', ')}`)
  return base === undefined || base === false ? false : heir.filter(name => given.includes(name))
}

function narrowRules(
  base: PermissionRules | undefined,
  heir: PermissionRules | undefined,
  tell: Tell,
): PermissionRules | undefined {
  if (!base && !heir) return undefined
  const allowed = new Set(base?.allow.map(rule => rule.text))
  const widening = heir?.allow.filter(rule => !allowed.has(rule.text)) ?? []
  for (const rule of widening) tell(`allows ${rule.text}`)
  const kept = heir && heir.allow.length > 0 ? heir.allow.filter(rule => allowed.has(rule.text)) : base?.allow
  return {
    allow: kept ?? [],
    ask: union(base?.ask, heir?.ask) ?? [],
    deny: union(base?.deny, heir?.deny) ?? [],
  }
}

function narrowServers(base: AgentDefinition, heir: AgentDefinition, tell: Tell): AgentDefinition['mcpServers'] {
  if (!heir.mcpServers) return base.mcpServers
  const nameOf = (server: string | { readonly name: string }) => (typeof server === 'string' ? server : server.name)
  const wanted = new Set(heir.mcpServers.map(nameOf))
  const given = new Set(base.mcpServers?.map(nameOf))
  for (const name of wanted) if (!given.has(name)) tell(`brings the server ${name}`)
  const settings = new Map(base.mcpServers?.map(server => [nameOf(server), JSON.stringify(server)]))
  for (const server of heir.mcpServers) {
    const own = settings.get(nameOf(server))
    const isOther = typeof server !== 'string' && own !== undefined && own !== JSON.stringify(server)
    if (isOther) tell(`has settings of its own for the server ${server.name}`)
  }
  const heirs = new Map(heir.mcpServers.map(server => [nameOf(server), server]))
  const kept = base.mcpServers?.filter(server => wanted.has(nameOf(server))) ?? []
  const narrowed = kept.map(server => narrowServer(server, heirs.get(nameOf(server))))
  // A server that the base does not bring may be everybody's: the heir's list of its tools binds the heir all the same.
  const bound = heir.mcpServers.flatMap(server => (given.has(nameOf(server)) ? [] : onlyList(server)))
  return base.mcpServers === undefined && bound.length === 0 ? undefined : [...narrowed, ...bound]
}

function onlyList(server: Server): readonly Server[] {
  return typeof server === 'string' || server.onlyTools === undefined
    ? []
    : [{ name: server.name, config: {}, onlyTools: server.onlyTools }]
}

type Server = NonNullable<AgentDefinition['mcpServers']>[number]

/** The base's server, with what is left of its tools by both lists. */
function narrowServer(server: Server, heir: Server | undefined): Server {
  if (heir === undefined || typeof heir === 'string' || heir.onlyTools === undefined) return server
  // The base's is a configured one: nothing of what the heir writes reaches another.
  if (typeof server === 'string') return { name: server, config: {}, onlyTools: heir.onlyTools }
  const kept = heir.onlyTools.filter(name => server.onlyTools?.some(tool => covers(tool, name)) ?? true)
  return { ...server, onlyTools: kept }
}

// Strictest first.
const approvalModes: readonly ApprovalMode[] = ['suppress', 'caller', 'sandbox']

/** Strictest first. A base that says nothing has the usual value, where there is one: an heir cannot loosen that either. */
function stricter<T extends string>(
  key: string,
  order: readonly T[],
  [base, heir, usual]: readonly [T | undefined, T | undefined, T?],
  tell: Tell,
): T | undefined {
  const given = base ?? usual
  if (heir === undefined) return base
  if (given === undefined || order.indexOf(heir) < order.indexOf(given)) return heir
  if (heir !== given) tell(`sets ${key} ${heir}`)
  return base
}

type Bounds<K extends string> = { readonly [key in K]?: number }

function lowest<K extends string>(
  base: Bounds<K> | undefined,
  heir: Bounds<K> | undefined,
  keys: readonly K[],
  tellHigher: (key: K, value: number) => void,
): Bounds<K> | undefined {
  if (!base || !heir) return base ?? heir
  const pairs = keys.flatMap(key => {
    const [given, wanted] = [base[key], heir[key]]
    if (given !== undefined && wanted !== undefined && wanted > given) tellHigher(key, wanted)
    const values = [given, wanted].filter(value => value !== undefined)
    return values.length === 0 ? [] : [[key, Math.min(...values)]]
  })
  return Object.fromEntries(pairs) as Bounds<K>
}

/** What either demands. A demand that nobody understands stays as it is, and is refused where it would be checked. */
export function joinEvidence(
  base: Json | undefined,
  heir: Json | undefined,
  tell: (what: string) => void = () => {},
): Json | undefined {
  if (base === undefined || heir === undefined) return base ?? heir
  const [first, second] = [readEvidenceDemand(base), readEvidenceDemand(heir)]
  if ('fault' in first) return base
  if ('fault' in second) return heir
  const [given, wanted] = [first.demand, second.demand]
  const calls = [given.toolCalls, wanted.toolCalls].filter(value => value !== undefined)
  const isLess =
    (heir === false && Object.keys(given).length > 0) ||
    (wanted.toolCalls ?? Number.POSITIVE_INFINITY) < (given.toolCalls ?? 0) ||
    (wanted.citedFiles === false && given.citedFiles === true)
  if (isLess) tell('asks for less evidence')
  const demand: EvidenceDemand = {
    ...(calls.length > 0 ? { toolCalls: Math.max(...calls) } : {}),
    ...(given.commands || wanted.commands ? { commands: union(given.commands, wanted.commands)! } : {}),
    ...(given.citedFiles || wanted.citedFiles ? { citedFiles: true } : {}),
  }
  return demand as Json
}

function joinTexts(base: string | undefined, heir: string | undefined): string | undefined {
  const texts = [base ?? '', heir ?? ''].filter(text => text.trim() !== '')
  return texts.length === 0 ? undefined : texts.join('\n\n')
}

function union<T>(base: readonly T[] | undefined, heir: readonly T[] | undefined): readonly T[] | undefined {
  if (!base && !heir) return undefined
  const seen = new Map([...(base ?? []), ...(heir ?? [])].map(item => [JSON.stringify(item), item]))
  return [...seen.values()]
}

function withoutUndefined(agent: AgentDefinition): AgentDefinition {
  return Object.fromEntries(
    Object.entries(agent).filter(([, value]) => value !== undefined),
  ) as unknown as AgentDefinition
}
