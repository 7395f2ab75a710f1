/** Starts real processes on a store: builds `store-process.ts` once into a folder of its own, and talks to it over IPC. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { rolldown } from 'rolldown'

const root = resolve(import.meta.dirname, '../..')

export interface StoreProcess {
  readonly pid: number
  /** Rejects with `{ code, message, path }` as the store did. */
  call<T>(method: string, ...args: readonly unknown[]): Promise<T>
  /** The last sequence number `appendForever` was told is stored. */
  readonly stored: number
  whenStored(seq: number): Promise<void>
  kill(): Promise<void>
  /** Resolves when it has ended by itself. */
  readonly gone: Promise<'gone'>
}

export interface StoreProcesses {
  /** A fresh path below the folder. */
  path(name: string): string
  start(kind: 'sqlite' | 'jsonl', path: string, options?: StartOptions): Promise<StoreProcess>
  close(): Promise<void>
}
export interface StartOptions {
  readonly settings?: object
  readonly env?: Record<string, string>
  /** No file can grow past this: the portable way to a full disk. */
  readonly fileLimitKib?: number
}

export async function buildStoreProcesses(): Promise<StoreProcesses> {
  const folder = await mkdtemp(join(tmpdir(), 'offshoot-processes-'))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  const bundle = await rolldown({
    input: join(root, 'test/stores/store-process.ts'),
    platform: 'node',
    external: ['libsql'],
  })
  await bundle.write({ dir: folder, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs' })
  await bundle.close()
  const running = new Set<ChildProcess>()
  let count = 0
  return {
    path: name => join(folder, `${name}-${count++}`),
    start: (kind, path, options = {}) => startProcess(join(folder, 'store-process.mjs'), running, kind, path, options),
    close: async () => {
      await Promise.all([...running].map(killAndWait))
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function startProcess(
  entry: string,
  running: Set<ChildProcess>,
  kind: string,
  path: string,
  { settings = {}, env = {}, fileLimitKib }: StartOptions,
): Promise<StoreProcess> {
  const command = [process.execPath, entry, kind, path, JSON.stringify(settings)]
  const limited = ['/bin/bash', '-c', `trap '' XFSZ; ulimit -f ${fileLimitKib}; exec "$@"`, 'bash', ...command]
  const [program, ...args] = fileLimitKib === undefined ? command : limited
  const child = spawn(program!, args, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, ...env },
  })
  running.add(child)
  const gone = new Promise<'gone'>(resolve => child.once('exit', () => resolve('gone')))
  child.once('exit', () => running.delete(child))
  const calls = new Map<number, { resolve: (value: never) => void; reject: (error: unknown) => void }>()
  const progress = { stored: 1, wake: () => {} }
  await new Promise<void>((ready, reject) => {
    child.once('exit', code => reject(new Error(`The store process ended with ${code} before it was ready`)))
    child.on('message', (message: Record<string, unknown>) => {
      if (message.isReady) ready()
      if (typeof message.stored === 'number') progress.stored = message.stored
      progress.wake()
      const call = calls.get(message.id as number)
      if (message.error) call?.reject(message.error)
      else call?.resolve(message.value as never)
    })
  })
  return {
    pid: child.pid!,
    call: (method, ...rest) =>
      new Promise((resolveCall, reject) => {
        const id = calls.size + 1
        calls.set(id, { resolve: resolveCall, reject })
        child.send({ id, method, args: rest })
      }),
    get stored() {
      return progress.stored
    },
    whenStored: async seq => {
      while (progress.stored < seq) await new Promise<void>(wake => Object.assign(progress, { wake }))
    },
    kill: () => killAndWait(child),
    gone,
  }
}

async function killAndWait(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = new Promise(resolveExit => child.once('exit', resolveExit))
  child.kill('SIGKILL')
  await exited
}
