/** Calls, chains and rules for tests of judging, written the short way. */
import { loadShellGrammar } from '../../src/adapters/judge/shell-grammar.js'
import type { PermissionRule, PermissionRules, ToolGrant } from '../../src/core/agent-definition.js'
import type { CallId, RunId } from '../../src/core/message.js'
import type { Place } from '../../src/core/permission/path-policy.js'
import { type CallPolicy, type Explanation, explainCall } from '../../src/core/permission/permission.js'
import type { RuleLayer } from '../../src/core/permission/permission-rules.js'
import type { CallToJudge, Verdict } from '../../src/core/ports.js'
import type { PermissionLink, ToolEffect } from '../../src/core/types.js'

export const grammar = await loadShellGrammar()

/** `/w/app` with a link to `/etc`, another to a secret, one to our program, and state in the user's home. */
export const place: Place = {
  cwd: '/w/app',
  roots: ['/w/app'],
  home: '/home/u',
  stateDirs: ['/home/u/.local/state/offshoot', '/home/u/.config/offshoot'],
  readable: ['/home/u/.local/state/offshoot/outputs'],
  writable: ['/tmp/scratch-1'],
  realPath(path) {
    if (path === '/w/app/link' || path.startsWith('/w/app/link/')) return path.replace('/w/app/link', '/etc')
    if (path === '/w/app/link-to-us') return '/opt/offshoot/dist/bin/offshoot.cjs'
    return path === '/w/app/notes.md' ? '/home/u/.ssh/id_rsa' : path
  },
  filesBelow: () => [],
  linksIn: directory => (directory === '/w/app' ? ['link', 'notes.md'] : []),
}

export function rule(text: string): PermissionRule {
  const match = /^([^(]+)(?:\((.*)\))?$/s.exec(text)
  return { tool: match![1]!, ...(match![2] === undefined ? {} : { pattern: match![2] }), text }
}

export interface Written {
  readonly allow?: readonly string[]
  readonly ask?: readonly string[]
  readonly deny?: readonly string[]
}

export function rulesOf({ allow = [], ask = [], deny = [] }: Written): PermissionRules {
  return { allow: allow.map(rule), ask: ask.map(rule), deny: deny.map(rule) }
}

export function layer(written: Written, more: Partial<RuleLayer> = {}): RuleLayer {
  return { scope: 'user', origin: '/home/u/settings.json', rules: rulesOf(written), ...more }
}

export function grant(text: string): ToolGrant {
  const { tool, pattern } = rule(text)
  return { name: tool, ...(pattern === undefined ? {} : { pattern }) }
}

export function link(more: Partial<PermissionLink> = {}): PermissionLink {
  return {
    agent: 'main',
    mode: 'default',
    approvalMode: 'caller',
    rules: rulesOf({}),
    grants: [],
    refusals: [],
    ...more,
  }
}

export interface Setting {
  readonly chain?: readonly PermissionLink[]
  readonly layers?: readonly RuleLayer[]
  readonly rules?: Written
  readonly place?: Partial<Place>
  readonly policy?: Partial<CallPolicy>
  readonly call?: Partial<CallToJudge>
}

const effects: { readonly [tool: string]: ToolEffect } = {
  Read: 'read',
  Grep: 'read',
  Glob: 'read',
  LS: 'read',
  Write: 'write',
  Edit: 'write',
  MultiEdit: 'write',
  NotebookEdit: 'write',
  Bash: 'execute',
  WebFetch: 'network',
  WebSearch: 'network',
  Task: 'delegate',
  AskUser: 'interactive',
}

export function callOf(tool: string, input: unknown, { chain = [link()], call = {} }: Setting = {}): CallToJudge {
  const effect = effects[tool] ?? (tool.startsWith('subagent_') ? 'delegate' : 'read')
  const agent = chain.at(-1)?.agent ?? 'main'
  return {
    runId: 'run-1' as RunId,
    callId: 'call-1' as CallId,
    spec: {
      name: tool,
      description: '',
      inputSchema: {},
      effect,
      ...(tool.startsWith('mcp__') ? { origin: 'mcp' as const } : {}),
    },
    effect,
    input,
    brief: {
      agent,
      path: chain.map(one => one.agent),
      depth: chain.length - 1,
      allowed: [tool],
      chain,
      source: { scope: 'built-in', isTrusted: true },
      isBackground: false,
    },
    workspace: { cwd: '/w/app', roots: ['/w/app'] },
    ...call,
  }
}

export function explain(tool: string, input: unknown, setting: Setting = {}): Explanation {
  const layers = [...(setting.layers ?? []), ...(setting.rules ? [layer(setting.rules)] : [])]
  return explainCall(callOf(tool, input, setting), {
    layers,
    grammar,
    place: { ...place, ...setting.place },
    ...setting.policy,
  })
}

export function judge(tool: string, input: unknown, setting: Setting = {}): Verdict {
  return explain(tool, input, setting).verdict
}

export function decide(tool: string, input: unknown, setting: Setting = {}): Verdict['decision'] {
  return judge(tool, input, setting).decision
}

export function bash(command: string, setting: Setting = {}): Verdict['decision'] {
  return decide('Bash', { command }, setting)
}
