/** Where each command of `cd web && npm test && cd ..` stands. */
import { expect, test } from 'vitest'
import { bash, link, place } from '../support/judging.js'

const tests = { rules: { allow: ['Bash(npm test:*)', 'Bash(make:*)'] } }

test.each([
  'cd web && ls && cd ..',
  'cd web && npm test && cd ..',
  'cd web && npm test 2>&1 | tail -5 && cd ..',
  'cd web && cat ../package.json',
  'cd packages/a && ls ../b',
  'cd src && grep -n foo a.ts && cd ..',
  'cd web && make && cd ../src && ls',
])('a line that comes back was said to leave the workspace: %j', line => {
  expect(bash(line, tests)).toBe('allow')
})

test.each([
  'cd web && cat ../../package.json',
  'cd web && cd .. && cd .. && ls',
  'cd web; cat ../../x; cd ..',
  'cd nowhere; cd ..; ls; cat x',
  'cd web || cd .. && cat x',
  'cd web && (cd .. && cd ..) && cat x && cat ../../x',
  'cd web && cat x && cd .. && cat ../x',
  'cd .. && cd project && cat ../x',
  'cd web && cat "$(cd ..; cd ..; cat x)"',
  'cd web && cat $(cd web && cat ../../../x)',
  'cd web && eval "cd .." && cat ../x',
  'cd web && command cd .. && cat ../x',
  'cd web && builtin cd ../.. && cat x',
  'cd web && env -C .. cat ../x',
  'cd web && pushd .. && cat ../x',
  'cd web && cat < ../../x',
  'CDPATH=/ cd web && cat ../x',
  'cd -P web && cat ../x',
  'cd web/../.. && cat x',
  'cd web && sh -c "cd ..; cat ../x"',
  'cd web && { cd ..; cd ..; } && cat x',
  'cd web && cat x & cat ../x',
  'cd ~ && cat x',
  'cd link && cat ../app/README.md',
  'cd link && cd .. && cat README.md',
  'cd $HOME && cat x',
  'cd web && find .. -execdir cat ../../x \\;',
])('a line that may leave it still asks: %j', line => {
  expect(bash(line, tests)).toBe('ask')
})

test('where it writes is judged by where it stands', () => {
  const editing = { chain: [link({ mode: 'acceptEdits' })] }
  expect(bash('cd web && echo x > ../out.txt && cd ..', editing)).toBe('allow')
  expect(bash('cd web && echo x > ../../out.txt && cd ..', editing)).toBe('ask')
  expect(bash('cd .git && cd hooks && cp x pre-commit', editing)).not.toBe('allow')
  expect(bash('cd web && echo x > ../.git/config', editing)).toBe('deny')
})

test('a deny holds from wherever the line stands', () => {
  const rules = { allow: ['Bash'], deny: ['Read(sub/key.txt)', 'Read(.env)'] }
  for (const line of [
    'cd sub && cat key.txt',
    'cd web && cat ../sub/key.txt',
    'cd web && cat ../.env && cd ..',
    'cd web && cd .. && cat .env',
    'cd web && cd ../sub && cat $PWD/key.txt',
  ])
    expect([line, bash(line, { rules })]).not.toEqual([line, 'allow'])
})

test('git in another directory may be somebody else’s: it asks there, and not where the line began', () => {
  expect(bash('cd web && git status')).toBe('ask')
  expect(bash('cd web && ls && cd .. && git status')).toBe('allow')
  expect(bash('cd web && ls && cd ../src && git status')).toBe('ask')
})

test('what a rule allows above it, it allows where it counts from, and not where the line has gone', () => {
  const rules = { allow: ['Bash(rm -rf ../out)', 'Bash(rm -rf out)'] }
  for (const line of [
    'cd web && rm -rf ../out',
    'cd web; rm -rf ../out',
    '(cd web && rm -rf ../out)',
    'pushd web; rm -rf ../out',
  ])
    expect([line, bash(line, { rules })]).toEqual([line, 'ask'])
  const glued = { allow: ['Bash(node ../tool.js)', 'Bash(make -C../x)', 'Bash(prog @../list)', 'Bash(cmd a,../b)'] }
  for (const line of [
    'cd web; node ../tool.js',
    'cd web && make -C../x',
    'cd web && prog @../list',
    'cd web && cmd a,../b',
  ])
    expect([line, bash(line, { rules: glued })]).toEqual([line, 'ask'])
  expect(bash('cd web && cd .. && rm -rf out', { rules })).toBe('allow')
})

test('back by name and then up by the system was neither of the two ways a path was read', () => {
  const links: Record<string, string> = { '/w/app/in': '/w/app/a/b', '/w/app/ext': '/w/outside/d' }
  const realPath = (path: string) => {
    const found = Object.keys(links).find(one => path === one || path.startsWith(`${one}/`))
    return found ? links[found]! + path.slice(found.length) : path
  }
  const linked = { place: { ...place, realPath } }
  expect(bash('cat ext/../key', linked)).toBe('ask')
  expect(bash('cd in && cd .. && cat ext/../key', linked)).toBe('ask')
  expect(bash('cd in/.. && cat ext/../key', linked)).toBe('ask')
})
