/**
 * What the tools cost, judged by rules as in the program. Grep and Glob are measured against ripgrep itself, asked the same
 * question on the same tree of 20,000 files: the target is within 1.3 times. The others are shown beside the bare system call they cannot do without.
 */
import { execFile, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createJudge } from '../src/adapters/judge/judge.js'
import { createFileLocks } from '../src/adapters/os/file-lock.js'
import { createJudgedPaths } from '../src/adapters/tools/judged-paths.js'
import { findRipgrep } from '../src/adapters/tools/ripgrep.js'
import { createShells } from '../src/adapters/tools/shells.js'
import { createWorkspaceTools } from '../src/adapters/tools/workspace-tools.js'
import type { CallId } from '../src/core/message.js'
import type { Tool } from '../src/core/ports.js'
import { callOf, layer, link } from '../test/support/judging.js'
import { createTestRun } from '../test/support/tool-workspace.js'
import { row, table } from './report.js'

const folder = mkdtempSync(join(tmpdir(), 'offshoot-bench-'))
const root = join(folder, 'tree')
const shells = createShells()
const rules = layer({ allow: ['Edit', 'Bash'], deny: ['Read(./.env)', 'Read(./secrets/**)', 'Edit(./dist/**)'] })
const judge = createJudge({ layers: () => [rules], stateDirs: [join(folder, 'state')] })
const judged = createJudgedPaths(judge)
const locks = createFileLocks(join(folder, 'locks'))
const tools = new Map(createWorkspaceTools({ shells, locks, guard: judged.guard }).map(tool => [tool.spec.name, tool]))
const workspace = { cwd: root, roots: [root] }
const run = createTestRun(workspace)
let calls = 0
/** Judged first, as the runtime does it. */
async function call(name: string, input: object): Promise<unknown> {
  const tool = tools.get(name) as Tool
  const callId = `bench-${calls++}` as CallId
  const chain = [link(), link({ agent: 'worker' })]
  const asked = { ...callOf(name, input, { chain }), runId: run.context.runId, callId, spec: tool.spec, workspace }
  await judged.around(judge).judge({ ...asked, effect: tool.spec.effect })
  return run.call(tool, input, { callId })
}
const ripgrep = findRipgrep()

try {
  plantTree(20_000)
  if (ripgrep === undefined) console.log('ripgrep is not here: nothing to compare with')
  else await compare(ripgrep)
  await others()
} finally {
  await shells.close()
  rmSync(folder, { recursive: true, force: true })
}

async function compare(program: string): Promise<void> {
  const ask =
    (...args: string[]) =>
    () =>
      runRipgrep(program, args)
  const pairs: [string, () => Promise<unknown>, () => Promise<unknown>][] = [
    ['Grep, files', () => call('Grep', { pattern: 'rareWord' }), ask('-l', '--hidden', '-e', 'rareWord')],
    [
      'Grep, content (2,000 matches)',
      () => call('Grep', { pattern: 'oftenWord', output_mode: 'content' }),
      ask('-n', '--hidden', '-e', 'oftenWord'),
    ],
    ['Grep, no match', () => call('Grep', { pattern: 'absentWord' }), ask('-l', '--hidden', '-e', 'absentWord')],
    [
      'Glob, 200 of 20,000',
      () => call('Glob', { pattern: '**/*.json' }),
      ask('--files', '--hidden', '-g', '**/*.json'),
    ],
    ['Glob, 2,000 of 20,000', () => call('Glob', { pattern: '**/*.md' }), ask('--files', '--hidden', '-g', '**/*.md')],
    ['Glob, all', () => call('Glob', { pattern: '**/*' }), ask('--files', '--hidden', '-g', '**/*')],
  ]
  const rows = []
  for (const [name, ours, theirs] of pairs) {
    const [mine, bare] = await sideBySide(ours, theirs)
    rows.push(row(name, `${(mine / bare).toFixed(2)}×`, `${mine.toFixed(1)} ms; ripgrep ${bare.toFixed(1)} ms`))
  }
  table('Against ripgrep itself, 20,000 files (target 1.3×)', rows)
}

async function others(): Promise<void> {
  const file = join(root, 'd0', 'f0.ts')
  let count = 0
  await call('Read', { file_path: file })
  const edit = () => {
    const [from, to] = [`counter ${count}`, `counter ${++count}`]
    return call('Edit', { file_path: file, old_string: from, new_string: to })
  }
  const [read, bareRead] = await sideBySide(
    () => call('Read', { file_path: file }),
    async () => readFileSync(file),
  )
  const [editing, bareWrite] = await sideBySide(edit, async () =>
    writeFileSync(join(folder, 'bare'), 'x', { flush: true }),
  )
  const [bash, bareBash] = await sideBySide(
    () => call('Bash', { command: 'true' }),
    () => promised(done => execFile('bash', ['-c', 'true'], done)),
  )
  table('Others, beside the least that could be done (median)', [
    row('Read, 200 lines', `${read.toFixed(2)} ms`, `reading the bytes ${bareRead.toFixed(2)} ms`),
    row('Edit, durable', `${editing.toFixed(2)} ms`, `writing with fsync ${bareWrite.toFixed(2)} ms`),
    row('Bash, "true"', `${bash.toFixed(2)} ms`, `starting bash ${bareBash.toFixed(2)} ms`),
  ])
}

/** In turns, so that whatever else the machine does meets both. Medians, in milliseconds. */
async function sideBySide(ours: () => Promise<unknown>, theirs: () => Promise<unknown>): Promise<[number, number]> {
  const laps: [number[], number[]] = [[], []]
  for (let lap = 0; lap < 17; lap++) {
    for (const [index, work] of [ours, theirs].entries()) {
      const start = performance.now()
      await work()
      if (lap >= 2) laps[index as 0 | 1].push(performance.now() - start)
    }
  }
  return [median(laps[0]), median(laps[1])]
}

function runRipgrep(program: string, args: readonly string[]): Promise<unknown> {
  return promised(done => {
    const child = spawn(program, [...args, root], { stdio: ['ignore', 'pipe', 'ignore'] })
    child.stdout.resume()
    child.on('close', () => done(null))
  })
}

function promised(start: (done: (error: unknown) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => start(error => (error ? reject(error) : resolve())))
}

function median(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)]!
}

/** Of every hundred files ten are Markdown and one is JSON; ten hold the frequent word, one in two thousand the rare one. */
function plantTree(files: number): void {
  const filler = Array.from(
    { length: 199 },
    (_, line) => `export const value${line} = ${line} // some text of a line`,
  ).join('\n')
  for (let directory = 0; directory * 100 < files; directory++) {
    const place = join(root, `d${directory}`)
    mkdirSync(place, { recursive: true })
    for (let index = 0; index < 100; index++) {
      const number = directory * 100 + index
      const word = number % 2000 === 7 ? 'rareWord' : number % 10 === 3 ? 'oftenWord' : `counter ${number}`
      writeFileSync(
        join(place, `f${index}.${extensionOf(index)}`),
        `${word}\n${number % 5 === 0 ? filler : filler.slice(0, 800)}\n`,
      )
    }
  }
}

function extensionOf(index: number): string {
  if (index === 50) return 'json'
  return index % 10 === 9 ? 'md' : 'ts'
}
