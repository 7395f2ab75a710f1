/**
 * Names the run and the tool that block this process's event loop. A worker thread watches a counter the loop keeps
 * moving; when it stands still, the worker stops the main thread for a moment, as a debugger does, and looks whose call
 * it is in and where. It costs nothing while the loop moves. A call that never ends is still named, on stderr.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { once } from 'node:events'
import type { RunId } from '../../core/message.js'
import type { Tool } from '../../core/ports.js'

/** The event loop stood still: for how long, and by whom. */
export interface BlockedLoop {
  readonly blockedMs: number
  /** Absent when no tool was being run: then it is the host's own code. */
  readonly runId?: RunId
  readonly agent?: string
  readonly tool?: string
  /** The innermost functions, `name (file:line)`. */
  readonly stack: readonly string[]
}
export interface LoopWatchdogOptions {
  /** A loop that stands still for longer is reported. */
  readonly thresholdMs?: number
  /** Called once for each time, when the loop moves again. */
  onBlocked(report: BlockedLoop): void
  /** A loop that stands still for so long is named on stderr at once, because it may never move again. */
  readonly shoutMs?: number
}
export interface LoopWatchdog {
  /** Resolves when it watches. */
  readonly ready: Promise<unknown>
  /** The same tools, known by name to the watchdog while they run. */
  around(tools: readonly Tool[]): readonly Tool[]
  close(): Promise<void>
}

interface CallUnderWay {
  readonly runId: RunId
  readonly agent: string
  readonly tool: string
}

/** Found by the worker through the paused main thread: it can reach nothing else of ours. */
const key = 'offshoot.call'
const beatMs = 25

export function startLoopWatchdog({
  thresholdMs = 250,
  shoutMs = 2_000,
  onBlocked,
}: LoopWatchdogOptions): LoopWatchdog {
  // Loaded here, because a process that is not watched has no use for them.
  const { Session } = process.getBuiltinModule('node:inspector')
  const { Worker } = process.getBuiltinModule('node:worker_threads')
  const calls = new AsyncLocalStorage<CallUnderWay>()
  Object.defineProperty(globalThis, Symbol.for(key), { value: () => calls.getStore(), configurable: true })
  // A session of this thread has to be there before one of another thread gets answers.
  const session = new Session()
  session.connect()
  const shared = new SharedArrayBuffer(4)
  const counter = new Int32Array(shared)
  const worker = new Worker(program, { eval: true, workerData: { shared, thresholdMs, shoutMs, key }, stdin: false })
  worker.unref()
  worker.on('message', (report: BlockedLoop) => onBlocked(report))
  // A watchdog that dies takes nobody with it.
  worker.on('error', () => undefined)
  const beat = setInterval(() => Atomics.add(counter, 0, 1), beatMs).unref()
  return {
    ready: once(worker, 'online').catch(() => undefined),
    around: tools => tools.map(tool => named(tool, calls)),
    async close() {
      clearInterval(beat)
      session.disconnect()
      await worker.terminate()
    },
  }
}

/** The tool as it is, but that its runs are known by name. Bound, since a host's tool may be of a class of its own. */
function named(tool: Tool, calls: AsyncLocalStorage<CallUnderWay>): Tool {
  const { spec, portable, effectOf, context, settle, handsTo, wakes, foresee } = tool
  return {
    spec,
    ...(portable && { portable }),
    ...(effectOf && { effectOf: effectOf.bind(tool) }),
    ...(context && { context: context.bind(tool) }),
    ...(settle && { settle: settle.bind(tool) }),
    ...(handsTo && { handsTo: handsTo.bind(tool) }),
    ...(wakes && { wakes: wakes.bind(tool) }),
    ...(foresee && { foresee: foresee.bind(tool) }),
    run: (input, at) =>
      calls.run({ runId: at.runId, agent: at.agent, tool: tool.spec.name }, () => tool.run(input, at)),
  } satisfies Record<keyof Tool, unknown> | Tool
}

const program = `
const { workerData, parentPort } = require('node:worker_threads')
const { writeSync } = require('node:fs')
const { Session } = require('node:inspector')
const { shared, thresholdMs, shoutMs, key } = workerData
const counter = new Int32Array(shared)
const call = \`JSON.stringify(globalThis[Symbol.for('\${key}')]?.() ?? {})\`
const wait = ms => new Promise(resolve => setTimeout(resolve, ms))

async function look() {
  const session = new Session()
  try {
    session.connectToMainThread()
    const post = (method, params) =>
      new Promise((resolve, reject) => session.post(method, params, (error, value) => (error ? reject(error) : resolve(value))))
    const urls = new Map()
    session.on('Debugger.scriptParsed', ({ params }) => urls.set(params.scriptId, params.url))
    const paused = new Promise(resolve => session.once('Debugger.paused', ({ params }) => resolve(params)))
    await post('Debugger.enable')
    await post('Debugger.pause')
    const found = await Promise.race([paused, wait(1000)])
    if (!found) return { stack: [] }
    const [inner] = found.callFrames
    const { result } = await post('Debugger.evaluateOnCallFrame', { callFrameId: inner.callFrameId, expression: call })
    const stack = found.callFrames.slice(0, 8).map(({ functionName, location }) =>
      (functionName || '(anonymous)') + ' (' + urls.get(location.scriptId) + ':' + (location.lineNumber + 1) + ')')
    return { ...JSON.parse(result.value), stack }
  } catch {
    return { stack: [] }
  } finally {
    session.disconnect()
  }
}

async function watch() {
  let seen = Atomics.load(counter, 0)
  let movedAt = performance.now()
  let found
  let hasShouted = false
  for (;;) {
    await wait(25)
    const now = Atomics.load(counter, 0)
    const blockedMs = Math.round(performance.now() - movedAt)
    if (now !== seen) {
      if (found) parentPort.postMessage({ ...found, blockedMs })
      seen = now
      movedAt = performance.now()
      found = undefined
      hasShouted = false
    } else if (!found && blockedMs > thresholdMs) found = await look()
    else if (found && !hasShouted && blockedMs > shoutMs) {
      hasShouted = true
      const who = found.tool ? found.tool + ' of ' + found.agent + ' (run ' + found.runId + ')' : 'no tool'
      writeSync(2, 'offshoot: the event loop has stood still for ' + blockedMs + ' ms in ' + who + ', at ' + (found.stack[0] ?? 'an unknown place') + '\\n')
    }
  }
}
// Answers of the inspector come outside of any tick: without one, promises they settle would wait for ever.
setInterval(() => {}, 10)
watch()
`
