/** A guard under a name that nobody reads is no guard: whoever writes it hears of it before anything runs. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { functionHooks } from '../../src/adapters/hooks/function-hooks.js'
import { openOffshoot } from '../../src/node.js'

const home = mkdtempSync(join(tmpdir(), 'offshoot-guards-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))
const refuse = () => ({ verdict: 'refuse', reason: 'no' }) as const

test.each<[string, unknown, RegExp]>([
  ['preToolUse', { preToolUse: refuse }, /functionHooks: there is no "preToolUse" \(did you mean preTool\?\)/],
  ['PreToolUse', { PreToolUse: refuse }, /there is no "PreToolUse" \(did you mean preTool\?\)/],
  ['UserPromptSubmit', { UserPromptSubmit: refuse }, /there is no "UserPromptSubmit" \(did you mean prompt\?\)/],
  ['PermissionRequest', { PermissionRequest: refuse }, /\(did you mean permission\?\)/],
  ['SubagentStop', { SubagentStop: refuse }, /\(did you mean stop\?\)/],
  ['pre-tool', { 'pre-tool': refuse }, /\(did you mean preTool\?\)/],
  ['no function', { preTool: 'deny' }, /preTool must be a function, not "deny"/],
  ['no object', undefined, /functionHooks: must be an object, not undefined/],
])('a guard of functionHooks under the name %s was never asked, and nobody said so', (_, functions, fault) => {
  expect(() => functionHooks(functions as never)).toThrow(fault)
})

test('what is left out of functionHooks on purpose is no mistake', () => {
  const hooks = functionHooks({ preTool: undefined, stop: () => undefined } as never)
  expect(hooks.wants('stop', {} as never)).toBe(true)
  expect(hooks.wants('pre-tool', {} as never)).toBe(false)
})

test.each<[string, unknown]>([
  ['milliseconds in words', { timeoutMs: 'soon' }],
  ['a slip', { timeout: 5 }],
])('options of functionHooks with %s were passed over', (_, options) => {
  expect(() => functionHooks({ preTool: refuse }, options as never)).toThrow(/functionHooks: /)
})

const hooks = functionHooks({ preTool: refuse })
test.each<[string, unknown, RegExp]>([
  ['hook', { hook: hooks }, /openOffshoot: there is no "hook" \(did you mean hooks\?\)/],
  ['setting', { setting: { permissions: { deny: ['Bash'] } } }, /there is no "setting" \(did you mean settings\?\)/],
  ['judge, an option of createOffshoot', { judge: { judge: refuse } }, /there is no "judge"/],
  ['sandBox', { sandBox: { kind: 'bubblewrap' } }, /\(did you mean sandbox\?\)/],
  ['isbare', { isbare: true }, /\(did you mean isBare\?\)/],
  ['stor', { stor: 'memory' }, /\(did you mean store\?\)/],
  ['isBare in words', { isBare: 'no' }, /isBare must be true or false, not "no"/],
  ['trustsProject in words', { trustsProject: 'false' }, /trustsProject must be true or false, not "false"/],
  ['hooks that are none', { hooks: { preTool: refuse } }, /hooks must be an object with wants\(\) and fire\(\)/],
  ['a sandbox in a word', { sandbox: 'none' }, /sandbox must be an object/],
  [
    'a sandbox there is not',
    { sandbox: { kind: 'bwrap' } },
    /sandbox\.kind must be one of none, bubblewrap, not "bwrap"/,
  ],
  ['a sandbox with a slip', { sandbox: { kind: 'bubblewrap', netwrok: true } }, /sandbox: there is no "netwrok"/],
  ['settings in a text', { settings: '{}' }, /settings must be an object/],
  ['rules that are no function', { rules: [] }, /rules must be a function/],
  ['a policy with a slip', { policy: { maxDept: 1 } }, /openOffshoot: policy: there is no "maxDept"/],
  ['a store there is not', { store: 'redis' }, /there is no store "redis"\. Known: sqlite, jsonl, memory/],
  ['a store that is none', { store: 5 }, /store must be a RunStore or one of sqlite, jsonl, memory, not 5/],
  ['a directory that is none', { cwd: 5 }, /cwd must be a text that is not blank, not 5/],
  ['nothing at all', null, /openOffshoot: must be an object, not null/],
  ['a text', 'x', /openOffshoot: must be an object, not "x"/],
])('openOffshoot took %s without a word, and what it was to guard ran', async (_, options, fault) => {
  const env = { HOME: home, OFFSHOOT_HOME: home }
  const given =
    typeof options === 'object' && options !== null ? { cwd: home, env, store: 'memory', ...options } : options
  await expect(openOffshoot(given as never).then(house => house.close())).rejects.toThrow(fault)
})
