import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { bash, link, type Setting } from '../support/judging.js'

/** Command lines that must not run unasked, by what they try. One a line, so that a new find is one line more. */
const attacks = readFileSync(new URL('attacks.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map(text => JSON.parse(text) as { readonly kind: string; readonly line: string })

const plain: Setting = {}
const planning: Setting = { chain: [link({ mode: 'plan', approvalMode: 'suppress' })] }
const editing: Setting = { chain: [link({ mode: 'acceptEdits' })] }
const bypassing: Setting = { chain: [link({ mode: 'bypassPermissions' })] }
const programs =
  'git find npm tar env rg sed sort ssh cat tee cp awk xargs sh bash timeout ls make ln mv dd echo cd offshoot node rm python gcc socat'
const generous: Setting = { rules: { allow: programs.split(' ').map(name => `Bash(${name}:*)`) } }
const curl = { deny: ['Bash(curl:*)'] }

/** Each kind in every setting where it must not be allowed; the case ids are those of the attack it is a variant of. */
const kinds: { readonly [kind: string]: { readonly title: string; readonly settings: readonly Setting[] } } = {
  'denied-command': {
    title: 'D01 D03 D08 D11 a denied command is never allowed',
    settings: [
      plain,
      planning,
      { rules: { ...curl, allow: ['Bash(git status:*)', 'Bash(echo:*)'] } },
      { rules: { ...curl, allow: ['Bash'] } },
      { ...bypassing, rules: curl },
    ],
  },
  'protected-file': {
    title: 'D04 E05 what decides what runs later is not written by a command',
    settings: [plain, planning, editing, generous, bypassing],
  },
  'own-state': {
    title: 'H02 our own state is not reached by a command',
    settings: [plain, planning, editing, generous, bypassing],
  },
  'own-controls': {
    title: 'P19 nothing is approved, trusted or configured by a command',
    settings: [plain, planning, editing, generous, bypassing],
  },
  'more-than-looking': { title: 'D05 E03 more than looking, or looking elsewhere, asks', settings: [plain, planning] },
}

describe.each(Object.entries(kinds))('%s', (kind, { title, settings }) => {
  const lines = attacks.filter(attack => attack.kind === kind).map(({ line }) => line)
  test.each(lines)(`${title}: %j`, line => {
    expect(settings.map(setting => bash(line, setting))).not.toContain('allow')
  })
})

test('every attack is of a kind that is tried', () => {
  expect(new Set(attacks.map(({ kind }) => kind))).toEqual(new Set(Object.keys(kinds)))
})
