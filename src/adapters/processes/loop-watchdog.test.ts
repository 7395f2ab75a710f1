import { afterEach, expect, test } from 'vitest'
import type { ToolContext } from '../../core/ports.js'
import { type BlockedLoop, type LoopWatchdog, startLoopWatchdog } from './loop-watchdog.js'

let watchdog: LoopWatchdog | undefined
afterEach(() => watchdog?.close())

const spinFor = (ms: number) => {
  for (const end = performance.now() + ms; performance.now() < end; );
}
const context = { runId: 'run-1', agent: 'digger' } as unknown as ToolContext

test('J04 a tool that blocks the loop is named, with its run and the function it spins in', async () => {
  const reports: BlockedLoop[] = []
  watchdog = startLoopWatchdog({ thresholdMs: 100, onBlocked: report => void reports.push(report) })
  const [tool] = watchdog!.around([
    {
      spec: { name: 'Parse', description: '', inputSchema: {}, effect: 'read' },
      run: async () => {
        await new Promise(resolve => setImmediate(resolve))
        spinFor(900)
        return { content: 'parsed' }
      },
    },
  ])
  await watchdog!.ready
  // On a busy machine the watching thread may come too late to look; the next time it need not.
  let named: BlockedLoop | undefined
  for (let i = 0; i < 20 && !named; i++) {
    expect(await tool!.run({}, context)).toEqual({ content: 'parsed' })
    await new Promise(resolve => setTimeout(resolve, 50))
    named = reports.find(({ stack }) => stack.length > 0)
  }
  expect(named).toMatchObject({ runId: 'run-1', agent: 'digger', tool: 'Parse' })
  expect(named!.stack[0]).toMatch(/^spinFor \(.*loop-watchdog\.test\.ts:\d+\)/)
})
