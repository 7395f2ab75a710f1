import { spawn } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundleTo } from '../../../test/support/bundle.js'
import { createTestWorkspace } from '../../../test/support/tool-workspace.js'

const workspace = createTestWorkspace()
afterAll(() => workspace.remove())

// Everything that starts a process, in a process that has no descriptor left; each says what became of it.
const host = `
import { closeSync, openSync } from 'node:fs'
import { runHook } from './src/adapters/hooks/hook-process.js'
import { StdioTransport } from './src/adapters/mcp/stdio-transport.js'
import { createRunProcesses } from './src/adapters/processes/run-processes.js'
import { createOutputPipes } from './src/adapters/os/output-pipe.js'
import { startGroup } from './src/adapters/os/process-group.js'
import { runProgram } from './src/adapters/os/program.js'
import { createReaper } from './src/adapters/os/reaper.js'
import { statusCommand } from './src/apps/tui/status-command.js'
const [place, childProgram] = process.argv.slice(2)
const env = { PATH: process.env.PATH }, cwd = '/'
const output = await createOutputPipes(async () => place).open()
const living = startGroup(['sleep', '30'], { cwd, env, output: await createOutputPipes(async () => place).open(), mark: 'OFFSHOOT_TEST=' + process.pid, onOutput() {} })
const held = []
try { for (;;) held.push(openSync('/dev/null')) } catch {}
const said = {}
const group = startGroup(['true'], { cwd, env, output, mark: 'OFFSHOOT_TEST_2=' + process.pid, onOutput() {} })
// Starting it has given one descriptor back.
said.command = (await group.ended).error
await group.end()
try { for (;;) held.push(openSync('/dev/null')) } catch {}
said.hook = (await runHook('exit 0', { cwd, env, input: '{}', timeoutMs: 5000, signal: new AbortController().signal })).fault
said.server = await new StdioTransport({ command: 'true', args: [], env, cwd }, {}).start().then(() => 'started', error => error.message)
said.program = await runProgram('true', [], { cwd, env }).then(() => 'started', error => error.message)
try { createReaper().expect() } catch (error) { said.reaper = error.message }
const processes = createRunProcesses({ program: childProgram })
said.process = (await processes.start({ runId: 'r', answer() {} }).ended).message
await processes.close()
statusCommand('true', () => ({}), () => {}, env).refresh()
await new Promise(resolve => setTimeout(resolve, 400))
await living.end()
for (const file of held) closeSync(file)
said.ended = (await living.ended).signal
console.log(JSON.stringify(said))
`
const program = workspace.path('host.mjs')
beforeAll(() => bundleTo(program, host))

test('when no descriptor was left, starting a process ended the host: it is the failure of what was to be started', async () => {
  const limited = ['-c', 'ulimit -n 64; exec "$@"', 'bash', process.execPath, program, workspace.root, program]
  const child = spawn('bash', limited, { stdio: ['ignore', 'pipe', 'pipe'] })
  const texts = await Promise.all([child.stdout, child.stderr].map(async stream => (await stream.toArray()).join('')))
  expect(texts[1]).toBe('')
  const why = expect.stringMatching(/EMFILE/)
  const said = { command: why, hook: why, server: why, program: why, reaper: why, process: why, ended: 'SIGTERM' }
  expect(JSON.parse(texts[0]!)).toEqual(said)
})
