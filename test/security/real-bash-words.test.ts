/**
 * What the judge takes for the words of a command are the words that a real bash makes of it. Where it cannot know, it says
 * so, by an unknown or a doubt; where it claims to know, it must be right to the letter.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { readCommandLine } from '../../src/core/permission/shell-policy.js'
import { isCertain } from '../../src/core/text/glob.js'
import { grammar } from '../support/judging.js'

const cwd = mkdtempSync(join(tmpdir(), 'offshoot-words-'))
afterAll(() => rmSync(cwd, { recursive: true }))
const bash = spawnSync('bash', ['-c', 'true']).status === 0

/** Undefined where it does not claim to know. */
function wordsByJudge(line: string): readonly string[] | undefined {
  const reading = readCommandLine(line, { grammar, cwd, home: '/home/u' })
  const [only, ...others] = reading.commands
  if (reading.refused || reading.doubts.length > 0 || !only || others.length > 0 || reading.targets.length > 0) return
  const words = only.words.map(({ shape }) => shape)
  return words[0] === 'show' && words.every(isCertain) ? words.slice(1) : undefined
}

/** Undefined where it does not take the line. */
function wordsByBash(line: string): readonly string[] | undefined {
  const show = { 'BASH_FUNC_show%%': `() { printf '%s\\0' "$@" END; }` }
  const env = { PATH: process.env.PATH ?? '', HOME: '/home/u', LC_ALL: 'C.UTF-8', ...show }
  const { status, stdout } = spawnSync('bash', ['-c', line], { cwd, env, encoding: 'utf8', timeout: 10_000 })
  return status === 0 ? stdout.split('\0').slice(0, -2) : undefined
}

const pieces =
  `' " $' \\ { } , .. 1 a b \\a {a,b} {\\a }, ,} \\n '}' "{" \${HOME } \${x:- {1..3} \\x4 \\x41 \\u12 \\c \\18 \\x{4 ~ = x= $(( )) $( ) [ # $ ;`
    .split(' ')
    .concat(' ', '\n', '\\\n', 'a=~', '$1', '"$x"', '-x', '$"a"')

test.skipIf(!bash)('the words of a line are those that a real bash makes of it', () => {
  let known = 0
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 8 }), chosen => {
      const line = `show ${chosen.join('')}`
      const words = wordsByJudge(line)
      const real = words && wordsByBash(line)
      if (!words || !real) return
      known++
      expect(words).toEqual(real)
    }),
    { numRuns: 1500, examples: [[['~', '${HOME', '}']], [['~', '"', 'a', '"']]] },
  )
  expect(known).toBeGreaterThan(50)
})
