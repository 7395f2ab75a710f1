import { expect, test } from 'vitest'
import { frozenCopy, ownCopy } from './copies.js'

test('a frozen copy is frozen to its leaves, and what was given is not', () => {
  const given = { list: [{ deep: { a: 1 } }], none: undefined, nothing: null }
  const copy = frozenCopy(given)
  expect(copy).toStrictEqual(given)
  expect([copy, copy.list, copy.list[0], copy.list[0]!.deep].every(Object.isFrozen)).toBe(true)
  given.list[0]!.deep.a = 2
  expect(copy.list[0]!.deep.a).toBe(1)
})

test('an own copy of a frozen value may be changed', () => {
  const copy = ownCopy(frozenCopy({ list: [{ a: 1 }] }))
  copy.list[0]!.a = 2
  copy.list.push({ a: 3 })
  expect(copy).toEqual({ list: [{ a: 2 }, { a: 3 }] })
})

test('a key __proto__ that a model wrote stays a key, and is copied as well', () => {
  const given = JSON.parse('{"__proto__":{"path":"/etc"},"a":1}') as Record<string, { path: string }>
  const copy = frozenCopy(given)
  expect(Object.keys(copy)).toEqual(['__proto__', 'a'])
  expect(Object.getPrototypeOf(copy)).toBe(Object.prototype)
  const [own] = Object.values(copy)
  expect(own).toEqual({ path: '/etc' })
  expect(Object.isFrozen(own)).toBe(true)
  expect(Object.isFrozen(Object.values(given)[0])).toBe(false)
})

test('what is no plain data stays what it is, and what holds itself or has no floor ends', () => {
  const bytes = new Uint8Array(2)
  const date = new Date(0)
  expect(frozenCopy({ bytes, date })).toEqual({ bytes, date })
  const circle: { self?: unknown; also?: unknown } = {}
  circle.self = [circle, circle]
  circle.also = circle
  expect(frozenCopy(circle).also).toBe(circle)
  const deep = JSON.parse('['.repeat(20_000) + ']'.repeat(20_000)) as unknown
  expect(Array.isArray(frozenCopy(deep))).toBe(true)
})
