import { describe, expect, test } from 'vitest'
import type { PermissionMode } from '../../src/core/agent-definition.js'
import { bash, decide, grant, judge, layer, link, rulesOf, type Setting } from '../support/judging.js'

const read = (path: string) => ({ file_path: path })
const inMode = (mode: PermissionMode, more: Partial<Setting> = {}): Setting => ({ chain: [link({ mode })], ...more })

describe('the chain', () => {
  test('C01 O2 a deny of the caller binds the child and is named', () => {
    const main = link({ rules: rulesOf({ deny: ['Bash(curl:*)'] }) })
    const verdict = judge(
      'Bash',
      { command: 'curl x' },
      { chain: [main, link({ agent: 'worker', mode: 'bypassPermissions' })] },
    )
    expect(verdict).toMatchObject({ decision: 'deny', rule: 'Bash(curl:*)', origin: 'agent main' })
  })
  test('C02 P11 a caller in plan mode makes a child that only reads', () => {
    const chain = [
      link({ mode: 'plan' }),
      link({ agent: 'general-purpose', mode: 'bypassPermissions', rules: rulesOf({ allow: ['Write', 'Bash'] }) }),
    ]
    expect(judge('Write', read('src/a.ts'), { chain })).toMatchObject({ decision: 'deny', rule: 'plan-mode' })
    expect(bash('touch x', { chain })).toBe('deny')
    expect(decide('Read', read('src/a.ts'), { chain })).toBe('allow')
  })
  test('C03 a tool that was not granted is denied at the call', () => {
    const verdict = judge(
      'Bash',
      { command: 'ls' },
      {
        call: {
          brief: {
            agent: 'reader',
            path: ['main', 'reader'],
            depth: 1,
            allowed: ['Read'],
            chain: [link()],
            source: { scope: 'built-in', isTrusted: true },
            isBackground: false,
          },
        },
      },
    )
    expect(verdict).toMatchObject({ decision: 'deny', rule: 'tool-not-granted', origin: 'agent reader' })
  })
  test('P10 a read-only agent stays so under a powerful caller', () => {
    const chain = [
      link({ mode: 'bypassPermissions' }),
      link({ agent: 'Explore', mode: 'plan', approvalMode: 'suppress' }),
    ]
    expect(decide('Write', read('a.ts'), { chain })).toBe('deny')
    expect(bash('npm test', { chain, rules: { allow: ['Bash'] } })).toBe('deny')
    expect(bash('git log', { chain })).toBe('allow')
  })
  test('P12 an agent in the middle of the chain binds what is below it', () => {
    const chain = [
      link(),
      link({ agent: 'lead', grants: [grant('Bash(git *)')] }),
      link({ agent: 'hand', mode: 'bypassPermissions' }),
    ]
    expect(judge('Bash', { command: 'npm test' }, { chain, rules: { allow: ['Bash'] } })).toMatchObject({
      decision: 'deny',
      rule: 'tools: Bash(git *)',
      origin: 'agent lead',
    })
  })
  test('an allow in an agent’s own rules does not lift its caller’s ask', () => {
    const chain = [link(), link({ agent: 'worker', rules: rulesOf({ allow: ['Bash(npm test)'] }) })]
    expect(bash('npm test', { chain })).toBe('ask')
    expect(bash('npm test', { chain: [link({ mode: 'bypassPermissions' }), chain[1]!] })).toBe('allow')
  })
  test('a caller that suppresses asks does so for its children', () => {
    const chain = [link({ approvalMode: 'suppress' }), link({ agent: 'worker' })]
    expect(decide('Write', read('a.ts'), { chain })).toBe('deny')
  })
  test('C09 a deny added while a run is under way binds its next call', () => {
    const layers = [layer({ allow: ['Bash(npm test)'] })]
    expect(bash('npm test', { layers })).toBe('allow')
    layers.push(layer({ deny: ['Bash(npm:*)'] }, { origin: '/w/app/.offshoot/settings.json' }))
    expect(bash('npm test', { layers })).toBe('deny')
  })
  test('a chain that got lost counts as an agent in default mode', () => {
    expect(decide('Write', read('a.ts'), { chain: [] })).toBe('ask')
  })
  test('F12 an agent of a read-only or untrusted source writes and runs nothing', () => {
    const brief = (source: object) => ({
      agent: 'x',
      path: ['x'],
      depth: 0,
      allowed: ['Write', 'Bash', 'Read'],
      chain: [link({ mode: 'bypassPermissions' })],
      source: { scope: 'plugin' as const, isTrusted: true, ...source },
      isBackground: false,
    })
    for (const source of [{ isReadOnly: true }, { isTrusted: false }]) {
      const call = { brief: brief(source) }
      expect(judge('Write', read('a.ts'), { call })).toMatchObject({ decision: 'deny', rule: 'read-only-source' })
      expect(bash('npm test', { call })).toBe('deny')
      expect(bash('git status', { call })).toBe('allow')
      expect(decide('Read', read('a.ts'), { call })).toBe('allow')
    }
  })
})

describe('grants and refusals with patterns', () => {
  const granted = (...texts: string[]): Setting => ({
    chain: [link(), link({ agent: 'gitter', grants: texts.map(grant) })],
    rules: { allow: ['Bash', 'Edit'] },
  })
  test.each([
    ['git status', 'allow'],
    ['git', 'allow'],
    ['cd src && git log', 'allow'],
    ['timeout 5 git status', 'allow'],
    ["bash -c 'git status'", 'allow'],
    ['true && git status', 'allow'],
    ['ls', 'deny'],
    ['git status; npm test', 'deny'],
    ['git status $(npm test)', 'deny'],
    ['gitk', 'deny'],
    ['$X', 'deny'],
    ['eval git status', 'deny'],
    ['sudo git status', 'deny'],
    ['./git status', 'deny'],
  ])('Bash(git *) and %j: %s', (line, expected) => {
    expect(bash(line, granted('Bash(git *)'))).toBe(expected)
  })
  test('a call outside them is denied with the agent’s name', () => {
    expect(judge('Bash', { command: 'ls' }, granted('Bash(git *)'))).toHaveProperty(
      'reason',
      expect.stringContaining('gitter may use Bash only as Bash(git *)'),
    )
  })
  test('the tool named without a pattern lifts the patterns beside it', () => {
    expect(bash('npm test', granted('Bash(git *)', 'Bash'))).toBe('allow')
  })
  test('patterns hold for paths and agents too', () => {
    expect(decide('Edit', read('docs/a.md'), granted('Edit(docs/**)'))).toBe('allow')
    expect(decide('Edit', read('src/a.ts'), granted('Edit(docs/**)'))).toBe('deny')
    expect(decide('Edit', read('docs/../src/a.ts'), granted('Edit(docs/**)'))).toBe('deny')
    expect(decide('Task', { subagent_type: 'Plan' }, granted('Agent(Explore, Plan)'))).toBe('allow')
    expect(decide('Task', { subagent_type: 'Bash' }, granted('Agent(Explore, Plan)'))).toBe('deny')
  })
  test('disallowedTools with a pattern takes away that pattern only', () => {
    const chain = [link(), link({ agent: 'careful', refusals: [grant('Bash(git *)')] })]
    const setting = { chain, rules: { allow: ['Bash'] } }
    expect(judge('Bash', { command: 'git push' }, setting)).toMatchObject({
      decision: 'deny',
      rule: 'disallowedTools: Bash(git *)',
      origin: 'agent careful',
    })
    expect(bash('npm test', setting)).toBe('allow')
    expect(bash('ls && /usr/bin/git push', setting)).toBe('deny')
    expect(bash('$X push', setting)).toBe('ask')
  })
})

describe('disallowedTools without a pattern', () => {
  const without = (...names: string[]): Setting => ({
    chain: [link({ mode: 'acceptEdits' }), link({ agent: 'careful', mode: 'acceptEdits', refusals: names.map(grant) })],
    rules: { allow: ['Bash(npm *)', 'Bash(python *)', 'Bash(cat *)'] },
  })
  test.each([
    ['Write, Edit', 'echo evil > src/a.ts', 'deny'],
    ['Write', 'echo evil >> src/a.ts', 'deny'],
    ['Edit', 'npm test > out.log', 'deny'],
    ['Write, Edit', 'npm test', 'allow'],
    ['Write, Edit', 'npm test > /dev/null 2>&1', 'allow'],
    ['Write, Edit', 'git status', 'allow'],
    ['Write, Edit', 'cat src/a.ts | head -5', 'allow'],
    ['Write, Edit', 'python build.py', 'allow'],
    ['MultiEdit, NotebookEdit', 'echo x > src/a.ts', 'allow'],
    ['Read', 'cat src/a.ts', 'deny'],
    ['Read', 'npm test < src/a.ts', 'deny'],
    ['Read', 'cd src && npm test', 'allow'],
    ['Read', 'echo x > src/a.ts', 'allow'],
  ])('%s taken away, and %j: %s', (names, line, expected) => {
    expect(bash(line, without(...names.split(', ')))).toBe(expected)
  })
  test('the rule is named, and another tool that was left stays', () => {
    expect(judge('Bash', { command: 'echo x > a' }, without('Edit'))).toMatchObject({
      decision: 'deny',
      rule: 'disallowedTools: Edit',
      origin: 'agent careful',
    })
    expect(decide('Write', { file_path: 'a' }, without('Edit'))).toBe('allow')
    expect(decide('Grep', { pattern: 'x', path: 'src' }, without('Read'))).toBe('allow')
    expect(decide('Edit', read('a'), without('Edit'))).toBe('deny')
  })
})

test('a call that wrote a file was recorded under the rule of the command that only looks', () => {
  const chain = [link({ mode: 'acceptEdits' })]
  const rules = { allow: ['Bash(npm *)'] }
  const ruleOf = (command: string) => judge('Bash', { command }, { chain, rules })
  expect(ruleOf('echo x > src/a.ts')).toMatchObject({ decision: 'allow', rule: 'edits-accepted' })
  expect(ruleOf('npm test > out.log')).toMatchObject({ decision: 'allow', rule: 'edits-accepted' })
  expect(ruleOf('cat src/a.ts && npm test')).toMatchObject({ decision: 'allow', rule: 'Bash(npm *)' })
  expect(ruleOf('cat src/a.ts')).toMatchObject({ decision: 'allow', rule: 'read-only-command' })
})

test('an agent of ours may ask to change the protected file it is there for, and nobody else may', () => {
  const setup = link({ agent: 'statusline-setup', rules: rulesOf({ ask: ['Edit(/.offshoot/settings.json)'] }) })
  const settings = read('.offshoot/settings.json')
  const decideAs = (
    scope: 'built-in' | 'project',
    chain = [link({ mode: 'bypassPermissions' }), setup],
    input = settings,
  ) =>
    decide('Edit', input, {
      chain,
      rules: { allow: ['Edit'] },
      call: {
        brief: {
          agent: 'x',
          path: [],
          depth: 1,
          allowed: ['Edit'],
          chain,
          source: { scope, isTrusted: true },
          isBackground: false,
        },
      },
    })
  expect(decideAs('built-in')).toBe('ask')
  expect(decideAs('project')).toBe('deny')
  expect(decideAs('built-in', [link()])).toBe('deny')
  expect(decideAs('built-in', [setup, link({ agent: 'child' })])).toBe('deny')
  expect(decideAs('built-in', [link({ mode: 'plan' }), setup])).toBe('deny')
  expect(decideAs('built-in', [link(), setup], read('.offshoot/agents/x.md'))).toBe('deny')
  expect(decideAs('built-in', [link(), setup], read('.mcp.json'))).toBe('deny')
})

test('own controls cannot be worked from a command', () => {
  const setting = inMode('bypassPermissions')
  for (const line of [
    'offshoot approvals answer 1 allow',
    'env -u OFFSHOOT_RUN offshoot trust',
    'npx offshoot config set x y',
    'node dist/bin/offshoot.js approvals list',
    "bash -c 'offshoot trust .'",
    'offshoot agents new Explore --user --force --tools Bash,Write',
    'npx offshoot agents import x.md --to ~/.config/offshoot/agents',
    'offshoot agents lint --fix',
    'offshoot runs list',
    'offshoot runs export 1 --format json',
    "sh -c 'offshoot runs show 1'",
    './link-to-us runs tail 1',
    './link-to-us agents new x --user',
  ])
    expect(judge('Bash', { command: line }, setting), line).toMatchObject({ decision: 'deny', rule: 'own-controls' })
  for (const line of [
    ...['offshoot agents list', 'offshoot agents lint', 'npx vitest run new agents', 'gh runs list'],
    // People speak of it so.
    ...['grep -rn offshoot runs', 'echo offshoot runs its agents', 'git log --grep offshoot runs'],
  ])
    expect(bash(line, setting), line).toBe('allow')
})
