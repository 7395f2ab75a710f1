/** A flag that trusts a project trusts what lay there at the start: whatever a run puts there later is not its word. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createNodeStage, type NodeStage } from '../support/node-story.js'

let stage: NodeStage
beforeEach(() => {
  stage = createNodeStage()
})
afterEach(() => stage.close())

const written = (name: string, tools: string) =>
  `---\nname: ${name}\ndescription: Works.\ntools: ${tools}\n---\nYou work.\n`
const patience = { timeout: 10_000, interval: 50 }

test('an agent file that a run wrote into a project trusted by a flag was trusted with it, hooks and servers included', async () => {
  stage.write('project/.claude/agents/worker.md', written('worker', 'Read'))
  const { house } = await stage.open({ main: ['done'] }, { trustsProject: true })
  const trusted = (name: string) => house.catalog().find(name)?.source.isTrusted
  expect(trusted('worker')).toBe(true)
  stage.write('project/.claude/agents/worker.md', written('worker', 'Read, Bash'))
  stage.write('project/.claude/agents/late.md', written('late', 'Bash'))
  await vi.waitFor(() => expect(house.catalog().find('late')).toBeDefined(), patience)
  expect([trusted('worker'), trusted('late')]).toEqual([false, false])
  const task = { agent: 'late', prompt: 'Go.', description: 'a story' }
  expect(await house.start(task)).toMatchObject({ rule: 'agent-untrusted' })
  // As it was, it is what the flag spoke for.
  stage.write('project/.claude/agents/worker.md', written('worker', 'Read'))
  await vi.waitFor(() => expect(trusted('worker')).toBe(true), patience)
})
