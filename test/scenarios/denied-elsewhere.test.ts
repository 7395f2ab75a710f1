/** What a tree is denied are the files that were meant when it was begun, also for a house that stands elsewhere. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { PermissionRule } from '../../src/core/agent-definition.js'
import { parsePermissionRule } from '../../src/core/permission/permission-rule.js'
import { type NodeOptions, openOffshoot } from '../../src/node.js'
import { ScriptedModel } from '../../src/testing/scripted-model.js'
import { agent } from './house.js'

let home: string
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'offshoot-elsewhere-')))
  for (const name of ['here/secrets', 'there']) mkdirSync(join(home, name), { recursive: true })
  writeFileSync(join(home, 'here/secrets/x'), 'TOP SECRET')
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

type Given = Partial<Pick<NodeOptions, 'settings' | 'agents'>>
const bySettings = (rule: string): Given => ({ settings: { permissions: { deny: [rule] } } })
const byAgent = (rule: string): Given => {
  const deny = [parsePermissionRule(rule) as PermissionRule]
  return { agents: [agent('main', { permissions: { allow: [], ask: [], deny } })] }
}

test.each<[string, string, (rule: string) => Given]>([
  ['of settings that were given', 'Read(./secrets/**)', bySettings],
  ['of settings that were given', 'Read(/secrets/**)', bySettings],
  ['of settings that were given', 'Read(secrets/**)', bySettings],
  ['of its agent', 'Read(./secrets/**)', byAgent],
])('a deny %s was lifted by going on from another directory: %s', async (_, rule, given) => {
  const file_path = join(home, 'here/secrets/x')
  const open = (name: string, more: Given) =>
    openOffshoot({
      env: { HOME: home, OFFSHOOT_HOME: join(home, 'state'), PATH: process.env.PATH },
      cwd: join(home, name),
      policy: { mode: 'bypassPermissions' },
      model: new ScriptedModel({ main: [{ calls: [{ name: 'Read', input: { file_path } }] }, 'Done.'] }),
      ...more,
    })
  const first = await open('here', given(rule))
  const run = await first.start({ prompt: 'go', description: 'it' })
  if ('refused' in run) throw new Error(run.refused)
  await run.result
  await first.close()
  const second = await open('there', {})
  const again = await second.resume(run.id, 'go')
  if ('refused' in again) throw new Error(again.refused)
  await again.result
  const answers: unknown[] = []
  for await (const { event } of again.events()) if (event.type === 'tool.ended') answers.push(event.status)
  await second.close()
  expect(answers).toEqual(['denied', 'denied'])
})
