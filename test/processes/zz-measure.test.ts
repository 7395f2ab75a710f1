import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, test } from 'vitest'
import { createJudge } from '../../src/adapters/judge.js'
import { createRunProcesses } from '../../src/adapters/processes/run-processes.js'
import { createJudgedPaths } from '../../src/adapters/tools/judged-paths.js'
import { createShells } from '../../src/adapters/tools/shells.js'
import { createWorkspaceTools } from '../../src/adapters/tools/workspace-tools.js'
import { systemClock } from '../../src/adapters/os/system-clock.js'
import { agent, call, house, task } from '../scenarios/house.js'
import { buildChildProgram } from '../support/child-program.js'
const processes = createRunProcesses({ program: await buildChildProgram() })
afterAll(() => processes.close())
test('measure', async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'measure-')))
  for (let d = 0; d < 200; d++) { mkdirSync(join(root, `d${d}`)); for (let f = 0; f < 100; f++) writeFileSync(join(root, `d${d}`, `f${f}.ts`), 'needle\n') }
  for (const mode of ['in-process', 'process', 'process'] as const) {
    const judge = createJudge({ layers: () => [], stateDirs: [] })
    const judged = createJudgedPaths(judge)
    const shells = createShells()
    const portable = { module: 'offshoot:workspace', guard: judged.guard }
    const tools = createWorkspaceTools({ shells, guard: judged.guard }).map(t => ({ ...t, portable }))
    const h = house({ main: [{ calls: [task('worker')] }, 'ok'], worker: [call('Grep', { pattern: 'needle' }), call('Glob', { pattern: '**/*.ts' }), 'done'] },
      { agents: [agent('worker', { executionMode: mode })], tools, processes, judge: judged.around(judge), policy: { cwd: root }, clock: systemClock() } as never)
    await h.run()
    const ends = h.events.flatMap(({ event, agent }) => event.type === 'tool.ended' && agent === 'worker' ? [`${event.name} ${event.durationMs} ms ${event.summary}`] : [])
    console.log(mode, ends)
    await shells.close()
  }
  rmSync(root, { recursive: true })
}, 120_000)
