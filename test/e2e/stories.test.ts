/** Stories of the specification, told by the program itself: the built-in agents, and permissions with nobody there. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { ensureBuilt, type Home, makeHome, run } from './program.js'
import { agents, call, calls, homesWithServers, type Part, task } from './scripted-server.js'

const { serve, closeAll } = homesWithServers()
// A busy machine takes its time; nothing here is timed.
vi.setConfig({ testTimeout: 90_000 })
beforeAll(ensureBuilt, 120_000)
afterAll(closeAll)

function withCode(home: Home): Home {
  mkdirSync(join(home.project, 'src'))
  writeFileSync(
    join(home.project, 'src/retry.js'),
    '// Tries again.\n\nexport function retryWithBackoff(times) {\n  return times\n}\n',
  )
  return home
}
interface Answer {
  readonly result: string
  readonly children: readonly object[]
  readonly files_changed: readonly string[]
}
const answerOf = (stdout: string) => JSON.parse(stdout) as Answer
/** A fork shows its caller's system prompt and tools: only the reminder in the conversation tells them apart. */
const isChild = (body: Record<string, unknown>) => JSON.stringify(body.messages).includes('This task is read-only')

describe.concurrent('the built-in agents, end to end', () => {
  test('F7: without a key a question goes to Explore children, and the answer cites file and line', async () => {
    const home = withCode(makeHome())
    const end = await run(home, ['-p', 'Where is retryWithBackoff defined?', '--output-format', 'json'])
    const answer = answerOf(end.stdout)
    expect(end.code).toBe(0)
    expect(answer.result).toContain('src/retry.js:3')
    expect(answer.children.length).toBeGreaterThanOrEqual(2)
    for (const child of answer.children) expect(child).toMatchObject({ agent: 'Explore', outcome: 'completed' })
  })

  test('F8: without a key a change that is asked for is planned by Plan, and nothing is written', async () => {
    const home = withCode(makeHome())
    const end = await run(home, ['-p', '@Plan How would I add jitter to retryWithBackoff?', '--output-format', 'json'])
    const answer = answerOf(end.stdout)
    expect(end.code).toBe(0)
    expect(answer.children).toContainEqual(expect.objectContaining({ agent: 'Plan', outcome: 'completed' }))
    expect(answer.result).toMatch(/Critical files[\s\S]*src\/retry\.js:3[\s\S]*Steps/)
    expect(answer.files_changed).toEqual([])
  })

  test.each(['Explore', 'Plan'])(
    'F7, F8: %s on a language model reads, and what would change something is refused',
    async name => {
      const looking = calls(
        call('Read', { file_path: 'src/retry.js' }),
        call('Bash', { command: 'touch made', description: 'make a file' }),
        call('Write', { file_path: 'made', content: 'x' }),
      )
      const { home, server } = await serve({
        main: scene => {
          if (isChild(scene.body)) return scene.last.includes('times') ? 'It is in src/retry.js:3.' : looking
          return scene.turn === 0 ? task(name, 'Find retryWithBackoff.') : 'Found.'
        },
      })
      withCode(home)
      const end = await run(home, ['-p', 'go', '--permission-mode', 'bypassPermissions', '--output-format', 'json'])
      expect(answerOf(end.stdout).children).toMatchObject([{ agent: name, outcome: 'completed' }])
      const told = server.requests.filter(({ body }) => isChild(body)).at(-1)!.text
      expect(told).toContain('retryWithBackoff(times)')
      expect(existsSync(join(home.project, 'made'))).toBe(false)
    },
  )
})

describe.concurrent('permissions without a terminal', () => {
  const deep: Readonly<Record<string, Part>> = {
    main: ({ turn }) => (turn === 0 ? task('boss', 'have it made') : 'It was not made.'),
    boss: ({ turn }) => (turn === 0 ? task('clerk', 'make it') : 'the clerk could not'),
    clerk: ({ turn }) =>
      turn === 0 ? call('Bash', { command: 'touch made', description: 'make a file' }) : 'nobody let me',
  }

  test('P15, P16: a request from depth 2 is denied at once, says its path, and the program ends with 4', async () => {
    const { home, server } = await serve(deep)
    const end = await run(home, ['-p', 'go', '--agents', agents('boss', 'clerk')])
    expect(end).toMatchObject({ code: 4, stdout: 'It was not made.\n' })
    expect(end.stderr).toContain('[clerk] Bash touch made')
    expect(server.requestsOf('clerk').at(-1)!.text).toMatch(/nobody|no one/i)
    expect(existsSync(join(home.project, 'made'))).toBe(false)
  })

  test('P16: with every stream held open by another program, it still does not wait for anybody', async () => {
    const { home } = await serve(deep)
    const end = await run(home, ['-p', 'go', '-q', '--agents', agents('boss', 'clerk')], { isStdinOpen: true })
    expect(end.code).toBe(4)
  })

  test('64 children of one turn: all answer, and nothing but the answer and progress is written', async () => {
    const { home } = await serve({
      main: ({ turn, last }) =>
        turn === 0
          ? calls(...Array.from({ length: 64 }, (_, at) => task('worker', `part ${at}`)))
          : `${last.match(/seen/g)?.length ?? 0} reports.`,
      worker: ({ turn }) => (turn === 0 ? call('LS', { path: '.' }) : 'seen'),
    })
    const end = await run(home, ['-p', 'go', '--agents', agents('worker')])
    expect(end).toMatchObject({ code: 0, stdout: '64 reports.\n' })
    expect(end.stderr).not.toMatch(/Warning|MaxListeners/)
  })
})
