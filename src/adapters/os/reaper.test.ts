import { spawn } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { bundleTo } from '../../../test/support/bundle.js'
import { eventually, processesWith } from '../../../test/support/processes.js'
import { createTestWorkspace } from '../../../test/support/tool-workspace.js'
import { createReaper } from './reaper.js'

const workspace = createTestWorkspace()
afterAll(() => workspace.remove())
const seconds = `${4_000_000 + Math.floor(Math.random() * 1e6)}.25`

const host = `
import { createShells } from './src/adapters/tools/shells.js'
const shells = createShells()
const cwd = process.argv[2], seconds = process.argv[3]
let count = 0
const context = runId => ({ runId, callId: 'c' + ++count, workspace: { cwd, roots: [cwd] }, signal: new AbortController().signal, clock: { id: () => String(++count), now: Date.now } })
const commands = ['sleep S', 'bash -c "sleep S; true"', 'setsid sleep S & sleep S', "trap '' TERM; sleep S; sleep S", 'sleep S & exit 0']
for (const [i, command] of commands.entries()) await shells.start(command.replaceAll('S', seconds), context('run-' + i))
console.log('started')
`

test.each(['SIGKILL', 'SIGTERM', 'SIGHUP', 'SIGINT'] as const)(
  'L01 L02 after %s of the host no command of it is left, daemons included',
  async signal => {
    const program = workspace.path('host.mjs')
    await bundleTo(program, host)
    const child = spawn(process.execPath, [program, workspace.root, seconds], { stdio: ['ignore', 'pipe', 'inherit'] })
    await new Promise(resolve => child.stdout.once('data', resolve))
    const running = await eventually(
      () => processesWith(`sleep ${seconds}`).length,
      count => count >= 6,
    )
    expect(running).toBeGreaterThanOrEqual(6)
    child.kill(signal)
    expect(
      await eventually(
        () => processesWith(`sleep ${seconds}`),
        left => left.length === 0,
      ),
    ).toEqual([])
  },
)

test('a host that died right after it had started its first command left that command running', async () => {
  const program = workspace.path('quick.mjs')
  await bundleTo(
    program,
    `
import { spawn } from 'node:child_process'
import { createReaper } from './src/adapters/os/reaper.js'
const reaper = createReaper()
reaper.expect()
spawn('sleep', [process.argv[2]], { detached: true, stdio: 'ignore', env: { ...process.env, ...reaper.environment } })
process.kill(process.pid, 'SIGKILL')
`,
  )
  const own = `${seconds}1`
  const child = spawn(process.execPath, [program, own], { stdio: 'ignore' })
  await new Promise(resolve => child.once('exit', resolve))
  const left = await eventually(
    () => processesWith(`sleep ${own}`),
    all => all.length === 0,
  )
  expect(left).toEqual([])
})

test('a group that was left is not touched when the reaper closes; a watched one is ended', async () => {
  const reaper = createReaper()
  const start = () => spawn('sleep', [seconds], { detached: true, stdio: 'ignore' })
  const [kept, left, watched] = [start(), start(), start()]
  const ended = new Promise(resolve => watched.on('exit', (_, signal) => resolve(signal)))
  for (const child of [kept, left, watched]) reaper.watch(child.pid!)
  reaper.leave(kept.pid!)
  reaper.leave(left.pid!)
  await reaper.close()
  expect(await ended).toBe('SIGTERM')
  expect([kept.exitCode, kept.signalCode, left.exitCode, left.signalCode]).toEqual([null, null, null, null])
  kept.kill()
  left.kill()
})

test('a folder that was left to it is removed, whatever its name; what lies beside it stays', async () => {
  const reaper = createReaper()
  const [own, other] = [workspace.path("it's $HOME `x`; *"), workspace.path('other')]
  for (const folder of [own, other]) mkdirSync(`${folder}/deep`, { recursive: true })
  reaper.tidy(own)
  await reaper.close()
  expect([existsSync(own), existsSync(other)]).toEqual([false, true])
})

test('a reaper that watched nothing was never started, and closes at once', async () => {
  const reaper = createReaper()
  await expect(reaper.close()).resolves.toBeUndefined()
})
