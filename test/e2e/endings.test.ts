/** How the program says what it came to: at a limit, by a signal, with a long answer, and in its lists afterwards. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { eventually } from '../support/processes.js'
import { ensureBuilt, run, start } from './program.js'
import { agents, call, delegating, homesWithServers, type Part, task } from './scripted-server.js'

const { serve, closeAll } = homesWithServers()
// A busy machine takes its time; nothing here is timed.
vi.setConfig({ testTimeout: 90_000 })
beforeAll(ensureBuilt, 120_000)
afterAll(closeAll)

/** Looks on until it is asked for its report. */
const cut: Part = ({ turn }) => (turn < 3 ? call('LS', { path: `.${'/.'.repeat(turn)}` }) : 'What I have so far.')
const isAsked = (server: { readonly requests: readonly unknown[] }) =>
  eventually(
    () => server.requests.length,
    count => count > 0,
    10_000,
  )

describe.concurrent('how an answer ends', () => {
  test('an answer of 37 KB is one request, and all of it is printed', async () => {
    const long = 'A'.repeat(37_000)
    const { server, home } = await serve({ main: () => long })
    const { code, stdout } = await run(home, ['-p', 'go', '-q'])
    expect({ code, isWhole: stdout === `${long}\n` }).toEqual({ code: 0, isWhole: true })
    expect(server.requests).toHaveLength(1)
  })

  test('3: a limit that a last turn saved is no plain success, not even with -q, nor in any list', async () => {
    const { home } = await serve({ main: cut })
    const end = await run(home, ['-p', 'go', '--max-turns', '3', '-q'])
    expect(end).toMatchObject({ code: 3, stdout: 'What I have so far.\n' })
    expect(end.stderr).toMatch(/max_turns reached: this is the report of one last turn.*\n {2}to go on: offshoot runs/)
    const listed = await run(home, ['runs', 'list'])
    expect(listed.stdout).toContain('completed (recovered from max_turns)')
    const [{ runId, recoveredFrom }] = JSON.parse((await run(home, ['runs', 'list', '--json'])).stdout)
    expect(recoveredFrom).toBe('max_turns')
    const shown = await run(home, ['runs', 'show', runId])
    expect(shown.stdout).toContain('completed (recovered from max_turns)')
    expect(shown.stdout).toContain('max_turns reached: this is the report of one last turn')
    const json = await run(home, ['-p', 'go', '--max-turns', '3', '--output-format', 'json'])
    expect(json.code).toBe(3)
    expect(JSON.parse(json.stdout)).toMatchObject({ outcome: 'completed', recovered_from: 'max_turns' })
  })

  test('runs show and runs tail named no child that failed, and not why a run did', async () => {
    const { home } = await serve({
      main: ({ last }) => (last === 'go' ? task('worker', 'look') : { error: 'your prompt is odd' }),
      worker: () => ({ error: 'so is yours' }),
    })
    const { code } = await run(home, ['-p', 'go', '-q', '--agents', agents('worker')])
    expect(code).toBe(1)
    const [{ runId }] = JSON.parse((await run(home, ['runs', 'list', '--json'])).stdout)
    const shown = (await run(home, ['runs', 'show', runId])).stdout
    expect(shown).toMatch(/└─ worker .*tok, \$0\.00, failed\n/)
    expect(shown).toMatch(/\nworker failed: anthropic rejected the request \(400\): so is yours\. {2}\w+\n/)
    const tailed = (await run(home, ['runs', 'tail', runId])).stdout
    expect(tailed).toMatch(/main ended: failed: anthropic rejected the request \(400\): your prompt is odd\.\n$/)
  })

  test('a limit whose last turn was wasted was told as the limit alone', async () => {
    const { home } = await serve({ main: ({ turn }) => call('LS', { path: `.${'/.'.repeat(turn)}` }) })
    const end = await run(home, ['-p', 'go', '-q', '--max-turns', '2'])
    expect(end.code).toBe(3)
    expect(end.stderr).toContain('max_turns: the limit is 2, and the last turn brought no report\n')
  })

  test('a child that a last turn saved, and a run that was resumed after one, were told as plain completed', async () => {
    const { home } = await serve({
      main: ({ last }) => (last === 'go' ? task('worker', 'look', { max_turns: 2 }) : 'done'),
      worker: ({ turn }) => (turn < 2 ? call('LS', { path: `.${'/.'.repeat(turn)}` }) : 'What I have.'),
    })
    const json = await run(home, ['-p', 'go', '--output-format', 'json', '--agents', agents('worker')])
    expect(JSON.parse(json.stdout).children).toMatchObject([{ outcome: 'completed', recovered_from: 'max_turns' }])
    expect((await run(home, ['runs', 'list', '--all'])).stdout).toContain('completed (recovered from max_turns)')
    const cutShort = await serve({ main: cut })
    await run(cutShort.home, ['-p', 'go', '--max-turns', '3', '-q'])
    const [{ runId }] = JSON.parse((await run(cutShort.home, ['runs', 'list', '--json'])).stdout)
    expect(await run(cutShort.home, ['runs', 'resume', runId, '-q'])).toMatchObject({ code: 0 })
    const shown = await run(cutShort.home, ['runs', 'show', runId])
    expect(shown.stdout).toMatch(/^main completed /)
    expect(shown.stdout).toContain('before attempt 1: completed (recovered from max_turns)\n')
    const told = JSON.parse((await run(cutShort.home, ['runs', 'show', runId, '--json'])).stdout)
    expect(told.runs[0].earlier).toEqual([{ attempt: 1, outcome: 'completed', recoveredFrom: 'max_turns' }])
  })

  test('3: the budget of the tree cut a child short, and the program ended with 0 and not a word', async () => {
    const { home } = await serve({
      main: ({ last }) => (last === 'go' ? task('worker', 'look') : 'All is done.'),
      worker: ({ turn }) => call('LS', { path: `.${'/.'.repeat(turn)}` }),
    })
    const args = ['-p', 'go', '--agents', agents('worker'), '--max-budget-usd', '0.02']
    const end = await run(home, [...args, '-q'])
    expect(end).toMatchObject({ code: 3, stdout: 'All is done.\n' })
    expect(end.stderr).toContain(
      'budget reached: the limit of the whole tree for money is 0.02, and it cut worker short: the answer may be incomplete',
    )
    const prompt = `${JSON.stringify({ type: 'user', message: { role: 'user', content: 'go' } })}\n`
    const format = ['-p', '--input-format', 'stream-json', '--output-format', 'stream-json', ...args.slice(2)]
    expect(await run(home, format, { input: prompt })).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('it cut worker short'),
    })
  })

  test('out of budget “to go on: runs resume” was said for ever, and a larger budget for a resume was not heard of', async () => {
    const { home } = await serve({ main: ({ turn }) => call('LS', { path: `.${'/.'.repeat(turn)}` }) })
    const end = await run(home, ['-p', 'go', '--max-budget-usd', '0.02', '-q'])
    expect(end).toMatchObject({ code: 3 })
    expect(end.stderr).not.toContain('to go on')
    expect(end.stderr).toMatch(/a resume does not raise it: begin a new run with a larger one.* offshoot runs show /)
    const [{ runId }] = JSON.parse((await run(home, ['runs', 'list', '--json'])).stdout)
    const again = await run(home, ['-r', runId, '-p', 'more', '-q', '--max-budget-usd', '5'])
    expect(again).toMatchObject({ code: 3 })
    expect(again.stderr).toContain(
      `--max-budget-usd 5 is not had: run ${runId} was granted 0.02 US dollars for its whole life, and a resume does not raise that.`,
    )
  })

  test('a child’s unknown stop was plain completed in children, lists and exports, and its files were nobody’s', async () => {
    const { home } = await serve({
      main: ({ last }) => (last === 'go' ? task('worker', 'look') : 'done'),
      worker: ({ turn }) =>
        turn === 0 ? call('Write', { file_path: 'new.txt', content: 'x' }) : { text: ['half'], end: 'odd' },
    })
    const args = ['-p', 'go', '--agents', agents('worker'), '--permission-mode', 'acceptEdits']
    const told = JSON.parse((await run(home, [...args, '--output-format', 'json'])).stdout)
    const files = [join(home.project, 'new.txt')]
    expect(told).toMatchObject({ files_changed: files, children: [{ outcome: 'completed', unknown_stop: 'odd' }] })
    expect((await run(home, ['runs', 'list', '--all'])).stdout).toContain('completed (unknown stop "odd")')
    const exported = await run(home, ['runs', 'export', told.children[0].run_id])
    expect(exported.stdout).toContain('completed (unknown stop "odd")')
    const again = await run(home, ['-r', told.session_id, '-p', 'more', '--output-format', 'json'])
    expect(JSON.parse(again.stdout)).toMatchObject({ files_changed: files })
  })

  test('usage that nobody had counted to the end was shown as if it were, in JSON, list and show', async () => {
    const { server, home } = await serve({ main: () => ({ hold: { text: ['never said'] } }) })
    const running = start(home, ['-p', 'go', '--output-format', 'json'])
    await isAsked(server)
    running.child.kill('SIGINT')
    const told = JSON.parse((await running.ended).stdout)
    expect(told).toMatchObject({ outcome: 'cancelled', usage: { is_estimated: true } })
    expect((await run(home, ['runs', 'list'])).stdout).toMatch(/ ~\d\S* +~\$/)
    expect((await run(home, ['runs', 'show', told.session_id])).stdout).toMatch(/· ~\S+ tokens · .*~\$/)
  })

  test('a request that SIGTERM cut off was shown as 0 tokens, $0.00, and never counted', async () => {
    let isHeld = true
    const { server, home } = await serve({ main: () => (isHeld ? { hold: { text: ['never said'] } } : 'Here again.') })
    const program = start(home, ['-p', 'go', '--output-format', 'json'])
    await isAsked(server)
    program.child.kill('SIGTERM')
    expect(await program.ended).toMatchObject({ signal: 'SIGTERM', stdout: '' })
    const [{ runId }] = JSON.parse((await run(home, ['runs', 'list', '--json'])).stdout)
    expect((await run(home, ['runs', 'show', runId])).stdout).toMatch(/· ~[1-9]\S* tokens · .*~\$/)
    isHeld = false
    expect((await run(home, ['runs', 'resume', runId])).stdout).toBe('Here again.\n')
    expect((await run(home, ['runs', 'list'])).stdout).toMatch(/ ~[1-9]\S* +~\$/)
  })

  test('143: SIGTERM leaves the run as it is and says how to go on', async () => {
    const { server, home } = await serve({ main: () => ({ hold: { text: ['never said'] } }) })
    const program = start(home, ['-p', 'go', '-q'])
    await isAsked(server)
    program.child.kill('SIGTERM')
    const end = await program.ended
    expect(end.signal).toBe('SIGTERM')
    const [{ runId }] = JSON.parse((await run(home, ['runs', 'list', '--json'])).stdout)
    expect(end.stderr).toBe(`offshoot: terminated\n  to go on: offshoot runs resume ${runId}\n`)
    expect((await run(home, ['runs', 'show', runId])).stdout).toMatch(/main unfinished[\s\S]*to go on: offshoot runs/)
  })
})

describe.concurrent('going on', () => {
  test('-c and -r without a prompt do not pay for a completed conversation, and copy nothing', async () => {
    const { server, home } = await serve({ main: () => 'Answered.' })
    await run(home, ['-p', 'go', '-q'])
    const [{ runId }] = JSON.parse((await run(home, ['runs', 'list', '--json'])).stdout)
    for (const args of [['-c'], ['-p', '-c'], ['-r', runId], ['-c', '--fork-session']]) {
      const end = await run(home, args)
      expect(end).toMatchObject({ code: 2, stdout: '' })
      expect(end.stderr).toContain('What should I do?')
    }
    expect(server.requests).toHaveLength(1)
    expect(JSON.parse((await run(home, ['runs', 'list', '--json'])).stdout)).toHaveLength(1)
    expect(await run(home, ['-c'], { input: 'and this?' })).toMatchObject({ code: 0, stdout: 'Answered.\n' })
  })

  test('-c without a prompt goes on with what a signal or a limit cut', async () => {
    let isHeld = true
    const { server, home } = await serve({ main: () => (isHeld ? { hold: { text: ['late'] } } : 'Here again.') })
    const program = start(home, ['-p', 'go'])
    await isAsked(server)
    program.child.kill('SIGTERM')
    await program.ended
    isHeld = false
    expect(await run(home, ['-c', '-q'])).toMatchObject({ code: 0, stdout: 'Here again.\n' })
    const limited = await serve({ main: cut })
    await run(limited.home, ['-p', 'go', '--max-turns', '3', '-q'])
    expect((await run(limited.home, ['-c', '-q'])).stdout).toBe('What I have so far.\n')
  })
})

describe.concurrent('lists', () => {
  test('runs list with a wish that nothing meets says so, and how many there are', async () => {
    const { home } = await serve(delegating)
    expect((await run(home, ['runs', 'list', '--unfinished'])).stderr).toContain('No runs yet')
    await run(home, ['-p', 'go', '-q', '--agents', agents('worker')])
    const none = await run(home, ['runs', 'list', '--unfinished', '--agent', 'nobody'])
    expect(none.stderr).toBe('No run matches --unfinished --agent nobody; 3 runs stored: offshoot runs list --all\n')
    await run(home, ['-p', 'go', '-q', '--agents', agents('worker')])
    expect((await run(home, ['runs', 'list', '--limit', '1'])).stderr).toBe('1 older one: --limit 2\n')
  })

  test('runs prune --dry-run says what prune does: a tree that somebody drives is kept', async () => {
    const { server, home } = await serve({ main: () => ({ hold: { text: ['late'] } }) })
    const program = start(home, ['-p', 'go'])
    await isAsked(server)
    const prune = ['runs', 'prune', '--days', '0', '--unfinished']
    const dry = await run(home, [...prune, '--dry-run'])
    expect(dry.stderr).toBe('0 trees would be removed (0.0 KB).\n1 tree would be kept: driven by somebody.\n')
    expect((await run(home, prune)).stderr).toBe('0 trees removed (0.0 KB).\n1 tree kept: driven by somebody.\n')
    server.release()
    await program.ended
  })

  test('runs resume of a run that another process drives said so, and not what can be done with it', async () => {
    const { server, home } = await serve({ main: () => ({ hold: { text: ['late'] } }) })
    const program = start(home, ['-p', 'go'])
    await isAsked(server)
    const id = (await run(home, ['runs', 'list', '--ids'])).stdout.trim()
    for (const words of [
      ['runs', 'resume', id],
      ['-r', id, '-p', 'more'],
    ]) {
      const { code, stderr } = await run(home, words)
      expect(code).not.toBe(0)
      expect(stderr).toMatch(/is driven by process \d+/)
      for (const verb of ['tail', 'send', 'stop']) expect(stderr).toContain(`: offshoot runs ${verb} ${id}`)
    }
    server.release()
    await program.ended
  })

  test('what was killed elsewhere is counted at a start, not listed; children left with --no-wait are not mentioned', async () => {
    const { server, home } = await serve({
      main: ({ turn, last }) =>
        last.includes('leave it') && turn === 0 ? task('worker', 'dig', { run_in_background: true }) : 'Started it.',
      worker: () => ({ hold: { text: ['gold'] } }),
    })
    const other = join(home.path, 'other')
    mkdirSync(other)
    await run(home, ['-p', 'leave it', '-q', '--no-wait', '--agents', agents('worker')])
    expect((await run(home, ['-p', 'and now'])).stderr).not.toContain('unfinished')
    expect((await run(home, ['runs', 'list', '--unfinished'])).stdout).toContain('unfinished (background)')
    const program = start(home, ['-p', 'work', '--agent', 'worker', '--agents', agents('worker')], { cwd: other })
    await eventually(
      () => server.requestsOf('worker').length,
      asked => asked > 1,
      10_000,
    )
    program.child.kill('SIGKILL')
    await program.ended
    expect((await run(home, ['-p', 'and now'])).stderr).not.toContain('unfinished')
    expect((await run(home, ['-p', 'and now'], { cwd: other })).stderr).toMatch(
      /offshoot runs resume \S+ {3}worker: work/,
    )
  })
})
