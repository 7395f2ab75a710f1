import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestWorkspace, type TestWorkspace } from '../../../test/support/tool-workspace.js'
import type { Json } from '../../core/message.js'
import { hookConfig, hookEvent, hooksIn, neverAborted } from './hooks-test.js'

let project: TestWorkspace
beforeEach(() => {
  project = createTestWorkspace()
})
afterEach(() => project.remove())

const fire = (settings: readonly Json[], event = hookEvent('pre-tool')) =>
  hooksIn(project)(settings).fire(event, neverAborted)

test.each([
  ['that may fail and has no time', { timeout: 0.0001, failClosed: false }],
  ['that may fail', { failClosed: false }],
  ['with another time', { timeout: 30 }],
])('a copy of a guard %s took its place', async (_, more) => {
  const command = 'sleep 0.05; echo x >> log; echo no >&2; exit 2'
  const guard = hookConfig('PreToolUse', command)
  const copy = hookConfig('PreToolUse', command, more)
  expect(await fire([copy, guard])).toMatchObject({ verdict: 'refuse', reason: 'no' })
  expect(await fire([guard, copy])).toMatchObject({ verdict: 'refuse', reason: 'no' })
})
