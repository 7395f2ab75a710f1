/** A fence that came too early takes limits away, and a body that looks like front matter takes none. */
import { expect, test } from 'vitest'
import { codesOf, readAs } from './read-as.js'

const A = 'name: a\ndescription: x\n'

const behindAFence: readonly (readonly [kind: string, path: string, text: string])[] = [
  ['a fence between the keys', 'a.md', `---\n${A}---\ntools: Read\n---\nbody\n`],
  ['dots between the keys', 'a.md', `---\n${A}...\ntools: Read\n---\nbody\n`],
  ['a fence with a word between the keys', 'a.md', `---\n${A}--- x\ntools: Read\n---\nbody\n`],
  ['a fence with a comment between the keys', 'a.md', `---\n${A}--- # x\ntools: Read\n---\nbody\n`],
  ['front matter twice', 'a.md', `---\n${A}---\n\n---\ntools: Read\n---\nbody\n`],
  ['front matter twice, the second one whole', 'a.md', `---\n${A}---\n\n---\nname: a\ntools: Read\n---\nbody\n`],
  ['a fence that was never closed again', 'a.md', `---\n${A}---\ntools: Read\n\nYou help.\n`],
  [
    'a fence with a comment between a limit and its list',
    'a.md',
    `---\n${A}disallowedTools:\n--- # x\n  - Bash\n---\nbody\n`,
  ],
  ['a fence that hangs on the last of its lines', 'a.md', `---\n${A}\nt,ols: Glob, Grep---\nbody\n`],
  ['a fence behind a tab in the last of its lines', 'a.md', `---\n${A}\n-ools: Bash\t---\nbody\n`],
  ['a fence between a limit and its list', 'a.md', `---\n${A}disallowedTools:\n---\n  - Bash\n---\nbody\n`],
  [
    'a fence between permissions and their rules',
    'a.md',
    `---\n${A}---\nmodel: haiku\npermissions:\n  deny: [Bash]\n---\nbody\n`,
  ],
  [
    'a fence between permissions and half of their rules',
    'a.md',
    `---\n${A}permissions:\n  deny: [Bash]\n---\n  ask: [Write]\n---\nbody\n`,
  ],
  [
    'a fence between a limit and its list, behind a blank line and before another fence',
    'a.md',
    `---\n${A}disallowedTools:\n---\n\n  # of ours\n  - Bash(rm *)\n---\nbody\n`,
  ],
  [
    'a fence in a list that nobody closed again',
    'a.md',
    `---\n${A}disallowedTools:\n  - Own\n---\n  - Deploy\n\nbody\n`,
  ],
  ['a fence in a map of switches', 'a.md', `---\n${A}tools:\n  write: false\n---\n  bash: false\n\nbody\n`],
  [
    'a fence in a map of rules',
    'a.md',
    `---\n${A}permission:\n  bash:\n    "*": allow\n---\n    "git push *": deny\n\nbody\n`,
  ],
  [
    'a fence in a map of hooks',
    'a.md',
    `---\n${A}hooks:\n  Stop:\n    - command: x\n---\n  PreToolUse:\n    - command: y\n\nbody\n`,
  ],
  ['a fence in a budget', 'a.md', `---\n${A}budget:\n  tokens: 5000\n---\n  usd: 0.5\n\nbody\n`],
  ['a limit that hangs on a fence', 'a.md', `---\n${A}---tools: Read\n\nbody\n`],
  ['a limit behind the blank line that ends an unclosed block', 'a.md', `---\n${A}\ntools: Read\n\nYou help.\n`],
  ['a limit that is indented between fences', 'a.md', `---\n${A}---\n  tools: Read\n---\nbody\n`],
  ['a misspelt limit behind an unclosed block', 'a.md', `---\n${A}\nools: Read, Grep\nh---\nYou help.\n`],
  ['a misspelt limit between fences', 'a.md', `---\n${A}---\ntols: Read\n---\nbody\n`],
  ['keys with capitals', 'a.md', `---\nName: a\nDescription: x\n---\nTools: Read\n---\nbody\n`],
  [
    'another list of denials in a second front matter',
    'a.md',
    `---\n${A}disallowedTools: Bash\n---\n---\nname: a\ndisallowedTools: Bash, Write\n---\nbody\n`,
  ],
  [
    'a guard in a second front matter',
    'a.md',
    `---\n${A}---\n---\nname: a\nhooks:\n  PreToolUse:\n    - matcher: Bash\n---\nbody\n`,
  ],
  [
    'a limit behind a fence of TOML',
    'a.md',
    '+++\nname = "a"\ndescription = "x"\nmodel = "haiku"\n+++\ntools = ["Read"]\n+++\nbody\n',
  ],
]

test.each([
  'too=s: Read, Grep\nmodel: haiku',
  'too Read, Grep\nmodel: haiku',
  "toolZ|2['search', 'usages']",
  'model: haiku\n  tools: Read',
  'budget>: 200k tokens\nmodel: haiku',
  'get: 200k tokens\ncolor: red',
  'get 200k tokens',
  '*ools: Read\nmodel: haiku',
  'Tols: Read, Grep',
])('a limit with a slip in it between a stray fence and the other one was lost without a word: %j', lines => {
  for (const fence of ['---', '--- x', '...', '-----', ' ---']) {
    const reading = readAs('a.md', `---\n${A}${fence}\n${lines}\n---\nYou help.\n`)
    expect(reading.state, fence).toBe('quarantined')
    expect(codesOf(reading)).toContain('security-key-damaged')
  }
})

test.each(behindAFence)('%s', (_, path, text) => {
  const reading = readAs(path, text)
  const faults = reading.diagnostics.filter(each => each.severity === 'error')
  expect(reading.agents.filter(({ agent }) => agent && agent.quarantine === undefined)).toEqual([])
  expect(reading.state).toBe('quarantined')
  expect(faults[0]).toMatchObject({ file: path, line: expect.any(Number), hint: expect.stringMatching(/\w/) })
})

test.each([
  'Tools: Read, Grep\nRole: reviewer',
  'You write agents like this one:\n```yaml\ntools: Read\n```',
  'tools: use whatever gets you there, as long as it is quick',
  'steps: look, think, act and then report',
  'You help.\n\ntools: Read',
  '---\ntitle: Notes\n---\nYou help.',
  '---\nname: a\nmcp_servers: [memory]\nhooks:\n  pre: echo\n---\nYou help.',
  '# Steps\n- one\n---\nYou help.',
  'You are a reviewer of long standing.\nYou read what others write, and say so.\n---\nYou help.',
  'name: b\ndescription: y\nmodel: opus\n---\nYou help.',
  'Reviewer\n---\nYou help.',
  'Code Reviewer Agent\n------\nYou help.',
  'You review code.\n---\nYou help.',
  'Review code, quickly.\n---\nYou help.',
  '🎯 Reviewer\n---\nYou help.',
  '你是一个代码审查员。\n---\nYou help.',
  'Ты — ревьюер. Проверяешь код.\n---\nYou help.',
  '# Reviewer\n**Role:** QA lead\n**Version:** 1.2\n---\nYou help.',
  '*Last updated: today*\n---\nYou help.',
  'Version: 1.2\nOwner: team-a\n---\nYou help.',
  '<!-- generated -->\n---\nYou help.',
  '<identity>\nYou are it.\n</identity>\n---\nYou help.',
  '![badge](a.png)\n---\nYou help.',
  '@AGENTS.md\n---\nYou help.',
  '- review code\n- report bugs\n---\nYou help.',
  '1. Look at it.\n2. Say so.\n---\nYou help.',
])('a body is a body: %j', body => {
  const reading = readAs('a.md', `---\n${A}---\n${body}\n`)
  expect(reading.agents[0]?.agent?.quarantine).toBeUndefined()
  expect(reading.agents[0]?.agent?.systemPrompt).toBe(body)
})

const hooks = 'hooks:\n  PreToolUse:\n    - matcher: Bash\n      command: guard.sh\n'

test.each([
  ['disallowedTools:\n  - Bash\n', '\n  - First, look.'],
  ['disallowedTools:\n  - Bash\n', '\n  - Write'],
  ['disallowedTools:\n  - Bash\n', '  - First, look.'],
  ['disallowedTools:\n  - Bash\n', 'Never do it with\n  - Write'],
  ['disallowedTools:\n  - Bash\n', '  Note: read it first.'],
  ['permissions:\n  deny: [Bash]\n', '    answer: one'],
  [hooks, '    answer: one'],
  [hooks, '\n    command: x'],
  ['', '\n# Rules\n\n- be kind\n\nsteps: 3\n\n---\n'],
  ['', '---\n\n# Rules\n\n- be kind\n\nsteps: 3\n\n---\n'],
])('below %j a body is a body: %j', (keys, body) => {
  const agent = readAs('a.md', `---\n${A}${keys}---\n${body}\n`).agents[0]?.agent
  expect(agent?.quarantine).toBeUndefined()
  expect(agent?.systemPrompt).toBe(body.trim())
})
