// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell expansions
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { bash, link } from '../support/judging.js'

const place = mkdtempSync(join(tmpdir(), 'offshoot-evaluated-'))
afterAll(() => rmSync(place, { recursive: true }))
const bypass = { chain: [link({ mode: 'bypassPermissions' })], rules: { deny: ['Bash(rm:*)'] } }

test.each([
  ...[
    'declare -i z=x',
    'declare -ai z=x',
    'declare -xi z=x',
    'declare -gi z=x',
    'declare "-i" z=x',
    'typeset -i z=x',
    'builtin declare -i z=x',
    'command typeset -i z=x',
    'declare -i z; z=x',
    'f() { local -i z=x; }; f',
    'declare -n z=$x; echo $z',
    'o=-v; test $o "$x"',
    'a=([x]=1)',
    'a+=([x]=1)',
    'declare -a a=([x]=1)',
    'a[x]=1',
    ': {a[x]}>f',
    'SRANDOM=x',
    'RANDOM=x',
    'for SECONDS in x; do :; done',
    '[[ x -eq 1 ]]',
    '(( x ))',
    'echo $((x))',
    'echo $[x]',
    'let x',
    'test -v "$x"',
    '[ -v "$x" ]',
    '[[ -v $x ]]',
    'printf -v "$x" 1',
    'read "$x" <<< 1',
    'a=(1); unset "$x"',
    'echo ${HOME:x}',
    'echo ${a[x]}',
    'echo ${!x}',
  ].map(rest => `x='a[$(rm y)]'; ${rest}`),
  "declare -i z; z='a[$(rm y)]'",
  "declare -n r; for r in 'a[$(rm y)]'; do echo $r; done",
  'x=\'rm y\'; compgen -C "$x" a',
  'x=\'$(rm y)\'; compgen -W "$x"',
  'x=\'$(rm y)\'; echo "${x@P}"',
  "x='rm y'; jobs -x $x",
  "o='-v a[$(rm${IFS}y)]'; [ $o ]",
])('D08 a denied command ran inside a text that bash evaluates: %s', line => {
  const whole = `${line}\ntrue`
  expect(bash(whole, bypass)).not.toBe('allow')
  writeFileSync(join(place, 'y'), '')
  try {
    execFileSync('bash', ['-c', whole], { cwd: place, stdio: 'ignore' })
  } catch {
    // Some end with an error after they ran it.
  }
  expect(existsSync(join(place, 'y'))).toBe(false)
})

test.each([
  'declare -A m=([a]=1 [b]=2); true',
  'declare -r v=1; a=(1 2 3); a[2]=4; b=([0]=x [1]=y); true',
  'SECONDS=0; npm test; echo $SECONDS',
  '[ "$a" = b ] && [ -n "$a" ] || [ $n -gt 5 ]; true',
  'test -f "$f" -a "$a" != b',
  'export -n A; jobs; exec 3>out; true {fd}>out',
])('plain use of the same builtins stands in nobody’s way: %s', line => {
  expect(bash(line, { chain: bypass.chain })).toBe('allow')
  if (!line.includes('exec')) expect(bash(line, bypass)).toBe('allow')
})
