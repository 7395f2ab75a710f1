import { expect, test } from 'vitest'
import { hookConfig as config, hookEvent as event, hooksIn, neverAborted } from '../../../test/support/command-hooks.js'
import { freshWorkspace } from '../../../test/support/fresh-workspace.js'
import { missingFile, missingScript } from './missing-script.js'

const project = freshWorkspace()
const hooksOf = (...given: Parameters<ReturnType<typeof hooksIn>>) => hooksIn(project)(...given)
const missing = (command: string) =>
  missingScript(command, project.root, { HOME: project.root, CLAUDE_PROJECT_DIR: project.root })

test.each([
  'node gaurd.mjs',
  'node ./gaurd',
  `${process.execPath} --no-warnings gaurd.mjs --strict`,
  'node --env-file .env gaurd.mjs',
  '/usr/bin/env node gaurd.mjs 2>/dev/null',
  'FORCE=1 exec node "gaurd.mjs"',
  'bash -eu hooks/gaurd.sh',
  'python3 -u gaurd.py',
  'npx -y tsx gaurd.ts',
  'deno run -A gaurd.ts',
  'bun gaurd.ts',
  'uv run gaurd.py',
  'ruby gaurd.rb',
  'node "$CLAUDE_PROJECT_DIR"/gaurd.mjs',
  'node ${CLAUDE_PROJECT_DIR}/gaurd.mjs',
  'node ~/gaurd.mjs',
  'node gaurd.mjs | tee log',
])('%s names a script that is not there', command => {
  project.write('hooks/other.sh', '')
  expect(missing(command)).toMatch(/gaurd(\.\w+)?$/)
})

test.each([
  'node guard.mjs',
  'node ./guard',
  'node hooks',
  'bash -c "exit 0"',
  "sh -ec 'node gone.mjs'",
  'python3 -m gone.guard',
  'node -e "process.exit(0)" gone.js',
  'node -p 1',
  'php -r "1;" gone.php',
  'perl -ne "print" gone.txt',
  'bash -s gone.sh < guard.mjs',
  'deno run https://example.com/gone.ts',
  'deno task gone',
  'npx prettier gone.ts',
  'uv run gone',
  'bun run gone',
  'node $GUARD',
  'node $(which guard).mjs',
  'node gone*.mjs',
  'node gone.mjs || true',
  'cd hooks && node gone.mjs',
  '[ -f gone.mjs ] && node gone.mjs',
  'test -e gone.mjs || exit 0; node gone.mjs',
  './gone.sh',
  ...['bash gone.sh', 'bash ~user/gone.sh', 'deno run jsr:@a/b/gone.ts'],
  ...['node --watch-path ./x gone.js', 'node --title t/x gone.js'],
  'jq .x gone.json',
  'python3 tool gone.py',
  'node',
  '',
])('%s: nobody can say that its script is missing', command => {
  project.write('guard.mjs', '')
  project.write('guard.js', '')
  project.write('hooks/index.js', '')
  project.write('tool', '')
  expect(missing(command)).toBeUndefined()
})

test.each(['PreToolUse', 'PermissionRequest'] as const)(
  'a %s guard whose script was missing let the call through, because its interpreter ends with 1',
  async name => {
    const point = name === 'PreToolUse' ? 'pre-tool' : 'permission'
    const hooks = hooksOf([config(name, `${process.execPath} gaurd.mjs`)])
    expect(await hooks.fire(event(point), neverAborted)).toMatchObject({
      verdict: 'refuse',
      reason: expect.stringContaining(`names a script that is not there (${project.path('gaurd.mjs')})`),
    })
    const open = hooksOf([config(name, `${process.execPath} gaurd.mjs`, { failClosed: false })])
    expect(await open.fire(event(point), neverAborted)).toMatchObject({
      verdict: 'go',
      notes: [expect.stringContaining('is not there')],
    })
  },
)

test('a script that came after the session had begun is run', async () => {
  const hooks = hooksOf([config('PreToolUse', `${process.execPath} late.mjs`)])
  project.write('late.mjs', 'process.exit(0)\n')
  expect(await hooks.fire(event('pre-tool'), neverAborted)).toMatchObject({ verdict: 'go' })
})

test('a guard that broke let the call through without a word that it did', async () => {
  project.write('bad.mjs', 'this is no program\n')
  const command = `${process.execPath} bad.mjs`
  const hooks = hooksOf([config('PreToolUse', command), config('PermissionRequest', command)])
  const [before, asked] = [
    await hooks.fire(event('pre-tool'), neverAborted),
    await hooks.fire(event('permission'), neverAborted),
  ]
  expect(before).toMatchObject({
    verdict: 'go',
    notes: [
      expect.stringMatching(/ended with 1, which is no "no" \(2 is\), so it let the call through: .*SyntaxError/s),
    ],
  })
  expect(asked).toMatchObject({
    verdict: 'go',
    notes: [expect.stringContaining('ended with 1, which is no "no" (2 is), so it decided nothing')],
  })
})

test('a hook that says what to do without its file was missing to doctor', () => {
  const env = { HOME: project.root }
  expect(missingFile('./hooks/extra.sh || exit 0', project.root, env)).toBeUndefined()
  expect(missingFile('./hooks/extra.sh', project.root, env)).toMatch(/extra\.sh$/)
})
