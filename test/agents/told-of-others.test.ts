import { chmodSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type AgentsProgram, agentsProgram } from './agents-program.js'

let program: AgentsProgram
beforeEach(() => {
  program = agentsProgram()
})
afterEach(() => program.remove())

const agent = (name: string, more = '') => `---\nname: ${name}\ndescription: does it\n${more}---\nDo it.`

test('folders of other products that are not read were passed over in silence', async () => {
  program.put('.kiro/agents/k.json', '{"name": "k", "description": "d", "prompt": "p", "tools": ["read"]}')
  program.put('.cursor/agents/c.md', agent('c'))
  program.put('.factory/droids/a b/d.md', agent('d'))
  program.put('.cursor/agents/README.md', '# What lies here')
  program.put('.github/chatmodes/m.chatmode.md', '---\ndescription: d\n---\nChat.')
  program.put('.windsurf/agents/notes.md', '# No agent')
  program.put('.claude/agents/mine.md', agent('mine'))
  const rows = [
    '.cursor/agents: 1 agent, not read from there; to take over: offshoot agents import .cursor/agents\n',
    '.factory/droids: 1 agent, not read from there; to take over: offshoot agents import .factory/droids\n',
    '.github/chatmodes: 1 agent, not read from there; to take over: offshoot agents import .github/chatmodes\n',
    '.kiro/agents: 1 agent, not read from there; to take over: offshoot agents import .kiro/agents\n',
  ]
  for (const words of [['list', '--all'], ['lint']]) expect((await program.run(...words)).out).toMatch(endOf(rows))
  for (const words of [['list'], ['lint', '.claude']])
    expect((await program.run(...words)).out).not.toContain('not read from there')
  for (const words of [
    ['list', '--all', '--json'],
    ['lint', '--json'],
  ]) {
    const { unread } = JSON.parse((await program.run(...words)).out)
    expect(unread.map((each: { agents: number }) => each.agents)).toEqual([1, 1, 1, 1])
  }
  expect((await program.run('lint', '--strict')).code).toBe(0)
})

const endOf = (rows: readonly string[]) => new RegExp(`${rows.join('').replaceAll('.', '\\.')}$`)

test('the sums of lint did not add up: warnings between files were in none, and its JSON counted other agents', async () => {
  program.put('in/agents/a.md', agent('a'))
  program.put('in/agents/deep/a.md', agent('a'))
  program.put('in/agents/c.json', '{"name": "c",')
  const { out } = await program.run('lint', 'in')
  expect(out).toContain(
    '3 agents in 3 files: 2 sound, 0 with warnings, 1 quarantined; 0 files are no agents; 1 warning about more than one file or a folder\n',
  )
  const { summary, diagnostics } = JSON.parse((await program.run('lint', 'in', '--json')).out)
  expect(summary).toMatchObject({ agents: 3, agentStates: { loaded: 2, warned: 0, quarantined: 1 }, files: 3 })
  expect(diagnostics).toHaveLength(1)
})

test('the hint for a base that is there and quarantined was to correct its name; that of one level was said twice', async () => {
  program.put('in/agents/base.md', agent('base', 'tols: Read\n'))
  program.put('in/agents/heir.md', agent('heir', 'extends: base\n'))
  program.put('in/agents/one.md', agent('one', 'extends: Explore\n'))
  program.put('in/agents/two.md', agent('two', 'extends: one\n'))
  const { out } = await program.run('lint', 'in')
  expect(out).toMatch(/heir\.md.* \[extends-unknown\]\n {2}mend that agent first: /)
  expect(out).toMatch(/two\.md.*one level is the limit \[extends-depth\]\n {2}extend that other one itself\n/)
})

test('of a file of one’s own that others can write to, list and explain sent to trust, which has nothing to say of it', async () => {
  chmodSync(program.put('home/.claude/agents/open.md', agent('open')), 0o666)
  program.put('.claude/agents/theirs.md', agent('theirs'))
  const { err } = await program.run('list')
  expect(err).toMatch(/^1 of your own not trusted: others can write to .*chmod go-w/)
  expect(err).toMatch(/\n1 not trusted yet: /)
  expect((await program.run('list', '--all')).out).toMatch(/^open .* untrusted: others can write to .*chmod go-w/m)
  expect((await program.run('explain', 'open')).err).toMatch(/^It is yours, and others can write to .*chmod go-w/m)
  expect((await program.run('explain', 'theirs')).err).toContain('`offshoot trust`')
})
