/**
 * What judging a call costs in processor time: denied, asked, allowed. Goal: under 1 ms for what is denied or asked. Beside
 * it, in a workspace on the disk, what it adds that every place from which something runs later is looked up.
 */

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { startUpFiles } from '../src/adapters/ground/start-up-files.js'
import { createJudge } from '../src/adapters/judge/judge.js'
import { type CallPolicy, explainCall } from '../src/core/permission/permission.js'
import { callOf, grammar, layer, link, place } from '../test/support/judging.js'
import { median, row, table } from './report.js'

const many = Array.from({ length: 100 }, (_, index) => `Bash(tool-${index}:*)`)
const layers = [
  layer({ deny: ['Bash(curl:*)', 'Read(./private/**)'], allow: many }),
  layer(
    { ask: ['Bash(git push:*)'], allow: ['Edit(src/**)'] },
    { scope: 'project', origin: '/w/app/.offshoot/settings.json' },
  ),
]
const policy: CallPolicy = { layers, place, grammar }
const chain = [link(), link({ agent: 'lead' }), link({ agent: 'worker', mode: 'acceptEdits' })]

const calls = {
  'denied command': callOf('Bash', { command: 'git status && curl https://example.com/x' }, { chain }),
  'asked command': callOf('Bash', { command: 'npm run build -- --watch > build.log 2>&1' }, { chain }),
  'allowed command': callOf('Bash', { command: 'git log --oneline -5 | head -3' }, { chain }),
  'asked write': callOf('Write', { file_path: 'docs/guide.md' }, { chain }),
  'denied read': callOf('Read', { file_path: 'private/notes.md' }, { chain }),
  'allowed read': callOf('Read', { file_path: 'src/core/permission/permission.ts' }, { chain }),
  '250 commands': callOf('Bash', { command: 'true;'.repeat(250) }, { chain }),
}

const rows = Object.entries(calls).map(([name, call]) => {
  const { decision } = explainCall(call, policy).verdict
  const rounds = name === '250 commands' ? 50 : 2_000
  for (let round = 0; round < rounds; round++) explainCall(call, policy)
  const before = process.cpuUsage()
  for (let round = 0; round < rounds; round++) explainCall(call, policy)
  const { user, system } = process.cpuUsage(before)
  return row(name, `${((user + system) / 1000 / rounds).toFixed(3)} ms`, decision)
})
table('Judging a call: processor time, 105 rules, 3 agents (goal for denied and asked: under 1 ms)', rows)

const root = mkdtempSync(join(tmpdir(), 'offshoot-bench-judging-'))
const home = homedir()
for (const directory of ['.git', 'build', 'test']) mkdirSync(join(root, directory))
const places = startUpFiles({ home, env: process.env, roots: [root] })
const judgeWith = (decisive: readonly string[]) =>
  createJudge({ layers: () => layers, stateDirs: [], home, decisive: () => decisive })
const looking = judgeWith(places)
const blind = judgeWith([])

async function timeOf(judge: typeof looking, command: string, rounds: number): Promise<number> {
  const call = callOf('Bash', { command }, { chain, call: { workspace: { cwd: root, roots: [root] } } })
  const before = process.cpuUsage()
  for (let round = 0; round < rounds; round++) await judge.judge(call)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / rounds
}

const looked = []
for (const command of ['npm test', 'git commit -m x', 'rm -rf build']) {
  await timeOf(looking, command, 200)
  await timeOf(blind, command, 200)
  const [full, bare]: [number[], number[]] = [[], []]
  for (let round = 0; round < 40; round++) {
    full.push(await timeOf(looking, command, 10))
    bare.push(await timeOf(blind, command, 10))
  }
  const [withAll, without] = [median(full), median(bare)]
  const figure = `${(withAll / without).toFixed(2)}× ${withAll.toFixed(2)} ms`
  looked.push(row(command, figure, `${without.toFixed(2)} ms without`))
}
rmSync(root, { recursive: true })
table(`Judging on the disk: ${places.length} places that run later looked up at each call, against none`, looked)
