/** What servers do while a house is open, for the people of it. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openOffshoot } from '../../src/node.js'
import { ScriptedModel } from '../../src/testing/scripted-model.js'
import { mcpPlace } from './place.js'
import { odd } from './servers.js'

const place = mcpPlace()

test('a tool that changed while a conversation was open was gone for its children, and nobody was told', async () => {
  const { root } = place.folder
  const flag = join(root, 'changed')
  const told: string[] = []
  const model = new ScriptedModel({
    main: [
      () => {
        writeFileSync(flag, '')
        return { calls: [{ name: 'mcp__own__echo', input: { announce: true } }] }
      },
      'Done.',
    ],
  })
  const house = await openOffshoot({
    env: { HOME: root, OFFSHOOT_HOME: join(root, 'state'), PATH: process.env.PATH },
    cwd: root,
    store: 'memory',
    model,
    settings: { mcpServers: { own: odd('rug', flag) }, permissions: { allow: ['mcp__own__*'] } },
    onError: error => void told.push(String((error as Error).message)),
  })
  place.closeLater(() => house.close())
  const run = await house.start({ agent: 'main', prompt: 'go', description: 'go' })
  if ('refused' in run) throw new Error(run.refused)
  await run.result
  await expect
    .poll(() => told)
    .toEqual([
      'mcp__own__echo is not what it was when the server was let in; look at it, then: offshoot mcp approve own',
    ])
})

test('a call that failed at a server was told to people as "failed", without why', async () => {
  const hub = await place.loaded({ own: odd() })
  const output = await place.call(hub.tools().find(({ spec }) => spec.name === 'mcp__own__die')!)
  expect(output.summary).toBe('it ended with exit code 1; it said: I cannot go on')
})
