/** P28: whatever ends a tree of processes, none is left, none of the commands they started, and no temporary file. */
import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildChildProgram } from '../support/child-program.js'
import { eventually } from '../support/processes.js'

const folder = mkdtempSync(join(tmpdir(), 'offshoot-left-'))
const temporary = join(folder, 'tmp')
mkdirSync(temporary)
let program: string
beforeAll(async () => {
  program = await buildChildProgram()
  symlinkSync(resolve(import.meta.dirname, '../../node_modules'), join(folder, 'node_modules'))
  const bundle = await rolldown({
    input: join(import.meta.dirname, 'kill-worker.ts'),
    platform: 'node',
    external: [/^[^./]/],
    logLevel: 'silent',
  })
  await bundle.write({ file: join(folder, 'worker.mjs'), format: 'esm', codeSplitting: false })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const onLinux = test.skipIf(process.platform !== 'linux')

onLinux(
  'P28 L02 a host killed with SIGKILL leaves no process of a run, none of its commands, and no temporary file',
  async () => {
    const { host, mark } = await busyHost()
    expect(processesOf(mark).length).toBeGreaterThanOrEqual(6)
    expect(readdirSync(temporary)).not.toEqual([])
    host.kill('SIGKILL')
    expect(await eventually(() => processesOf(mark), isEmpty, 8_000)).toEqual([])
    expect(await eventually(() => readdirSync(temporary), isEmpty, 8_000)).toEqual([])
  },
)

onLinux('P28 cancelling the root ends every process below it, and every command, before the host goes', async () => {
  const { host, mark } = await busyHost()
  host.send('stop')
  const [outcome] = await once(host, 'message')
  expect(outcome).toBe('cancelled')
  expect(await eventually(() => processesOf(mark), isEmpty, 8_000)).toEqual([])
  expect(await eventually(() => readdirSync(temporary), isEmpty, 8_000)).toEqual([])
})

async function busyHost(): Promise<{ host: ChildProcess; mark: string }> {
  const mark = randomUUID()
  const host = fork(join(folder, 'worker.mjs'), [program, folder, mark], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, TZ: mark, TMPDIR: temporary },
  })
  await once(host, 'message')
  await eventually(
    () => processesOf(mark).length,
    count => count >= 7,
  )
  return { host, mark }
}

const isEmpty = (all: readonly unknown[]) => all.length === 0

/** Everything below the host has its time zone, which the environment of commands passes on. */
function processesOf(mark: string): readonly string[] {
  return readdirSync('/proc').flatMap(pid => {
    if (!/^\d+$/.test(pid)) return []
    try {
      const isOurs = readFileSync(`/proc/${pid}/environ`, 'latin1').includes(mark)
      const isDead = /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
      return isOurs && !isDead ? [readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ')] : []
    } catch {
      return []
    }
  })
}
