/** What a rule keeps from being read comes into no prompt and no answer by another door. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { parsePermissionRules } from '../../src/core/permission/permission-rule.js'
import { called, createNodeStage, handed, type NodeStage, ownAgent } from '../support/node-story.js'

let stage: NodeStage
beforeEach(() => {
  stage = createNodeStage()
})
afterEach(() => stage.close())

const deny = (...rules: string[]) => ({ settings: { permissions: { deny: rules } } })
const rule = 'Read(./private/**)'

test('AGENTS.md imported a file into every prompt that a rule denies to read', async () => {
  stage.write('project/private/plan.md', 'SECRET-PLAN')
  stage.write('project/inner.md', 'Inner. @private/plan.md')
  stage.write('project/open.md', 'OPEN-TEXT')
  stage.write('project/AGENTS.md', 'See @private/plan.md, @inner.md and @open.md.')
  const script = { main: [handed({ subagent_type: 'worker' }), 'done'], worker: ['ok'] }
  const { model, house } = await stage.tell(script, { ...deny(rule), agents: [ownAgent('worker')] })
  for (const agent of ['main', 'worker']) {
    const { system } = model.requestsOf(agent)[0]!.declared
    expect(system).not.toContain('SECRET-PLAN')
    expect(system).toContain(`@private/plan.md [left out: the rule ${rule} denies reading it]`)
    expect(system).toContain('OPEN-TEXT')
    const [run] = await house.list({ agent })
    const reasons = (await house.run(run!.runId).brief())?.reasons
    expect(reasons).toContainEqual(
      expect.objectContaining({
        about: 'prompt',
        subject: `${stage.project}/private/plan.md`,
        verdict: 'left out',
        rule,
      }),
    )
  }
})

test('a caller that may not read a file had its child read it by an import', async () => {
  stage.write('project/private/plan.md', 'SECRET-PLAN')
  stage.write('project/AGENTS.md', 'See @private/plan.md.')
  const permissions = { allow: [], ask: [], deny: parsePermissionRules({ deny: [rule] }).rules.deny }
  const agents = [ownAgent('boss', { permissions, canSpawn: true }), ownAgent('worker')]
  const script = {
    main: [handed({ subagent_type: 'boss' }), 'done'],
    boss: [handed({ subagent_type: 'worker' }), 'done'],
    worker: ['ok'],
  }
  const { model } = await stage.tell(script, { agents })
  const isTold = (agent: string) => model.requestsOf(agent)[0]!.declared.system.includes('SECRET-PLAN')
  expect(['main', 'boss', 'worker'].map(isTold)).toEqual([true, false, false])
})

test('an agent without Read is still told what instructions import', async () => {
  stage.write('project/open.md', 'OPEN-TEXT')
  stage.write('project/AGENTS.md', 'See @open.md.')
  const agents = [ownAgent('worker', { disallowedTools: [{ name: 'Read' }] })]
  const { model } = await stage.tell({ worker: ['ok'] }, { agents }, 'worker')
  expect(model.requestsOf('worker')[0]!.declared.system).toContain('OPEN-TEXT')
})

test('Skill showed a file beside a skill that a rule denies to read', async () => {
  stage.write('.claude/skills/s/SKILL.md', '---\nname: s\ndescription: d\n---\nBODY')
  const notes = stage.write('.claude/skills/s/notes.md', 'SKILL-NOTE')
  stage.write('.claude/skills/s/open.md', 'OPEN-NOTE')
  const show = (file: string) => called('Skill', { skill: 's', file })
  const { answers } = await stage.tell({ main: [show('notes.md'), show('open.md'), 'done'] }, deny(`Read(/${notes})`))
  expect(answers[0]).toContain(`Read(/${notes})`)
  expect(answers[0]).not.toContain('SKILL-NOTE')
  expect(answers[1]).toContain('OPEN-NOTE')
})

test('a skill that a rule denies was loaded from the start where a definition names it', async () => {
  stage.write('.claude/skills/s/SKILL.md', '---\nname: s\ndescription: d\n---\nSKILL-BODY')
  stage.write('.claude/skills/t/SKILL.md', '---\nname: t\ndescription: d\n---\nOTHER-BODY')
  const agents = [ownAgent('worker', { skills: ['s', 't'] })]
  const { model, house } = await stage.tell({ worker: ['ok'] }, { ...deny('Skill(s)'), agents }, 'worker')
  const opening = JSON.stringify(model.requestsOf('worker')[0]!.messages)
  expect(opening).not.toContain('SKILL-BODY')
  expect(opening).toContain('OTHER-BODY')
  const [run] = await house.list({ agent: 'worker' })
  const reasons = (await house.run(run!.runId).brief())?.reasons
  expect(reasons).toContainEqual(expect.objectContaining({ subject: 's', verdict: 'left out', rule: 'Skill(s)' }))
})
