/** What hooks and plugins run later, as the user: no run changes it unasked, whatever its mode and rules. */
import { expect, test } from 'vitest'
import { bash, judge, link, place } from '../support/judging.js'

const decisive = ['/w/app/scripts/guard.sh', '/w/app/tools/garden']
const under = (mode: 'default' | 'acceptEdits' | 'bypassPermissions' | 'dontAsk', allow: readonly string[] = []) => ({
  chain: [link({ mode })],
  place: { decisive },
  rules: { allow },
})
const modes = ['default', 'acceptEdits', 'bypassPermissions'] as const

test('a run that may edit files cannot write the script of a hook unasked', () => {
  for (const mode of modes)
    for (const file_path of ['scripts/guard.sh', '/w/app/x/../scripts/GUARD.sh', 'tools/garden/hooks/run.sh'])
      expect(judge('Write', { file_path }, under(mode, ['Write', 'Edit']))).toMatchObject({
        decision: 'ask',
        rule: 'protected-path',
        isFirm: true,
      })
  expect(judge('Write', { file_path: 'scripts/guard.sh' }, under('dontAsk', ['Write'])).decision).toBe('deny')
  expect(judge('Write', { file_path: 'scripts/other.sh' }, under('acceptEdits')).decision).toBe('allow')
  expect(judge('Read', { file_path: 'scripts/guard.sh' }, under('default')).decision).toBe('allow')
})

test('a link to the script, or a script that is a link, is the script', () => {
  const realPath = (path: string) => (path === '/w/app/innocent' ? '/w/app/scripts/guard.sh' : place.realPath(path))
  const setting = { ...under('acceptEdits'), place: { decisive, realPath } }
  expect(judge('Write', { file_path: 'innocent' }, setting).decision).toBe('ask')
  const turned = { ...setting, place: { decisive: ['/w/app/innocent'], realPath } }
  expect(judge('Write', { file_path: 'scripts/guard.sh' }, turned).decision).toBe('ask')
})

test('the copy of the script in a work tree was free, and brought home over the script: it asks as well', () => {
  const copies = [{ copy: '/wt/1', original: '/w/app' }]
  const inCopy = { cwd: '/wt/1', roots: ['/wt/1'], copies, decisive }
  for (const mode of modes) {
    const setting = { ...under(mode, ['Bash', 'Write', 'Edit']), place: inCopy }
    expect(judge('Edit', { file_path: 'scripts/guard.sh' }, setting)).toMatchObject({ decision: 'ask', isFirm: true })
    expect(bash('echo evil > scripts/guard.sh', setting)).toBe('ask')
    expect(bash('mv scripts aside', setting)).toBe('ask')
    expect(judge('Edit', { file_path: 'scripts/other.sh' }, setting).decision).toBe('allow')
  }
})

test.each([
  'echo evil > scripts/guard.sh',
  'cd scripts && echo evil >> guard.sh',
  'sed -i s/2/0/ scripts/guard.sh',
  'sed -i s/2/0/ scripts/*.sh',
  'cp evil.sh scripts/guard.sh',
  'cp evil/guard.sh scripts/',
  'mv scripts aside',
  'mv evil tools/garden',
  'cp -r evil/. scripts',
  'ln -sf ../evil scripts/guard.sh',
  'tee scripts/guard.sh < evil',
  "python3 -c \"open('scripts/guard.sh', 'w')\"",
  'perl -pi -es/2/0/ scripts/guard.sh',
  'echo evil > scripts/guard.sh; sh scripts/guard.sh',
  'sh scripts/guard.sh; sed -i s/2/0/ scripts/guard.sh',
])('a command that could change the script of a hook asks in every mode: %s', command => {
  for (const mode of modes) expect(bash(command, under(mode, ['Bash', 'Write', 'Edit']))).toBe('ask')
})

test('running the script of a hook, looking at it, and working beside it ask no more than before', () => {
  for (const command of [
    'sh scripts/guard.sh',
    './scripts/guard.sh --check',
    'node tools/garden/lint.mjs src',
    'cat scripts/guard.sh',
    'grep -r x scripts',
    'git add .',
    'cp a.txt b.txt',
    'cp a.txt scripts/',
    'mkdir -p scripts',
    'npx eslint scripts',
  ]) {
    expect(bash(command, under('bypassPermissions'))).toBe('allow')
    expect(bash(command, under('dontAsk', ['Bash']))).toBe('allow')
  }
})
