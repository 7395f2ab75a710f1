/** Whether one reading of a file gives an agent more than another. */

import type { AgentDefinition, PermissionMode, ToolGrant } from '../../src/core/agent-definition.js'
import { matcherCovers } from '../../src/core/hooks/hook-config.js'
import { staysInRoots } from '../../src/core/tools/outside-roots.js'
import { toolNames } from '../../src/core/tools/tool-names.js'

/**
 * What `after` has that `before` had not, in words. `bare` is the file without the limit: a value that is back to what
 * it is there was lost. A changed number or path is no loss: nobody can tell it from another intention.
 */
export function widening(after: AgentDefinition, before: AgentDefinition, bare: AgentDefinition): string | undefined {
  // It does not run.
  if (after.isDisabled && !before.isDisabled) return undefined
  if (after.tools === 'all' && before.tools !== 'all' && reach(before, 'mcp__a__b') < 2) return 'every tool'
  const tool = dangerous.find(name => reach(after, name) > reach(before, name))
  if (tool !== undefined) return `the tool ${tool}`
  if (spawning(after) > spawning(before)) return 'delegation'
  if (modes.indexOf(after.permissionMode ?? 'default') > modes.indexOf(before.permissionMode ?? 'default'))
    return 'the mode'
  const rule = ruleKeys(before, ['deny', 'ask']).find(
    key => !ruleKeys(after, ['deny', 'ask']).includes(key) && isReached(after, key),
  )
  if (rule !== undefined) return `without the rule ${rule}`
  const allowed = ruleKeys(after, ['allow']).find(
    key => !ruleKeys(before, ['allow']).includes(key) && toolNames.includes(key.split(' ')[1]!),
  )
  if (allowed !== undefined) return `the rule ${allowed}`
  if (guards(after) < guards(before)) return 'without its guard'
  const guarded = dangerous.find(name => isGuarded(before, name) && !isGuarded(after, name) && reach(after, name) > 0)
  if (guarded !== undefined) return `without the guard of ${guarded}`
  if (isReadable(before) && !isReadable(after)) return 'a rule with a sign nobody sees'
  // Another name may be another intention, but not none.
  if (deniesOthers(before) && !deniesOthers(after) && reach(after, 'mcp__a__b') > 0) return 'a tool of a server'
  if (isBound(before) && !isBound(after) && hasServer(after)) return 'all tools of a server'
  const isHere = ({ name }: ToolGrant) => name === 'mcp__*' || toolNames.includes(name)
  const hasTools = after.tools === 'all' || after.tools.some(isHere)
  if (hasTools && staysInRoots(before) && !staysInRoots(after)) return 'what lies outside'
  const lost = limits.find(([, limit]) => {
    const [had, has, none] = [before, after, bare].map(agent => JSON.stringify(limit(agent)))
    return had !== undefined && has !== had && has === none
  })
  return lost === undefined ? undefined : `without ${lost[0]}`
}

/** One letter may turn a tool into another harmless one (`LS`): not into these. */
const dangerous = [
  ...['Bash', 'Write', 'Edit', 'MultiEdit', 'NotebookEdit', 'WebFetch', 'WebSearch', 'Task', 'mcp__a__b'],
].filter(name => name.startsWith('mcp__') || toolNames.includes(name))

// Strictest first.
const modes: readonly PermissionMode[] = ['plan', 'dontAsk', 'default', 'acceptEdits', 'bypassPermissions']

const limits: readonly (readonly [string, (agent: AgentDefinition) => unknown])[] = [
  ['maxTurns', agent => agent.limits?.maxTurns],
  ['timeout', agent => agent.limits?.timeoutMs],
  ['budget', agent => agent.budget],
  ['isolation', agent => agent.isolation],
  ['baseDir', agent => agent.baseDir],
  ['extends', agent => agent.extends],
  ['disabled', agent => agent.isDisabled],
  ['approvalMode', agent => agent.approvalMode],
]

/** 0: not at all, 1: by patterns, 2: whole. */
function reach(agent: AgentDefinition, name: string): number {
  const hits = (grant: ToolGrant) =>
    grant.name === name || (grant.name.endsWith('*') && name.startsWith(grant.name.slice(0, -1)))
  // Whoever may not edit may not do it in another shape.
  const isDenied = (grant: ToolGrant) =>
    hits(grant) || (grant.name === 'Edit' && ['MultiEdit', 'NotebookEdit'].includes(name))
  if (agent.disallowedTools?.some(grant => grant.pattern === undefined && isDenied(grant))) return 0
  if (agent.permissions?.deny.some(rule => rule.pattern === undefined && rule.tool === name)) return 0
  // Whom it may call is said apart from its tools.
  if (agent.tools === 'all') return name === 'Task' && agent.canSpawn !== undefined ? spawning(agent) : 2
  const own = agent.tools.filter(hits)
  // All tools, one by one: delegation is not among them.
  const isAll = agent.tools.some(grant => grant.name === 'mcp__*')
  if (name === 'Task' && own.length === 0 && isAll) return agent.canSpawn === undefined ? 2 : spawning(agent)
  return own.length === 0 ? 0 : own.some(grant => grant.pattern === undefined) ? 2 : 1
}

function spawning(agent: AgentDefinition): number {
  return agent.canSpawn === true ? 2 : Array.isArray(agent.canSpawn) && agent.canSpawn.length > 0 ? 1 : 0
}

function ruleKeys(agent: AgentDefinition, lists: readonly ('allow' | 'ask' | 'deny')[]): readonly string[] {
  const rules = lists.flatMap(list => agent.permissions?.[list].map(({ tool }) => ({ list, tool })) ?? [])
  return rules.filter(({ tool }) => isOurs(tool)).map(({ list, tool }) => `${list} ${tool}`)
}

const isOurs = (tool: string): boolean => tool === '*' || toolNames.includes(tool)

function deniesOthers({ disallowedTools = [], permissions }: AgentDefinition): boolean {
  return [...disallowedTools.map(({ name }) => name), ...(permissions?.deny ?? []).map(({ tool }) => tool)].some(
    tool => !isOurs(tool),
  )
}

/** Whether there is a server of which it has some tools only. */
function isBound({ mcpServers = [] }: AgentDefinition): boolean {
  return mcpServers.some(server => typeof server === 'object' && server.onlyTools !== undefined)
}

const hasServer = ({ mcpServers = [] }: AgentDefinition): boolean => mcpServers.length > 0

function isReached(agent: AgentDefinition, key: string): boolean {
  return reach(agent, key.split(' ')[1]!) > 0
}

function isGuarded({ hooks }: AgentDefinition, tool: string): boolean {
  const groups = (hooks as Readonly<Record<string, readonly { readonly matcher?: string }[]>> | undefined)?.PreToolUse
  return groups?.some(({ matcher }) => matcherCovers(matcher, tool)) ?? false
}

/** What takes something away is written in letters of a keyboard. */
function isReadable({ disallowedTools = [], permissions }: AgentDefinition): boolean {
  const patterns = [...disallowedTools, ...(permissions?.deny ?? []), ...(permissions?.ask ?? [])]
  return patterns.every(({ pattern = '' }) => /^[\x20-\x7e\u00a0]*$/.test(pattern))
}

function guards(agent: AgentDefinition): number {
  const hooks = agent.hooks as Readonly<Record<string, readonly unknown[]>> | undefined
  return hooks?.PreToolUse?.length ?? 0
}
