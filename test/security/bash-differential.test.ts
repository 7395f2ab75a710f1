// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell expansions
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bash, link } from '../support/judging.js'

/** A real bash that finds a `curl` which leaves a mark, and next to nothing else. */
let home: string
const shell = '/bin/bash'

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'offshoot-bash-'))
  mkdirSync(join(home, 'bin'))
  mkdirSync(join(home, 'work'))
  for (const [name, body] of [
    ['curl', `: > ${home}/mark`],
    ['git', ':'],
    ['ls', ':'],
    ['cat', ':'],
  ] as const) {
    writeFileSync(join(home, 'bin', name), `#!/bin/sh\n${body}\n`)
    chmodSync(join(home, 'bin', name), 0o755)
  }
  for (const name of ['env', 'xargs', 'timeout', 'nice', 'find'])
    symlinkSync(`/usr/bin/${name}`, join(home, 'bin', name))
  for (const name of ['bash', 'sh']) symlinkSync(`/bin/${name}`, join(home, 'bin', name))
})
afterAll(() => rmSync(home, { recursive: true }))

const settings = [
  { rules: { allow: ['Bash'], deny: ['Bash(curl:*)'] } },
  { rules: { deny: ['Bash(curl:*)'] }, chain: [link({ mode: 'bypassPermissions' })] },
  {
    rules: {
      allow: ['Bash(git:*)', 'Bash(echo:*)', 'Bash(env:*)', 'Bash(bash:*)', 'Bash(xargs:*)'],
      deny: ['Bash(curl:*)'],
    },
  },
]

const pieces = [
  ...[
    'curl',
    'curl x',
    'cu',
    'rl',
    "c''url",
    'cur\\l',
    'true',
    'echo a',
    'git status',
    ' ',
    ' ',
    ' ',
    ';',
    '&&',
    '|',
    '\n',
    '$(',
    ')',
    '`',
    '"',
    "'",
    '\\',
    '{',
    '}',
    ',',
  ],
  ...[
    '$x',
    '${x}',
    '${x:-',
    '<(',
    '<<E\n',
    '\nE\n',
    '#',
    'a=',
    '$a',
    'bash -c ',
    'env ',
    'eval ',
    'if ',
    '; then ',
    '; fi',
    '(',
    '((',
    '))',
    '*',
    '?',
    "$'",
    '\\x63',
    'timeout 5 ',
    'xargs ',
  ],
  ...[
    'f() ',
    'f',
    '<<<',
    '! ',
    'time ',
    '-c ',
    '"$@"',
    'set -- ',
    'trap ',
    ' EXIT',
    'case x in x) ',
    ';; esac',
    '{ ',
    '; }',
    '\r',
    '\t',
  ],
  ...[
    'bash -c - ',
    'bash -c -o errexit ',
    'sh -oc errexit ',
    'env - ',
    'env -u a ',
    'xargs --replace ',
    'xargs -n 1 ',
    'nice -n 5 ',
    'timeout -k 1 5 ',
    'find . -maxdepth 0 -exec ',
    ' \\;',
    'c$(echo)url',
  ],
]
const fragment = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 5 }).map(parts => parts.join(''))
const frames = [
  'X',
  'X; X',
  '$(X)',
  'echo "X"',
  "bash -c 'X'",
  'eval X',
  'env X',
  'if X; then X; fi',
  '{ X; }',
  'f() { X; }; f',
  'echo `X`',
  'cat <<E\nX\nE',
  'X | X',
  'a=X; $a',
  'xargs X',
  'echo ${x:-X}',
  'X "X"',
  'cuX',
  'X\\X',
]
const line = fc
  .tuple(fc.constantFrom(...frames), fc.constantFrom(...frames), fc.array(fragment, { minLength: 6, maxLength: 6 }))
  .map(([outer, inner, parts]) => {
    let next = 0
    return outer.replaceAll('X', inner).replace(/X/g, () => parts[next++ % parts.length]!)
  })

test.skipIf(!existsSync(shell))('D08 a line that is allowed does not run the denied command in a real bash', () => {
  fc.assert(
    fc.property(line, text => {
      if (!settings.some(setting => bash(text, setting) === 'allow')) return
      const env = { PATH: join(home, 'bin'), HOME: join(home, 'work') }
      spawnSync(shell, ['-c', text], { cwd: join(home, 'work'), env, timeout: 2_000, stdio: 'ignore' })
      expect(existsSync(join(home, 'mark'))).toBe(false)
    }),
    { numRuns: 300 },
  )
})
