import { describe, expect, test } from 'vitest'
import { judge, link } from '../support/judging.js'

const bash = (command: string, setting = {}) => judge('Bash', { command }, setting)
const plan = { chain: [link({ mode: 'plan' })] }
const place = {
  filesBelow: (directory: string) => ['/w/app/src/a.ts', '/w/app/.env'].filter(file => file.startsWith(directory)),
}

describe('find asked for running what only looks', () => {
  test.each([
    "find . -name '*.ts' -exec grep -l foo {} \\;",
    "find . -name '*.ts' -exec wc -l {} +",
    'find src -type f -exec cat {} +',
    'find src -exec head -5 {} \\;',
    'find src -exec sed -n 1,3p {} \\;',
    'find src -exec uniq {} \\;',
    "find src -exec awk '{print $1}' {} +",
    'find src -type f -size +1M -exec ls -lh {} \\;',
    'find src -exec grep -q x {} \\; -print',
    'find src -exec grep -q x {} \\; -exec wc -l {} +',
  ])('%s', line => {
    expect(bash(line, { place }).decision).toBe('allow')
    expect(bash(line, { place, ...plan }).decision).toBe('allow')
  })

  test.each([
    'find src -exec touch {} \\;',
    'find src -exec tee {} +',
    'find src -exec uniq {} +',
    'find src -exec xxd {} +',
    'find src -exec sort -o {} {} \\;',
    // Only behind `{}` a plus ends the command: this one writes.
    'find src -exec sort + -o out {} \\;',
    'find src -exec sort -u + -o {} \\;',
    'find src -exec sort {} -o {} +',
    "find src -exec sed 'w out' {} \\;",
    'find src -exec sed -i s/a/b/ {} +',
    'find src -exec awk -f {} x \\;',
    'find src -exec grep -f {} x \\;',
    'find src -exec sh {} \\;',
    "find src -exec sh -c 'cat {}' \\;",
    'find src -exec {} \\;',
    'find src -exec env {} x \\;',
    'find src -exec git log -p {} \\;',
    'find src -exec cat {}.bak \\;',
    'find src -execdir cat {} \\;',
    'find src -ok cat {} \\;',
    'find src -exec cat {} \\; -delete',
    'find src -exec cat {} \\; -fprint x',
    'find "$X" -exec cat {} \\;',
    'find src $X -exec cat {} \\;',
    'find -L src -exec cat {} \\;',
    'find src -follow -exec cat {} \\;',
    'find -- src -name a.ts -delete',
    'find -- src -fprint out',
    'find -- src -exec cat {} \\;',
    'find -files0-from x -exec cat {} \\;',
    'fd x -x cat {}',
  ])('and it asks as before: %s', line => {
    expect(bash(line, { place }).decision).toBe('ask')
    expect(bash(line, { place, ...plan }).decision).toBe('deny')
  })

  test.each([
    ['find . -type f -exec cat {} +', 'secret-file'],
    ["find . -name '*.ts' -o -exec cat {} \\;", 'secret-file'],
    ["find . ! -name '*.ts' -exec cat {} \\;", 'secret-file'],
    ["find . -exec echo -name '*.ts' {} \\; -exec cat {} \\;", 'secret-file'],
    ['find -exec cat {} +', 'secret-file'],
    ['find .. -exec cat {} +', 'outside-roots'],
    ['find /etc -exec cat {} +', 'outside-roots'],
    ['find link/ -exec cat {} +', 'outside-roots'],
  ])('what would be shown counts: %s → %s', (line, rule) => {
    expect(bash(line, { place })).toMatchObject({ decision: 'ask', rule })
  })

  test('a link out of the workspace would be followed', () => {
    const linked = { place: { filesBelow: () => ['/w/app/notes.md', '/w/app/a.ts'] } }
    expect(bash('find . -exec cat {} +', linked)).toMatchObject({ decision: 'ask', rule: 'outside-roots' })
    expect(bash("find . -name '*.ts' -exec cat {} +", linked).decision).toBe('allow')
  })

  test('a deny of what lies below holds', () => {
    const rules = { deny: ['Read(src/**)'] }
    const unasked = { chain: [link({ mode: 'bypassPermissions' as const })], place, rules }
    expect(bash('find . -exec cat {} +', unasked)).toMatchObject({ decision: 'ask', isFirm: true })
    expect(bash('find src -exec cat {} +', unasked)).toMatchObject({ decision: 'deny' })
    expect(bash('find . -exec cat {} +', { ...unasked, rules: { deny: ['Bash(cat *secret*)'] } })).toMatchObject({
      decision: 'ask',
      isFirm: true,
    })
  })
})
