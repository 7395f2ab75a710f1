/** `allowedTools` beside `tools`: what both name, and never more than either. */
import { expect, test } from 'vitest'
import { agentIn, codesOf, readAs } from './read-as.js'

const file = '.claude/agents/a.md'
const text = (block: string) => `---\nname: a\ndescription: x\n${block}\n---\nYou help.\n`

test.each([
  ['tools: Read, Grep, Bash\nallowedTools: Read, Grep', ['Read', 'Grep']],
  ['allowed-tools: [Read, Write]\ntools: [Read, Grep, Bash]', ['Read']],
  ['tools: Read, Bash\nallowedTools: Read, Bash(git *)', ['Read', 'Bash(git *)']],
  ['tools: Read, Bash(git *)\nallowed_tools: Read, Bash', ['Read', 'Bash(git *)']],
  ['tools: Read, Bash(git *)\nallowedTools: Read, Bash(npm *)', ['Read']],
  ['tools: Write, Bash\nallowedTools: Read', []],
] as const)('a file with tools and allowedTools was quarantined: %j', (block, tools) => {
  const agent = agentIn(file, text(block))
  const grants = typeof agent.tools === 'string' ? [] : agent.tools
  expect(grants.map(({ name, pattern }) => (pattern === undefined ? name : `${name}(${pattern})`))).toEqual(tools)
  expect(codesOf(readAs(file, text(block)))).toContain('permission-narrowed')
})

test('who may call others by one of two lists alone calls nobody', () => {
  expect(agentIn(file, text('tools: Read, Task\nallowedTools: Read, Grep')).canSpawn).toBe(false)
  expect(agentIn(file, text('tools: Read\nallowedTools: Read, Task')).canSpawn).toBeUndefined()
  expect(agentIn(file, text('tools: Read, Task(a, b)\nallowedTools: Read, Task(b, c)')).canSpawn).toEqual(['b'])
})

test('two lists that say the same are one', () => {
  expect(codesOf(readAs(file, text('tools: Read, Grep\nallowedTools: Read, Grep')))).toEqual([])
})

test.each([
  ['it may be what is left of disallowedTools', 'tools: Read, Bash\nallowedTools: Bash'],
  ['a pattern of what was denied', 'tools: Read, Bash\nallowedTools: Bash(rm *)'],
  ['tools that are all', 'tools: "*"\nallowedTools: Read'],
  ['switches', 'tools: {bash: false}\nallowedTools: Read'],
  ['a list that cannot be read', 'tools: Read, Ba sh(\nallowedTools: Read'],
])('allowedTools beside tools stay unclear: %s', (_, block) => {
  expect(readAs(file, text(block)).state).toBe('quarantined')
})
