/** What was too long to show, after the run that printed it has ended and the program was started again. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { processDeps } from '../../src/apps/cli/command-deps.js'
import { pruneCommand } from '../../src/apps/cli/runs/prune.js'
import { openRunStore } from '../../src/apps/session/open-store.js'
import { call, type Part, task } from '../e2e/scripted-server.js'
import { odd } from '../mcp/servers.js'
import { createStage, type Stage } from '../support/session.js'

let stage: Stage
afterEach(() => stage.close())

const fileIn = (text: string) => /is in (\S+\.txt)/.exec(text)?.[1] ?? 'no file'
const long = 'for i in $(seq 20000); do echo line $i; done'

test('P31 a resumed child can read what its log points to; another run cannot; pruning removes it', async () => {
  let file = ''
  const worker: Part = ({ turn, last }) => {
    if (turn === 0) return call('Bash', { command: long })
    if (turn === 1) file = fileIn(last)
    if (turn === 2) return call('Grep', { pattern: 'line 19999$', path: file, output_mode: 'content' })
    return turn === 3 ? call('Read', { file_path: file, offset: 15_000, limit: 2 }) : 'looked'
  }
  stage = await createStage({
    worker,
    main: ({ turn, last }) => {
      if (turn === 0) return task('worker', 'print')
      return turn === 1 && !last.includes('again') ? call('Read', { file_path: file }) : 'end'
    },
  })
  const flags = { allowedTools: ['Bash'] }
  const first = await stage.open({ flags })
  await first.ask('go')
  expect(file.startsWith(stage.env.OFFSHOOT_HOME!)).toBe(true)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(statSync(dirname(file)).mode & 0o777).toBe(0o700)
  expect(first.answers('Read')[0]).toContain('state and configuration are closed to tools')
  const child = (await first.session.house.list({})).find(run => run.depth === 1)!
  await first.close('leave')

  const second = await stage.open({ flags })
  const resumed = await second.session.house.resume(child.runId, 'look again')
  if ('refused' in resumed) throw new Error(resumed.refused)
  expect((await resumed.result).text).toContain('looked')
  expect(second.answers('Grep')[0]).toContain('line 19999')
  expect(second.answers('Read')[0]).toContain('line 15000')
  await second.close('leave')

  // A tree of another store: its output and its plan mode are nobody's to remove here.
  const marks = ['outputs', 'data/planning'].map(place => join(stage.env.OFFSHOOT_HOME!, place, 'elsewhere'))
  for (const mark of marks) mkdirSync(mark, { recursive: true })
  const store = await openRunStore(stage.env)
  const silent = { write: () => true } as unknown as NodeJS.WriteStream
  const streams = { env: stage.env, stderr: silent, stdout: () => true, onInterrupt: () => () => undefined }
  const deps = { ...processDeps(streams as never), write: () => {}, now: () => Date.now() + 86_400_000 }
  await pruneCommand(store, { days: 0 }, deps)
  await store.close()
  expect(existsSync(file)).toBe(false)
  expect(readdirSync(join(stage.env.OFFSHOOT_HOME!, 'outputs'))).toEqual(['elsewhere'])
  expect(marks.every(mark => existsSync(mark))).toBe(true)
})

test('P31 a long answer of an MCP server lies in a file that Read reaches, without its credentials', async () => {
  let file = ''
  stage = await createStage({
    main: ({ turn, last }) => {
      if (turn === 0) return call('mcp__odd__env', {})
      if (turn === 1) file = /is in (\S+\.txt)/.exec(last)?.[1] ?? 'no file'
      return turn === 1 ? call('Grep', { pattern: 'line 1999', path: file, output_mode: 'content' }) : 'looked'
    },
  })
  const lines = Array.from({ length: 6_000 }, (_, i) => `line ${i} very-secret-token`).join('\n')
  const config = { odd: { ...odd(), env: { MY_TOKEN: 'very-secret-token', LINES: lines.slice(0, 100_000) } } }
  const servers = stage.write('servers.json', JSON.stringify({ mcpServers: config }))
  const first = await stage.open({ flags: { mcpConfig: [servers], allowedTools: ['mcp__odd'] } })
  await first.ask('go')
  expect(file.startsWith(stage.env.OFFSHOOT_HOME!)).toBe(true)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readFileSync(file, 'utf8')).not.toContain('very-secret-token')
  expect(first.answers('Grep')[0]).toContain('line 1999')
  await first.close()
})
