import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AgentDefinition, ToolGrant } from '../agent-definition.js'
import type { Caller, ToolEffect, ToolSpec } from '../types.js'
import { covers, selectTools, type ToolFilterRequest } from './tool-filter.js'

const spec = (name: string, effect: ToolEffect, about: Partial<ToolSpec> = {}): ToolSpec => ({
  name,
  description: '',
  inputSchema: {},
  effect,
  ...about,
})
const tools = [
  spec('Read', 'read'),
  spec('Write', 'write'),
  spec('Bash', 'execute'),
  spec('Ask', 'interactive'),
  spec('Todo', 'write', { isMainOnly: true }),
  spec('Task', 'delegate'),
  spec('mcp__a__look', 'read', { origin: 'mcp' }),
  spec('mcp__a__do', 'execute', { origin: 'mcp' }),
]
const everything = tools.map(({ name }) => name)
const caller = (about: Partial<Caller> = {}) =>
  ({ path: ['main'], tools: everything, delegateTools: [], ...about }) as unknown as Caller
const agent = (about: Partial<AgentDefinition> = {}): AgentDefinition => ({
  name: 'a',
  systemPrompt: '',
  tools: 'all',
  source: { scope: 'user', isTrusted: true },
  ...about,
})
const select = (about: Partial<ToolFilterRequest>) => {
  const result = selectTools({
    agent: agent(),
    task: {},
    caller: caller(),
    tools,
    isBackground: false,
    canDelegate: false,
    delegationRule: 'delegation-not-granted',
    ...about,
  })
  if ('refused' in result) throw new Error(result.refused)
  return {
    names: result.tools.map(({ name }) => name),
    why: Object.fromEntries(result.reasons.map(reason => [reason.subject, reason.rule])),
  }
}

test.each<[string, Partial<ToolFilterRequest>, readonly string[], Record<string, string>]>([
  [
    'all tools',
    {},
    ['Read', 'Write', 'Bash', 'mcp__a__look', 'mcp__a__do'],
    { Ask: 'main-only', Todo: 'main-only', Task: 'delegation-not-granted' },
  ],
  ['a root keeps everything', { caller: undefined, canDelegate: true }, everything, {}],
  [
    'F15 background',
    { isBackground: true },
    ['Read', 'Write', 'Bash', 'mcp__a__look'],
    { Ask: 'background-safe', mcp__a__do: 'background-safe' },
  ],
  [
    'F15 background, listed by name',
    { isBackground: true, agent: agent({ tools: [{ name: 'mcp__a__do' }] }) },
    ['mcp__a__do'],
    { Read: 'not-in-definition' },
  ],
  [
    'F13 a deny beats the allow list',
    { agent: agent({ tools: [{ name: 'Read' }, { name: 'Bash' }], disallowedTools: [{ name: 'Bash' }] }) },
    ['Read'],
    { Bash: 'definition-deny' },
  ],
  [
    'a deny by pattern does not drop the tool',
    { agent: agent({ disallowedTools: [{ name: 'Bash', pattern: 'rm *' }] }) },
    ['Read', 'Write', 'Bash', 'mcp__a__look', 'mcp__a__do'],
    {},
  ],
  [
    'F12 a read-only source',
    { agent: agent({ source: { scope: 'project', isTrusted: true, isReadOnly: true } }) },
    ['Read', 'mcp__a__look'],
    { Write: 'read-only-source', Bash: 'read-only-source' },
  ],
  [
    'an untrusted source',
    { agent: agent({ source: { scope: 'project', isTrusted: false } }) },
    ['Read', 'mcp__a__look'],
    { Write: 'untrusted-source' },
  ],
  ['no tools', { agent: agent({ tools: [] }) }, [], { Read: 'not-in-definition' }],
  ['a whole server', { agent: agent({ tools: [{ name: 'mcp__a' }] }) }, ['mcp__a__look', 'mcp__a__do'], {}],
  ['the task narrows', { task: { allowedTools: ['Read'] } }, ['Read'], { Write: 'not-in-allowed-tools' }],
  ['P11 the caller’s authority', { caller: caller({ tools: ['Read'] }) }, ['Read'], { Write: 'caller-lacks-it' }],
  [
    'a coordinator hands on what it may not use',
    { caller: caller({ tools: [], delegateTools: ['Bash'] }) },
    ['Bash'],
    { Read: 'caller-lacks-it' },
  ],
  [
    'delegation goes with leave to spawn, whatever the list says',
    { canDelegate: true, agent: agent({ tools: [{ name: 'Read' }] }) },
    ['Read', 'Task'],
    {},
  ],
])('%s', (_, about, names, why) => {
  const selected = select(about)
  expect(selected.names).toEqual(names)
  expect(selected.why).toMatchObject(why)
})

test('what comes with a tool goes where it goes, and no further', () => {
  const shell = [...tools, spec('BashOutput', 'read', { comesWith: 'Bash' })]
  const has = (about: Partial<AgentDefinition>, allowedTools?: readonly string[]) =>
    select({ tools: shell, agent: agent(about), task: { allowedTools } }).names.includes('BashOutput')
  expect(has({ tools: [{ name: 'Bash' }] })).toBe(true)
  expect(has({ tools: [{ name: 'Read' }] })).toBe(false)
  expect(has({ disallowedTools: [{ name: 'Bash' }] })).toBe(false)
  expect(has({}, ['Bash'])).toBe(true)
  expect(has({}, ['Read'])).toBe(false)
})

test('every tool gets exactly one reason', () => {
  expect(Object.keys(select({}).why)).toEqual(everything)
})

test('whatever the definition, the task and the mode: never more than the caller has, and adding a denial never adds a tool', () => {
  const grant: fc.Arbitrary<ToolGrant> = fc
    .constantFrom(...everything, '*', 'mcp__a', 'mcp__a__*')
    .map(name => ({ name }))
  fc.assert(
    fc.property(
      fc.oneof(fc.constant('all' as const), fc.array(grant, { maxLength: 5 })),
      fc.array(grant, { maxLength: 3 }),
      fc.subarray(everything),
      fc.boolean(),
      fc.boolean(),
      grant,
      (list, denied, has, isBackground, canDelegate, extra) => {
        const base = {
          caller: caller({ tools: has }),
          isBackground,
          canDelegate,
          agent: agent({ tools: list, disallowedTools: denied }),
        }
        const { names } = select(base)
        for (const name of names) expect(has).toContain(name)
        const stricter = select({ ...base, agent: agent({ tools: list, disallowedTools: [...denied, extra] }) }).names
        for (const name of stricter) expect(names).toContain(name)
      },
    ),
  )
})

test('a name covers itself, a prefix, or a whole server, and nothing that merely begins alike', () => {
  expect(covers({ name: 'mcp__a' }, 'mcp__a__x')).toBe(true)
  expect(covers({ name: 'mcp__a' }, 'mcp__ab__x')).toBe(false)
  expect(covers({ name: 'Read' }, 'ReadAll')).toBe(false)
  expect(covers({ name: 'mcp__*' }, 'mcp__z__x')).toBe(true)
})

test('a list that names one tool of a server gave all whose names go on with two underscores', () => {
  expect(covers({ name: 'mcp__db__query' }, 'mcp__db__query__drop_all')).toBe(false)
  expect(covers({ name: 'mcp__db__query' }, 'mcp__db__query')).toBe(true)
  expect(covers({ name: 'mcp__db__query__*' }, 'mcp__db__query__drop_all')).toBe(true)
  const db = [spec('mcp__db__query', 'read'), spec('mcp__db__query__drop_all', 'execute')]
  const about = { tools: db, caller: undefined }
  expect(select({ ...about, agent: agent({ tools: [{ name: 'mcp__db__query' }] }) }).names).toEqual(['mcp__db__query'])
  expect(select({ ...about, agent: agent({ disallowedTools: [{ name: 'mcp__db__query' }] }) }).names).toEqual([])
})

test.each(['mcp__DB', 'mcp__DB__*', 'mcp__DB__query', 'mcp__Db__q*', 'MCP__db', 'mcp__*__query', 'mcp__d*__QUERY'])(
  'a tool of a server was left where %s is disallowed, for its case or its star',
  name => {
    const db = [spec('mcp__db__query', 'read'), spec('mcp__dbx__other', 'read')]
    const denied = select({ tools: db, caller: undefined, agent: agent({ disallowedTools: [{ name }] }) })
    expect(denied.names).toEqual(['mcp__dbx__other'])
    const listed = select({ tools: db, caller: undefined, agent: agent({ tools: [{ name }] }) })
    expect(listed.names).toEqual([])
  },
)

test('a tool whose every call an agent’s own rules deny was offered to its model all the same', () => {
  const deny = ['Bash', 'mcp__a__*', 'Write(/etc/**)'].map(text => {
    const [, tool = '', pattern] = /^([^(]+)(?:\((.*)\))?$/.exec(text)!
    return { tool, text, ...(pattern !== undefined && { pattern }) }
  })
  const output = spec('BashOutput', 'read', { comesWith: 'Bash' })
  const found = select({ agent: agent({ permissions: { allow: [], ask: [], deny } }), tools: [...tools, output] })
  expect(found.names).toEqual(['Read', 'Write'])
  expect(found.why).toMatchObject({
    Bash: 'definition-deny',
    BashOutput: 'definition-deny',
    mcp__a__do: 'definition-deny',
  })
})
