/** What each shell completes with the script made for it, asked in that shell. */
import { execFileSync, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { bin, ensureBuilt, makeHome, run } from './program.js'

const typedWords: readonly (readonly [typed: string, completed: string])[] = [
  ['ru', 'runs'],
  ['runs e', 'export'],
  ['--model sonnet ru', 'runs'],
  ['-p --output-format js', 'json'],
  ['approvals answer x --scope se', 'session'],
  ['approvals answer x --sc', '--scope'],
  ['completion z', 'zsh'],
  ['help ag', 'agents'],
  ['--agent Exp', 'Explore'],
  ['runs list --agent Exp', 'Explore'],
  ['agents show Exp', 'Explore'],
  ['runs show RUN', 'RUN'],
  ['--resume RUN', 'RUN'],
  // The short form was offered commands.
  ['-r RUN', 'RUN'],
  // Commands and options were offered in place of a value.
  ['--settings note', 'notes.txt'],
  // Files, or nothing, were offered.
  ['--model offline/s', 'offline/scout'],
  ['models test offline/s', 'offline/scout'],
  ['approvals answer x al', 'allow'],
  ['config get subagents.maxT', 'subagents.maxTurns'],
  ['config set permissions.den', 'permissions.deny'],
  ['config unset disableA', 'disableAllHooks'],
  // Values of the same option of another command were offered.
  ['config set model x --scope p', 'project'],
  ['runs list --agent=Exp', '--agent=Explore'],
  ['--agent=Exp', '--agent=Explore'],
]

/** What the shell is told to do with its script to show what it completes. */
const shells: Readonly<Record<string, (script: string, typed: string) => readonly string[]>> = {
  bash: (script, typed) => [
    '-c',
    `${script}\nCOMP_WORDS=(offshoot ${typed}); COMP_CWORD=$((\${#COMP_WORDS[@]}-1)); _offshoot; echo "\${COMPREPLY[*]}"`,
  ],
  // Its own lists need a terminal: here they are printed.
  zsh: (script, typed) => [
    '-fc',
    `compdef() {}
${script}
offer() { for word in "$@"; do [[ "$word" == "$words[-1]"* ]] && print -r -- "$given\${word%%:*}"; done; true }
compset() { given="\${words[-1]%%=*}="; words[-1]="\${words[-1]#*=}" }
compadd() { offer "$@" }
_describe() { offer "\${(P@)2}" }
_files() { offer * }
words=(offshoot ${typed}); CURRENT=\${#words}; _offshoot`,
  ],
  fish: (script, typed) => ['--no-config', '-c', `${script}\ncomplete -C ${JSON.stringify(`offshoot ${typed}`)}`],
}

beforeAll(ensureBuilt, 120_000)

for (const [shell, ask] of Object.entries(shells)) {
  describe.skipIf(spawnSync(shell, ['-c', 'true']).status !== 0)(shell, () => {
    const home = makeHome()
    let script = ''
    let runId = ''
    beforeAll(async () => {
      script = (await run(home, ['completion', shell])).stdout
      await run(home, ['-q', '-p', 'hello'])
      runId = (await run(home, ['runs', 'list', '--ids'])).stdout.trim()
      writeFileSync(join(home.project, 'notes.txt'), '')
      writeFileSync(join(home.path, 'offshoot'), `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n`, {
        mode: 0o755,
      })
    })
    // It splits words at the equals sign.
    const typedHere = shell === 'bash' ? [...typedWords, ['--agent = Exp', 'Explore'] as const] : typedWords
    test.each(typedHere)('completes "offshoot %s" to %s', (typed, completed) => {
      const env = { ...home.env, PATH: `${home.path}:${home.env.PATH}` }
      const words = ask(script, typed.replace('RUN', runId.slice(0, -2)))
      const found = execFileSync(shell, words, { encoding: 'utf8', env, cwd: home.project })
      expect(found.trim().split('\t')[0]).toBe(completed.replace('RUN', runId))
    })
  })
}
