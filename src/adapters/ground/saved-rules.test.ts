import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { PermissionRule } from '../../core/agent-definition.js'
import { savedRules } from './saved-rules.js'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'offshoot-saved-'))
})
afterEach(() => rmSync(home, { recursive: true }))

const open = () => savedRules({ cwd: home, env: { OFFSHOOT_HOME: home } })
const rule = (command: string): PermissionRule => ({
  tool: 'Bash',
  pattern: command,
  text: `Bash(${command})`,
})
const texts = () =>
  open()
    .layer()
    .rules.allow.map(each => each.text)

test('a rule that was taken back came again with the next "always" of an open session', () => {
  const session = open()
  session.save(rule('a'))
  expect(open().revoke('Bash(a)')).toBe(true)
  session.save(rule('b'))
  expect(texts()).toEqual(['Bash(b)'])
  expect(open().revoke('Bash(a)')).toBe(false)
})

test('a rule that was taken back elsewhere went on counting in a session that was open', () => {
  const session = open()
  session.save(rule('a'))
  session.save(rule('b'))
  open().revoke('Bash(a)')
  open().save(rule('c'))
  session.refresh()
  expect(session.layer().rules.allow.map(each => each.text)).toEqual(['Bash(b)', 'Bash(c)'])
})

test('a rule of several lines is taken back as it is shown', () => {
  open().save(rule('a\nb'))
  expect(open().revoke('Bash(a\\u{000a}b)')).toBe(true)
  expect(texts()).toEqual([])
})

test('a file that cannot be read allows nothing, is named, and is not written over', () => {
  open().save(rule('a'))
  const { origin } = open().layer()
  writeFileSync(origin, '{oops')
  const session = open()
  expect(session.diagnostics).toMatchObject([{ file: origin, message: expect.stringContaining('does not count') }])
  session.save(rule('b'))
  expect(session.layer().rules.allow).toHaveLength(1)
  expect(readFileSync(origin, 'utf8')).toBe('{oops')
  expect(() => session.revoke('Bash(a)')).toThrow('no valid JSON')
})
