import { expect, test } from 'vitest'
import { hookConfig, hookEvent, hooksIn, neverAborted, prints } from '../../../test/support/command-hooks.js'
import { freshWorkspace } from '../../../test/support/fresh-workspace.js'
import type { Json } from '../../core/message.js'

const project = freshWorkspace()

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

test('the answer of a guard behind 256 KiB of other output was lost, and the call went on', async () => {
  const noise = `head -c 300000 /dev/zero | tr '\\0' 'x' | fold -w 100; echo`
  const deny = prints({ hookSpecificOutput: { permissionDecision: 'deny' } })
  expect(await fire([hookConfig('PreToolUse', `${noise}\n${deny}`)])).toMatchObject({ verdict: 'ask' })
})

test('the answer of a guard came after its shell had ended, and the guard was taken for silent', async () => {
  const deny = prints({ hookSpecificOutput: { permissionDecision: 'deny' } })
  const late = `(sleep 0.3; ${deny}\n) & exit 0`
  expect(await fire([hookConfig('PreToolUse', late)])).toMatchObject({ verdict: 'refuse' })
})

test('a guard that leaves a process holding its output, and no answer, is not taken for silent, nor waited for until its time is over', async () => {
  expect(await fire([hookConfig('PreToolUse', 'sleep 60 & exit 0')])).toMatchObject({
    verdict: 'ask',
    reason: expect.stringContaining('still held its stdout'),
  })
  const owed = hookConfig('PreToolUse', 'sleep 60 & exit 0', { timeout: 0.3 })
  expect(await fire([owed])).toMatchObject({ verdict: 'refuse', reason: expect.stringContaining('within 0.3 s') })
  const answered = `sleep 60 & ${prints({ hookSpecificOutput: { permissionDecision: 'allow' } })}`
  expect(await fire([hookConfig('PreToolUse', answered)])).toMatchObject({ verdict: 'go', approves: true })
})

const allowing = (input: object) =>
  prints({ hookSpecificOutput: { decision: { behavior: 'allow', updatedInput: input } } })

test('a hook that answers a request for another input is heard by the others, and one that denies it denies', async () => {
  const safe = { command: 'echo safe' }
  const request = hookEvent('permission')
  const allow = hookConfig('PermissionRequest', allowing(safe))
  expect(await fire([allow], request)).toMatchObject({ verdict: 'go', approves: true, input: safe })
  const guard = hookConfig('PermissionRequest', 'case "$(cat)" in *safe*) echo no >&2; exit 2;; esac')
  expect(await fire([allow, guard], request)).toMatchObject({ verdict: 'refuse', reason: 'no' })
})

test('a matcher on an event that has nothing to match turned the hook off', async () => {
  const root = { ...hookEvent('start').brief, agent: 'main', path: ['main'], depth: 0 }
  const no = 'echo no >&2; exit 2'
  const on = (event: 'UserPromptSubmit' | 'Stop', matcher = 'main') => hookConfig(event, no, {}, matcher)
  expect(await fire([on('UserPromptSubmit')], hookEvent('start', { brief: root }))).toMatchObject({ verdict: 'refuse' })
  expect(await fire([on('Stop')], hookEvent('stop', { brief: root }))).toMatchObject({ verdict: 'send-back' })
  const own = { ...hookEvent('stop').brief, hooks: on('Stop', 'Other') }
  expect(hooksIn(project)([]).wants('stop', own)).toBe(true)
  expect(await fire([], hookEvent('stop', { brief: own }))).toMatchObject({ verdict: 'send-back' })
})

test.each([
  ['SessionStart', 'start', 'startup', 'resume'],
  ['SessionEnd', 'session-end', 'other', 'quit'],
  ['PreCompact', 'pre-compact', 'auto', 'manual'],
] as const)('a matcher of %s is held against what its hook reads', async (name, point, fits, other) => {
  const event = hookEvent(point, { brief: { ...hookEvent(point).brief, depth: 0 } })
  const log = (matcher: string) => hookConfig(name, `echo ${matcher} >> log`, {}, matcher)
  await fire([log(fits), log(other)], event)
  expect(project.text('log')).toBe(`${fits}\n`)
})
