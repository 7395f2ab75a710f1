import { mkdirSync, symlinkSync } from 'node:fs'
import { expect, test } from 'vitest'
import { freshWorkspace } from '../../../test/support/fresh-workspace.js'
import { createTestRun, textOf } from '../../../test/support/tool-workspace.js'
import { loadSkills } from '../sources/skills.js'
import { memoryTrustStore } from '../sources/trust.js'
import { createSkillTool, skillParts } from './skill.js'

const project = freshWorkspace()
const home = freshWorkspace()
const trusting = { isTrusted: () => true }
const load = (trust: Parameters<typeof loadSkills>[0]['trust'] = trusting) =>
  loadSkills({ projectDir: project.root, home: home.root, configDir: home.path('.config/offshoot'), trust })
const skill = (name: string, body = `The ${name} way.`) =>
  `---\nname: ${name}\ndescription: About ${name}\n---\n${body}\n`

test('skills come from every folder, nearest first; a second one of a name is said', async () => {
  project.write('.offshoot/skills/a/SKILL.md', skill('a', 'ours'))
  project.write('.claude/skills/a/SKILL.md', skill('a', 'theirs'))
  project.write('.claude/skills/group/b/SKILL.md', skill('b'))
  project.write('.agents/skills/c/SKILL.md', skill('c'))
  home.write('.claude/skills/d/SKILL.md', skill('d'))
  home.write('.config/offshoot/skills/e/SKILL.md', skill('e'))
  const { skills, diagnostics } = await load()
  expect(skills.map(({ name, scope }) => `${scope} ${name}`)).toEqual([
    'project a',
    'project b',
    'project c',
    'user e',
    'user d',
  ])
  expect(skills[0]?.body).toBe('ours')
  expect(diagnostics.map(({ code }) => code)).toEqual(['skill-twice'])
})

test('many skills of a project crowded out the user’s, and nothing said so', async () => {
  for (let index = 0; index < 510; index++) project.write(`.claude/skills/s${index}/SKILL.md`, skill(`s${index}`))
  home.write('.claude/skills/own/SKILL.md', skill('own'))
  const { skills, diagnostics } = await load()
  expect(skills.map(({ name }) => name)).toContain('own')
  expect(diagnostics.find(({ code }) => code === 'skills-many')?.message).toContain('10 of 510')
})

test('A06: a project’s skill needs trust for its content; a user’s does not', async () => {
  project.write('.claude/skills/a/SKILL.md', skill('a'))
  home.write('.claude/skills/b/SKILL.md', skill('b'))
  const trust = memoryTrustStore()
  const first = await load(trust)
  expect(first.skills.map(({ name }) => name)).toEqual(['b'])
  expect(first.diagnostics[0]?.code).toBe('skill-untrusted')
  trust.trust(project.root, [first.files[0]!.hash])
  expect((await load(trust)).skills.map(({ name }) => name)).toEqual(['a', 'b'])
})

test('a link out of the project and a huge file are left out and named', async () => {
  home.write('elsewhere/SKILL.md', skill('evil'))
  mkdirSync(project.path('.claude/skills'), { recursive: true })
  symlinkSync(home.path('elsewhere'), project.path('.claude/skills/evil'))
  project.write('.claude/skills/big/SKILL.md', 'x'.repeat(600_000))
  const { skills, diagnostics } = await load()
  expect(skills).toEqual([])
  expect(diagnostics.map(({ code }) => code)).toEqual(['skill-file-too-large', 'skill-file-outside'])
})

test('the tool lists, loads with arguments, and reads supporting files inside the skill only', async () => {
  project.write('.claude/skills/ship/SKILL.md', skill('ship', 'Ship $1. See ${CLAUDE_SKILL_DIR}.'))
  project.write('.claude/skills/ship/docs/steps.md', 'one, two')
  project.write('.claude/skills/ship/.env', 'SECRET=1')
  const { skills } = await load()
  const tool = createSkillTool(skills)!
  expect(tool.spec.description).toContain('- ship: About ship')
  const call = (input: object) => createTestRun(project.root).call(tool, input)
  const loaded = textOf(await call({ skill: 'ship', args: 'prod' }))
  expect(loaded).toContain(`Ship prod. See ${project.path('.claude/skills/ship')}.`)
  expect(loaded).toContain('docs/steps.md')
  expect(textOf(await call({ skill: 'ship', file: 'docs/steps.md' }))).toBe('one, two')
  for (const file of ['../../../package.json', '/etc/passwd', '.env', 'none.md'])
    expect(await call({ skill: 'ship', file })).toMatchObject({ isError: true })
  expect(textOf(await call({ skill: 'shop' }))).toContain('Did you mean ship?')
})

test('without skills there is no tool; a preload that is missing leaves a trace', async () => {
  expect(createSkillTool([])).toBeUndefined()
  expect(skillParts({ skills: ['gone'] }, [])).toEqual([{ kind: 'skill', origin: 'gone', text: '' }])
  expect(skillParts({}, [])).toEqual([])
})
