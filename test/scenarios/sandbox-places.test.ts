/** A folder that a sandbox leaves open is the one that was meant when it was given, wherever the tree goes on. */
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findBubblewrap } from '../../src/adapters/sandboxes/bubblewrap-test.js'
import { type NodeOptions, openOffshoot } from '../../src/node.js'
import { ScriptedModel } from '../../src/testing/scripted-model.js'

let home: string
const started = process.cwd()
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'offshoot-places-')))
  for (const name of ['here/project', 'here/beside', 'there/project', 'there/beside'])
    mkdirSync(join(home, name), { recursive: true })
})
afterEach(() => {
  process.chdir(started)
  rmSync(home, { recursive: true, force: true })
})

const touch = () => ({
  calls: ['here', 'there'].map(place => ({
    name: 'Bash',
    input: { command: `touch ${join(home, place, 'beside/made')}`, description: 'it' },
  })),
})
const open = (more: Partial<NodeOptions>) =>
  openOffshoot({
    env: { HOME: home, OFFSHOOT_HOME: join(home, 'state'), PATH: process.env.PATH },
    cwd: join(home, 'here/project'),
    policy: { mode: 'bypassPermissions' },
    ...more,
  })
const made = () => ['here', 'there'].map(place => existsSync(join(home, place, 'beside/made')))

test.skipIf(findBubblewrap() === undefined)(
  'a folder that a sandbox left open was another one when the run went on from elsewhere',
  async () => {
    process.chdir(join(home, 'here/project'))
    const sandbox = { kind: 'bubblewrap', writable: ['../beside'] } as const
    const first = await open({ sandbox, model: new ScriptedModel({ main: [touch(), 'Done.'] }) })
    const run = await first.start({ prompt: 'go', description: 'it' })
    if ('refused' in run) throw new Error(run.refused)
    await run.result
    await first.close()
    expect(made()).toEqual([true, false])
    rmSync(join(home, 'here/beside/made'))
    process.chdir(join(home, 'there/project'))
    const second = await open({ model: new ScriptedModel({ main: [touch(), 'Done.'] }) })
    const again = await second.resume(run.id, 'go')
    if ('refused' in again) throw new Error(again.refused)
    await again.result
    await second.close()
    expect(made()).toEqual([true, false])
  },
)
