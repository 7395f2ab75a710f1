import { expect, test } from 'vitest'
import { approvalRule, whyNotKept } from '../../src/core/permission/approval-rule.js'
import type { Place } from '../../src/core/permission/path-policy.js'
import { parsePermissionRule } from '../../src/core/permission/permission-rule.js'
import { networkRulesOf } from '../../src/core/permission/permission-rules.js'
import { callOf, decide, grammar, judge, place, rulesOf } from '../support/judging.js'

const ruleFor = (tool: string, input: object) => approvalRule(callOf(tool, input), { place, grammar })
const withRule = (tool: string, input: object, rule = ruleFor(tool, input)) => ({
  layers: [{ scope: 'session' as const, origin: 'session', rules: { allow: rule ? [rule] : [], ask: [], deny: [] } }],
})

test.each([
  ['Bash', { command: 'npm test' }, 'Bash(npm test)'],
  ['Bash', { command: 'rm *.log && echo "a b" > ../x' }, 'Bash(in /w/app: rm \\*.log && echo "a b" > ../x)'],
  ['Bash', { command: 'eval "$X"' }, 'Bash(in /w/app: eval "$X")'],
  ['Bash', { command: 'npm test 2>&1 | tail -5' }, 'Bash(npm test 2>&1 | tail -5)'],
  ['Bash', { command: './build.sh' }, 'Bash(in /w/app: ./build.sh)'],
  ['Bash', { command: 'python clean.py ..' }, 'Bash(in /w/app: python clean.py ..)'],
  ['Write', { file_path: 'src/a.ts' }, 'Edit(//w/app/src/a.ts)'],
  ['Read', { file_path: '/etc/hosts' }, 'Read(//etc/hosts)'],
  ['Write', { file_path: 'src/[id]/{a,b}.ts' }, 'Edit(//w/app/src/\\[id\\]/\\{a,b\\}.ts)'],
  ['WebFetch', { url: 'https://docs.test/x' }, 'WebFetch(host:docs.test)'],
  ['WebFetch', { url: 'https://Docs.test.:8443/x' }, 'WebFetch(host:docs.test:8443)'],
  ['WebFetch', { url: 'https://[2606:4700::1111]/' }, 'WebFetch(host:[2606:4700::1111])'],
  ['Task', { subagent_type: 'Plan' }, 'Agent(Plan)'],
  ['mcp__srv__read', {}, 'mcp__srv__read'],
])('an approval of %s %j is kept as %s, and then needs no asking', (tool, input, text) => {
  expect(ruleFor(tool, input)?.text).toBe(text)
  expect(judge(tool, input, withRule(tool, input))).toMatchObject({ decision: 'allow', rule: text })
})

test('what was approved covers nothing beside it', () => {
  const one = withRule('Bash', { command: 'rm *' })
  for (const command of ['rm a', 'rm * b', 'rm *; npm x', 'rm'])
    expect([command, decide('Bash', { command }, one)]).toEqual([command, 'ask'])
  const file = withRule('Write', { file_path: 'src/[id].ts' })
  expect(decide('Write', { file_path: 'src/i.ts' }, file)).toBe('ask')
  expect(decide('Write', { file_path: 'src/[id].ts/x' }, file)).toBe('ask')
})

test.each([
  ['https://github.io/', 'https://attacker.github.io/x'],
  ['https://github.io/', 'https://github.io:6379/'],
  ['https://github.io:6379/', 'https://github.io/'],
  ['https://github.io:6379/', 'https://a.github.io:6379/'],
])('an approval of %s was one of %s as well', (shown, other) => {
  const kept = withRule('WebFetch', { url: shown })
  expect(decide('WebFetch', { url: shown }, kept)).toBe('allow')
  expect(decide('WebFetch', { url: `${shown}further?x=1` }, kept)).toBe('allow')
  expect(decide('WebFetch', { url: other }, kept)).toBe('ask')
})

test('a rule that forbids one host is read generously, and an approval of a name opens no private network', () => {
  for (const url of ['https://github.io/', 'https://a.github.io/', 'https://github.io:6379/'])
    expect(decide('WebFetch', { url }, { rules: { allow: ['WebFetch'], deny: ['WebFetch(host:github.io)'] } })).toBe(
      'deny',
    )
  const rules = rulesOf({ allow: ['WebFetch(host:a.test)'], deny: ['WebFetch(host:b.test)'] })
  expect(networkRulesOf([{ scope: 'session', origin: 'x', rules }])).toEqual({ allow: [], deny: ['b.test'] })
})

test('a link cannot be approved into something else', () => {
  expect(decide('Write', { file_path: 'link/x' }, withRule('Write', { file_path: 'link/x' }))).toBe('ask')
})

test.each([
  ['a command line without a command', 'Bash', { command: ' \n ' }, { command: 'curl x | sh' }],
  ['an agent whose name is a star', 'Task', { subagent_type: '*' }, { subagent_type: 'deployer' }],
  ['an agent with a star in its name', 'Task', { subagent_type: 'd*' }, { subagent_type: 'deployer' }],
])('an approval of %s for longer than once allowed everything of its kind', (_, tool, shown, other) => {
  expect(ruleFor(tool, shown)).toBeUndefined()
  const policy = { ...withRule(tool, shown), policy: { delegate: 'ask' as const } }
  expect(decide(tool, other, policy)).toBe('ask')
})

test.each([
  ['a file with a blank behind its name', 'Write', { file_path: 'src/a.ts ' }],
  ['a skill whose name is two stars', 'Skill', { skill: '**' }],
])('an approval of %s was read back as a rule for another', (_, tool, input) => {
  const rule = ruleFor(tool, input)
  expect(rule && parsePermissionRule(rule.text)).toEqual(rule)
})

const at = (cwd: string) => ({ place: { cwd, start: '/w/app' } })

test.each([
  ['rm -rf ../out', '/w/app/src', '/w/app'],
  ['rm -rf ../out', '/w/app', '/w/app/src'],
  ['rm -rf *', '/w/app/dist', '/w/app'],
  ['npm test && cat ../notes.txt', '/w/app/src', '/w/app'],
  ['python clean.py ..', '/w/app/src', '/w/app'],
  ['eval "$X"', '/w/app', '/w/app/src'],
  ['rm -rf x', "/w/app/a b'c", '/w/app'],
])('G05: %s, approved where the shell stood in %s, ran unasked in %s', (command, shown, elsewhere) => {
  const rule = approvalRule(callOf('Bash', { command }), { place: { ...place, cwd: shown, start: '/w/app' }, grammar })
  const kept = withRule('Bash', { command }, rule)
  expect(parsePermissionRule(rule!.text)).toEqual(rule)
  expect(judge('Bash', { command }, { ...kept, ...at(shown) })).toMatchObject({ decision: 'allow', rule: rule!.text })
  expect(decide('Bash', { command }, { ...kept, ...at(elsewhere) })).toBe('ask')
})

test('a written rule that spells a line out means the files it names from where rules start, and the commands anywhere', () => {
  const rules = { allow: ['Bash(rm -rf ../../out)', 'Bash(npm test)', 'Bash(npm ci && npm test)', 'Bash(eval "$X")'] }
  for (const command of ['rm -rf ../../out', 'npm test', 'npm ci && npm test', 'eval "$X"'])
    expect([command, decide('Bash', { command }, { rules, ...at('/w/app') })]).toEqual([command, 'allow'])
  for (const command of ['npm test', 'npm ci && npm test'])
    expect([command, decide('Bash', { command }, { rules, ...at('/w/app/src') })]).toEqual([command, 'allow'])
  for (const command of ['rm -rf ../../out', 'eval "$X"'])
    expect([command, decide('Bash', { command }, { rules, ...at('/w/app/src') })]).toEqual([command, 'ask'])
})

test('what was approved in a directory asked again in every work tree of it, and never the other way round', () => {
  const tree = '/home/u/.local/state/offshoot/worktrees/1'
  const inTree = (cwd: string) => ({
    place: { cwd, start: tree, roots: [tree], copies: [{ copy: tree, original: '/w/app' }], stateDirs: [] },
  })
  const kept = (command: string, where: Partial<Place> = {}) =>
    withRule('Bash', { command }, approvalRule(callOf('Bash', { command }), { place: { ...place, ...where }, grammar }))
  for (const command of ['touch x1', 'node sub/t.js', 'npm run test -- src/a.test.ts'])
    expect([command, decide('Bash', { command }, { ...kept(command), ...inTree(tree) })]).toEqual([command, 'allow'])
  // From another place of the copy, out of it, or what only a shell can tell.
  expect(decide('Bash', { command: 'touch x1' }, { ...kept('touch x1'), ...inTree(`${tree}/src`) })).toBe('ask')
  for (const command of ['rm -rf ../out', 'eval "$X"'])
    expect([command, decide('Bash', { command }, { ...kept(command), ...inTree(tree) })]).toEqual([command, 'ask'])
  const ofTree = kept('touch x1', inTree(tree).place)
  expect(decide('Bash', { command: 'touch x1' }, { ...ofTree, ...inTree(tree) })).toBe('allow')
  expect(decide('Bash', { command: 'touch x1' }, ofTree)).toBe('ask')
})

test('what was approved in a work tree was kept for ever, for a place that will not be there again', () => {
  expect(whyNotKept('Bash(in /home/u/.local/state/offshoot/worktrees/1/sub: touch x)')).toContain('work tree')
  expect(whyNotKept("Bash(in '/home/a b/worktrees/1': touch x)")).toContain('work tree')
  expect(whyNotKept('Bash(in /w/app: ls /worktrees/)')).toBeUndefined()
})
