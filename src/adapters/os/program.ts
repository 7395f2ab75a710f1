/** Runs a helper program of our own choosing (ripgrep, git): no shell, no terminal, bounded output. */
import { spawn } from 'node:child_process'
import { tryStart } from './try-start.js'

export interface ProgramOptions {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  readonly input?: Uint8Array | string
  /** Past this the program is ended and the output marked as cut. */
  readonly maxBytes?: number
}
export interface ProgramEnd {
  /** Absent when a signal ended it. */
  readonly code: number | undefined
  readonly stdout: Buffer
  readonly stderr: string
  readonly isCut: boolean
}

/** Rejects when the program cannot be started, or with the signal's reason on abort. */
export function runProgram(file: string, args: readonly string[], options: ProgramOptions): Promise<ProgramEnd> {
  const { cwd, env, signal, input, maxBytes = 64 * 1024 * 1024 } = options
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const child = tryStart(() =>
      spawn(file, args, { cwd, env: { ...env }, stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'] }),
    )
    if (typeof child === 'string') throw new Error(`${file} could not be started: ${child}`)
    const onAbort = () => child.kill('SIGKILL')
    signal?.addEventListener('abort', onAbort, { once: true })
    const chunks: Buffer[] = []
    let [size, isCut, stderr] = [0, false, '']
    child.stdout!.on('data', (chunk: Buffer) => {
      if (isCut) return
      chunks.push(chunk)
      size += chunk.length
      isCut = size > maxBytes
      if (isCut) child.kill('SIGKILL')
    })
    child.stderr!.on('data', (chunk: Buffer) => {
      if (stderr.length < 16_384) stderr += chunk.toString('utf8')
    })
    child.on('error', error => {
      signal?.removeEventListener('abort', onAbort)
      reject(error)
    })
    child.on('close', code => {
      signal?.removeEventListener('abort', onAbort)
      if (signal?.aborted) reject(signal.reason)
      else resolve({ code: code ?? undefined, stdout: Buffer.concat(chunks), stderr, isCut })
    })
    // A program that ends before it has read everything is no failure of ours.
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(input)
  })
}
