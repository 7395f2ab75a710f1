import { expect, test } from 'vitest'
import type { HookEntry } from './hook-config.js'
import { readHookEnd } from './hook-verdict.js'

const said = (stdout: string, more: Partial<HookEntry> = {}) =>
  readHookEnd({ event: 'PreToolUse', command: 'guard', ...more }, { code: 0, stdout, stderr: '' })

test.each([
  '{"permissionDecision":"deny","permissionDecisionReason":"no"}',
  '{"decision":"blocked","reason":"no"}',
  '{"decision":{"behavior":"deny","message":"no"}}',
  '{"hookSpecificOutput":{"hookEventName":"PreToolUse","decision":"deny"}}',
  '{"hookSpecificOutput":{"hookEventName":"PreToolUse","decision":{"behavior":"deny"}}}',
  '{"hook_specific_output":{"permission_decision":"deny"}}',
  '[{"hookSpecificOutput":{"permissionDecision":"deny"}}]',
  '[{"verdict":"deny"}]',
  'log: {"hookSpecificOutput":{"permissionDecision":"deny"}}',
  "checked: {'decision': 'block'}",
  'decision: deny',
  'DENY',
  '{"continue":"false"}',
  '{"continue":0}',
  '{"hookSpecificOutput":{"continue":false}}',
  '{"hookSpecificOutput":"{\\"permissionDecision\\":\\"deny\\"}"}',
  '{"hookSpecificOutput":{"permissionDecision":"allow"},"decision":"blocked"}',
  '{"permission":"deny"}',
  '{"allow":false}',
  '{"blocked":true}',
  '{"updatedInput":{"command":"echo safe"}}',
])('I04: a guard that said no in almost the right form was taken for silent: %s', stdout => {
  expect(said(stdout)).toMatchObject({ verdict: 'ask', reason: expect.stringContaining('cannot be read') })
  expect(said(stdout, { failClosed: false })).toMatchObject({ verdict: 'go' })
})

test.each([
  '',
  'looks {fine}',
  'no blocked words found',
  'the decision is yours; continue: as you like',
  '{"continue":true,"suppressOutput":true}',
  '{"decision":"allow"}',
  '{"permissionDecision":"allow"}',
  '{"systemMessage":"denied","reason":"deny"}',
  '{"hook_event_name":"PreToolUse","permission_mode":"default","tool_input":{"decision":"deny","continue":false}}',
])('a guard that decides nothing lets a call go on: %s', stdout => {
  expect(said(stdout)).toMatchObject({ verdict: 'go' })
  expect(said(stdout)).not.toMatchObject({ approves: true })
})

test.each(['"echo safe"', '["echo safe"]', 'null', '7'])(
  'an allow beside an input that nobody can use approved the input it was not meant for: %s',
  input => {
    const stdout = `{"hookSpecificOutput":{"permissionDecision":"allow","updatedInput":${input}}}`
    expect(said(stdout)).toMatchObject({ verdict: 'ask' })
    expect(said(stdout, { failClosed: false })).not.toMatchObject({ approves: true })
    const request = `{"hookSpecificOutput":{"decision":{"behavior":"allow","updatedInput":${input}}}}`
    expect(said(request, { event: 'PermissionRequest' })).toMatchObject({ verdict: 'ask' })
  },
)

test('a request is answered for the input that the hook names beside its allow', () => {
  const input = { command: 'echo safe' }
  const stdout = JSON.stringify({ hookSpecificOutput: { decision: { behavior: 'allow', updatedInput: input } } })
  expect(said(stdout, { event: 'PermissionRequest' })).toMatchObject({ verdict: 'go', approves: true, input })
})

test('a guard whose output was cut before its answer does not let the call go on', () => {
  const cut = { code: 0, stdout: 'xxx', stderr: '', isCut: true } as const
  expect(readHookEnd({ event: 'PreToolUse', command: 'guard' }, cut)).toMatchObject({ verdict: 'ask' })
  expect(readHookEnd({ event: 'PostToolUse', command: 'guard' }, cut)).toEqual({ verdict: 'go' })
})
