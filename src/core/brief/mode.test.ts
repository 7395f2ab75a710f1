import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PermissionMode } from '../agent-definition.js'
import {
  ceilingOf,
  isAtMost,
  modeAfter,
  modeInForce,
  modeOfLink,
  modesStrictestFirst,
  modesToSwitch,
  type SwitchedMode,
  strictestMode,
} from './mode.js'

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

const anyMode = fc.constantFrom(...modesStrictestFirst)
/** Along a chain both only get stricter, as `prepareBrief` makes it. */
const anyChain = fc
  .tuple(anyMode, anyMode, fc.array(fc.option(anyMode, { nil: undefined }), { maxLength: 4 }))
  .map(([a, b, wishes]) => {
    let link = { mode: strictestMode(a, b), ceiling: isAtMost(a, b) ? b : a }
    const chain = [link]
    for (const wish of wishes) {
      link = { mode: strictestMode(link.mode, wish), ceiling: strictestMode(link.ceiling, wish) }
      chain.push(link)
    }
    return chain
  })

test('whatever is switched in whatever order, the mode in force is never looser than the ceiling', () => {
  const step = fc.record({ mode: anyMode, isOfThisSession: fc.boolean() })
  fc.assert(
    fc.property(anyChain, fc.array(step, { minLength: 1, maxLength: 8 }), (chain, steps: readonly SwitchedMode[]) => {
      for (const switched of steps) {
        const now = modeInForce(chain, switched)
        expect(isAtMost(now, ceilingOf(chain))).toBe(true)
        expect(isAtMost(now, switched.mode)).toBe(true)
        // What another session switched only takes away.
        if (!switched.isOfThisSession) expect(isAtMost(now, modeInForce(chain, undefined))).toBe(true)
        // A child is never looser than its caller, nor than its own definition.
        for (const [i, link] of chain.entries()) {
          expect(isAtMost(modeOfLink(link, switched), link.ceiling)).toBe(true)
          const above = chain[i - 1]
          if (above) expect(isAtMost(modeOfLink(link, switched), modeOfLink(above, switched))).toBe(true)
        }
      }
    }),
  )
})

test.each([
  ['acceptEdits', ['default', 'acceptEdits', 'plan']],
  ['bypassPermissions', ['default', 'acceptEdits', 'plan', 'bypassPermissions']],
  ['default', ['default', 'plan']],
  ['dontAsk', ['plan']],
  ['plan', ['plan']],
] as const)('a person goes round the modes up to %s', (ceiling, modes) => {
  expect(modesToSwitch(ceiling)).toEqual(modes)
  const seen: PermissionMode[] = [modes[0]!]
  while (seen.length <= modes.length) seen.push(modeAfter(seen.at(-1)!, ceiling))
  expect(seen).toEqual([...modes, modes[0]])
  expect(modeAfter('dontAsk', ceiling)).toBe(modes[0])
})
