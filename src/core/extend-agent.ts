/**
 * One definition built on another. The heir may change words and narrow powers:
 * R1 tools, spawning, delegation and servers: what both name. R2 denials, asks, guards and disabled features: what
 * either names. R3 modes, limits, budgets, isolation: the stricter. R4 trust: only if both are trusted.
 * R5 prompts: the base's, then the heir's. Everything else: the heir's where it says something, else the base's.
 */

import type { AgentDefinition, ApprovalMode, Budget, Limits, PermissionRules, ToolGrant } from './agent-definition.js'
import type { Json } from './message.js'
import { modesStrictestFirst } from './mode.js'

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
    isDisabled: heir.isDisabled,
    systemPrompt: [base.systemPrompt, heir.systemPrompt].filter(text => text.trim() !== '').join('\n\n'),
    source: {
      ...heir.source,
      isTrusted: heir.source.isTrusted && base.source.isTrusted,
      ...(heir.source.isReadOnly || base.source.isReadOnly ? { isReadOnly: true } : {}),
    },
    tools: narrowTools(base.tools, heir.tools, grant => tell(`names the tool ${grant}`)),
    ...narrowPowers(base, heir, tell),
    ...tightenBounds(base, heir),
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
    canSpawn: narrowSpawn(base.canSpawn, heir.canSpawn),
    permissionMode: stricter(modesStrictestFirst, base.permissionMode, heir.permissionMode, 'default'),
    approvalMode: stricter(APPROVALS, base.approvalMode, heir.approvalMode, 'caller'),
    permissions: narrowRules(base.permissions, heir.permissions, tell),
    mcpServers: narrowServers(base, heir, tell),
    hooks: joinHooks(base.hooks, heir.hooks),
    // Two bounds on the place cannot be joined without the disk; the base's is the one that must hold.
    baseDir: base.baseDir ?? heir.baseDir,
    isolation: base.isolation === 'worktree' ? 'worktree' : (heir.isolation ?? base.isolation),
  }
}

function tightenBounds(base: AgentDefinition, heir: AgentDefinition): Partial<AgentDefinition> {
  const limits: Limits = lowest(base.limits, heir.limits, ['maxTurns', 'timeoutMs', 'graceMs', 'resultBytes'])
  const budget: Budget = lowest(base.budget, heir.budget, ['tokens', 'usd', 'toolCalls'])
  return {
    ...(base.limits || heir.limits ? { limits } : {}),
    ...(base.budget || heir.budget ? { budget } : {}),
    ...(base.resources || heir.resources
      ? { resources: lowest(base.resources, heir.resources, ['memoryMb', 'cpuSeconds']) }
      : {}),
  }
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
): AgentDefinition['canSpawn'] {
  if (heir === undefined) return base
  if (base === undefined || base === false || heir === false) return false
  if (base === true) return heir
  return heir === true ? base : heir.filter(name => base.includes(name))
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
  return base.mcpServers
    ?.filter(server => wanted.has(nameOf(server)))
    .map(server =>
      narrowServer(
        server,
        heir.mcpServers?.find(other => nameOf(other) === nameOf(server)),
      ),
    )
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

/** Guards of both fire, the base's first. */
function joinHooks(base: Json | undefined, heir: Json | undefined): Json | undefined {
  if (!isRecord(base) || !isRecord(heir)) return base ?? heir
  const events = new Set([...Object.keys(base), ...Object.keys(heir)])
  return Object.fromEntries([...events].map(event => [event, [...listOf(base[event]), ...listOf(heir[event])]]))
}

function listOf(value: Json | undefined): readonly Json[] {
  return value === undefined ? [] : Array.isArray(value) ? value : [value]
}

function isRecord(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

// Strictest first.
const APPROVALS: readonly ApprovalMode[] = ['suppress', 'caller', 'sandbox']

/** A base that says nothing has the usual value: an heir cannot loosen that either. */
function stricter<T>(order: readonly T[], base: T | undefined, heir: T | undefined, usual: T): T | undefined {
  if (heir === undefined) return base
  return order.indexOf(heir) < order.indexOf(base ?? usual) ? heir : base
}

function lowest<K extends string>(
  base: { readonly [key in K]?: number } | undefined,
  heir: { readonly [key in K]?: number } | undefined,
  keys: readonly K[],
): { readonly [key in K]?: number } {
  const pairs = keys.flatMap(key => {
    const values = [base?.[key], heir?.[key]].filter(value => value !== undefined)
    return values.length === 0 ? [] : [[key, Math.min(...values)]]
  })
  return Object.fromEntries(pairs)
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
