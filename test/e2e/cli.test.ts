/** The program as scripts use it: what it prints where, and how it ends. */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { small } from '../mcp/servers.js'
import { eventually } from '../support/processes.js'
import { bin, ensureBuilt, makeHome, run, start } from './program.js'
import { agents, call, delegating, homesWithServers, task } from './scripted-server.js'

const { serve, closeAll } = homesWithServers()

// A busy machine takes its time; nothing here is timed.
vi.setConfig({ testTimeout: 90_000 })
beforeAll(ensureBuilt, 120_000)
afterAll(closeAll)

const withWorker = ['--agents', agents('worker')]

describe.concurrent('answers', () => {
  test('text: stdout holds the answer alone, progress of each child is on stderr', async () => {
    const { home } = await serve(delegating)
    const end = await run(home, ['-p', 'go', ...withWorker])
    expect(end).toMatchObject({ code: 0, stdout: 'All done. Both saw it.\n' })
    expect(end.stderr).toContain('[worker] Starting: worker works')
    expect(end.stderr).toMatch(/\[worker#2\] Completed in [\d.]+s \(2 turns, 1 tool call/)
    expect(end.stderr).not.toContain('\u001b[')
  })

  test('json: one document with the tree, tokens and a cost', async () => {
    const { home } = await serve(delegating)
    const { stdout, code } = await run(home, ['-p', 'go', '--output-format', 'json', '-q', ...withWorker])
    const document = JSON.parse(stdout)
    expect(code).toBe(0)
    expect(document).toMatchObject({
      type: 'result',
      subtype: 'success',
      is_error: false,
      num_turns: 2,
      permission_denials: [],
    })
    expect(document.children).toHaveLength(2)
    expect(document.children[0]).toMatchObject({
      agent: 'worker',
      outcome: 'completed',
      parent_run_id: document.session_id,
    })
    expect(document.total_cost_usd).toBeGreaterThan(0)
  })

  test('what an agent file said is kept for the next start, which sees every change all the same', async () => {
    const { home } = await serve(delegating)
    const file = join(home.path, '.claude/agents/helper.md')
    mkdirSync(join(home.path, '.claude/agents'), { recursive: true })
    const offered = async (text: string) => {
      writeFileSync(file, text)
      const { stdout } = await run(home, ['-p', 'go', '--output-format', 'stream-json', ...withWorker])
      return JSON.parse(stdout.split('\n')[0]!).agents.includes('helper')
    }
    const sound = '---\nname: helper\ndescription: Helps.\ntools: Read\n---\nHelp.\n'
    expect(await offered(sound)).toBe(true)
    const kept = join(home.path, 'state/data/agent-readings.json')
    expect(statSync(kept).mode & 0o777).toBe(0o600)
    // It goes by the name of the code, which the terminal has as well: else a mended reader would find old readings.
    const build = JSON.parse(readFileSync(kept, 'utf8')).build.split(' ')[0]
    expect(build).toMatch(/^[\da-f]{16}$/)
    expect(readFileSync(join(bin, '../terminal.js'), 'utf8')).toContain(build)
    expect(readFileSync(kept, 'utf8')).toContain(file)
    expect(await offered(sound)).toBe(true)
    expect(await offered(sound.replace('tools', 'tols'))).toBe(false)
    expect(await offered(sound)).toBe(true)
  })

  test('stream-json: init first, result last, events of children name their run and their caller', async () => {
    const { home } = await serve(delegating)
    const { stdout } = await run(home, ['-p', 'go', '--output-format', 'stream-json', ...withWorker])
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(lines[0]).toMatchObject({ type: 'system', subtype: 'init', version: 1, agent: 'main' })
    expect(lines.at(-1)).toMatchObject({ type: 'result', session_id: lines[0].session_id })
    expect(lines[1].event.type).toBe('run.queued')
    const ended = lines.filter(line => line.event?.type === 'run.ended' && line.depth === 1)
    expect(ended).toHaveLength(2)
    for (const line of ended) expect(line).toMatchObject({ parent_run_id: lines[0].session_id, agent: 'worker' })
  })

  test('--json-schema: the answer fits, and what does not fit goes back to the model', async () => {
    const { home, server } = await serve({
      main: ({ turn }) =>
        turn === 0 ? call('complete_task', { result: { n: 'x' } }) : call('complete_task', { result: { n: 7 } }),
    })
    const schema = '{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}'
    const { stdout, code } = await run(home, ['-p', 'count', '--json-schema', schema, '--output-format', 'json', '-q'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout).structured_output).toEqual({ n: 7 })
    expect(server.requests).toHaveLength(2)
  })

  test('--input-format stream-json: one result for each prompt, in one conversation', async () => {
    const { home, server } = await serve({ main: ({ last }) => `You said ${last}.` })
    const said = (text: string) => JSON.stringify({ type: 'user', message: { role: 'user', content: text } })
    const { stdout, code } = await run(
      home,
      ['-p', '--input-format', 'stream-json', '--output-format', 'stream-json'],
      {
        input: `${said('one')}\nno json\n${said('two')}\n`,
      },
    )
    const results = stdout
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line))
      .filter(line => line.type === 'result')
    expect(results.map(result => result.result)).toEqual(['You said one.', 'You said two.'])
    expect(new Set(results.map(result => result.session_id)).size).toBe(1)
    // A prompt may have been in the line that was skipped, and good answers to the others do not make up for it.
    expect(code).toBe(2)
    expect(server.requests[1]!.text).toContain('You said one.')
  })

  test('an interrupt right behind its prompt was dropped, and the whole answer ran; so was one behind a prompt that waits', async () => {
    const { home } = await serve({
      main: ({ turn }) => (turn === 0 ? call('Bash', { command: 'echo x > effect' }) : 'done'),
    })
    const said = JSON.stringify({ type: 'user', message: { role: 'user', content: 'go' } })
    const { stdout, stderr } = await run(
      home,
      [
        '-p',
        '--input-format',
        'stream-json',
        '--output-format',
        'stream-json',
        '--permission-mode',
        'bypassPermissions',
      ],
      { input: `{"type":"interrupt"}\n${said}\n${said}\n{"type":"interrupt"}\n` },
    )
    const results = stdout.split('\n').filter(line => line.includes('"type":"result"'))
    expect(results.map(line => JSON.parse(line).outcome)).toEqual(['cancelled', 'cancelled'])
    expect(existsSync(join(home.project, 'effect'))).toBe(false)
    expect(stderr.match(/nothing was stopped/g)).toHaveLength(1)
  })

  test('a prompt of 5 MB on stdin arrives whole', async () => {
    const { home, server } = await serve({ main: () => 'read' })
    const end = await run(home, ['-p', 'count the lines'], { input: `${'0123456789abcdef\n'.repeat(310_000)}THE END` })
    expect(end).toMatchObject({ code: 0, stdout: 'read\n' })
    expect(server.requests[0]!.text.length).toBeGreaterThan(5_000_000)
    expect(server.requests[0]!.text).toContain('THE END')
  })

  test('"-" reads the prompt from stdin; @file puts a file below it; the offline model needs no key', async () => {
    const { home, server } = await serve({ main: () => 'ok' })
    writeFileSync(join(home.project, 'notes.md'), 'the secret word is plum')
    await run(home, ['-p', 'what is in @notes.md and @nowhere.md?'])
    expect(server.requests[0]!.text).toContain('the secret word is plum')
    const offline = makeHome()
    writeFileSync(join(offline.project, 'plum.ts'), 'export function pickPlum() { return 1 }\n')
    const end = await run(offline, ['-p', '-', '-q'], { input: 'Where is pickPlum?' })
    expect(end.code).toBe(0)
    expect(end.stdout).toContain('plum.ts:1')
  })

  test('colours: none into a pipe, forced by FORCE_COLOR, and NO_COLOR has the last word', async () => {
    const { home } = await serve(delegating)
    const forced = await run(home, ['-p', 'go', ...withWorker], { env: { FORCE_COLOR: '1' } })
    expect(forced.stderr).toContain('\u001b[36m[worker]\u001b[39m Starting')
    expect(forced.stdout).toBe('All done. Both saw it.\n')
    const none = await run(home, ['-p', 'go', ...withWorker], { env: { FORCE_COLOR: '1', NO_COLOR: '1' } })
    expect(none.stderr).not.toContain('\u001b[')
  })
})

describe.concurrent('exit codes', () => {
  test('1: the provider refuses; the message says so and how to go on', async () => {
    const { home } = await serve({ main: () => ({ error: 'credit is used up' }) })
    const end = await run(home, ['-p', 'go'])
    expect(end).toMatchObject({ code: 1, stdout: '' })
    expect(end.stderr).toMatch(/failed: .*credit is used up[\s\S]*offshoot runs resume/)
  })

  test('3: out of turns, with what there was on stdout', async () => {
    const { home } = await serve({
      main: ({ turn }) => ({ text: [`part ${turn}`], ...call('LS', { path: `.${'/.'.repeat(turn)}` }) }),
    })
    const end = await run(home, ['-p', 'go', '--max-turns', '2'])
    expect(end.code).toBe(3)
    expect(end.stderr).toContain('max_turns')
  })

  test('3: the budget is used up before it is overspent', async () => {
    const { home, server } = await serve({ main: ({ turn }) => call('LS', { path: `.${'/.'.repeat(turn)}` }) })
    const end = await run(home, ['-p', 'go', '--max-budget-usd', '0.02'])
    expect(end.code).toBe(3)
    expect(end.stderr).toContain('budget')
    expect(server.requests.length).toBeLessThan(100)
  })

  test('4: a permission was needed, nobody was there to ask, and no other way was found', async () => {
    const { home } = await serve({
      main: ({ turn }) =>
        turn === 0 ? call('Bash', { command: 'touch made-by-agent', description: 'make' }) : 'I was not allowed to.',
    })
    const end = await run(home, ['-p', 'make it'])
    expect(end).toMatchObject({ code: 4, stdout: 'I was not allowed to.\n' })
    expect(end.stderr).toContain(`--allowedTools 'Bash(in ${home.project}: touch made-by-agent)'`)
    const allowed = await run(home, ['-p', 'make it', '--allowedTools', 'Bash(touch *)'])
    expect(allowed.code).toBe(0)
  })

  test('0: a denied call with another way found is an answer', async () => {
    const { home } = await serve({
      main: ({ turn }) =>
        [call('Bash', { command: 'touch x', description: 'make' }), call('LS', { path: '.' }), 'found another way'][
          turn
        ]!,
    })
    const end = await run(home, ['-p', 'go', '--output-format', 'json'])
    expect(end.code).toBe(0)
    expect(JSON.parse(end.stdout).permission_denials).toMatchObject([{ tool: 'Bash', agent: 'main' }])
  })

  test('L01 130: Ctrl+C stops the run and keeps what it has', async () => {
    const { home, server } = await serve({ main: () => ({ hold: { text: ['never said'] } }) })
    const program = start(home, ['-p', 'go'])
    await eventually(
      () => server.requests.length,
      count => count > 0,
      10_000,
    )
    program.child.kill('SIGINT')
    const end = await program.ended
    expect(end.code).toBe(130)
    expect(end.stderr).toContain('cancelled')
    expect(end.stderr).toMatch(/to go on: offshoot runs resume \S+/)
  })

  test('Ctrl+C while only a background child still worked ended without last words, even with -q', async () => {
    const { home, server } = await serve({
      main: ({ turn }) => (turn === 0 ? task('worker', 'look', { run_in_background: true }) : 'The answer.'),
      worker: () => ({ hold: { text: ['never said'] } }),
    })
    const program = start(home, ['-p', 'go', '-q', ...withWorker])
    const asked = () => Math.min(server.requestsOf('worker').length, server.requestsOf('main').length - 1)
    await eventually(asked, count => count > 0, 10_000)
    program.child.kill('SIGINT')
    const end = await program.ended
    expect(end).toMatchObject({ code: 130, stdout: 'The answer.\n' })
    expect(end.stderr).toMatch(/the answer was there, .* was stopped\n {2}to go on: offshoot runs resume \S+/)
    const runs = JSON.parse((await run(home, ['runs', 'list', '--all', '--json'])).stdout)
    const { runId } = runs.find(({ depth }: { depth: number }) => depth === 1)
    expect((await run(home, ['runs', 'show', runId])).stdout).toContain('its caller was stopped')
    const root = runs.find(({ depth }: { depth: number }) => depth === 0)
    expect(await run(home, ['runs', 'resume', root.runId, '-q'])).toMatchObject({ code: 0, stdout: 'The answer.\n' })
  })

  test('the first Ctrl+C did not say what happens now, nor what a second one does', async () => {
    const { home, server } = await serve({ main: () => ({ hold: { text: ['never said'] } }) })
    const stopped = async (...flags: readonly string[]) => {
      const asked = server.requests.length
      const program = start(home, ['-p', 'go', ...flags])
      await eventually(
        () => server.requests.length,
        count => count > asked,
        10_000,
      )
      program.child.kill('SIGINT')
      return (await program.ended).stderr
    }
    expect(await stopped()).toMatch(
      /stopping the run; what it has is kept\. Ctrl\+C again leaves at once.*\n.*cancelled/,
    )
    expect(await stopped('-q')).not.toContain('Ctrl+C')
  })
})

describe.concurrent('looking after things', () => {
  test('models, doctor, agents list and explain see the settings a conversation would have', async () => {
    const home = makeHome()
    const further = join(home.path, 'further')
    const own = join(home.env.OFFSHOOT_HOME!, 'config/agents')
    for (const [folder, name] of [
      [further, 'far'],
      [own, 'near'],
    ] as const) {
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, `${name}.md`), `---\nname: ${name}\ndescription: Says hello.\n---\nSay hello.\n`)
    }
    const settings = {
      model: 'house/large',
      providers: { house: { baseUrl: 'http://127.0.0.1:9/v1', models: ['large'] } },
      subagents: { agentsDirs: [further], maxTurns: 7 },
    }
    writeFileSync(join(home.env.OFFSHOOT_HOME!, 'config/settings.json'), JSON.stringify(settings))
    const said = async (...args: readonly string[]) => (await run(home, args)).stdout
    expect(await said('models', 'list')).toContain('Default: house/large (the model of your settings is house/large)')
    expect(await said('doctor')).toMatch(/model +house\/large/)
    expect(await said('agents', 'list', '--all')).toContain('far')
    const brief = JSON.parse(await said('agents', 'explain', 'near', '--json'))
    expect(JSON.stringify(brief)).toMatch(/"maxTurns":7.*house\/large|house\/large.*"maxTurns":7/)
  })

  test('explain left out what a run would have of skills, instructions and servers', async () => {
    const home = makeHome()
    const config = join(home.env.OFFSHOOT_HOME!, 'config')
    mkdirSync(join(config, 'agents'), { recursive: true })
    writeFileSync(join(home.project, 'AGENTS.md'), 'Use tabs.')
    writeFileSync(
      join(config, 'agents/near.md'),
      '---\nname: near\ndescription: Is near.\nskills: [gone]\n---\nHello.\n',
    )
    const settings = { mcpServers: { small: small('look') } }
    writeFileSync(join(config, 'settings.json'), JSON.stringify(settings))
    const { stdout } = await run(home, ['agents', 'explain', 'near'])
    expect(stdout).toMatch(/gone missing +skill-missing/)
    expect(stdout).toMatch(/AGENTS\.md 9 bytes +instructions/)
    expect(stdout).toMatch(/mcp__small__look +kept/)
  })

  test('runs: export as Markdown and as sidechain files, import one again, prune', async () => {
    const { home } = await serve(delegating)
    await run(home, ['-p', 'go', ...withWorker, '-q'])
    const [{ runId }] = JSON.parse((await run(home, ['runs', 'list', '--json'])).stdout)
    const markdown = await run(home, ['runs', 'export', runId])
    expect(markdown.stdout).toContain('I have seen it.')
    const files = await run(home, ['runs', 'export', runId, '--format', 'sidechain', '--to', 'out'])
    expect(files.stderr.match(/agent-.*\.jsonl/g)?.length).toBeGreaterThanOrEqual(2)
    const [, child] = files.stderr.split('\n').filter(path => path.endsWith('.jsonl'))
    expect((statSync(child!).mode & 0o777).toString(8)).toBe('600')
    expect((await run(home, ['runs', 'import', child!])).stderr).toContain(
      '"--agent NAME" chooses who goes on with it.',
    )
    const imported = await run(home, ['runs', 'import', child!, '--agent', 'general-purpose'])
    expect(imported.stderr).toMatch(/^\d turns? as a run of general-purpose\. Go on: offshoot runs resume/)
    expect((await run(home, ['runs', 'show', imported.stdout.trim()])).stdout).toContain('general-purpose')
    expect((await run(home, ['runs', 'import', 'nowhere.jsonl'])).code).toBe(2)
    const tail = await run(home, ['runs', 'tail', runId, '--from-start'])
    expect(tail.stdout).toContain('[worker] Starting')
    expect((await run(home, ['runs', 'prune', '--dry-run'])).stderr).toContain('0 trees would be removed')
    await run(home, ['config', 'set', 'subagents.retentionDays', '0'])
    expect((await run(home, ['runs', 'prune', '--dry-run'])).stderr).toContain('2 trees would be removed')
    const pruned = await run(home, ['runs', 'prune', '--days', '0'])
    expect(pruned.stderr).toContain('2 trees removed')
    expect((await run(home, ['runs', 'list'])).stderr).toContain('No runs yet')
  })

  test('runs list showed runs of every directory and did not say which is whose', async () => {
    const home = makeHome()
    await run(home, ['-q', '-p', 'hello'])
    expect((await run(home, ['runs', 'list'])).stdout).not.toContain('ELSEWHERE')
    const elsewhere = join(home.project, 'other')
    mkdirSync(elsewhere)
    await run(home, ['-q', '-p', 'hi there'], { cwd: elsewhere })
    const [head, newest, oldest] = (await run(home, ['runs', 'list'])).stdout.split('\n')
    expect(head).toMatch(/ELSEWHERE$/)
    expect(newest).toMatch(/main: hi there +\S+\/other$/)
    expect(oldest).toMatch(/main: hello *$/)
  })

  test('config: set, get with its origin, and what cannot be set', async () => {
    const home = makeHome()
    expect((await run(home, ['config', 'set', 'subagents.maxTurns', '7'])).code).toBe(0)
    const got = await run(home, ['config', 'get', 'subagents.maxTurns', '--show-origin'])
    expect(got.stdout).toMatch(/^7\s+user: .*settings\.json/)
    expect((await run(home, ['config', 'set', 'subagents.maxTurn', '7'])).stderr).toContain(
      'Did you mean "subagents.maxTurns"?',
    )
    expect((await run(home, ['config', 'set', 'subagents.maxTurns', 'many'])).code).toBe(2)
    expect((await run(home, ['config', 'set', 'model', 'x'], { env: { OFFSHOOT_RUN: 'r' } })).code).toBe(4)
  })

  test.runIf(process.platform === 'linux')(
    'P19 a command of a run that was started with an emptied environment trusted its folder',
    async () => {
      const home = makeHome()
      const line = `env -i HOME="$HOME" OFFSHOOT_HOME="$OFFSHOOT_HOME" "$NODE" "$BIN" trust --yes; echo "code $?"`
      const env = { ...home.env, OFFSHOOT_RUN: 'run-7', NODE: process.execPath, BIN: bin }
      const { stdout, stderr } = await promisify(execFile)('bash', ['-c', line], { cwd: home.project, env })
      expect(stderr).toContain('belongs to run run-7')
      expect(stdout).toBe('code 4\n')
    },
  )

  test('A02 F12 trust: a project’s agents act once they are trusted, and not before', async () => {
    const home = makeHome()
    mkdirSync(join(home.project, '.claude/agents'), { recursive: true })
    writeFileSync(
      join(home.project, '.claude/agents/mine.md'),
      '---\nname: mine\ndescription: Mine.\n---\nAGENT:mine\n',
    )
    expect((await run(home, ['-p', 'go', '--agent', 'mine'])).stderr).toContain('not trusted')
    expect((await run(home, ['trust'])).stderr).toContain('--yes')
    expect((await run(home, ['trust', '--yes'], { env: { OFFSHOOT_RUN: 'r' } })).code).toBe(4)
    mkdirSync(join(home.project, '.claude/commands'))
    writeFileSync(join(home.project, '.claude/commands/hi.md'), 'Say hi.')
    const listed = await run(home, ['trust', '--list'])
    expect(listed.stdout).toMatch(/agent +not trusted +\S+mine\.md[\s\S]*command +not trusted +\S+hi\.md/)
    expect((await run(home, ['trust', '--yes'])).code).toBe(0)
    expect((await run(home, ['agents', 'list'])).stdout).toContain('mine')
  })

  test('doctor shows the remarks on skills, servers and instructions that a run only counts', async () => {
    const home = makeHome()
    const put = (path: string, text: string) => {
      mkdirSync(join(home.project, path, '..'), { recursive: true })
      writeFileSync(join(home.project, path), text)
    }
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) put(`.offshoot/skills/${name}/SKILL.md`, 'No front matter.')
    put('.mcp.json', JSON.stringify({ mcpServers: { gone: { command: './nowhere' } } }))
    put('CLAUDE.md', 'See @./missing.md\n')
    expect((await run(home, ['trust', '--yes'])).code).toBe(0)
    expect((await run(home, ['-p', 'hi'])).stderr).toMatch(/more remarks: "offshoot doctor"/)
    const { stdout } = await run(home, ['doctor'])
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) expect(stdout).toContain(`skills/${name}/SKILL.md`)
    expect(stdout).toContain('"gone" cannot be used')
    expect(stdout).toContain('missing.md')
  })

  test('doctor, models, completion and help say something on a machine with nothing', async () => {
    const home = makeHome()
    const doctor = await run(home, ['doctor', '--json'])
    expect(JSON.parse(doctor.stdout)).toContainEqual(expect.objectContaining({ about: 'store', state: 'fine' }))
    expect((await run(home, ['models', 'list'])).stdout).toContain('offline/scout')
    const help = await run(home, ['--help'])
    expect(help).toMatchObject({ code: 0, stderr: '' })
    expect(help.stdout).toContain('--max-budget-usd')
  })
})
