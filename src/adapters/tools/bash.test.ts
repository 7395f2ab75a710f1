import { readdirSync, readFileSync, readlinkSync, rmdirSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { eventually, processesWith, zombiesOf } from '../../../test/support/processes.js'
import { createTestRun, createTestWorkspace, textOf } from '../../../test/support/tool-workspace.js'
import type { RunId } from '../../core/message.js'
import { createKeptOutputs } from '../os/kept-outputs.js'
import { createBashOutputTool, createKillShellTool } from './background-shell.js'
import { createBashTool } from './bash.js'
import { createShells } from './shells.js'

const workspace = createTestWorkspace()
const shells = createShells({ source: { ...process.env, ANTHROPIC_API_KEY: 'sk-canary', GITHUB_TOKEN: 'ghp-canary' } })
afterAll(async () => {
  await shells.close()
  workspace.remove()
})
const bash = createBashTool(shells)
const bashOutput = createBashOutputTool(shells)
const killShell = createKillShellTool(shells)
// Unlike any other process here, so that what is left can be found by its command line.
let mark = 3000 + Math.floor(Math.random() * 1e6)
const nextMark = () => `${++mark}.5`

test('prints both streams in order, and tells how it ended', async () => {
  const run = createTestRun(workspace.root)
  const output = await run.call(bash, { command: 'echo one; echo two >&2; echo three' })
  expect(output).toEqual({ content: 'one\ntwo\nthree', summary: '3 lines' })
  expect(await run.call(bash, { command: 'true' })).toEqual({ content: '[no output]', summary: 'no output' })
  const failed = await run.call(bash, { command: 'echo oops; exit 3' })
  expect(failed).toEqual({ content: 'oops\n[exit code 3]', summary: 'exit code 3', isError: true })
  expect(textOf(await run.call(bash, { command: 'kill -SEGV $$' }))).toBe('[ended by SIGSEGV]')
  expect(textOf(await run.call(bash, { command: 'echo "unclosed' }))).toContain('[exit code')
})

test('while it runs, the last line printed is shown now and then', async () => {
  const run = createTestRun(workspace.root)
  const shown: string[] = []
  let now = 0
  const clock = { ...run.context.clock, now: () => (now += 300) }
  const command = 'for i in 1 2 3 4 5 6; do echo "step $i"; sleep 0.01; done'
  await run.call(bash, { command }, { clock, progress: text => shown.push(text) })
  expect(shown.length).toBeGreaterThan(0)
  for (const text of shown) expect(text).toMatch(/^step \d$/)
})

test('the command sees no positional arguments, and /dev/stderr can be opened by name', async () => {
  const run = createTestRun(workspace.root)
  expect(textOf(await run.call(bash, { command: 'echo "$#$1"; echo named > /dev/stderr' }))).toBe('0\nnamed')
})

test('the working directory is kept inside the workspace and each run has its own', async () => {
  workspace.write('sub/file.txt', '')
  const [one, two] = [createTestRun(workspace.root, 'cd-1'), createTestRun(workspace.root, 'cd-2')]
  expect(textOf(await one.call(bash, { command: 'cd sub' }))).toBe('[working directory: sub]')
  expect(textOf(await one.call(bash, { command: 'pwd' }))).toBe(workspace.path('sub'))
  expect(textOf(await two.call(bash, { command: 'pwd' }))).toBe(workspace.root)
  expect(shells.directoryOf(one.context.runId, one.context.workspace)).toBe(workspace.path('sub'))
  expect(textOf(await one.call(bash, { command: 'cd / && exit 1' }))).toContain(
    `[working directory set back to ${workspace.root}: / is outside the workspace]`,
  )
  expect(textOf(await one.call(bash, { command: 'pwd' }))).toBe(workspace.root)
})

test('a command could say in the shell’s place where it stands, and so move it unasked', async () => {
  workspace.write('private/notes.md', '')
  workspace.write('sub/file.txt', '')
  const run = createTestRun(workspace.root, 'forged')
  const elsewhere = workspace.path('private')
  for (const command of [
    `echo ${elsewhere} >&3`,
    `(sleep 0.02; echo ${elsewhere} >&3) & true`,
    `echo ${elsewhere} >&3; exec 3>&-`,
    `printf '%s' ${elsewhere} >&3`,
    `echo "$_$0$*${'$'}{BASH_ARGV[*]}${'$'}{BASH_EXECUTION_STRING}${elsewhere}" >&3; exec 3>&-`,
  ]) {
    await run.call(bash, { command })
    expect([command, shells.directoryOf(run.context.runId, run.context.workspace)]).toContain(workspace.root)
  }
  await run.call(bash, { command: `printf '%9999s' ${elsewhere} >&3; cd sub` })
  expect(shells.directoryOf(run.context.runId, run.context.workspace)).toBe(workspace.path('sub'))
})

test('a command judged for a directory that was removed ran in another one', async () => {
  const run = createTestRun(workspace.root, 'gone')
  const away = workspace.path('away')
  for (const target of [undefined, workspace.root]) {
    await run.call(bash, { command: 'mkdir -p away && cd away' })
    rmdirSync(away)
    if (target !== undefined) symlinkSync(target, away)
    expect(await run.call(bash, { command: 'touch ran' })).toMatchObject({ isError: true, summary: 'directory gone' })
    expect(readdirSync(workspace.root)).not.toContain('ran')
    expect(textOf(await run.call(bash, { command: 'pwd; rm -f away' }))).toBe(workspace.root)
  }
  const nowhere = createTestRun(workspace.path('nowhere'), 'nowhere')
  expect(textOf(await nowhere.call(bash, { command: 'pwd' }))).toContain('[the command could not be started')
})

test('H01 keys of ours are not in the environment of a command; its run is', async () => {
  const run = createTestRun(workspace.root, 'env-run')
  const text = textOf(await run.call(bash, { command: 'env; cat /proc/self/environ | tr "\\0" "\\n"' }))
  expect(text).not.toContain('canary')
  expect(text).toContain('OFFSHOOT_RUN=env-run')
  expect(text).toContain('PATH=')
})

test('D12 a command cannot read the terminal: stdin is empty and there is no tty', async () => {
  const run = createTestRun(workspace.root)
  const text = textOf(await run.call(bash, { command: 'cat; read line; echo "read: $?"; (cat < /dev/tty) 2>&1; tty' }))
  expect(text).toMatch(/^read: 1\n.*\/dev\/tty: No such device or address\nnot a tty/)
})

test('D12 long output keeps its head and tail, and all of it lies in a private file', async () => {
  const run = createTestRun(workspace.root)
  const text = textOf(await run.call(bash, { command: 'seq 1 20000; printf "\\e[31mred\\e[0m"' }))
  expect(text.length).toBeLessThan(31_000)
  expect(text).toMatch(/^1\n2\n3\n/)
  expect(text).toMatch(/\n20000\nred$/)
  const path = /all of it is in (\S+):/.exec(text)![1]!
  expect(readFileSync(path, 'utf8').split('\n').slice(0, 20000)).toEqual(
    Array.from({ length: 20000 }, (_, i) => `${i + 1}`),
  )
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

test('S9 the log said of a long output how many lines of it were shown, as if these were all', async () => {
  const { summary } = await createTestRun(workspace.root, 'counted').call(bash, { command: 'seq 1 200000' })
  expect(summary).toBe('1.2 MB of output')
})

test('D12 a command that prints without end is ended by its timeout, with a bounded file', async () => {
  const run = createTestRun(workspace.root, 'endless')
  const small = createShells({ limits: { headBytes: 100, tailBytes: 100, fileBytes: 1_000_000 } })
  try {
    const text = textOf(await run.call(createBashTool(small), { command: 'yes', timeout: 150 }))
    expect(text).toMatch(/^(y\n)+\n\[.* left out here; the beginning of it is in \S+: use Grep or Read on it\]/)
    expect(text).toContain('[timed out after 0.15 s and was ended')
    expect(statSync(/is in (\S+):/.exec(text)![1]!).size).toBe(1_000_000)
  } finally {
    await small.close()
  }
})

test('a timeout ends everything the command started, also what ignores TERM', async () => {
  const run = createTestRun(workspace.root)
  const [plain, stubborn, daemon] = [nextMark(), nextMark(), nextMark()]
  const command = `sleep ${plain} & (trap '' TERM; sleep ${stubborn}; sleep ${stubborn}) & setsid sleep ${daemon} & wait`
  const output = await run.call(bash, { command, timeout: 200 })
  expect(output).toMatchObject({ isError: true, summary: 'timed out' })
  for (const seconds of [plain, stubborn, daemon]) expect(processesWith(`sleep ${seconds}`)).toEqual([])
})

test('L01 an abort ends children, grandchildren and daemons before the call returns', async () => {
  const run = createTestRun(workspace.root, 'aborted')
  const seconds = nextMark()
  const command = `(sleep ${seconds} & setsid sleep ${seconds} & bash -c 'sleep ${seconds}; true') & sleep ${seconds}`
  const stop = new AbortController()
  const call = run.call(bash, { command }, { signal: stop.signal })
  const started = await eventually(
    () => processesWith(`sleep ${seconds}`).length,
    count => count >= 5,
  )
  expect(started).toBeGreaterThanOrEqual(5)
  stop.abort(new DOMException('stopped', 'AbortError'))
  await expect(call).rejects.toThrow('stopped')
  expect(processesWith(`sleep ${seconds}`)).toEqual([])
})

test('what a command leaves behind is named, goes on, and is ended with the run', async () => {
  const run = createTestRun(workspace.root, 'leaver')
  const [plain, daemon] = [nextMark(), nextMark()]
  const text = textOf(
    await run.call(bash, { command: `sleep ${plain} & setsid sleep ${daemon} > /dev/null & echo done` }),
  )
  expect(text).toMatch(/^done\n\[\d process(es)? goe?s? on in the background \(.*sleep \d+.*\), until this run ends\]$/)
  expect(processesWith(`sleep ${plain}`)).toHaveLength(1)
  expect(processesWith(`sleep ${daemon}`)).toHaveLength(1)
  await shells.endRun('leaver' as RunId)
  expect(processesWith(`sleep ${plain}`)).toEqual([])
  expect(processesWith(`sleep ${daemon}`)).toEqual([])
})

test('a background shell is read piece by piece, ended on demand, and no other run reaches it', async () => {
  const run = createTestRun(workspace.root, 'background')
  const seconds = nextMark()
  const start = await run.call(bash, { command: `echo first; sleep ${seconds}`, run_in_background: true })
  expect(textOf(start)).toContain('Started in the background as bash_1')
  const pieces: string[] = []
  while (!pieces.at(-1)?.includes('first')) {
    await sleep(5)
    pieces.push(textOf(await run.call(bashOutput, { bash_id: 'bash_1' })))
  }
  expect(new Set(pieces)).toEqual(new Set([...pieces.slice(0, -1), '[running]\nfirst']))
  expect(textOf(await run.call(bashOutput, { bash_id: 'bash_1' }))).toBe('[running]\n[no new output]')
  const stranger = createTestRun(workspace.root, 'stranger')
  expect(textOf(await stranger.call(killShell, { shell_id: 'bash_1' }))).toContain('This run has none in this process')
  expect(textOf(await run.call(killShell, { shell_id: 'bash_1' }))).toBe('bash_1 was ended.')
  expect(processesWith(`sleep ${seconds}`)).toEqual([])
  expect(textOf(await run.call(bashOutput, { bash_id: 'bash_1' }))).toContain('[ended by KillShell]')
  expect(textOf(await run.call(bashOutput, { bash_id: 'bash_9' }))).toBe('No background shell bash_9. Yours: bash_1.')
})

test.skipIf(process.platform !== 'linux')('a flood whose output nobody read kept its file open for ever', async () => {
  const openOutputs = () =>
    readdirSync('/proc/self/fd').filter(fd => {
      try {
        return /\/output-[^/]*\.txt/.test(readlinkSync(`/proc/self/fd/${fd}`))
      } catch {
        return false
      }
    })
  const run = createTestRun(workspace.root, 'flooded')
  await run.call(bash, { command: 'head -c 400000 /dev/zero', run_in_background: true })
  await run.call(bash, { command: 'yes', run_in_background: true })
  await eventually(openOutputs, open => open.length > 0)
  await shells.endRun('flooded' as RunId)
  expect(openOutputs()).toEqual([])
})

test('L06 many short commands leave no process and no zombie', async () => {
  const run = createTestRun(workspace.root, 'short')
  const name = `leftover-${nextMark()}`
  for (let i = 0; i < 10; i++)
    await run.call(bash, { command: `for i in 1 2 3 4 5; do (exec -a ${name} true) & done; wait` })
  const left = () => [...processesWith(name), ...zombiesOf(process.pid)]
  expect(await eventually(left, found => found.length === 0)).toEqual([])
})

test('what the commands of one tree print stayed on the disk without a bound: past it nothing is kept, and the text says so', async () => {
  const run = createTestRun(workspace.root, 'talkative')
  const outputs = createKeptOutputs(join(workspace.root, 'kept'), 300_000)
  const small = createShells({ outputs })
  const print = (size: number) => run.call(createBashTool(small), { command: `head -c ${size} /dev/zero | tr '\\0' x` })
  try {
    expect(textOf(await print(200_000))).toContain('all of it is in')
    expect(textOf(await print(200_000))).toContain('the beginning of it is in')
    const full = textOf(await print(200_000))
    expect(full).toContain('not kept')
    expect(full).toContain('kept-output-limit')
    expect(outputs.room({ rootId: 'another', runId: 'other' })).toBe(300_000)
  } finally {
    await small.close()
  }
})

test('a command that was cancelled while it was made ready began all the same', async () => {
  const run = createTestRun(workspace.root)
  const cancel = new AbortController()
  const begun: string[] = []
  const wrap = (argv: readonly string[]) => {
    begun.push(argv.at(-1)!)
    return argv
  }
  const place = { cwd: workspace.root, roots: [workspace.root], wrap }
  const started = run.call(bash, { command: 'touch began' }, { signal: cancel.signal, workspace: place })
  cancel.abort(new Error('cancelled'))
  await expect(started).rejects.toThrow('cancelled')
  expect(begun).toEqual([])
})

test('a letter that had come only half when BashOutput looked was torn in two', async () => {
  const run = createTestRun(workspace.root)
  await run.call(bash, { command: 'mkfifo go' })
  await run.call(bash, { command: "printf 'a\\303'; read -r _ < go; printf '\\244b'", run_in_background: true })
  const seen: string[] = []
  const lookFor = async (end: string) => {
    for (; !seen.some(text => text.endsWith(end)); await sleep(5))
      seen.push(textOf(await run.call(bashOutput, { bash_id: 'bash_1' })).split('\n')[1]!)
  }
  await lookFor('a')
  await run.call(bash, { command: 'echo > go' })
  await lookFor('b')
  expect(seen.filter(text => !text.startsWith('[')).join('')).toBe('aäb')
})

test('a background shell of an earlier process is not denied, and its name is not given again', async () => {
  const run = createTestRun(workspace.root, 'crashed')
  const before = { leftRunning: (id: string) => (id === 'bash_1' ? 'npm test' : undefined) }
  for (const [tool, key] of [
    [bashOutput, 'bash_id'],
    [killShell, 'shell_id'],
  ] as const) {
    const answer = await run.call(tool, { [key]: 'bash_1' }, before)
    expect(answer).toMatchObject({ isError: true, summary: 'ended with its process' })
    expect(textOf(answer)).toContain('bash_1 (npm test) ended with the process that ran it')
  }
  const next = await run.call(bash, { command: 'true', run_in_background: true }, before)
  expect(next).toMatchObject({ summary: 'started bash_2', leftRunning: { id: 'bash_2', isOver: false } })
  const isOver = async (): Promise<boolean> =>
    (await run.call(bashOutput, { bash_id: 'bash_2' }, before)).leftRunning?.isOver ?? false
  while (!(await isOver())) await sleep(5)
})

test('the folder for long output had gone while a command printed, and the host ended', async () => {
  const kept = workspace.path('kept-and-gone')
  const own = createShells({ outputs: createKeptOutputs(kept) })
  const run = createTestRun(workspace.root, 'no-folder')
  const output = await run.call(createBashTool(own), { command: `rm -rf '${kept}'; seq 1 30000` })
  expect(output).toMatchObject({ content: expect.stringMatching(/^1\n2\n[\s\S]*\n30000$/) })
  expect(textOf(output)).toMatch(/left out here and not kept: it could not be stored \(ENOENT: /)
  await own.close()
})
