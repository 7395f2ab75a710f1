/** What the commands say of agents that name one another, and where they put new ones. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { projectAgents } from '../../src/apps/cli/agents/project-folder.js'
import { agentsLost } from '../../src/apps/session/agents-lost.js'
import type { AgentDefinition } from '../../src/core/agent-definition.js'
import { createCatalog } from '../../src/core/catalog/catalog.js'
import { type AgentsProgram, agentsProgram } from './agents-program.js'

let program: AgentsProgram
beforeEach(() => {
  program = agentsProgram()
})
afterEach(() => program.remove())

const file = (name: string, lines: string) =>
  `---\nname: ${name}\ndescription: Does ${name}.\n${lines}\n---\nYou do it.\n`

test('a slip in the name of an agent that may be called was no matter to lint', async () => {
  program.put('home/.claude/agents/reviewer.md', file('reviewer', 'tools: Read'))
  program.put('home/.claude/agents/boss.md', file('boss', 'tools: Read, Task(reveiwer, reviewer)'))
  program.put('home/.claude/agents/lead.md', file('lead', 'canSpawn: [somebody-elsewhere, "release-*"]'))
  const { out, code } = await program.run('lint', '--all')
  expect(code).toBe(0)
  expect(out).toMatch(/boss\.md:1 warning .*"reveiwer".* \[delegate-misspelled\]\n +did you mean "reviewer"\?/)
  expect(out).toMatch(/lead\.md:1 info .*"somebody-elsewhere"/)
  expect(out).not.toContain('"release-')
  expect(out).not.toContain('may call "reviewer"')
})

test('explain said that a file does not list what the agent it extends took away', async () => {
  program.put('home/.claude/agents/base.md', file('base', 'tools: Read\nmaxTurns: 10\ntimeout: 60'))
  program.put(
    'home/.claude/agents/child.md',
    file('child', 'extends: base\ntools: Read, Write\nmaxTurns: 20\ntimeout: 2m'),
  )
  const { out } = await program.run('explain', 'child')
  expect(out).toMatch(/✗ +Write +extends-widened +its file lists it, and "base", which it extends, does not have it/)
  expect(out).toMatch(/✗ +Bash +not-in-definition/)
  expect(out).toMatch(/extends +base narrowed +extends-widened +sets maxTurns 20/)
  expect(out).toMatch(/extends +base narrowed +extends-widened +sets a timeout of 120 s/)
})

test('importing a folder in part was a wrong use, and had no sum', async () => {
  program.put('theirs/agents/good.md', file('good', 'tools: Read'))
  program.put('theirs/agents/bad.md', file('bad', 'tools: "Read'))
  program.put('theirs/agents/main.md', file('Explore', 'tools: Read'))
  const { out, err, code } = await program.run('import', 'theirs')
  expect({ out, code }).toEqual({ out: '.offshoot/agents/good.md\n', code: 1 })
  expect(err).toContain('1 agent imported; 2 files left out, or in part')
})

test('a new agent of a project went to whatever directory one stood in', () => {
  const { root, put } = program
  mkdirSync(join(root, 'packages/web/src'), { recursive: true })
  expect(projectAgents(join(root, 'packages/web/src'))).toBe(join(root, '.offshoot/agents'))
  put('packages/web/.offshoot/agents/a.md', file('a', 'tools: Read'))
  expect(projectAgents(join(root, 'packages/web/src'))).toBe(join(root, 'packages/web/.offshoot/agents'))
})

test('an agent that broke while a session went on was gone without a word', () => {
  const agent = (given: Partial<AgentDefinition>): AgentDefinition => ({
    ...{ name: 'own', description: 'x', systemPrompt: 'y', tools: 'all' },
    source: { scope: 'user', isTrusted: true, path: '/a/own.md' },
    ...given,
  })
  const catalog = (given: Partial<AgentDefinition>) => createCatalog([agent(given), agent({ name: 'other' })])
  const broken = catalog({ quarantine: 'a limit is damaged', tools: [] })
  const untrusted = catalog({ source: { scope: 'project', isTrusted: false, path: '/a/own.md' } })
  expect(agentsLost(catalog({}), broken)).toEqual(['Agent "own" will not run: a limit is damaged (/a/own.md)'])
  expect(agentsLost(catalog({}), untrusted)).toEqual([
    'Agent "own" has changed, and nobody trusts it as it is now (/a/own.md): offshoot trust',
  ])
  expect(agentsLost(broken, catalog({}))).toEqual(['Agent "own" can be used again (/a/own.md)'])
  expect(agentsLost(catalog({}), catalog({ description: 'changed' }))).toEqual([])
  expect(agentsLost(catalog({}), createCatalog([]))).toEqual([])
})
