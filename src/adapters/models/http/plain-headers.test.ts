import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PlainHeaders } from './plain-headers.js'

const name = fc.oneof(fc.stringMatching(/^[A-Za-z-]{1,6}$/), fc.constantFrom('Cookie', 'cookie'))
const value = fc.stringMatching(/^[ a-z,;=]{0,8}$/)
const step = fc.oneof(
  fc.record({ do: fc.constant('set' as const), name, value }),
  fc.record({ do: fc.constant('append' as const), name, value }),
  fc.record({ do: fc.constant('delete' as const), name, value }),
)

test('whatever is set, appended and deleted: it reads as Node’s own Headers do', () => {
  fc.assert(
    fc.property(fc.dictionary(name, value), fc.array(step, { maxLength: 12 }), (init, steps) => {
      const ours = new PlainHeaders(init)
      const nodes = new Headers(init)
      for (const each of steps) {
        ours[each.do](each.name, each.value)
        nodes[each.do](each.name, each.value)
        expect([ours.get(each.name), ours.has(each.name)]).toEqual([nodes.get(each.name), nodes.has(each.name)])
      }
      expect([...ours]).toEqual([...nodes])
      expect([...ours.keys()]).toEqual([...nodes.keys()])
      expect([...ours.values()]).toEqual([...nodes.values()])
    }),
    { numRuns: 500 },
  )
})

test('from pairs, from another one, and into what Node makes of them', () => {
  const ours = new PlainHeaders([
    ['B', '2'],
    ['a', '1'],
  ])
  expect(Object.fromEntries(new PlainHeaders(new Headers({ X: 'y' })))).toEqual({ x: 'y' })
  expect(new Response('', { headers: ours as unknown as Headers }).headers.get('b')).toBe('2')
  const seen: string[] = []
  ours.forEach((text, key) => void seen.push(`${key}=${text}`))
  expect(seen).toEqual(['a=1', 'b=2'])
})
