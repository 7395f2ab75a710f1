// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell expansions
/** A variable that the line itself sets, for certain, to plain text is what it holds; any other may be anything. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startUpFiles } from '../../src/adapters/ground/start-up-files.js'
import { bash, judge, link } from '../support/judging.js'

const decisive = startUpFiles({ home: '/home/u', env: {}, roots: ['/w/app'] })
const bypass = { chain: [link({ mode: 'bypassPermissions' })], place: { decisive } } as const

const plain = [
  'D=packages/a; echo x > "$D/.npmrc"',
  'D=packages/a && echo x > "$D/.npmrc"',
  'D=packages/a; echo x > $D/.npmrc',
  'D=packages/a; echo x > ${D}/.npmrc',
  'D=\'packages/a\'\necho x > "$D/.npmrc"',
  'set -e; D=packages/a; printf "x\\n" > "$D/.npmrc"',
  'export D=packages/a; mkdir -p "$D"; echo x > "$D/.npmrc"',
  'P=packages; D=$P/a; echo x > "$D/.npmrc"',
  'true && D=packages/a && echo x > "$D/.npmrc"',
  'D=packages/a || true; echo x > "$D/.npmrc"',
  'D=packages/a; if true; then echo x > "$D/.npmrc"; fi',
  'D=packages/a; (echo x > "$D/.npmrc")',
  'D=packages/a; cp x "$D/.npmrc"',
  'D=packages/a; cp .npmrc $D',
]

describe('a file of the workspace was asked about as if it were the one at home, though the line says where it lies', () => {
  test.each(plain)('%s', line => {
    expect(bash(line, bypass)).toBe('allow')
    expect(judge('Bash', { command: line }, { place: { decisive } }).rule).not.toBe('protected-path')
  })

  test.each(plain)('bash writes it there: %s', line => {
    const root = mkdtempSync(join(tmpdir(), 'offshoot-settled-'))
    mkdirSync(join(root, 'packages/a'), { recursive: true })
    for (const file of ['x', '.npmrc']) writeFileSync(join(root, file), '')
    execFileSync('bash', ['--norc', '-c', line], { cwd: root, env: { PATH: process.env.PATH, D: root } })
    expect(existsSync(join(root, 'packages/a/.npmrc'))).toBe(true)
    rmSync(root, { recursive: true })
  })
})

test.each([
  'D=$HOME; echo x > "$D/.npmrc"',
  'D=~; echo x > "$D/.npmrc"',
  'D=/home/u; echo x > "$D/.npmrc"',
  'D=../../home/u; echo x > "$D/.npmrc"',
  'D=packages/a; D=$HOME; echo x > "$D/.npmrc"',
  'echo x > "$D/.npmrc"; D=packages/a',
  'D=packages/a & echo x > "$D/.npmrc"',
  'D=packages/a | true; echo x > "$D/.npmrc"',
  '(D=packages/a); echo x > "$D/.npmrc"',
  'false && D=packages/a; echo x > "$D/.npmrc"',
  'false && D=packages/a || echo x > "$D/.npmrc"',
  'true || D=packages/a; echo x > "$D/.npmrc"',
  'if false; then D=packages/a; fi; echo x > "$D/.npmrc"',
  'D=packages/a true; echo x > "$D/.npmrc"',
  'D=packages/a; unset D; echo x > "$D/.npmrc"',
  'D=packages/a; read D < x; echo x > "$D/.npmrc"',
  'D=packages/a; eval D=$X; echo x > "$D/.npmrc"',
  'D=packages/a; . ./x; echo x > "$D/.npmrc"',
  'D=packages/a; A=D; export "$A=/home/u"; echo x > "$D/.npmrc"',
  'D=packages/a; readonly "$A=/home/u"; echo x > "$D/.npmrc"',
  'D=packages/a; printf -v "$A" %s /home/u; echo x > "$D/.npmrc"',
  'D=packages/a; printf "$F" D; echo x > "$D/.npmrc"',
  'D=packages/a; exec {D}> x; echo x > "$D/.npmrc"',
  'D=packages/a; [[ "D=5" -eq 5 ]]; echo x > "$D/.npmrc"',
  'D=packages/a; for D in $X; do true; done; echo x > "$D/.npmrc"',
  'D=packages/a; bash -c \'echo x > "$D/.npmrc"\'',
  'f() { D=$HOME; }; D=packages/a; f; echo x > "$D/.npmrc"',
  'trap \'D=$HOME\' DEBUG; D=packages/a; echo x > "$D/.npmrc"',
  'IFS=X; D=buildX/home/u; cp x $D/.npmrc',
  "D='a /home/u'; cp x $D/.npmrc",
  'D=packages/$X; echo x > "$D/.npmrc"',
  'D=; echo x > "$D/.npmrc"',
  'LINES=packages/a; ls; echo x > "$LINES/.npmrc"',
  'D=packages/a; echo x > "$D/.npmrc"; echo x > "$E/.npmrc"',
  'D=packages/a; echo x > "$E/.npmrc"; echo x > "$D/.npmrc"',
  'D=packages/a; cp x "$E/.npmrc"; cp x "$D/.npmrc"',
  'D=/home; cp .npmrc "$D/u"',
  'D+=packages/a; echo x > "$D/.npmrc"',
  'D=(packages/a); echo x > "$D/.npmrc"',
])('what the variable holds is not certain, or it is the place at home: %s', line => {
  expect(bash(line, bypass)).toBe('ask')
})

test('a loop whose variable another command sets unseen was taken for what it goes over', () => {
  const line = 'for f in src/*.ts; do A=f; export "$A=/home/u/.npmrc"; echo x > "$f"; done'
  expect(
    bash(line, { rules: { allow: ['Bash(echo:*)', 'Bash(export:*)'] }, chain: [link({ mode: 'acceptEdits' })] }),
  ).toBe('ask')
})

test('what it holds for certain is no ground to allow', () => {
  const rules = { allow: ['Bash(echo:*)'] }
  expect(bash('x=echo; $x hi', { rules })).toBe('ask')
  expect(bash('D=build; echo x > "$D/a"', { rules, chain: [link({ mode: 'acceptEdits' })] })).toBe('ask')
  expect(bash('D=.git; echo x > "$D/config"', bypass)).toBe('deny')
})
