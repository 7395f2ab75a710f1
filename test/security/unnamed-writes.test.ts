import { describe, expect, test } from 'vitest'
import { judge, link, type Setting } from '../support/judging.js'

const unasked = { chain: [link({ mode: 'bypassPermissions' })] }
const bash = (command: string, setting: Setting) => judge('Bash', { command }, setting)

describe('a command that stood in a protected directory could write there what it did not name', () => {
  test.each([
    'cd .git && tar xf ../g.tar',
    'cd .git/hooks && split ../../a.txt',
    'cd .claude && tar xf ../c.tar',
    'cd .claude/hooks && unzip ../../h.zip',
    'cd .offshoot && make',
    'cd .offshoot/agents && cpio -i',
    '(cd .git/hooks; split ../../a.txt)',
    'pushd .git && tar x',
    'env -C .git tar x',
    'cd .git && timeout 5 tar x',
    'cd .git && ls | xargs touch',
    'cd sub/.git/hooks && ./make-hooks',
  ])('%s', line => {
    expect(bash(line, unasked)).toMatchObject({ decision: 'deny', rule: 'protected-path' })
    expect(bash(line, { rules: { allow: ['Bash'] } })).toMatchObject({ decision: 'deny', rule: 'protected-path' })
  })

  test.each(['cd .git/info && tar xf ../../i.tar', 'cd .git/objects/info && split x'])('a person looks: %s', line => {
    expect(bash(line, unasked)).toMatchObject({ decision: 'ask', rule: 'protected-path', isFirm: true })
  })

  test.each([
    'cd .git && ls',
    'cd .git && cat HEAD && wc -l packed-refs',
    'cd .git/hooks && ls -la | head',
    'cd .claude/agents && make',
    'cd src && tar xf ../g.tar',
    'cd "$DIR" && npm test',
  ])('nothing stands in the way of %s', line => {
    expect(bash(line, unasked).decision).toBe('allow')
  })

  test('the reason says that it stands there', () => {
    expect(bash('cd .git && tar x', unasked)).toMatchObject({
      reason:
        'stand in /w/app/.git: a command that stands in it could change it without naming it, and it decides what runs later or what is allowed.',
    })
  })
})
