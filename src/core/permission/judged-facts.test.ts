import { expect, test } from 'vitest'
import { type AskedAbout, whyVoid } from './judged-facts.js'

const asked: AskedAbout = {
  rule: 'write-asks',
  lasting: 'Edit(//p/a)',
  judged: { directory: '/p', leadsTo: { a: ['/q/a'] } },
}

test.each<[string, Partial<AskedAbout>, string | undefined]>([
  ['nothing', {}, undefined],
  ['what is written in another order', { judged: { leadsTo: { a: ['/q/a'] }, directory: '/p' } }, undefined],
  ['the directory', { judged: { ...asked.judged, directory: '/p/src' } }, 'start in /p/src now, not in /p'],
  ['where a path leads', { judged: { directory: '/p', leadsTo: { a: ['/x/a'] } } }, 'a leads to /x/a now'],
  ['a link that is gone', { judged: { directory: '/p' } }, 'a leads nowhere else now'],
  ['a new link', { judged: { directory: '/p', leadsTo: { a: ['/q/a'], b: ['/x'] } } }, 'b leads to /x now'],
  ['the server', { judged: { ...asked.judged, server: '0f1e' } }, 'the server of that name'],
  ['the agent', { judged: { ...asked.judged, agents: ['deployer'] } }, 'the agent it names is another'],
  ['the rule', { rule: 'outside-roots' }, 'outside-roots, not write-asks'],
  ['what a longer yes would keep', { lasting: false }, 'another rule'],
])('a yes and a change of %s', (_, change, words) => {
  const why = whyVoid(asked, { ...asked, ...change })
  if (words === undefined) expect(why).toBeUndefined()
  else expect(why).toContain(words)
})

test('a yes to a request of an older log, which says nothing of its place, is asked for anew', () => {
  const { judged: _, ...older } = asked
  expect(whyVoid(older, asked)).toBe('the request did not say what it was judged by')
  expect(whyVoid(older, older)).toBeUndefined()
})
