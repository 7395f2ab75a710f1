/** Where a rule is written by a way that leads over a link: `/home` is a link to `/data/home`, `/w/app/short` to `deep/down`. */
import { expect, test } from 'vitest'
import type { PermissionMode } from '../../src/core/agent-definition.js'
import type { Place } from '../../src/core/permission/path-policy.js'
import { bash, decide, grant, link, place } from '../support/judging.js'

const links = [
  ['/home/u', '/data/home/u'],
  ['/w/app/short', '/w/app/deep/down'],
  ['/w/app/odd', '/w/app/a [b]'],
  ['/w/linked', '/w/app'],
] as const

const realPath: Place['realPath'] = path => {
  const found = links.find(([from]) => path === from || path.startsWith(`${from}/`))
  return found ? found[1] + path.slice(found[0].length) : place.realPath(path)
}

const under = (mode: PermissionMode, more: Partial<Place> = {}) => ({
  chain: [link({ mode })],
  place: { realPath, roots: ['/w/app', '/data/home/u'], ...more },
})

const denied: readonly (readonly [rule: string, path: string])[] = [
  ['Read(~/private/**)', '/data/home/u/private/k.txt'],
  ['Read(~/private/**)', '/home/u/private/k.txt'],
  ['Read(~)', '/data/home/u/k.txt'],
  ['Read(//home/u/private/k.txt)', '/data/home/u/private/k.txt'],
  ['Read(/short/secret.txt)', 'deep/down/secret.txt'],
  ['Read(./short/*.txt)', 'deep/down/secret.txt'],
  ['Read(./{short,long}/*.txt)', 'deep/down/secret.txt'],
  ['Read(./odd/**)', 'a [b]/secret.txt'],
]

test.each(denied)('a deny that is spelled by a link holds for where it leads: %s, %s', (rule, path) => {
  const setting = { ...under('bypassPermissions'), rules: { deny: [rule] } }
  expect(decide('Read', { file_path: path }, setting)).toBe('deny')
  expect(bash(`cat "${path}"`, setting)).toBe('deny')
  expect(decide('Read', { file_path: 'deep/other.txt' }, setting)).toBe('allow')
})

test('an ask and what was taken from an agent hold over links as well', () => {
  const asking = { ...under('acceptEdits'), rules: { ask: ['Edit(./short/**)'] } }
  expect(decide('Edit', { file_path: 'deep/down/x.ts' }, asking)).toBe('ask')
  const taken = {
    ...under('bypassPermissions'),
    chain: [link({ mode: 'bypassPermissions', refusals: [grant('Read(~/private/**)')] })],
  }
  expect(decide('Read', { file_path: '/data/home/u/private/k.txt' }, taken)).toBe('deny')
})

test('a relative deny holds for a user who stands in a linked folder', () => {
  const setting = { ...under('bypassPermissions', { cwd: '/w/linked', roots: ['/w/linked'] }) }
  const rules = { deny: ['Read(./secret/**)', 'Read(hidden.txt)'] }
  expect(decide('Read', { file_path: '/w/app/secret/x' }, { ...setting, rules })).toBe('deny')
  expect(decide('Read', { file_path: '/w/app/a/hidden.txt' }, { ...setting, rules })).toBe('deny')
})

test('what allows is not carried over a link: it must cover the path as written and where it leads', () => {
  const setting = { ...under('default'), rules: { allow: ['Edit(./short/**)'] } }
  expect(decide('Edit', { file_path: 'deep/down/x.ts' }, setting)).toBe('ask')
})

test('a link in a forbidden folder is forbidden as a way, and what it leads to keeps its own path', () => {
  const setting = { ...under('bypassPermissions'), rules: { deny: ['Read(./sho*/**)'] } }
  expect(decide('Read', { file_path: 'short/x.ts' }, setting)).toBe('deny')
  expect(decide('Read', { file_path: 'deep/down/x.ts' }, setting)).toBe('allow')
})
