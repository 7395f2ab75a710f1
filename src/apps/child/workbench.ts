/** The tools this process has made, and one call of one of them. What they hand back is made safe to cross the pipe. */
import type { CallId, Json, RunId } from '../../core/message.js'
import type { Clock, Delegation, Tool, ToolContext, ToolOutput } from '../../core/ports.js'
import type { CarriedWorkspace, Kit, KitOrder, KitPorts, ProcessCalls } from '../../core/run-process.js'
import { cutToBytes } from '../../core/text/text.js'
import type { Workspace } from '../../core/workspace.js'
import { readContent } from '../../runtime/calls/output.js'
import type { PipedLog } from './piped-log.js'

/** So much text of one output crosses; the host bounds it further, and keeps what it cuts. */
const maxOutputBytes = 8 * 1024 * 1024
/** Progress of one call is told no more often than this. */
const progressMs = 16

export interface Workbench {
  run(
    value: Parameters<ProcessCalls['tool']>[0],
    log: PipedLog,
    clock: Clock,
    signal: AbortSignal,
  ): Promise<ReturnType<ProcessCalls['tool']>>
  close(runId: RunId): Promise<void>
}

export async function openWorkbench(orders: readonly KitOrder[], ports: KitPorts): Promise<Workbench> {
  const kits: Kit[] = []
  for (const order of orders) kits.push(await loadKit(order, ports))
  return {
    async run({ name, input, workspace, callId, mode, options }, log, clock, signal) {
      const kit = kits.find(({ tools }) => tools.some(({ spec }) => spec.name === name))
      const tool = kit?.tools.find(({ spec }) => spec.name === name)
      if (!kit || !tool) throw new Error(`no kit of this process makes ${name}`)
      const place = placed(workspace)
      kit.renew?.(options)
      const output = await runTool(tool, input, contextOf(log, callId, place, mode, clock, signal))
      const report = kit.report?.(log.state.runId, place)
      return { output, ...(report !== undefined && { report }) }
    },
    async close(runId) {
      await Promise.allSettled(kits.map(kit => kit.close?.(runId)))
    },
  }
}

async function loadKit({ module, options }: KitOrder, ports: KitPorts): Promise<Kit> {
  const loaded: { createKit?: (options: Json | undefined, ports: KitPorts) => Kit | Promise<Kit> } =
    module === 'offshoot:workspace'
      ? await import('../../adapters/processes/workspace-kit.js')
      : await import(/* @vite-ignore */ module)
  if (typeof loaded.createKit !== 'function') throw new Error(`${module} does not export createKit`)
  return loaded.createKit(options, ports)
}

async function runTool(tool: Tool, input: unknown, context: ToolContext): Promise<ToolOutput> {
  const output = await tool.run(input, context)
  if (!output || typeof output !== 'object') return { content: String(output ?? '') }
  const content = readContent(output.content).map(part =>
    part.type === 'text' && Buffer.byteLength(part.text) > maxOutputBytes
      ? {
          ...part,
          text: `${cutToBytes(part.text, maxOutputBytes)}\n[… cut: a process hands over ${maxOutputBytes} bytes]`,
        }
      : part,
  )
  return { ...output, content }
}

function contextOf(
  log: PipedLog,
  callId: CallId,
  workspace: Workspace,
  mode: ToolContext['mode'],
  clock: Clock,
  signal: AbortSignal,
): ToolContext {
  const { state } = log
  let toldAt = 0
  return {
    runId: state.runId,
    rootId: state.rootId,
    callId,
    agent: state.agent,
    path: state.brief.path,
    depth: state.depth,
    workspace,
    mode,
    chain: state.brief.chain,
    signal,
    clock,
    progress(text) {
      const now = Date.now()
      if (now - toldAt < progressMs) return
      toldAt = now
      log.pass({ type: 'tool.progress', callId, text })
    },
    knownVersion: path => state.versions.get(path),
    leftRunning: id => state.leftRunning.get(id)?.what,
    ...(state.shellDirectory !== undefined && { shellDirectory: state.shellDirectory }),
    delegation: noDelegation,
  }
}

function placed({ wrap, ...place }: CarriedWorkspace): Workspace {
  return { ...place, ...(wrap && { wrap: command => [...wrap.before, ...command, ...wrap.after] }) }
}

/** Whoever delegates is run by the host; a tool made here has nobody to hand work to. */
const noDelegation: Delegation = new Proxy({} as Delegation, {
  get: (_, name) => () => {
    throw new Error(`${String(name)}: a tool in the process of a run cannot delegate; leave out \`portable\``)
  },
})
