import { expect, test } from 'vitest'
import { modesStrictestFirst, strictestMode } from './mode.js'

test('a child without a mode of its own has its caller’s', () => {
  for (const caller of modesStrictestFirst) expect(strictestMode(caller, undefined)).toBe(caller)
})

test('of two modes the stricter holds, whichever side it comes from', () => {
  for (const [strict, stricter] of modesStrictestFirst.entries())
    for (const [loose, looser] of modesStrictestFirst.entries()) {
      if (strict > loose) continue
      expect(strictestMode(stricter, looser)).toBe(stricter)
      expect(strictestMode(looser, stricter)).toBe(stricter)
    }
})

test.each([
  ['plan', 'bypassPermissions', 'plan'],
  ['default', 'bypassPermissions', 'default'],
  ['acceptEdits', 'default', 'default'],
  ['bypassPermissions', 'plan', 'plan'],
  ['dontAsk', 'default', 'dontAsk'],
] as const)('B05 %s calling an agent that wants %s gives %s', (caller, own, expected) => {
  expect(strictestMode(caller, own)).toBe(expected)
})
