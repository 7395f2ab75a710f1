/** Programs that wait for a run which itself only waits for an answer. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundleTo } from '../support/bundle.js'

const folder = mkdtempSync(join(tmpdir(), 'offshoot-alive-'))
const program = join(folder, 'host.mjs')
beforeAll(async () => {
  symlinkSync(resolve(import.meta.dirname, '../../node_modules'), join(folder, 'node_modules'))
  await bundleTo(program, source)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Nothing but what waits may keep it alive: its own timer does not. */
const source = `
import { createOffshoot } from './src/offshoot.js'
import { ScriptedModel } from './src/testing/scripted-model.js'

const offshoot = createOffshoot({
  model: new ScriptedModel({ main: [{ calls: [{ name: 'Order' }] }, 'ordered'] }),
  tools: [{
    spec: { name: 'Order', description: 'o', inputSchema: { type: 'object' }, effect: 'write' },
    run: async () => ({ content: 'done' }),
  }],
  judge: { judge: () => ({ decision: 'ask', rule: 'orders', reason: 'money' }) },
  approver: { isListening: () => true, present: () => () => {} },
  policy: { defaultModel: 'scripted/model' },
})
const run = await offshoot.start({ prompt: 'p', description: 'd' })
if ('refused' in run) throw new Error(run.refused)
const how = process.argv[2]
setTimeout(() => {
  if (how === 'close') void offshoot.close()
  else void offshoot.approvals.answer(offshoot.approvals.open()[0]!.approvalId, { verdict: 'allow' })
}, 300).unref()
if (how === 'events') for await (const { event } of run.events()) if (event.type === 'run.ended') console.log(event.result.outcome)
if (how === 'nobody') process.exitCode = 0
else if (how !== 'events') console.log((await run.result).outcome)
`

test.each([
  ['result', 'completed\n'],
  ['events', 'completed\n'],
  ['close', 'cancelled\n'],
  ['nobody', ''],
])('a program that awaits a run with an open approval exited with 13 (%s)', (how, said) => {
  const { stdout, stderr, status } = spawnSync(process.execPath, [program, how], { encoding: 'utf8', timeout: 20_000 })
  expect({ stdout, stderr, status }).toEqual({ stdout: said, stderr: '', status: 0 })
})
