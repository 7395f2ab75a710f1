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
  let hear: (report: BlockedLoop) => void = () => {}
  watchdog = startLoopWatchdog({ thresholdMs: 100, onBlocked: report => hear(report) })
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
  let report: BlockedLoop | undefined
  // On a crowded machine the thread may come too late to see who it was; then it is blocked once more.
  for (let tries = 0; tries < 6 && !report?.tool; tries++) {
    const heard = new Promise<BlockedLoop>(resolve => (hear = resolve))
    expect(await tool!.run({}, context)).toEqual({ content: 'parsed' })
    report = await heard
  }
  expect(report).toMatchObject({ runId: 'run-1', agent: 'digger', tool: 'Parse' })
  // It may be stopped a step further in: in the clock that it looks at.
  expect(report!.stack.slice(0, 8).join('\n')).toMatch(/^spinFor \(.*loop-watchdog\.test\.ts:\d+\)/m)
})
