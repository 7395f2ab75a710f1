/**
 * A host with a tree of runs in their own processes, each with a command under way, for the test that kills it:
 * `worker PROGRAM DIRECTORY MARK`. Says `busy` once every command runs.
 */
import { createRunProcesses } from '../../src/adapters/processes/run-processes.js'
import { createWorkspaceTools } from '../../src/adapters/tools/workspace-tools.js'
import { createOffshoot } from '../../src/offshoot.js'
import { modelOf } from '../../src/testing/scripted-model.js'

const [program, directory, mark] = process.argv.slice(2) as [string, string, string]
const portable = { module: 'offshoot:workspace' }
const bash = (depth: number) => ({
  name: 'Bash',
  input: { command: `setsid sleep 601 & sleep 602; : ${mark} ${depth}` },
  id: `b${depth}`,
})
const below = {
  name: 'Task',
  input: { description: 'sub', prompt: 'go', subagent_type: 'worker', run_in_background: true },
  id: 'below',
}
const offshoot = createOffshoot({
  model: modelOf(({ declared, messages }) => {
    const depth = declared.tools.some(({ name }) => name === 'Task') ? 1 : 2
    return messages.length > 1 ? 'done' : { calls: depth === 1 ? [below, bash(depth)] : [bash(depth)] }
  }),
  tools: createWorkspaceTools().map(tool => ({ ...tool, portable })),
  agents: [
    {
      name: 'worker',
      description: 'works',
      systemPrompt: 'worker',
      tools: 'all',
      canSpawn: true,
      source: { scope: 'user', isTrusted: true },
    },
  ],
  policy: { cwd: directory, defaultModel: 'm/m', executionMode: 'process', maxDepth: 1, timeoutMs: 600_000 },
  processes: createRunProcesses({ program }),
})
let busy = 0
offshoot.subscribe({}, ({ event }) => {
  if (event.type !== 'tool.started' || event.name !== 'Bash') return
  busy += 1
  if (busy === 2) process.send?.('busy')
})
const run = await offshoot.start({ prompt: 'go', description: 'tree' })
if ('refused' in run) throw new Error(run.refused)
process.on('message', async () => {
  await run.stop('told to')
  const { outcome } = await run.result
  await offshoot.close()
  process.send?.(outcome, () => process.exit(0))
})
