/** An agent file that changes while a house is open counts from then on. */
import { rmSync } from 'node:fs'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { called, createNodeStage, handed, type NodeStage } from '../support/node-story.js'

let stage: NodeStage
beforeEach(() => {
  stage = createNodeStage()
})
afterEach(() => stage.close())

const file = '.claude/agents/worker.md'
const written = (tools: string) => `---\nname: worker\ndescription: Works.\ntools: ${tools}\n---\nYou work.\n`
const patience = { timeout: 10_000, interval: 50 }

test('a child was resumed with tools that its file no longer gave it: a library heard of no change to agent files', async () => {
  const path = stage.write(file, written('Read, LS'))
  const script = { main: [handed({ subagent_type: 'worker' }), 'done'], worker: ['first', called('LS'), 'second'] }
  const { house, ends } = await stage.open(script)
  const run = await house.start({ agent: 'worker', prompt: 'Go.', description: 'a story' })
  if ('refused' in run) throw new Error(run.refused)
  await run.result
  stage.write(file, written('Read'))
  const tools = () => house.catalog().find('worker')?.tools
  await vi.waitFor(() => expect(tools()).toEqual([{ name: 'Read' }]), patience)
  const again = await house.resume(run.id, 'go on')
  if ('refused' in again) throw new Error(again.refused)
  await again.result
  expect(ends).toEqual([expect.stringMatching(/^worker LS: denied/)])
  rmSync(path)
  await vi.waitFor(() => expect(tools()).toBeUndefined(), patience)
  expect(await house.resume(run.id, 'once more')).toMatchObject({ rule: 'unknown-agent' })
})
