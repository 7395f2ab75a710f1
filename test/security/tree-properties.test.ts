/** Random trees of agents, made by the very function that makes briefs, and every call judged with what it decided. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AgentDefinition, ApprovalMode, PermissionMode } from '../../src/core/agent-definition.js'
import { prepareBrief } from '../../src/core/brief/brief.js'
import { createCatalog } from '../../src/core/catalog/catalog.js'
import type { RunId } from '../../src/core/message.js'
import { explainCall } from '../../src/core/permission/permission.js'
import { defaultPolicy } from '../../src/core/policy.js'
import type { CallToJudge } from '../../src/core/ports.js'
import type { Brief, Caller, Task, ToolEffect, ToolSpec } from '../../src/core/types.js'
import { callOf, grammar, grant, layer, place, rulesOf, type Written } from '../support/judging.js'
import { runs } from '../support/properties.js'

const spec = (name: string, effect: ToolEffect, more: Partial<ToolSpec> = {}): ToolSpec => ({
  name,
  description: '',
  inputSchema: {},
  effect,
  ...more,
})
const tools: readonly ToolSpec[] = [
  spec('Read', 'read'),
  spec('Write', 'write'),
  spec('Edit', 'write'),
  spec('Bash', 'execute'),
  spec('WebFetch', 'network'),
  spec('Task', 'delegate'),
  spec('AskUser', 'interactive', { isMainOnly: true }),
  spec('mcp__srv__look', 'read', { origin: 'mcp' }),
  spec('mcp__srv__act', 'execute', { origin: 'mcp' }),
]
const calls: readonly (readonly [string, object])[] = [
  ['Bash', { command: 'git status' }],
  ['Bash', { command: 'git push && rm -rf src' }],
  ['Bash', { command: 'echo x > src/a.md' }],
  ['Bash', { command: 'curl https://example.com' }],
  ['Read', { file_path: 'src/a.ts' }],
  ['Read', { file_path: '.env' }],
  ['Read', { file_path: '/etc/passwd' }],
  ['Write', { file_path: 'src/a.ts' }],
  ['Edit', { file_path: '.bashrc' }],
  ['Edit', { file_path: '/elsewhere/x' }],
  ['WebFetch', { url: 'https://docs.example.com/' }],
  ['Task', { subagent_type: 'a1' }],
  ['mcp__srv__look', {}],
  ['mcp__srv__act', { path: '/etc/x' }],
]

const grants = [
  'Read',
  'Write',
  'Edit',
  'Bash',
  'Bash(git *)',
  'Bash(git push:*)',
  'Edit(src/**)',
  'Task',
  'mcp__srv__*',
]
const ruleTexts = [
  ...grants,
  'Read(.env)',
  'Read(//etc/**)',
  'WebFetch(domain:example.com)',
  'Agent(a1)',
  'mcp__srv',
  '*',
]
const someRules: fc.Arbitrary<Written> = fc.record({
  allow: fc.subarray(ruleTexts, { maxLength: 4 }),
  ask: fc.subarray(ruleTexts, { maxLength: 2 }),
  deny: fc.subarray(ruleTexts, { maxLength: 2 }),
})
const someMode = fc.constantFrom<PermissionMode>('default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions')
const someGrants = fc.subarray(grants, { maxLength: 5 }).map(texts => texts.map(grant))
const someAgent = fc.record(
  {
    tools: fc.oneof({ weight: 3, arbitrary: fc.constant('all' as const) }, { weight: 1, arbitrary: someGrants }),
    disallowedTools: someGrants,
    delegateTools: someGrants,
    canSpawn: fc.constantFrom(true, true, true, false),
    permissionMode: someMode,
    permissions: someRules.map(rulesOf),
    approvalMode: fc.constantFrom<ApprovalMode>('caller', 'suppress', 'sandbox'),
    isBackground: fc.boolean(),
    isReadOnly: fc.constantFrom(true, false, false),
  },
  { requiredKeys: ['tools', 'canSpawn'] },
)
const someTree = fc.record({
  mode: someMode,
  rules: someRules,
  agents: fc.array(someAgent, { minLength: 4, maxLength: 4 }),
  narrowing: fc.array(fc.option(fc.subarray(['Read', 'Write', 'Edit', 'Bash'], { minLength: 1 }), { nil: undefined }), {
    minLength: 4,
    maxLength: 4,
  }),
  hasSandbox: fc.boolean(),
})

type Tree = typeof someTree extends fc.Arbitrary<infer Value> ? Value : never

interface Node {
  readonly brief: Brief
  readonly caller?: Node
}

/** a0 is the root, each next one is started by the one before; ends where something is refused. */
function lineOf({ agents, mode, narrowing }: Tree): readonly Node[] {
  const definitions = agents.map(
    ({ isReadOnly, ...about }, index): AgentDefinition => ({
      name: `a${index}`,
      description: 'x',
      systemPrompt: 'x',
      source: { scope: 'user', isTrusted: true, ...(isReadOnly && { isReadOnly }) },
      ...about,
    }),
  )
  const catalog = createCatalog(definitions)
  const line: Node[] = []
  for (const [index, { name }] of definitions.entries()) {
    const caller = line.at(-1)
    const allowedTools = index > 0 ? narrowing[index] : undefined
    const task: Task = { agent: name, prompt: 'x', description: 'x', ...(allowedTools && { allowedTools }) }
    const policy = { ...defaultPolicy, mode, maxDepth: 5, defaultModel: 'test/model', cwd: '/w/app' }
    const brief = prepareBrief({
      ...{ task, catalog, tools, models: [{ id: 'test/model' }], policy },
      ...(caller && { caller: callerOf(caller.brief) }),
    })
    if ('refused' in brief) break
    line.push({ brief, ...(caller && { caller }) })
  }
  return line
}

function callerOf(brief: Brief): Caller {
  const runId = 'run' as RunId
  const { depth, path, delegateTools, canSpawn, isBackground, model, chain } = brief
  return {
    runId,
    rootId: runId,
    depth,
    path,
    tools: brief.allowed,
    delegateTools,
    canSpawn,
    isBackground,
    model,
    chain,
    messages: [],
  }
}

const rank = { allow: 0, ask: 1, deny: 2 } as const

function strictness(brief: Brief, [name, input]: (typeof calls)[number], tree: Tree): number {
  const tool = tools.find(one => one.name === name)!
  const wrap = tree.hasSandbox ? { wrap: (command: readonly string[]) => command } : {}
  const call: CallToJudge = {
    ...callOf(name, input),
    ...{ spec: tool, effect: tool.effect, brief, workspace: { cwd: '/w/app', roots: ['/w/app'], ...wrap } },
  }
  return rank[explainCall(call, { layers: [layer(tree.rules)], place, grammar }).verdict.decision]
}

test('P10 P11 P12 what a child may do is at most what its caller may do or hand on, in every random tree', () => {
  let judged = 0
  fc.assert(
    fc.property(someTree, tree => {
      for (const { brief, caller } of lineOf(tree)) {
        if (!caller) continue
        const authority = new Set([...caller.brief.allowed, ...caller.brief.delegateTools])
        expect(brief.allowed.filter(name => !authority.has(name) && name !== 'AskCaller')).toEqual([])
        // What the caller may only hand on, it is judged for as if somebody below it used it: its rules and mode still bind.
        const widest = { ...caller.brief, agent: brief.agent, allowed: [...authority] }
        for (const call of calls) {
          if (!brief.allowed.includes(call[0])) continue
          judged++
          expect(strictness(brief, call, tree)).toBeGreaterThanOrEqual(strictness(widest, call, tree))
        }
      }
    }),
    runs(125),
  )
  // Some 300 as chance has it; once in a while under 250.
  expect(judged).toBeGreaterThan(100)
})

/** Everything but reading and commands that only look. */
const changing = calls.filter(
  ([name, input]) => !/^(Read|Task|mcp__srv__look)$/.test(name) && !JSON.stringify(input).includes('git status'),
)

test('F12 below an agent of a read-only source nothing is written, run or sent', () => {
  fc.assert(
    fc.property(someTree, fc.nat(1), (tree, at) => {
      const agents = tree.agents.map((one, index) => ({ ...one, isReadOnly: index === at }))
      const line = lineOf({ ...tree, agents })
      for (const { brief } of line.slice(at))
        for (const call of changing) expect(strictness(brief, call, tree)).toBe(rank.deny)
    }),
    runs(60),
  )
})

test('C02 P11 below an agent in plan mode nothing is written, run or sent', () => {
  fc.assert(
    fc.property(someTree, fc.nat(1), (tree, at) => {
      const agents = tree.agents.map((one, index) => (index === at ? { ...one, permissionMode: 'plan' as const } : one))
      const line = lineOf({ ...tree, agents })
      for (const { brief } of line.slice(at))
        for (const call of changing) expect(strictness(brief, call, tree)).toBe(rank.deny)
    }),
    runs(60),
  )
})

test('P12 what an agent was granted by pattern, or had taken away by pattern, binds everything below it', () => {
  const push = calls.find(([, input]) => JSON.stringify(input).includes('git push'))!
  fc.assert(
    fc.property(someTree, fc.nat(1), fc.boolean(), (tree, at, isRefusal) => {
      const bound = isRefusal
        ? { disallowedTools: [grant('Bash(git push:*)')] }
        : { tools: [grant('Task'), grant('Bash(npm *)')], delegateTools: [] }
      const agents = tree.agents.map((one, index) => (index === at ? { ...one, ...bound } : one))
      for (const { brief } of lineOf({ ...tree, agents }).slice(at))
        expect(strictness(brief, push, tree)).toBe(rank.deny)
    }),
    runs(60),
  )
})

test('P40 O3 the tools to delegate with are there exactly where spawning is', () => {
  fc.assert(
    fc.property(someTree, tree => {
      for (const { brief } of lineOf(tree)) if (brief.canSpawn === false) expect(brief.allowed).not.toContain('Task')
    }),
    runs(60),
  )
})
