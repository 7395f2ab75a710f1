/** What each shell completes with the script made for it, asked in that shell. */
import { execFileSync, spawnSync } from 'node:child_process'
import { beforeAll, describe, expect, test } from 'vitest'
import { ensureBuilt, makeHome, run } from './program.js'

const TYPED: readonly (readonly [typed: string, completed: string])[] = [
  ['ru', 'runs'],
  ['runs e', 'export'],
  ['--model sonnet ru', 'runs'],
  ['-p --output-format js', 'json'],
  ['approvals answer x --scope se', 'session'],
  ['approvals answer x --sc', '--scope'],
  ['completion z', 'zsh'],
]

/** What the shell is told to do with its script to show what it completes. */
const SHELLS: Readonly<Record<string, (script: string, typed: string) => readonly string[]>> = {
  bash: (script, typed) => [
    '-c',
    `${script}\nCOMP_WORDS=(offshoot ${typed}); COMP_CWORD=$((\${#COMP_WORDS[@]}-1)); _offshoot; echo "\${COMPREPLY[*]}"`,
  ],
  // Its own lists need a terminal: here they are printed.
  zsh: (script, typed) => [
    '-fc',
    `compdef() {}
${script}
offer() { for word in "$@"; do [[ "$word" == "$words[-1]"* ]] && print -r -- "\${word%%:*}"; done; true }
compadd() { offer "$@" }
_describe() { offer "\${(P@)2}" }
words=(offshoot ${typed}); CURRENT=\${#words}; _offshoot`,
  ],
  fish: (script, typed) => ['--no-config', '-c', `${script}\ncomplete -C ${JSON.stringify(`offshoot ${typed}`)}`],
}

beforeAll(ensureBuilt, 120_000)

for (const [shell, ask] of Object.entries(SHELLS)) {
  describe.skipIf(spawnSync(shell, ['-c', 'true']).status !== 0)(shell, () => {
    let script = ''
    beforeAll(async () => {
      script = (await run(makeHome(), ['completion', shell])).stdout
    })
    test.each(TYPED)('completes "offshoot %s" to %s', (typed, completed) => {
      const env = { ...process.env, HOME: makeHome().path }
      const found = execFileSync(shell, ask(script, typed), { encoding: 'utf8', env })
      expect(found.trim().split('\t')[0]).toBe(completed)
    })
  })
}
