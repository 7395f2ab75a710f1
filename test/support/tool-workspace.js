/** A real directory to act in, and calls as the runtime makes them: versions of files come from what was reported. */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
export function createTestWorkspace() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'offshoot-test-')))
  const path = (...parts) => join(root, ...parts)
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
const sleep = (ms, signal) => wait(ms, undefined, { signal })
function after(ms, run) {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}
export function createTestRun(workspace, name = 'run-1') {
  const versions = new Map()
  let calls = 0
  const context = {
    runId: name,
    rootId: name,
    callId: 'call-0',
    agent: 'tester',
    path: ['main', 'tester'],
    depth: 1,
    workspace: typeof workspace === 'string' ? { cwd: workspace, roots: [workspace] } : workspace,
    mode: 'default',
    signal: new AbortController().signal,
    clock: { now: Date.now, sleep, after, id: () => `id-${++calls}`, random: () => 0.5 },
    progress: () => undefined,
    knownVersion: path => versions.get(path),
    delegation: undefined,
  }
  return {
    context,
    async call(tool, input, overrides) {
      const callId = `${name}-call-${++calls}`
      const output = await tool.run(input, { ...context, callId, ...overrides })
      for (const file of output.files ?? []) versions.set(file.path, file.hash)
      return output
    },
  }
}
export function textOf(output) {
  if (typeof output.content === 'string') return output.content
  return output.content.map(part => (part.type === 'text' ? part.text : `<${part.mediaType}>`)).join('\n')
}
//# sourceMappingURL=tool-workspace.js.map
