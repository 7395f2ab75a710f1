import { expect, test } from 'vitest'
import type { AgentDefinition, AgentScope, ToolGrant } from '../agent-definition.js'
import { createCatalog } from './catalog.js'

test('scopes decide in order: managed, command line, project, user, plugin, built-in', () => {
  const scopes: AgentScope[] = ['built-in', 'plugin', 'user', 'project', 'command-line', 'managed']
  const agents = scopes.map(scope => agent('helper', { scope }))
  for (let count = 1; count <= agents.length; count++) {
    expect(createCatalog(agents.slice(0, count)).find('helper')?.source.scope).toBe(scopes[count - 1])
  }
})

test('B09: inside a scope the first wins; one folder twice is a mistake, two folders are a choice', () => {
  const first = agent('a', { path: 'x/1.md', folder: 'x' })
  const catalog = createCatalog([
    first,
    agent('a', { path: 'x/2.md', folder: 'x' }),
    agent('a', { path: 'y/3.md', folder: 'y' }),
  ])
  expect(catalog.find('a')).toBe(first)
  expect(catalog.diagnostics.map(d => [d.code, d.severity, d.file])).toEqual([
    ['duplicate-name', 'warning', 'x/2.md'],
    ['shadowed', 'info', 'y/3.md'],
  ])
  expect(catalog.all().map(entry => entry.state)).toEqual(['active', 'shadowed', 'shadowed'])
})

test.each([
  ['Brand Guardian', 'exact'],
  ['brand-guardian', 'slug'],
  ['BRAND_GUARDIAN', 'other case and separator'],
  ['brandguardian', 'no separator'],
  ['keeper', 'alias'],
])('lookup finds "%s" (%s)', name => {
  const catalog = createCatalog([{ ...agent('Brand Guardian'), aliases: ['keeper'] }])
  expect(catalog.find(name)?.name).toBe('Brand Guardian')
})

test('a real name beats an alias, and a plugin agent answers to its last part when nobody else does', () => {
  const plugin = agent('security:scan:explore', { scope: 'plugin' })
  const builtIn = { ...agent('Explore', { scope: 'built-in' }), aliases: ['search'] }
  expect(createCatalog([plugin, builtIn]).find('explore')?.name).toBe('Explore')
  expect(createCatalog([plugin]).find('explore')?.name).toBe('security:scan:explore')
  expect(createCatalog([builtIn, agent('search')]).find('search')?.name).toBe('search')
})

test('B04: an untrusted project agent neither replaces a built-in nor is offered', () => {
  const builtIn = agent('Explore', { scope: 'built-in', tools: ['Read'] })
  const catalog = createCatalog([agent('Explore', { scope: 'project', isTrusted: false }), builtIn])
  expect(catalog.find('Explore')).toBe(builtIn)
  expect(catalog.offered()).toEqual([builtIn])
  expect(catalog.all().map(entry => entry.state)).toEqual(['active', 'untrusted'])
})

test('B04: an alias takes no name and no alias of ours, and one that nobody trusts takes none at all', () => {
  const plan = { ...agent('Plan', { scope: 'built-in', tools: ['Read'] }), aliases: ['planner'] }
  const taking = (isTrusted: boolean) => ({
    ...agent('evil', { scope: 'project', isTrusted, path: 'evil.md' }),
    aliases: ['planner', 'plan', 'helper'],
  })
  for (const isTrusted of [true, false]) {
    const catalog = createCatalog([
      taking(isTrusted),
      { ...agent('own', { scope: 'user' }), aliases: ['helper'] },
      plan,
    ])
    expect(['planner', 'plan', 'Plan'].map(name => catalog.find(name)?.name)).toEqual(['Plan', 'Plan', 'Plan'])
    expect(catalog.find('helper')?.name).toBe(isTrusted ? 'evil' : 'own')
    const taken = catalog.diagnostics.filter(({ code, file }) => code === 'alias-taken' && file === 'evil.md')
    expect(taken.map(({ message }) => message.split('"')[3])).toEqual(
      isTrusted ? ['planner', 'plan'] : ['planner', 'plan', 'helper'],
    )
  }
  const named = agent('planner', { scope: 'project', isTrusted: false })
  expect(createCatalog([named, plan]).find('planner')?.name).toBe('Plan')
  expect(createCatalog([{ ...named, source: { scope: 'project', isTrusted: true } }, plan]).find('planner')?.name).toBe(
    'planner',
  )
})

test('B04: a trusted replacement with more tools than the built-in is marked', () => {
  const builtIn = agent('Explore', { scope: 'built-in', tools: ['Read'] })
  const wider = createCatalog([agent('Explore', { scope: 'project', tools: ['Read', 'Bash'] }), builtIn])
  expect(wider.lookup('Explore')).toMatchObject({ isWiderThanReplaced: true, replaces: [builtIn] })
  const same = createCatalog([agent('Explore', { scope: 'project', tools: ['Read'] }), builtIn])
  expect(same.lookup('Explore')?.isWiderThanReplaced).toBe(false)
})

test('F12: an untrusted agent can be found, so that the refusal can name trust, and is not offered', () => {
  const catalog = createCatalog([agent('mine', { scope: 'project', isTrusted: false })])
  expect(catalog.find('mine')?.source.isTrusted).toBe(false)
  expect(catalog.offered()).toEqual([])
  expect(catalog.lookup('mine')?.state).toBe('untrusted')
})

test('a disabled or quarantined definition keeps its name from a wider one below', () => {
  const builtIn = agent('general', { scope: 'built-in' })
  const disabled = createCatalog([{ ...agent('general', { scope: 'user' }), isDisabled: true }, builtIn])
  expect(disabled.find('general')?.isDisabled).toBe(true)
  expect(disabled.offered()).toEqual([])
  expect(disabled.lookup('general')?.state).toBe('disabled')
  const broken = createCatalog([{ ...agent('general', { scope: 'user' }), quarantine: 'tools' }, builtIn])
  expect(broken.find('general')).toBeUndefined()
  expect(broken.lookup('general')?.state).toBe('quarantined')
})

test('two agents that only spelling tells apart were loaded without a word', () => {
  const { diagnostics } = createCatalog([
    agent('Brand Guardian', { path: '1.md' }),
    agent('brand-guardian', { path: '2.md' }),
    agent('brand_guardian', { scope: 'built-in' }),
  ])
  expect(diagnostics.map(({ code, message, file }) => [code, message, file])).toEqual([
    ['duplicate-name', 'agent "brand-guardian" differs from "Brand Guardian" (1.md) by its spelling alone', '2.md'],
  ])
})

test('of a damaged definition a wider one further up the project, or beside it, took the name', () => {
  const near: AgentDefinition = { ...agent('a', { path: 'pkg/1.md', tools: ['Read'] }), quarantine: 'maxTurns' }
  const catalog = createCatalog([near, agent('a', { path: '2.md' })])
  expect(catalog.find('a')).toBeUndefined()
  expect(catalog.lookup('a')).toMatchObject({ state: 'quarantined', agent: { source: { path: 'pkg/1.md' } } })
  expect(catalog.diagnostics.map(({ message }) => message)).toEqual([
    'agent "a" is also defined by pkg/1.md, which comes first and will not run',
  ])
})

test('P32: what is offered does not depend on the order of discovery', () => {
  const agents = ['b', 'C', 'a'].map(name => agent(name))
  const names = (list: readonly AgentDefinition[]) =>
    createCatalog(list)
      .offered()
      .map(each => each.name)
  expect(names(agents)).toEqual(['C', 'a', 'b'])
  expect(names([...agents].reverse())).toEqual(['C', 'a', 'b'])
})

test('hidden and undescribed agents can be named but are not offered', () => {
  const catalog = createCatalog([
    { ...agent('main'), isHidden: true },
    { ...agent('mute'), description: '' },
  ])
  expect(catalog.offered()).toEqual([])
  expect(catalog.find('main')?.name).toBe('main')
  expect(catalog.find('mute')?.name).toBe('mute')
})

test('F14: the nearest names come first, and what is nothing like them is left out', () => {
  const catalog = createCatalog(['code-reviewer', 'Explore', 'Plan', 'planner-pro'].map(name => agent(name)))
  expect(catalog.nearest('explroe')[0]).toBe('Explore')
  expect(catalog.nearest('reviewer')[0]).toBe('code-reviewer')
  expect(catalog.nearest('x')).toEqual([])
})

test('names of object members are ordinary unknown names', () => {
  expect(createCatalog([agent('a')]).find('__proto__')).toBeUndefined()
  expect(createCatalog([agent('a')]).find('constructor')).toBeUndefined()
})

test('extends: powers narrow, words build on each other', () => {
  const base = {
    ...agent('base', { tools: ['Read', 'Bash'] }),
    systemPrompt: 'Be careful.',
    limits: { maxTurns: 10 },
    disallowedTools: grants(['Write']),
  }
  const heir: AgentDefinition = {
    ...agent('heir', { tools: ['Bash', 'Edit'] }),
    extends: 'base',
    systemPrompt: 'Be quick.',
    limits: { maxTurns: 50, timeoutMs: 1000 },
    permissionMode: 'bypassPermissions',
  }
  const catalog = createCatalog([heir, base])
  expect(catalog.find('heir')).toMatchObject({
    tools: [{ name: 'Bash' }],
    disallowedTools: [{ name: 'Write' }],
    systemPrompt: 'Be careful.\n\nBe quick.',
    limits: { maxTurns: 10, timeoutMs: 1000 },
  })
  expect(catalog.find('heir')?.permissionMode).toBeUndefined()
  expect(catalog.diagnostics.map(d => [d.code, d.message])).toEqual(
    ['names the tool Edit', 'sets permissionMode bypassPermissions', 'sets maxTurns 50'].map(what => [
      'extends-widened',
      `agent "heir" ${what}, which "base" does not give it`,
    ]),
  )
})

test('extends an alias: whoever has it, where nobody has the name', () => {
  const base = { ...agent('long-name', { tools: ['Read'] }), aliases: ['short'], displayName: 'Shown So' }
  const heir = (extended: string) => ({ ...agent('heir', { tools: 'all' }), extends: extended })
  for (const name of ['short', 'Short', 'shown-so'])
    expect(createCatalog([base, heir(name)]).find('heir')?.tools).toEqual([{ name: 'Read' }])
  const named = createCatalog([base, heir('short'), agent('short', { tools: ['Grep'] })])
  expect(named.find('heir')?.tools).toEqual([{ name: 'Grep' }])
  expect(createCatalog([{ ...base, isDisabled: true }, heir('short')]).find('heir')).toBeUndefined()
})

test('extends its own name: the definition it replaces', () => {
  const heir = { ...agent('Explore', { scope: 'user', tools: 'all' }), extends: 'Explore' }
  const catalog = createCatalog([heir, agent('Explore', { scope: 'built-in', tools: ['Read'] })])
  expect(catalog.find('Explore')?.tools).toEqual([{ name: 'Read' }])
  expect(catalog.find('Explore')?.source.scope).toBe('user')
})

test('extends: a missing base, a second level and an untrusted base never run as if nothing were', () => {
  const missing = createCatalog([{ ...agent('a'), extends: 'nobody' }])
  expect(missing.lookup('a')).toMatchObject({ state: 'quarantined', agent: { tools: [] } })
  const deep = createCatalog([{ ...agent('a'), extends: 'b' }, { ...agent('b'), extends: 'c' }, agent('c')])
  expect(deep.lookup('a')?.state).toBe('quarantined')
  expect(deep.lookup('b')?.state).toBe('active')
  const untrusted = createCatalog([{ ...agent('a'), extends: 'b' }, agent('b', { isTrusted: false })])
  expect(untrusted.lookup('a')?.state).toBe('untrusted')
})

test.each<[string, Partial<AgentDefinition>]>([
  ['quarantined', { quarantine: 'tools' }],
  ['disabled', { isDisabled: true }],
])('R6: a %s base is not skipped for a wider one further down', (_, flaw) => {
  const own = { ...agent('b', { scope: 'project', tools: ['Read'], path: 'b.md' }), ...flaw }
  const heir = { ...agent('h', { scope: 'project' }), extends: 'b' }
  const catalog = createCatalog([heir, own, agent('b', { scope: 'user' })])
  expect(catalog.lookup('h')).toMatchObject({ state: 'quarantined', agent: { tools: [] } })
  expect(catalog.diagnostics.find(d => d.code === 'extends-unknown')?.message).toContain('b.md')
  const self = { ...agent('b', { scope: 'command-line' }), extends: 'b' }
  expect(createCatalog([self, own, agent('b')]).lookup('b')?.state).toBe('quarantined')
})

test('R6: an untrusted repository does not switch off an agent of the user by the name of its base', () => {
  const heir = { ...agent('h'), extends: 'b' }
  const foreign = agent('b', { scope: 'project', isTrusted: false })
  const catalog = createCatalog([heir, agent('b', { tools: ['Read'] }), foreign])
  expect(catalog.lookup('h')).toMatchObject({ state: 'active', agent: { tools: [{ name: 'Read' }] } })
})

test('R6: a base that changed since it was trusted is not stood in for by a wider one from elsewhere', () => {
  const heir = { ...agent('h', { scope: 'project' }), extends: 'b' }
  const changed = agent('b', { scope: 'project', isTrusted: false, tools: ['Read'] })
  expect(createCatalog([heir, changed, agent('b')]).lookup('h')?.state).toBe('untrusted')
})

test('R6: rank comes before spelling, and spelling decides inside a scope', () => {
  const heir = { ...agent('h', { scope: 'project' }), extends: 'code-reviewer' }
  const plugin = agent('code-reviewer', { scope: 'plugin' })
  const loose = agent('Code Reviewer', { scope: 'project', tools: ['Read'] })
  expect(createCatalog([heir, plugin, loose]).find('h')?.tools).toEqual([{ name: 'Read' }])
  const exact = agent('code-reviewer', { scope: 'project', tools: ['Grep'] })
  expect(createCatalog([heir, plugin, loose, exact]).find('h')?.tools).toEqual([{ name: 'Grep' }])
  const broken = { ...exact, quarantine: 'tools' }
  expect(createCatalog([heir, plugin, loose, broken]).lookup('h')?.state).toBe('quarantined')
})

test('R6: the nearest folder comes before spelling, and its base is not stood in for by one further out', () => {
  const inFolder = (folder: string, base: AgentDefinition) => ({ ...base, source: { ...base.source, folder } })
  const heir = { ...agent('h', { scope: 'project' }), extends: 'code-reviewer' }
  const near = inFolder('/r/a/.claude/agents', agent('Code Reviewer', { scope: 'project', tools: ['Read'] }))
  const far = inFolder('/r/.claude/agents', agent('code-reviewer', { scope: 'project' }))
  expect(createCatalog([heir, near, far]).find('h')?.tools).toEqual([{ name: 'Read' }])
  expect(createCatalog([heir, { ...near, quarantine: 'tools' }, far]).lookup('h')?.state).toBe('quarantined')
})

test('an heir lost its list of the tools of a server that its base does not bring', () => {
  const server = { name: 'github', config: { command: 'x' }, onlyTools: ['mcp__github__get_issue'] }
  const heir = { ...agent('h'), extends: 'b', mcpServers: [server] }
  const merged = createCatalog([heir, agent('b')]).find('h')
  expect(merged?.mcpServers).toEqual([{ ...server, config: {} }])
})

// What the base says, what the heir asks for, what comes out. Everything the heir does not get is told, and nothing else.
test.each<[string, Partial<AgentDefinition>, Partial<AgentDefinition>, object, readonly string[]]>([
  ['a looser mode', { permissionMode: 'plan' }, { permissionMode: 'default' }, { permissionMode: 'plan' }, ['default']],
  ['a stricter mode', { permissionMode: 'default' }, { permissionMode: 'plan' }, { permissionMode: 'plan' }, []],
  [
    'a mode of its own, under a caller that asks for less',
    {},
    { permissionMode: 'default' },
    { permissionMode: 'default' },
    [],
  ],
  ['no asking at all', {}, { permissionMode: 'bypassPermissions' }, {}, ['bypassPermissions']],
  ['a looser approval', {}, { approvalMode: 'sandbox' }, {}, ['approvalMode sandbox']],
  ['no isolation', { isolation: 'worktree' }, { isolation: 'none' }, { isolation: 'worktree' }, ['isolation none']],
  [
    'no process',
    { executionMode: 'process' },
    { executionMode: 'in-process' },
    { executionMode: 'process' },
    ['executionMode'],
  ],
  ['a process', { executionMode: 'in-process' }, { executionMode: 'process' }, { executionMode: 'process' }, []],
  ['another place', { baseDir: 'web' }, { baseDir: 'api' }, { baseDir: 'web' }, ['baseDir "api"']],
  [
    'more turns',
    { limits: { maxTurns: 5 } },
    { limits: { maxTurns: 9, graceMs: 1 } },
    { limits: { maxTurns: 5, graceMs: 1 } },
    ['maxTurns 9'],
  ],
  [
    'limits where the base has none',
    {},
    { limits: { maxTurns: 5000, timeoutMs: 36_000_000 } },
    { limits: { maxTurns: 5000, timeoutMs: 36_000_000 } },
    [],
  ],
  [
    'the time its product gives to all',
    { limits: { timeoutMs: 9 } },
    { dialect: 'claude', limits: { timeoutMs: 1_800_000 } },
    { limits: { timeoutMs: 9 } },
    [],
  ],
  [
    'a larger budget',
    { budget: { usd: 1 } },
    { budget: { usd: 2, tokens: 3 } },
    { budget: { usd: 1, tokens: 3 } },
    ['2 usd'],
  ],
  [
    'more memory',
    { resources: { memoryMb: 1 } },
    { resources: { memoryMb: 2 } },
    { resources: { memoryMb: 1 } },
    ['memoryMb 2'],
  ],
  ['delegation', {}, { canSpawn: true }, { canSpawn: false }, ['any agent']],
  ['other delegates', { canSpawn: ['a', 'b'] }, { canSpawn: ['b', 'c'] }, { canSpawn: ['b'] }, ['delegates to c,']],
  ['any delegate', { canSpawn: ['a'] }, { canSpawn: true }, { canSpawn: ['a'] }, ['any agent']],
  ['no delegation', { canSpawn: true }, { canSpawn: false }, { canSpawn: false }, []],
  [
    'another server behind a name',
    { mcpServers: ['s'] },
    { mcpServers: [{ name: 's', config: { command: 'x' } }] },
    { mcpServers: ['s'] },
    ['settings'],
  ],
  [
    'less evidence',
    { evidence: { toolCalls: 3, citedFiles: true } },
    { evidence: { toolCalls: 1 } },
    { evidence: { toolCalls: 3, citedFiles: true } },
    ['evidence'],
  ],
  ['no evidence', { evidence: true }, { evidence: false }, { evidence: { toolCalls: 1 } }, ['evidence']],
  [
    'more evidence',
    { evidence: { commands: ['a'] } },
    { evidence: { commands: ['b'] } },
    { evidence: { commands: ['a', 'b'] } },
    [],
  ],
  [
    'another reminder',
    { criticalReminder: 'Never push.' },
    { criticalReminder: 'Be brief.' },
    { criticalReminder: 'Never push.\n\nBe brief.' },
    [],
  ],
])('extends: %s', (_, given, asked, expected, told) => {
  const base = { ...agent('base'), ...given }
  const { diagnostics, find } = createCatalog([{ ...agent('heir'), extends: 'base', ...asked }, base])
  const heir = find('heir')!
  const keys = Object.keys({ ...given, ...asked }).filter(key => key !== 'dialect') as (keyof AgentDefinition)[]
  expect(Object.fromEntries(keys.flatMap(key => (heir[key] === undefined ? [] : [[key, heir[key]]])))).toEqual(expected)
  expect(diagnostics.map(d => d.code)).toEqual(told.map(() => 'extends-widened'))
  for (const [at, words] of told.entries()) expect(diagnostics[at]!.message).toContain(words)
})

interface Given {
  readonly scope?: AgentScope
  readonly path?: string
  readonly folder?: string
  readonly isTrusted?: boolean
  readonly tools?: 'all' | readonly string[]
}

function agent(name: string, given: Given = {}): AgentDefinition {
  const { scope = 'user', isTrusted = true, tools = 'all', path, folder } = given
  return {
    name,
    description: `does ${name}`,
    systemPrompt: '',
    source: { scope, isTrusted, ...(path ? { path } : {}), ...(folder ? { folder } : {}) },
    tools: tools === 'all' ? 'all' : grants(tools),
  }
}

function grants(names: readonly string[]): readonly ToolGrant[] {
  return names.map(name => ({ name }))
}
