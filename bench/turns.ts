/**
 * What a turn costs beyond the model: CPU a turn with the scripted model and the memory store, against a hand-written
 * loop without features in the same run; and a thousand runs at once: event-loop lag and memory after close.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { ajvCheck } from '../src/adapters/schema/ajv.js'
import { memoryStore } from '../src/adapters/stores/memory.js'
import type { Message } from '../src/core/message.js'
import type { Model, Tool } from '../src/core/ports.js'
import { createOffshoot } from '../src/offshoot.js'
import { modelOf } from '../src/testing/scripted-model.js'
import { row, table } from './report.js'

const turns = 10
const look: Tool = {
  spec: {
    name: 'Look',
    description: 'Looks.',
    inputSchema: { type: 'object', properties: { n: { type: 'number' } } },
    effect: 'read',
  },
  run: async input => ({ content: `saw ${(input as { n: number }).n}` }),
}
const model: Model = modelOf(({ messages }) => {
  const said = messages.filter(message => message.role === 'assistant').length
  return said < turns - 1 ? { calls: [{ name: 'Look', input: { n: said }, id: `c${said}` }] } : 'done'
})

export async function benchTurns(): Promise<void> {
  await manyRuns(50, 50)
  const floor = await cpuOf(async () => bareLoops(2000))
  const ours = await cpuOf(async () => manyRuns(2000, 50))
  const perTurn = (ms: number) => ms / (2000 * turns)
  const crowd = await crowdOf(1000)
  table('Turns (ScriptedModel, memory store)', [
    row('CPU a turn, bare loop', `${perTurn(floor).toFixed(4)} ms`),
    row('CPU a turn, Offshoot', `${perTurn(ours).toFixed(4)} ms`, 'bound 0.5 ms'),
    row('1,000 runs × 10 turns at once, wall', `${crowd.wallMs.toFixed(0)} ms`),
    row('  event-loop lag p99', `${crowd.lagMs.toFixed(1)} ms`, 'bound 100 ms'),
    row('  memory after close ÷ before', crowd.memoryRatio.toFixed(2), 'bound 1.20'),
  ])
}

async function manyRuns(count: number, atOnce: number): Promise<void> {
  const offshoot = open(atOnce)
  for (let i = 0; i < count; i += atOnce) {
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        const run = await offshoot.start({ prompt: 'go', description: 'bench' })
        if ('refused' in run) throw new Error(run.refused)
        const { outcome } = await run.result
        if (outcome !== 'completed') throw new Error(outcome)
      }),
    )
  }
  await offshoot.close()
}

function open(concurrency: number) {
  return createOffshoot({
    model,
    tools: [look],
    check: ajvCheck(),
    store: memoryStore(),
    policy: { defaultModel: 'm/m', concurrency, queue: 10_000 },
  })
}

async function crowdOf(count: number): Promise<{ wallMs: number; lagMs: number; memoryRatio: number }> {
  const before = heap()
  const lag = monitorEventLoopDelay({ resolution: 5 })
  lag.enable()
  const start = performance.now()
  await manyRuns(count, count)
  const wallMs = performance.now() - start
  lag.disable()
  return { wallMs, lagMs: lag.percentile(99) / 1e6, memoryRatio: heap() / before }
}

function heap(): number {
  for (let i = 0; i < 3; i++) (globalThis as { gc?: () => void }).gc?.()
  return process.memoryUsage().heapUsed
}

async function cpuOf(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** The least anybody could do: ask, run the tool, append the messages. */
async function bareLoops(count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const messages: Message[] = [{ role: 'user', content: [{ type: 'text', text: 'go' }] }]
    for (;;) {
      const reply = await model.ask(
        {
          runId: 'r' as never,
          rootId: 'r' as never,
          agent: 'a',
          purpose: 'work',
          model: 'm',
          declared: { system: '', tools: [] },
          messages,
          toolChoice: 'auto',
          sampling: {},
        },
        () => {},
        new AbortController().signal,
      )
      if ('error' in reply) throw new Error(reply.error.message)
      messages.push({ role: 'assistant', content: reply.content })
      const call = reply.content.find(part => part.type === 'call')
      if (!call) break
      const output = await look.run(call.input, undefined as never)
      messages.push({
        role: 'tool',
        content: [
          {
            type: 'result',
            callId: call.id,
            name: call.name,
            content: [{ type: 'text', text: String(output.content) }],
            isError: false,
          },
        ],
      })
    }
  }
}

await benchTurns()
