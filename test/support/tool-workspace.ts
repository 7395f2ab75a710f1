/** A real directory to act in, and calls as the runtime makes them: versions of files come from what was reported. */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { CallId, RunId } from '../../src/core/message.js'
import type { Delegation, Tool, ToolContext, ToolOutput } from '../../src/core/ports.js'
import type { Workspace } from '../../src/core/workspace.js'

export interface TestWorkspace {
  readonly root: string
  path(...parts: string[]): string
  write(name: string, content: string | Uint8Array, mode?: number): string
  text(name: string): string
  remove(): void
}

export function createTestWorkspace(): TestWorkspace {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'offshoot-test-')))
  const path = (...parts: string[]) => join(root, ...parts)
  return {
    root,
    path,
    write(name, content, mode) {
      mkdirSync(dirname(path(name)), { recursive: true })
      writeFileSync(path(name), content)
      if (mode !== undefined) chmodSync(path(name), mode)
      return path(name)
    },
    text: name => readFileSync(path(name), 'utf8'),
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}

const sleep = (ms: number, signal?: AbortSignal) => wait(ms, undefined, { signal })

function after(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}

export interface TestRun {
  readonly context: ToolContext
  /** Runs the tool and remembers the versions it reports, as a run's log would. */
  call(tool: Tool, input: unknown, overrides?: Partial<ToolContext>): Promise<ToolOutput>
}

export function createTestRun(workspace: Workspace | string, name = 'run-1'): TestRun {
  const versions = new Map<string, string | undefined>()
  let calls = 0
  const context: ToolContext = {
    runId: name as RunId,
    rootId: name as RunId,
    callId: 'call-0' as CallId,
    agent: 'tester',
    path: ['main', 'tester'],
    depth: 1,
    workspace: typeof workspace === 'string' ? { cwd: workspace, roots: [workspace] } : workspace,
    mode: 'default',
    signal: new AbortController().signal,
    clock: { now: Date.now, sleep, after, id: () => `id-${++calls}`, random: () => 0.5 },
    progress: () => undefined,
    knownVersion: path => versions.get(path),
    delegation: undefined as unknown as Delegation,
  }
  return {
    context,
    async call(tool, input, overrides) {
      const callId = `${name}-call-${++calls}` as CallId
      const output = await tool.run(input, { ...context, callId, ...overrides })
      for (const file of output.files ?? []) versions.set(file.path, file.hash)
      return output
    },
  }
}

export function textOf(output: ToolOutput): string {
  if (typeof output.content === 'string') return output.content
  return output.content.map(part => (part.type === 'text' ? part.text : `<${part.mediaType}>`)).join('\n')
}
