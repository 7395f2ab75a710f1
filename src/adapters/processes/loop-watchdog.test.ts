import { afterEach, expect, test } from 'vitest'
import type { Tool, ToolContext } from '../../core/ports.js'
import { type BlockedLoop, type LoopWatchdog, startLoopWatchdog } from './loop-watchdog.js'

let watchdog: LoopWatchdog | undefined
afterEach(() => watchdog?.close())

const spinFor = (ms: number) => {
  for (const end = performance.now() + ms; performance.now() < end; );
}
const context = { runId: 'run-1', agent: 'digger' } as unknown as ToolContext

test('J04 a tool that blocks the loop is named, with its run and the function it spins in', async () => {
  let hear: (report: BlockedLoop) => void = () => {}
  let blockedMs = 900
  watchdog = startLoopWatchdog({ thresholdMs: 100, onBlocked: report => hear(report) })
  const [tool] = watchdog!.around([
    {
      spec: { name: 'Parse', description: '', inputSchema: {}, effect: 'read' },
      run: async () => {
        await new Promise(resolve => setImmediate(resolve))
        spinFor(blockedMs)
        return { content: 'parsed' }
      },
    },
  ])
  await watchdog!.ready
  let report: BlockedLoop | undefined
  // On a crowded machine the thread may come too late to see who it was; then it is blocked once more, for longer.
  for (let tries = 0; tries < 6 && !report?.tool; tries++, blockedMs += 700) {
    const heard = new Promise<BlockedLoop>(resolve => (hear = resolve))
    expect(await tool!.run({}, context)).toEqual({ content: 'parsed' })
    report = await heard
  }
  expect(report).toMatchObject({ runId: 'run-1', agent: 'digger', tool: 'Parse' })
  // It may be stopped a step further in: in the clock that it looks at.
  expect(report!.stack.slice(0, 8).join('\n')).toMatch(/^spinFor \(.*loop-watchdog\.test\.ts:\d+\)/m)
})

test('a watched tool lost the agent that it hands work to, and with it the deny of that agent', async () => {
  watchdog = startLoopWatchdog({ onBlocked: () => {} })
  class Handing implements Required<Omit<Tool, 'portable'>> {
    readonly #agent = 'reviewer'
    readonly spec = { name: 'Review', description: '', inputSchema: {}, effect: 'read' } as const
    effectOf = () => 'read' as const
    context = () => this.#agent
    settle = async () => this.#agent
    foresee = async () => ({ content: this.#agent })
    wakes = () => this.#agent
    run = async () => ({ content: this.#agent })
    async handsTo() {
      return this.#agent
    }
  }
  const tool = new Handing()
  const [watched] = watchdog!.around([tool])
  expect(await watched!.handsTo!({}, context)).toBe('reviewer')
  expect(Object.keys(watched!).sort()).toEqual([...Object.keys(tool), 'handsTo'].sort())
})
