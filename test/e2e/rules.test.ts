/** Rules as a person meets them at the program's door: lost ones stop it, and what it offers to paste is safe to paste. */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { bin, ensureBuilt, type Home, makeHome, run, start } from './program.js'
import { call, calls, homesWithServers, type Part } from './scripted-server.js'

const { serve, closeAll } = homesWithServers()
vi.setConfig({ testTimeout: 90_000, maxConcurrency: 3 })
beforeAll(ensureBuilt, 120_000)
afterAll(closeAll)

const bash = (command: string) => call('Bash', { command, description: 'it' })
const once =
  (line: ReturnType<Part>): Part =>
  ({ turn }) =>
    turn === 0 ? line : 'done'

const userFile = ({ env }: Home, text: string): string => {
  const path = join(env.OFFSHOOT_HOME!, 'config/settings.json')
  mkdirSync(join(env.OFFSHOOT_HOME!, 'config'), { recursive: true })
  writeFileSync(path, text)
  return path
}
const denials = '{\n  "permissions": { "deny": ["Bash(touch:*)"] },\n}'
const asIf = ['-p', 'go', '--permission-mode', 'bypassPermissions']

describe.concurrent('settings behind which a deny may be lost', () => {
  test('a comma too many in the settings dropped every deny, and -q said nothing of it', async () => {
    const { home, server } = await serve({ main: once(bash('touch made')) })
    const path = userFile(home, denials)
    for (const args of [asIf, ['-q', ...asIf], ['-q', ...asIf, '--output-format', 'json']]) {
      const end = await run(home, args)
      expect(end.code).toBe(2)
      if (args.includes('json')) expect(JSON.parse(end.stdout)).toMatchObject({ subtype: 'refused', is_error: true })
      else expect(end.stdout).toBe('')
      expect(end.stderr).toContain(`offshoot: ${path}: these settings are no valid JSON: `)
      expect(end.stderr).toMatch(/at line 3, column 1\. .*nothing is done: mend the file, or move it away\.\n$/)
    }
    expect(server.requests).toHaveLength(0)
    expect(existsSync(join(home.project, 'made'))).toBe(false)
    userFile(home, denials.replace('},\n', '}\n'))
    expect((await run(home, ['-q', ...asIf])).code).toBe(0)
    expect(existsSync(join(home.project, 'made'))).toBe(false)
  })

  test('a broken file of .claude, a link that leads nowhere and a file in whose place a folder is stop it, too', async () => {
    const inClaude = makeHome()
    mkdirSync(join(inClaude.path, '.claude'))
    writeFileSync(join(inClaude.path, '.claude/settings.json'), '{"permissions":')
    const linked = makeHome()
    mkdirSync(join(linked.env.OFFSHOOT_HOME!, 'config'), { recursive: true })
    symlinkSync('/nowhere/settings.json', join(linked.env.OFFSHOOT_HOME!, 'config/settings.json'))
    const folder = makeHome()
    mkdirSync(join(folder.env.OFFSHOOT_HOME!, 'config/settings.json'), { recursive: true })
    for (const home of [inClaude, linked, folder]) {
      const end = await run(home, ['-q', '-p', 'go'])
      expect(end).toMatchObject({ code: 2, stdout: '' })
      expect(end.stderr).toMatch(/settings\.json: these settings (are no valid JSON|cannot be read): .*mend the file/)
    }
  })

  test('a project: untrusted settings do not count and do not stop it; broken ones do with --trust-project, and are never trusted', async () => {
    const home = makeHome()
    mkdirSync(join(home.project, '.offshoot'))
    const path = join(home.project, '.offshoot/settings.json')
    writeFileSync(path, denials)
    chmodSync(path, 0o644)
    const before = await run(home, ['-p', 'go'])
    expect(before.code).toBe(0)
    expect(before.stderr).toContain('these settings are ignored: this folder, as it is now, is not trusted')
    expect((await run(home, ['-q', '-p', 'go', '--trust-project'])).code).toBe(2)
    expect((await run(home, ['-q', '-p', 'go', '--trust-project'])).stderr).toContain(
      `${path}: these settings are no valid JSON`,
    )
    expect((await run(home, ['trust', '--yes'])).code).toBe(1)
    expect((await run(home, ['trust', '--list'])).stdout).toMatch(/settings +broken/)
    expect((await run(home, ['-p', 'go'])).stderr).toContain('these settings are ignored')
  })

  test.each([
    ['a sandbox nobody knows', '{"sandbox": "bublewrap"}', 'did you mean "bubblewrap"?'],
    ['a mode nobody knows', '{"permissions": {"defaultMode": "plam"}}', 'did you mean "plan"?'],
    [
      'denials that stand twice',
      '{"permissions": {"deny": ["Bash(touch:*)"]},\n"permissions": {"allow": ["Bash"]}}',
      '"permissions" stands twice (again in line 2)',
    ],
  ])('%s ran without what was asked for', async (_, text, says) => {
    const { home, server } = await serve({ main: once(bash('touch made')) })
    const path = userFile(home, text)
    const end = await run(home, ['-q', '-p', 'go', '--allowedTools', 'Bash'])
    expect(end).toMatchObject({ code: 2, stdout: '' })
    expect(end.stderr).toContain(`offshoot: ${path}: `)
    expect(end.stderr).toContain(says)
    expect((await run(home, ['doctor'])).stdout).toMatch(/^wrong settings .*settings\.json: "/m)
    userFile(home, '{}')
    const given = await run(home, ['-q', '-p', 'go', '--settings', text])
    expect([given.code, given.stderr]).toEqual([2, expect.stringContaining(says)])
    expect(server.requests).toHaveLength(0)
    expect(existsSync(join(home.project, 'made'))).toBe(false)
  })

  test('config set wrote down what was left of denials that stand twice', async () => {
    const home = makeHome()
    const text = '{"permissions": {"deny": ["Bash"]}, "permissions": {}}'
    const path = userFile(home, text)
    const end = await run(home, ['config', 'set', 'model', 'x'])
    expect([end.code, end.stderr]).toEqual([1, expect.stringContaining('nothing was changed')])
    expect(end.stderr).toContain('"permissions" stands twice')
    expect(readFileSync(path, 'utf8')).toBe(text)
  })

  test('an agent of the command line lost the first of two lists of what it may not do', async () => {
    const agents = '{"a": {"description": "d", "prompt": "p", "disallowedTools": ["Bash"], "disallowedTools": []}}'
    const end = await run(makeHome(), ['-q', '-p', 'go', '--agents', agents])
    expect([end.code, end.stderr]).toEqual([2, expect.stringContaining('--agents: "disallowedTools" stands twice')])
  })

  test('commands that only look work and tell the fault; what goes on with a run or removes runs does not', async () => {
    const { home } = await serve({ main: () => 'said' })
    await run(home, ['-q', '-p', 'go'])
    const [{ runId }] = JSON.parse((await run(home, ['runs', 'list', '--json'])).stdout)
    userFile(home, denials)
    const looking = ['agents list', 'config list', 'config list --json', 'models list', 'mcp list', 'plugins list']
    for (const line of [...looking, 'trust --list', 'agents explain Explore']) {
      const end = await run(home, line.split(' '))
      expect(`${line}: ${end.stderr}`).toContain('these settings are no valid JSON')
      expect(`${line}: ${end.code}`).toBe(`${line}: 0`)
    }
    const doctor = await run(home, ['doctor'])
    expect(doctor.stdout).toMatch(/^wrong settings .*no valid JSON: .* line 3, column 1$/m)
    expect((await run(home, ['runs', 'show', runId])).code).toBe(0)
    for (const args of [
      ['runs', 'resume', runId, 'more'],
      ['runs', 'prune'],
      ['-q', '-p', 'go', '--continue'],
    ]) {
      const end = await run(home, args)
      expect(end.stderr).toContain('nothing is done: mend the file')
      expect(end.code).toBe(2)
    }
    expect((await run(home, ['runs', 'prune', '--days', '1'])).code).toBe(0)
  })
})

/** What was offered after `--allowedTools`, as a shell that it is pasted into reads it. */
function pasted(stderr: string, cwd: string): readonly string[] {
  const offered = /^ +--allowedTools (.*)$/m.exec(stderr)?.[1]
  if (offered === undefined) return []
  const said = execFileSync('sh', ['-c', `printf '%s\\0' ${offered}`], { cwd, encoding: 'utf8' })
  return said.split('\0').slice(0, -1)
}

describe.concurrent('calls that nobody was there to approve', () => {
  test.each([
    ['substitutions of the model', 'touch "$(id -un)" `date +%Y`'],
    ['stars and quotes', 'echo "a * b" > x.txt'],
    ['an apostrophe', `touch "it's"`],
    ['a comma before brackets', 'touch a, $(basename "$PWD")'],
    ['more than a line shows', `touch ${'a'.repeat(90)}`],
  ])('%s: the rule to paste is the very call, and lets it through', async (_, command) => {
    const { home } = await serve({ main: once(bash(command)) })
    const denied = await run(home, ['-q', '-p', 'go'])
    expect(denied.code).toBe(4)
    const rules = pasted(denied.stderr, home.project)
    expect(rules).toEqual([`Bash(in ${home.project}: ${command.replaceAll('*', '\\*')})`])
    expect(readdirSync(home.project)).toEqual(['.git'])
    expect((await run(home, ['-q', '-p', 'go', '--allowedTools', ...rules])).code).toBe(0)
    expect(readdirSync(home.project).length).toBeGreaterThan(1)
  })

  test('a star of the model’s in a rule to paste let other calls through', async () => {
    const first = await serve({ main: once(bash('touch *.made')) })
    const rules = pasted((await run(first.home, ['-q', '-p', 'go'])).stderr, first.home.project)
    const { home } = await serve({ main: once(bash('touch other.made')) })
    const here = rules.map(rule => rule.replace(first.home.project, home.project))
    expect((await run(home, ['-q', '-p', 'go', '--allowedTools', ...here])).code).toBe(4)
  })

  test('letters nobody sees are shown as such and never offered for pasting', async () => {
    const { home } = await serve({ main: once(bash('touch a\u001b]0;x\u0007\ntouch b')) })
    const { stderr, code } = await run(home, ['-q', '-p', 'go'])
    expect(code).toBe(4)
    expect(stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/)
    expect(stderr).not.toContain('--allowedTools')
    expect(stderr).toContain('for 1 call no rule could be offered; --wait-for-approval asks')
  })

  test('with -q the message ended after its colon', async () => {
    const { home } = await serve({ main: once(bash('touch made')) })
    const { stderr } = await run(home, ['-q', '-p', 'go'])
    expect(stderr.split('\n')).toEqual([
      'offshoot: nobody was there to approve this call, so it was denied:',
      '  [main] Bash touch made',
      '  to allow it, add one of these:',
      `    --allowedTools 'Bash(in ${home.project}: touch made)'`,
      '    --wait-for-approval',
      '',
    ])
  })

  test('acceptEdits was recommended for commands, and to those who had it on', async () => {
    const write = call('Write', { file_path: 'w.txt', content: 'x' })
    const said = async (line: ReturnType<Part>, ...more: readonly string[]) =>
      (await run((await serve({ main: once(line) })).home, ['-q', '-p', 'go', ...more])).stderr
    expect(await said(write)).toContain('--permission-mode acceptEdits')
    expect(await said(calls(write, bash('touch made')))).not.toContain('acceptEdits')
    expect(await said(bash('touch made'), '--permission-mode', 'acceptEdits')).not.toContain('acceptEdits')
    const outside = call('Write', { file_path: '../w.txt', content: 'x' })
    expect(await said(outside, '--permission-mode', 'acceptEdits')).not.toContain('acceptEdits')
  })

  test('a request that waits says by which command it is answered', async () => {
    const { home } = await serve({ main: once(call('Write', { file_path: 'w.txt', content: 'x' })) })
    const program = start(home, ['-p', 'go', '--wait-for-approval'])
    let said = ''
    program.child.stderr!.on('data', chunk => {
      said += chunk
    })
    await program.says(/to answer: .*\n/)
    expect(said).toContain('Needs approval: Write w.txt (write-asks)\n')
    const line = / {2}to answer: (offshoot approvals answer \S+ allow) {2}\(or deny\)\n/.exec(said)![1]!
    const program2 = line.replace(/^offshoot/, `'${process.execPath}' '${bin}'`)
    execFileSync('sh', ['-c', program2], { cwd: home.project, env: home.env, stdio: 'pipe' })
    expect((await program.ended).code).toBe(0)
    expect(existsSync(join(home.project, 'w.txt'))).toBe(true)
  })
})

describe.concurrent('rules that are kept', () => {
  const always = async (home: Home): Promise<void> => {
    const program = start(home, ['-p', 'go', '--wait-for-approval'])
    await program.says(/to answer: .*\n/)
    const [{ request }] = JSON.parse((await run(home, ['approvals', 'list', '--json'])).stdout)
    await run(home, ['approvals', 'answer', request.approvalId, 'allow', '--scope', 'always'])
    expect((await program.ended).code).toBe(0)
  }

  test('what was approved "always" was on no list, and nothing took it back', async () => {
    const { home } = await serve({ main: once(bash('touch "made *"')) })
    await always(home)
    const rule = `Bash(in ${home.project}: touch "made \\*")`
    expect((await run(home, ['-q', '-p', 'go'])).code).toBe(0)
    const listed = await run(home, ['config', 'list', '--show-origin'])
    expect(listed.stdout).toMatch(/permissions\.allow +Bash\(in \S+: touch "made \\\*"\) +user: .*approved.*\.json/)
    expect(listed.stderr).toContain('offshoot approvals always --revoke RULE takes one back')
    expect((await run(home, ['config', 'get', 'permissions.allow'])).stdout).toBe(`${rule}\n`)
    const shown = await run(home, ['approvals', 'always'])
    expect(shown.stdout).toBe(`${rule}\n`)
    const takeBack = /To take one back: (.*)\n/.exec(shown.stderr)![1]!
    const inside = await run(home, ['approvals', 'always', '--revoke', rule], { env: { OFFSHOOT_RUN: 'some-run' } })
    expect(inside.code).toBe(4)
    const line = takeBack.replace(/^offshoot/, `'${process.execPath}' '${bin}'`)
    execFileSync('sh', ['-c', line], { cwd: home.project, env: home.env, stdio: 'pipe' })
    expect((await run(home, ['approvals', 'always'])).stdout).toBe('')
    expect((await run(home, ['-q', '-p', 'go'])).code).toBe(4)
    expect((await run(home, ['approvals', 'always', '--revoke', rule])).code).toBe(2)
  })

  test('config set put a plain file in the place of a settings file that was a link', async () => {
    const home = makeHome()
    const link = join(home.project, '.offshoot/settings.json')
    mkdirSync(dirname(link), { recursive: true })
    writeFileSync(join(home.project, 'real.json'), '{}')
    symlinkSync('../real.json', link)
    const set = ['config', 'set', 'subagents.maxTurns', '5', '--scope', 'project']
    expect((await run(home, set)).code).toBe(0)
    expect(lstatSync(link).isSymbolicLink()).toBe(true)
    expect(JSON.parse(readFileSync(join(home.project, 'real.json'), 'utf8'))).toEqual({ subagents: { maxTurns: 5 } })
    rmSync(link)
    writeFileSync(join(home.path, 'mine.json'), '{}')
    symlinkSync(join(home.path, 'mine.json'), link)
    expect(await run(home, set)).toMatchObject({ code: 1, stderr: expect.stringContaining('leads out of the project') })
    expect(readFileSync(join(home.path, 'mine.json'), 'utf8')).toBe('{}')
  })

  test('config list showed rules that config get and config set did not know', async () => {
    const home = makeHome()
    const path = userFile(home, JSON.stringify({ permissions: { deny: ['Bash(ls:*)'], defaultMode: 'plan' } }))
    expect((await run(home, ['config', 'get', 'permissions.deny'])).stdout).toBe('Bash(ls:*)\n')
    expect((await run(home, ['config', 'get', 'permissions', '--show-origin'])).stdout).toContain(`user: ${path}`)
    expect((await run(home, ['config', 'set', 'permissions.deny', '["Bash(rm:*)","Read(.env)"]'])).code).toBe(0)
    expect((await run(home, ['config', 'get', 'permissions.deny'])).stdout).toBe('Bash(rm:*)\nRead(.env)\n')
    for (const [value, says] of [
      ['["Bash(rm"]', /has a rule that cannot be read: "Bash\(rm" has an opening bracket/],
      ['[7]', /must be a list of rules/],
    ] as const) {
      const end = await run(home, ['config', 'set', 'permissions.deny', value])
      expect(end.stderr).toMatch(says)
      expect(end.code).toBe(2)
    }
    expect(JSON.parse(readFileSync(path, 'utf8')).permissions).toEqual({
      deny: ['Bash(rm:*)', 'Read(.env)'],
      defaultMode: 'plan',
    })
    await run(home, ['config', 'set', 'permissions.deny', 'unset'])
    const gone = await run(home, ['config', 'get', 'permissions.deny'])
    expect(gone).toMatchObject({ code: 1, stderr: 'permissions.deny is not set.\n' })
    const hooks = await run(home, ['config', 'set', 'hooks', '{}'])
    expect(hooks).toMatchObject({ code: 2 })
    expect(hooks.stderr).toContain(`write them into ${path}`)
    userFile(home, '{"permissions":[]}')
    const refused = await run(home, ['config', 'set', 'permissions.deny', '["Bash"]'])
    expect(refused.stderr).toContain(`nothing was changed: ${path}: "permissions" in it is no object`)
  })
})

test('without colours a message of lint and its code ran together', async () => {
  const home = makeHome()
  writeFileSync(join(home.project, 'a.md'), '---\nname: a\ndescription: x\ntools: Read, Foo\n---\nbody\n')
  const { stdout } = await run(home, ['agents', 'lint', 'a.md'])
  expect(stdout).toMatch(/warning .*Foo.* \[tools-unknown\]$/m)
})
