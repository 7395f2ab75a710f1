// A tree with children in the background is started, its process is killed, and another process finishes it by `resume`.
// Nothing is done twice.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createOffshoot } from 'offshoot'
import { sqliteStore } from 'offshoot/stores/sqlite'
import { modelOf } from 'offshoot/testing'

const [role, directory] = process.argv.slice(2)
if (role === 'work') await work(directory)
else await show()

async function show() {
  const place = mkdtempSync(join(tmpdir(), 'offshoot-example-'))
  const first = spawn(process.execPath, [fileURLToPath(import.meta.url), 'work', place], { stdio: 'ignore' })
  while (!existsSync(join(place, 'marks')) || readFileSync(join(place, 'marks'), 'utf8').split('\n').length < 3)
    await new Promise(done => setTimeout(done, 20))
  first.kill('SIGKILL')
  await new Promise(done => first.on('exit', done))
  const store = await sqliteStore({ path: join(place, 'runs.db') })
  const offshoot = open(place, store)
  const before = await offshoot.list()
  console.log('after the kill:', before.map(run => `${run.agent} ${run.status}`).join(', '))
  const root = before.find(run => !run.parentId)
  const resumed = await offshoot.resume(root.runId)
  if ('refused' in resumed) throw new Error(resumed.refused)
  const result = await resumed.result
  console.log('finished:', result.outcome, '-', result.text)
  const marks = readFileSync(join(place, 'marks'), 'utf8').trim().split('\n')
  console.log(`side effects: ${marks.length}, all different: ${new Set(marks).size === marks.length}`)
  if (result.outcome !== 'completed' || new Set(marks).size !== marks.length)
    throw new Error('something was lost or done twice')
  await offshoot.close()
  await store.close()
  rmSync(place, { recursive: true, force: true })
}

async function work(place) {
  const offshoot = open(place, await sqliteStore({ path: join(place, 'runs.db') }))
  const run = await offshoot.start({ prompt: 'five marks each', description: 'leave marks' })
  await run.result
}

/** Two children that leave five marks each. The model is a function of the conversation, so any process can go on. */
function open(place, store) {
  const source = { scope: 'user', isTrusted: true }
  const answers = messages => messages.filter(message => message.role === 'assistant').length
  const model = modelOf(({ agent, messages }) => {
    const turn = answers(messages)
    if (agent === 'main')
      return turn === 0
        ? {
            calls: ['a', 'b'].map(id => ({
              id,
              name: 'Task',
              input: { subagent_type: 'marker', description: 'leave marks', prompt: id, run_in_background: true },
            })),
          }
        : 'Both have left their marks.'
    return turn < 5 ? { calls: [{ id: `m${turn}`, name: 'Mark', input: { turn } }] } : 'done'
  })
  const mark = {
    spec: { name: 'Mark', description: 'Leaves a mark.', inputSchema: { type: 'object' }, effect: 'write' },
    run: async ({ turn }, { runId }) => {
      const { appendFile } = await import('node:fs/promises')
      await appendFile(join(place, 'marks'), `${runId} ${turn}\n`)
      await new Promise(done => setTimeout(done, 60))
      return { content: 'marked' }
    },
  }
  return createOffshoot({
    model,
    store,
    tools: [mark],
    agents: [{ name: 'marker', description: 'Leaves marks.', systemPrompt: 'Mark.', tools: 'all', source }],
    policy: { defaultModel: 'm/m' },
  })
}
