/** What a process of a run is started with: the program, its limits, and an environment without anybody's keys. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { ProcessOrder } from '../../core/run-process.js'

/** Where `child.js` lies, seen from the library, from the bundled program and from the sources. */
const places = ['../../bin/child.js', './child.js', '../child.js', '../../../dist/bin/child.js']

export function findChildProgram(): string | undefined {
  return places.map(place => fileURLToPath(new URL(place, import.meta.url))).find(path => existsSync(path))
}

/** What Node itself needs beside the heap of the definition: code, buffers of the pipe, the runtime. */
const overheadMb = 192
/** Room for compiled code that newer versions of V8 set aside at the start, and that the system counts as used. */
const reservedMb = Number(process.versions.node.split('.')[0]) >= 23 ? 512 : 0
/** Between the warning signal and the end. */
const hardCpuSeconds = 2

/**
 * The heap is bounded by V8; what lies outside of it (buffers, and every command the tools start) by the system, where
 * it has `ulimit`. Windows has none: there the heap alone is bounded.
 */
export function commandFor(program: string, resources: ProcessOrder['resources'] = {}): readonly [string, ...string[]] {
  const { memoryMb, cpuSeconds } = resources
  const node = [process.execPath, ...(memoryMb ? [`--max-old-space-size=${Math.ceil(memoryMb)}`] : []), program]
  const limits = [
    ...(memoryMb ? [`ulimit -d ${Math.ceil(memoryMb + overheadMb + reservedMb) * 1024}`] : []),
    ...(cpuSeconds
      ? [`ulimit -S -t ${Math.ceil(cpuSeconds)}`, `ulimit -H -t ${Math.ceil(cpuSeconds) + hardCpuSeconds}`]
      : []),
  ]
  if (limits.length === 0 || process.platform === 'win32') return node as [string, ...string[]]
  // A limit the system does not know must not keep the run from starting.
  const script = `${limits.map(limit => `${limit} 2>/dev/null;`).join(' ')} exec "$@"`
  return ['/bin/sh', '-c', script, 'sh', ...node]
}
