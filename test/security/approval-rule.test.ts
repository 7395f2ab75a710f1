import { expect, test } from 'vitest'
import { approvalRule } from '../../src/core/approval-rule.js'
import { parsePermissionRule } from '../../src/core/permission-rule.js'
import { callOf, decide, grammar, judge, place } from '../support/judging.js'

const ruleFor = (tool: string, input: object) => approvalRule(callOf(tool, input), { place, grammar })
const withRule = (tool: string, input: object, rule = ruleFor(tool, input)) => ({
  layers: [{ scope: 'session' as const, origin: 'session', rules: { allow: rule ? [rule] : [], ask: [], deny: [] } }],
})

test.each([
  ['Bash', { command: 'npm test' }, 'Bash(npm test)'],
  ['Bash', { command: 'rm *.log && echo "a b" > ../x' }, 'Bash(rm \\*.log && echo "a b" > ../x)'],
  ['Bash', { command: 'eval "$X"' }, 'Bash(eval "$X")'],
  ['Write', { file_path: 'src/a.ts' }, 'Edit(//w/app/src/a.ts)'],
  ['Read', { file_path: '/etc/hosts' }, 'Read(//etc/hosts)'],
  ['Write', { file_path: 'src/[id]/{a,b}.ts' }, 'Edit(//w/app/src/\\[id\\]/\\{a,b\\}.ts)'],
  ['WebFetch', { url: 'https://docs.test/x' }, 'WebFetch(domain:docs.test)'],
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
