import { describe, expect, test } from 'vitest'
import type { PermissionMode } from '../../src/core/agent-definition.js'
import type { RunId } from '../../src/core/message.js'
import { bash, callOf, decide, explain, grant, judge, layer, link, type Setting } from '../support/judging.js'

const read = (path: string) => ({ file_path: path })
const inMode = (mode: PermissionMode, more: Partial<Setting> = {}): Setting => ({ chain: [link({ mode })], ...more })

describe('defaults by effect and mode', () => {
  const calls = {
    'read inside': ['Read', read('src/a.ts')],
    'read outside': ['Read', read('/etc/hosts')],
    'read secret': ['Read', read('.env')],
    'write inside': ['Write', read('src/a.ts')],
    'write outside': ['Write', read('/w/other/a.ts')],
    'write delicate': ['Edit', read('.vscode/tasks.json')],
    run: ['Bash', { command: 'npm test' }],
    'run read-only': ['Bash', { command: 'git status' }],
    network: ['WebFetch', { url: 'https://example.com/' }],
    search: ['WebSearch', { query: 'x' }],
    delegate: ['Task', { subagent_type: 'Explore', prompt: 'x' }],
    talk: ['AskUser', { question: 'x' }],
    foreign: ['mcp__srv__read', {}],
  } as const
  const table: { readonly [name in keyof typeof calls]: readonly string[] } = {
    //                 plan     dontAsk  default  acceptEdits bypass
    'read inside': ['allow', 'allow', 'allow', 'allow', 'allow'],
    'read outside': ['ask', 'deny', 'ask', 'ask', 'allow'],
    'read secret': ['ask', 'deny', 'ask', 'ask', 'allow'],
    'write inside': ['deny', 'deny', 'ask', 'allow', 'allow'],
    'write outside': ['deny', 'deny', 'ask', 'ask', 'allow'],
    'write delicate': ['deny', 'deny', 'ask', 'ask', 'allow'],
    run: ['deny', 'deny', 'ask', 'ask', 'allow'],
    'run read-only': ['allow', 'allow', 'allow', 'allow', 'allow'],
    network: ['deny', 'deny', 'ask', 'ask', 'allow'],
    search: ['deny', 'deny', 'ask', 'ask', 'allow'],
    delegate: ['allow', 'allow', 'allow', 'allow', 'allow'],
    talk: ['allow', 'allow', 'allow', 'allow', 'allow'],
    foreign: ['ask', 'deny', 'ask', 'ask', 'allow'],
  }
  const modes = ['plan', 'dontAsk', 'default', 'acceptEdits', 'bypassPermissions'] as const
  for (const [name, expected] of Object.entries(table))
    test.each(modes.map((mode, index) => [mode, expected[index]!] as const))(`${name} in %s → %s`, (mode, decision) => {
      const [tool, input] = calls[name as keyof typeof calls]
      expect(decide(tool, input, inMode(mode))).toBe(decision)
    })

  test('delegation can be set to ask', () => {
    expect(decide('Task', { subagent_type: 'Explore' }, { policy: { delegate: 'ask' } })).toBe('ask')
  })
  test('the plan file is the one thing written in plan mode', () => {
    const setting = inMode('plan', { place: { planFile: '/home/u/.local/state/offshoot/plans/p.md' } })
    expect(decide('Write', read('/home/u/.local/state/offshoot/plans/p.md'), setting)).toBe('allow')
    expect(decide('Write', read('/home/u/.local/state/offshoot/plans/q.md'), setting)).toBe('deny')
    expect(decide('Write', read('/home/u/.local/state/offshoot/plans/p.md/../q.md'), setting)).toBe('deny')
    expect(bash('echo x > /home/u/.local/state/offshoot/plans/p.md', setting)).toBe('allow')
    expect(bash('rm x > /home/u/.local/state/offshoot/plans/p.md', setting)).toBe('deny')
  })
  test('suppress turns an ask into a deny that says so', () => {
    const verdict = judge('Write', read('src/a.ts'), { chain: [link({ agent: 'Explore', approvalMode: 'suppress' })] })
    expect(verdict).toMatchObject({ decision: 'deny', rule: 'write-asks' })
    expect(verdict).toHaveProperty('reason', expect.stringContaining('Explore never asks'))
  })
  test('a sandbox answers for commands it holds, and only when there is one', () => {
    const chain = [link({ approvalMode: 'sandbox' })]
    const wrap = (command: readonly string[]) => command
    const held = { chain, call: { workspace: { cwd: '/w/app', roots: ['/w/app'], wrap } } }
    expect(bash('npm test', held)).toBe('allow')
    expect(bash('npm test > out.txt', held)).toBe('allow')
    expect(bash('npm test', { chain })).toBe('ask')
    expect(bash('cat ~/.ssh/id_rsa', held)).toBe('ask')
    expect(bash('echo x > ../out', held)).toBe('ask')
    expect(bash('npm publish', { ...held, rules: { ask: ['Bash(npm publish:*)'] } })).toBe('ask')
    expect(decide('Write', read('a.ts'), held)).toBe('ask')
  })
})

describe('rules and layers', () => {
  test('deny beats ask beats allow, whichever layer each comes from', () => {
    const layers = [
      layer({ allow: ['Write'] }, { scope: 'managed' }),
      layer({ ask: ['Edit(src/**)'] }),
      layer({ deny: ['Edit(src/gen/**)'] }, { scope: 'local', origin: '/w/app/local.json' }),
    ]
    expect(decide('Write', read('docs/a.md'), { layers })).toBe('allow')
    expect(decide('Write', read('src/a.ts'), { layers })).toBe('ask')
    expect(judge('Write', read('src/gen/a.ts'), { layers })).toMatchObject({
      decision: 'deny',
      rule: 'Edit(src/gen/**)',
      origin: '/w/app/local.json',
    })
  })
  test.each(['Bash(gh pr merge:*--admin*)', 'Bash(gh pr merge: *--admin*)', 'Bash(gh pr merge:*--admin:*)'])(
    'a colon before more than a star was a letter, and %s denied nothing',
    rule => {
      for (const line of ['gh pr merge 12 --admin', 'gh pr merge --admin', 'gh -R a/b pr merge 12 --admin -s'])
        for (const list of ['deny', 'ask'] as const)
          expect(bash(line, { rules: { allow: ['Bash(gh:*)'], [list]: [rule] } }), line).toBe(list)
      const rules = { allow: ['Bash(gh:*)'], deny: [rule] }
      expect(bash('gh pr merge 12', { rules })).toBe('allow')
      // What allows is read as it stands.
      expect(bash('gh pr merge 12 --admin', { rules: { allow: [rule] } })).toBe('ask')
    },
  )
  test('a colon that is one still is: of two readings of what forbids both count', () => {
    const rules = { allow: ['Bash(npm:*)'], deny: ['Bash(npm run test:*-live)'] }
    expect(bash('npm run test:db-live', { rules })).toBe('deny')
    expect(bash('npm --silent run test:db-live', { rules })).toBe('deny')
    expect(bash('npm run test:db', { rules })).toBe('allow')
  })
  test('P14 an "always allow" of the session never beats a configured deny', () => {
    const layers = [
      layer({ deny: ['Bash(rm:*)'] }),
      layer({ allow: ['Bash(rm -rf build)', 'Bash'] }, { scope: 'session', origin: 'session' }),
    ]
    expect(bash('rm -rf build', { layers })).toBe('deny')
  })
  test('what was approved for one run holds for that run only', () => {
    const layers = [
      layer({ allow: ['Bash(npm test)'] }, { scope: 'run', origin: 'approval', runs: ['run-1' as RunId] }),
    ]
    expect(bash('npm test', { layers })).toBe('allow')
    expect(bash('npm test', { layers, call: { runId: 'run-2' as RunId } })).toBe('ask')
  })
  test('every verdict names its rule and where the rule is written', () => {
    expect(judge('Bash', { command: 'curl x' }, { rules: { deny: ['Bash(curl:*)'] } })).toEqual({
      decision: 'deny',
      rule: 'Bash(curl:*)',
      origin: '/home/u/settings.json',
      reason: expect.stringContaining('curl x: Bash(curl:*) (/home/u/settings.json) forbids this'),
    })
    expect(judge('Write', read('a.ts'), { rules: { allow: ['Edit(./a.ts)'] } })).toEqual({
      decision: 'allow',
      rule: 'Edit(./a.ts)',
      origin: '/home/u/settings.json',
    })
    expect(judge('Read', read('a.ts'))).toEqual({ decision: 'allow', rule: 'read-inside', origin: 'built-in' })
  })
  test('explain gives every part for every agent on the chain', () => {
    const chain = [link(), link({ agent: 'tester', grants: [grant('Bash(npm *)')] })]
    const { verdict, considered } = explain(
      'Bash',
      { command: 'npm test && make x' },
      { chain, rules: { allow: ['Bash(npm:*)'] } },
    )
    expect(verdict.decision).toBe('deny')
    expect(considered.map(({ agent, subject, decision, rule }) => [agent, subject, decision, rule])).toEqual([
      ['main', 'npm test', 'allow', 'Bash(npm:*)'],
      ['tester', 'npm test', 'allow', 'Bash(npm:*)'],
      ['main', 'make x', 'ask', 'execute-asks'],
      ['tester', 'make x', 'deny', 'tools: Bash(npm *)'],
    ])
  })
  test.each([
    ['Read', 'Read', 'yes'],
    ['Read(./a/**)', 'Grep', 'yes'],
    ['Read(./a/**)', 'Glob', 'yes'],
    ['Read(./a/**)', 'LS', 'yes'],
    ['Read(./a/**)', 'Edit', 'yes'],
    ['Read(./a/**)', 'Write', 'no'],
    ['Edit(./a/**)', 'Write', 'yes'],
    ['Edit(./a/**)', 'MultiEdit', 'yes'],
    ['Edit(./a/**)', 'NotebookEdit', 'yes'],
    ['Write(./a/**)', 'Edit', 'yes'],
    ['Edit', 'Write', 'yes'],
    ['Write', 'Edit', 'no'],
    ['Edit(./a/**)', 'Read', 'no'],
    ['*', 'Read', 'yes'],
  ])('deny %s binds %s: %s', (text, tool, expected) => {
    const input = { file_path: 'a/x', path: 'a/x', notebook_path: 'a/x', pattern: '*' }
    expect(decide(tool, input, inMode('bypassPermissions', { rules: { deny: [text] } }))).toBe(
      expected === 'yes' ? 'deny' : 'allow',
    )
  })
  test.each([
    ['Edit(./a/**)', 'Write', 'allow'],
    ['Edit(./a/**)', 'Edit', 'allow'],
    ['Write(./a/**)', 'Edit', 'ask'],
    ['Write(./a/**)', 'Write', 'allow'],
  ])('allow %s lets %s through: %s', (text, tool, expected) => {
    expect(decide(tool, read('a/x'), { rules: { allow: [text] } })).toBe(expected)
  })
  test.each([
    ['mcp__srv', 'mcp__srv__read', 'allow'],
    ['mcp__srv__*', 'mcp__srv__read', 'allow'],
    ['mcp__srv__read', 'mcp__srv__read', 'allow'],
    ['mcp__srv__read', 'mcp__srv__readall', 'ask'],
    ['mcp__srv', 'mcp__srvx__read', 'ask'],
    ['mcp__srv__re*', 'mcp__srv__read', 'allow'],
    ['mcp__srv__read(x)', 'mcp__srv__read', 'ask'],
    ['mcp__srv__read', 'mcp__srv__read__and_drop', 'ask'],
    ['mcp__srv__read__*', 'mcp__srv__read__and_drop', 'allow'],
    ['mcp__SRV', 'mcp__srv__read', 'ask'],
  ])('allow %s and %s: %s', (text, tool, expected) => {
    expect(decide(tool, {}, { rules: { allow: [text] } })).toBe(expected)
  })
  test.each([
    'https://evil.test/*',
    'evil.test',
    'domain:https://evil.test',
    'domain:*evil.test',
    'domain:a.b, evil.test',
  ])('a deny of WebFetch(%s) was passed; as an allow it allows nothing', pattern => {
    const calls = ['https://evil.test/x', 'https://EVIL.test/x', 'http://a.evil.test'].map(url => ({ url }))
    const deny = { rules: { deny: [`WebFetch(${pattern})`] }, chain: [link({ mode: 'bypassPermissions' })] }
    expect(calls.map(call => decide('WebFetch', call, deny))).toEqual(['deny', 'deny', 'deny'])
    expect(decide('WebFetch', { url: 'https://example.com/' }, deny)).toBe('allow')
    expect(decide('WebFetch', calls[0], { rules: { allow: [`WebFetch(${pattern})`] } })).toBe('ask')
  })
  test('what was approved for one tool of a server ran another whose name goes on with two underscores', () => {
    const spec = { ...callOf('mcp__db__query', {}).spec, origin: 'mcp' as const, server: '0f1e' }
    const rules = { allow: ['mcp__db__query(server:0f1e)'] }
    const of = (name: string) => decide(name, {}, { rules, call: { spec: { ...spec, name } } })
    expect([of('mcp__db__query'), of('mcp__db__query__drop_all')]).toEqual(['allow', 'ask'])
  })
  test.each(['mcp__DB', 'mcp__DB__*', 'mcp__db__QUERY', 'mcp__Db__q*', 'mcp__db', 'mcp__db__query', 'MCP__*'])(
    'a deny of %s holds in whatever case, and for all that hangs on it',
    text => {
      const rules = { deny: [text], allow: ['mcp__db__*'] }
      expect(decide('mcp__db__query', {}, { rules })).toBe('deny')
      expect(decide('mcp__db__query__drop_all', {}, { rules })).toBe('deny')
      expect(decide('mcp__dbx__query', {}, { rules: { deny: ['mcp__DB'], allow: ['mcp__dbx__*'] } })).toBe('allow')
    },
  )
  test('a call is as strict as the stricter of what its tool and its input say', () => {
    const sneaky = callOf('Lookup', { path: 'src/a.ts' })
    expect(decide('Lookup', { path: 'src/a.ts' })).toBe('allow')
    expect(decide('Lookup', { path: 'src/a.ts' }, { call: { effect: 'write' } })).toBe('ask')
    expect(decide('Lookup', { path: 'src/a.ts' }, { call: { effect: 'execute' } })).toBe('ask')
    expect(decide('Write', { file_path: 'src/a.ts' }, { call: { effect: 'read' } })).toBe('ask')
    expect(
      decide(
        'Runner',
        { command: 'git', args: ['push'] },
        { call: { effect: 'execute', spec: { ...sneaky.spec, name: 'Runner', effect: 'execute' } } },
      ),
    ).toBe('ask')
    expect(decide('Grep', { pattern: 'x', file_path: 'src', path: '/etc' })).toBe('ask')
  })
  test('a deny pattern that makes no sense for its tool denies the tool', () => {
    expect(decide('mcp__srv__read', {}, { rules: { deny: ['mcp__srv__read(x)'], allow: ['mcp__srv'] } })).toBe('deny')
  })
  test('C05 a denied agent cannot be started under any of its names or tools', () => {
    const setting = {
      rules: { deny: ['Task(Brand Guardian)'] },
      policy: {
        agentNames: (input: unknown) =>
          (input as { subagent_type?: string }).subagent_type === 'bg' ? ['Brand Guardian'] : undefined,
      },
    }
    for (const name of ['Brand Guardian', 'brand-guardian', 'BRAND_GUARDIAN', 'bg'])
      expect(decide('Task', { subagent_type: name }, setting)).toBe('deny')
    expect(
      decide(
        'Agent',
        { subagent_type: 'brand-guardian' },
        { ...setting, rules: { deny: ['Agent(brand-guardian)'] }, call: {} },
      ),
    ).toBe('deny')
    expect(decide('subagent_brand_guardian', { task: 'x' }, setting)).toBe('deny')
    expect(decide('Task', { subagent_type: 'Explore' }, setting)).toBe('allow')
    expect(decide('Task', { resume: 'run-9' }, setting)).toBe('ask')
    expect(decide('Task', {}, { rules: { deny: ['Agent(general-purpose)'] } })).toBe('deny')
    expect(decide('Task', { subagent_type: 'x' }, { rules: { deny: ['Agent'] } })).toBe('deny')
  })
  test.each([
    ['Skill(garden:*)', 'garden:deploy'],
    ['Skill(garden:deploy)', 'garden:deploy'],
    ['Skill(deploy)', 'garden:deploy'],
    ['Skill(Deploy)', 'deploy'],
    ['Skill(deploy)', 'Deploy'],
    ['Skill(GARDEN:*)', 'garden:deploy'],
    ['Skill(deploy, review)', 'review'],
    ['Skill(deploy:*)', 'deploy'],
    ['Skill(deploy *)', 'deploy'],
  ])('what forbids a skill did not hold for another way to name it: %s, %s', (rule, skill) => {
    expect(decide('Skill', { skill }, { rules: { deny: [rule], allow: ['Skill'] } })).toBe('deny')
    expect(decide('Skill', { skill }, { rules: { ask: [rule] } })).toBe('ask')
  })

  test.each([
    ['Skill(garden:*)', 'gardener:deploy'],
    ['Skill(garden:*)', 'deploy'],
    ['Skill(garden:deploy)', 'deploy'],
    ['Skill(garden:deploy)', 'other:deploy'],
    ['Skill(deploy)', 'deploy-docs'],
    ['Skill(deploy)', 'deploy:review'],
  ])('and it leaves others alone: %s, %s', (rule, skill) =>
    expect(decide('Skill', { skill }, { rules: { deny: [rule] } })).toBe('allow'),
  )

  test('Skill(x) is about that skill', () => {
    const setting = { rules: { deny: ['Skill(deploy)'], ask: ['Skill(db:*)'] } }
    expect(decide('Skill', { skill: 'deploy' }, setting)).toBe('deny')
    expect(decide('Skill', { skill: 'deployer' }, setting)).toBe('allow')
    expect(decide('Skill', { skill: 'db' }, setting)).toBe('ask')
  })
  test('F01 F05 F07 a URL is judged by its parsed host before anything is looked up', () => {
    const setting = { rules: { allow: ['WebFetch(domain:docs.python.org)'] } }
    expect(decide('WebFetch', { url: 'https://docs.python.org/3' }, setting)).toBe('allow')
    expect(decide('WebFetch', { url: 'https://docs.python.org.evil.test/' }, setting)).toBe('ask')
    expect(decide('WebFetch', { url: 'https://evil.test/?x=docs.python.org' }, setting)).toBe('ask')
    for (const url of [
      'http://127.0.0.1:9/',
      'http://[::1]/',
      'http://169.254.169.254/',
      'file:///etc/passwd',
      'http://user@docs.python.org/',
      'nonsense',
    ])
      expect(decide('WebFetch', { url }, { ...setting, chain: [link({ mode: 'bypassPermissions' })] })).toBe('deny')
    expect(
      decide('WebFetch', { url: 'http://127.0.0.1:9/' }, { rules: { allow: ['WebFetch(domain:127.0.0.1)'] } }),
    ).toBe('allow')
    expect(
      decide(
        'WebFetch',
        { url: 'https://x.evil.test/' },
        { rules: { allow: ['WebFetch'], deny: ['WebFetch(domain:evil.test)'] } },
      ),
    ).toBe('deny')
  })
})
