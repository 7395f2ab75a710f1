/** What a run leaves behind when it is killed, left waiting or cut off, and how it goes on. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { eventually } from '../support/processes.js'
import { bin, ensureBuilt, type Home, run, start } from './program.js'
import { agents, call, homesWithServers, type Part, task } from './scripted-server.js'

const { serve, closeAll } = homesWithServers()
// A busy machine takes its time; nothing here is timed.
vi.setConfig({ testTimeout: 90_000 })
beforeAll(ensureBuilt, 120_000)
afterAll(closeAll)

const idsOf = async (home: Home) => (await run(home, ['runs', 'list', '--ids'])).stdout.trim().split('\n')
const withWorker = ['--agents', agents('worker')]

describe.concurrent('what is left behind', () => {
  test('L02 P23 killed in the middle: listed as unfinished, mentioned at the next start, resumed without doing anything twice', async () => {
    let isHeld = true
    const { server, home } = await serve({
      main: ({ turn }) => {
        if (turn === 0) return task('worker', 'look')
        return isHeld ? { hold: { text: ['late'] } } : 'Finished after all.'
      },
      worker: ({ turn }) => (turn === 0 ? call('LS', { path: '.' }) : 'seen'),
    })
    const program = start(home, ['-p', 'go', ...withWorker])
    await program.says('[worker] Completed')
    await eventually(
      () => server.requestsOf('main').length,
      count => count === 2,
      10_000,
    )
    program.child.kill('SIGKILL')
    await program.ended
    isHeld = false
    const listed = await run(home, ['runs', 'list', '--json'])
    const [run1] = JSON.parse(listed.stdout)
    // It waited for ever for a process that was dead.
    const tail = await run(home, ['runs', 'tail', run1.runId])
    expect(tail).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`to go on: offshoot runs resume ${run1.runId}`),
    })
    const nothing = await run(home, ['runs', 'send', run1.runId, ' '])
    expect(nothing).toMatchObject({ code: 2, stderr: expect.stringContaining('nothing was sent') })
    expect(run1).toMatchObject({ status: 'running', agent: 'main' })
    const next = await run(home, ['-p', 'something else', '--agents', agents('worker')])
    expect(next.stderr).toContain(`offshoot runs resume ${run1.runId}`)
    const before = server.requestsOf('worker').length
    const resumed = await run(home, ['runs', 'resume', run1.runId.slice(0, 13)])
    expect(resumed).toMatchObject({ code: 0, stdout: 'Finished after all.\n' })
    expect(server.requestsOf('worker').length).toBe(before)
    const again = await run(home, ['runs', 'show', run1.runId])
    expect(again.stdout).toMatch(/└─ worker worker works\s+·*━+/)
  })

  test('-p waits for a background child; --no-wait leaves it to be resumed', async () => {
    const parts: Readonly<Record<string, Part>> = {
      main: ({ turn, last }) => {
        if (turn === 0) return task('worker', 'dig', { run_in_background: true })
        return last.includes('gold') ? 'The child found gold.' : 'Started it.'
      },
      worker: ({ turn }) => (turn === 0 ? call('LS', { path: '.' }) : 'gold'),
    }
    const waiting = await serve(parts)
    const whole = await run(waiting.home, ['-p', 'go', ...withWorker])
    expect(whole).toMatchObject({ code: 0, stdout: 'The child found gold.\n' })
    const leaving = await serve({ ...parts, worker: () => ({ hold: { text: ['gold'] } }) })
    const end = await run(leaving.home, ['-p', 'go', '--no-wait', ...withWorker])
    expect(end).toMatchObject({ code: 0, stdout: 'Started it.\n' })
    const listed = JSON.parse((await run(leaving.home, ['runs', 'list', '--unfinished', '--json'])).stdout)
    expect(listed).toMatchObject([{ agent: 'worker', isBackground: true }])
    const goOn = `offshoot runs resume ${listed[0].runId}`
    expect(end.stderr).toContain(`worker is left in the background\n  to go on: ${goOn}\n`)
    const shown = await run(leaving.home, ['runs', 'show', listed[0].rootId])
    expect(shown.stdout).toContain(`worker unfinished: to go on: ${goOn}  `)
    const said = await run(leaving.home, ['-p', 'go', '--no-wait', '--output-format', 'json', ...withWorker])
    expect(JSON.parse(said.stdout).children).toMatchObject([{ agent: 'worker', status: 'unfinished' }])
    leaving.server.release()
    const resumed = await run(leaving.home, ['runs', 'resume', listed[0].runId])
    expect(resumed).toMatchObject({ code: 0, stdout: 'gold\n' })
  })

  test('runs resume of a completed run, without a prompt, made it say its answer a second time', async () => {
    const { home, server } = await serve({
      main: ({ turn, last }) =>
        turn === 0 ? task('worker', 'dig') : last.includes('why') ? 'Because.' : 'The answer.',
      worker: () => 'gold',
    })
    const first = await run(home, ['-p', 'go', '--output-format', 'json', '-q', ...withWorker])
    const { session_id: root, children } = JSON.parse(first.stdout)
    for (const id of [root, children[0].run_id]) {
      const asked = server.requests.length
      expect(await run(home, ['runs', 'resume', id])).toEqual(
        expect.objectContaining({
          ...{ code: 2, stdout: '' },
          stderr: `offshoot: What should I do? Run ${id} is completed. Give a prompt, for example: offshoot runs resume ${id} "And why?"\n`,
        }),
      )
      expect(server.requests.length).toBe(asked)
    }
    expect(await run(home, ['runs', 'resume', root, 'And why?'])).toMatchObject({ code: 0, stdout: 'Because.\n' })
  })

  test('where an isolated child left its work stands on stderr, in the JSON answer and in runs show', async () => {
    const { home } = await serve({
      main: ({ turn }) => (turn === 0 ? task('worker', 'write', { isolation: 'worktree' }) : 'Done.'),
      worker: ({ turn }) => (turn === 0 ? call('Write', { file_path: 'new.txt', content: 'x' }) : 'Written.'),
    })
    const git = (...words: string[]) => execFileSync('git', words, { cwd: home.project })
    git('init', '-q')
    git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'first')
    const flags = ['-q', '--permission-mode', 'acceptEdits', '--output-format', 'json', ...withWorker]
    const end = await run(home, ['-p', 'go', ...flags])
    const { kept, session_id } = JSON.parse(end.stdout)
    const where = expect.stringContaining(`are in ${join(home.path, 'state/worktrees', kept[0].run_id)}, on branch`)
    expect(kept).toEqual([{ run_id: expect.any(String), where }])
    expect(end.stderr).toContain(kept[0].where)
    expect((await run(home, ['runs', 'show', session_id])).stdout).toContain(kept[0].where)
  })

  test('a run that went on alone in the worktree of its caller left its work where nobody said, and the place for ever', async () => {
    const { home } = await serve({
      main: ({ turn }) => (turn === 0 ? task('worker', 'hand on', { isolation: 'worktree' }) : 'Done.'),
      worker: ({ turn }) => (turn === 0 ? task('clerk', 'look') : 'Done.'),
      clerk: ({ last }) => (last.includes('WRITE') ? call('Write', { file_path: 'new.txt', content: 'x' }) : 'Seen.'),
    })
    const git = (...words: string[]) => execFileSync('git', words, { cwd: home.project, encoding: 'utf8' })
    git('init', '-q')
    git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'first')
    const flags = [
      '-q',
      '--permission-mode',
      'acceptEdits',
      '--output-format',
      'json',
      '--agents',
      agents('worker', 'clerk'),
    ]
    await run(home, ['-p', 'go', ...flags])
    const runs = JSON.parse((await run(home, ['runs', 'list', '--all', '--json'])).stdout)
    const idOf = (name: string) => runs.find(({ agent }: { agent: string }) => agent === name).runId
    const goOn = async (prompt: string) => run(home, ['-r', idOf('clerk'), '-p', prompt, ...flags])
    expect(JSON.parse((await goOn('look again')).stdout)).not.toHaveProperty('kept')
    expect(git('worktree', 'list').trim().split('\n')).toHaveLength(1)
    const end = await goOn('WRITE it')
    const where = expect.stringContaining(`offshoot runs worktrees --merge ${idOf('worker')}`)
    expect(JSON.parse(end.stdout).kept).toEqual([{ run_id: idOf('clerk'), where }])
    expect(end.stderr).toEqual(where)
  })

  test('--continue goes on with the last conversation of the directory, --fork-session with a copy of it', async () => {
    const { server, home } = await serve({ main: ({ last }) => `heard ${last}` })
    await run(home, ['-p', 'one', '-q'])
    await run(home, ['-p', 'two', '-c', '-q'])
    expect(server.requests[1]!.text).toContain('heard one')
    await run(home, ['-p', 'three', '-c', '--fork-session', '-q'])
    expect(server.requests[2]!.text).toContain('heard two')
    const elsewhere = await run(home, ['-p', 'four', '-c'], { cwd: home.path })
    expect(elsewhere.code).toBe(2)
    const runs = JSON.parse((await run(home, ['runs', 'list', '--json'])).stdout)
    expect(runs).toHaveLength(2)
  })

  test.each(['SIGHUP', 'SIGTERM'] as const)('%s in the middle: the log stays, and the run goes on', async signal => {
    let isHeld = true
    const { server, home } = await serve({ main: () => (isHeld ? { hold: { text: ['late'] } } : 'Here I am again.') })
    const program = start(home, ['-p', 'go'])
    await eventually(
      () => server.requests.length,
      count => count > 0,
      10_000,
    )
    program.child.kill(signal)
    const end = await program.ended
    expect(end.signal).toBe(signal)
    const how = signal === 'SIGHUP' ? 'the terminal went away' : 'terminated'
    expect(end.stderr).toMatch(new RegExp(`offshoot: ${how}\n  to go on: offshoot runs resume \\S+\n$`))
    isHeld = false
    const [{ runId, status }] = JSON.parse((await run(home, ['runs', 'list', '--json'])).stdout)
    expect(status).toBe('running')
    expect(await run(home, ['runs', 'resume', runId])).toMatchObject({ code: 0, stdout: 'Here I am again.\n' })
  })

  const streaming = ['-p', 'go', '-q', '--output-format', 'stream-json']
  const asked = JSON.stringify({ type: 'user', message: { role: 'user', content: 'go' } })
  test.each([
    ['one prompt', streaming, {}],
    [
      'a conversation',
      ['-p', '-q', ...streaming.slice(3), '--input-format', 'stream-json'],
      { input: `${asked}\n${asked}\n` },
    ],
  ] as const)(
    '141: a reader that went away from the stream of %s left an unfinished run and exit code 0',
    async (_, args, options) => {
      const { home } = await serve({ main: () => ({ hold: { text: ['never said'] } }) })
      const program = start(home, args, { ...options, isStdinOpen: false })
      await program.says('"type":"turn.started"')
      // The next line finds nobody.
      program.child.stdout!.destroy()
      await run(home, ['runs', 'send', (await idsOf(home))[0]!, 'hear this'])
      const end = await program.ended
      const [runId] = await idsOf(home)
      expect(end.code).toBe(141)
      expect(end.stderr).toContain(
        'offshoot: nobody reads the output any more, and the run had not ended: it is left as it is',
      )
      expect(end.stderr).toMatch(new RegExp(`\n  to go on: offshoot runs resume ${runId}\n$`))
      if ('input' in options) expect(end.stderr).toContain('prompts that were not begun: 1')
      expect((await run(home, ['runs', 'list'])).stdout).toContain('unfinished')
    },
  )

  test('0: a reader that goes away when the run has ended missed only the end of the output', async () => {
    const { home } = await serve({ main: () => 'x'.repeat(400_000) })
    const program = `"${process.execPath}" "${bin}" -p go -q < /dev/null`
    const shell = spawn('bash', ['-c', `set -o pipefail; ${program} | head -c 1`], {
      env: home.env,
      cwd: home.project,
    })
    let stderr = ''
    shell.stderr.on('data', chunk => (stderr += chunk))
    shell.stdout.resume()
    const [code] = await once(shell, 'close')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })

  test.each([
    ['in this process', false, undefined],
    ['in a process of its own', false, 'process'],
    ['in the background', true, undefined],
  ])(
    'L03 runs stop on a tree whose process was killed left the child %s unfinished',
    async (_, isBackground, executionMode) => {
      const { server, home } = await serve({
        main: ({ turn }) =>
          turn === 0 ? task('worker', 'dig', { run_in_background: isBackground }) : { hold: { text: ['late'] } },
        worker: ({ turn }) => (turn === 0 ? task('digger', 'dig deeper') : 'dug'),
        digger: () => ({ hold: { text: ['late'] } }),
      })
      const definition = { description: 'Digs.', tools: ['Read', 'Task'], ...(executionMode && { executionMode }) }
      const given = JSON.stringify({
        worker: { ...definition, prompt: 'AGENT:worker' },
        digger: { ...definition, prompt: 'AGENT:digger' },
      })
      const program = start(home, ['-p', 'go', '--agents', given])
      await eventually(
        () => server.requestsOf('digger').length,
        count => count > 0,
        20_000,
      )
      program.child.kill('SIGKILL')
      await program.ended
      const asked = server.requests.length
      const stopped = await run(home, ['runs', 'stop', (await idsOf(home))[0]!, 'enough'])
      expect(stopped).toMatchObject({ code: 0, stderr: expect.stringContaining('was stopped (cancelled)') })
      const tree: readonly { readonly agent: string; readonly outcome?: string }[] = JSON.parse(
        (await run(home, ['runs', 'list', '--all', '--json'])).stdout,
      )
      expect(tree.map(({ agent, outcome }) => `${agent} ${outcome}`).sort()).toEqual([
        'digger cancelled',
        'main cancelled',
        'worker cancelled',
      ])
      expect(server.requests).toHaveLength(asked)
    },
  )

  test('killed with a request out, and resumed: what that may have cost stays in the figures, and says so', async () => {
    const { home, server } = await serve({ main: () => ({ hold: { text: ['the answer'] } }) })
    const program = start(home, ['-p', 'go'])
    await eventually(
      () => server.requests.length,
      count => count > 0,
      20_000,
    )
    program.child.kill('SIGKILL')
    await program.ended
    server.release()
    const [id] = await idsOf(home)
    const resumed = await run(home, ['runs', 'resume', id!, '--output-format', 'json'])
    expect(JSON.parse(resumed.stdout)).toMatchObject({
      outcome: 'completed',
      result: 'the answer',
      num_turns: 1,
      usage: { is_estimated: true },
      is_cost_estimated: true,
    })
    expect((await run(home, ['runs', 'list'])).stdout).toMatch(/ ~\$0\.\d+/)
    expect((await run(home, ['runs', 'show', id!])).stdout).toMatch(/~\$0\.\d+/)
  })

  test('an approval is answered from another process, and never from inside a run', async () => {
    const { home } = await serve({
      main: ({ turn }) => (turn === 0 ? task('worker', 'write') : 'done'),
      worker: ({ turn }) => (turn === 0 ? call('Write', { file_path: 'out.txt', content: 'hello' }) : 'written'),
    })
    const program = start(home, ['-p', 'go', '--wait-for-approval', ...withWorker])
    await program.says('Needs approval: Write')
    const listed = await run(home, ['approvals', 'list'])
    expect(listed.stdout).toMatch(/main \/ worker wants Write/)
    const id = /^(\S+)/.exec(listed.stdout)![1]!
    const inside = await run(home, ['approvals', 'answer', id, 'allow'], { env: { OFFSHOOT_RUN: 'some-run' } })
    expect(inside.code).toBe(4)
    await run(home, ['approvals', 'answer', id, 'allow'])
    expect((await program.ended).code).toBe(0)
    expect(readFileSync(join(home.project, 'out.txt'), 'utf8')).toBe('hello')
  })
})
