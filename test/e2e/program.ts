/** The built program, run for real: in a home of its own, with nothing of the environment that could change it. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '../..')
export const bin = join(root, 'dist/bin/offshoot.cjs')

/** Builds when something is newer than the build. Test files run at the same time: one builds, the others wait. */
export async function ensureBuilt(): Promise<void> {
  execFileSync(process.execPath, [join(root, 'scripts/build.mjs')], { cwd: root, stdio: 'pipe' })
}

export interface Home {
  readonly path: string
  /** A project of its own, below the home. */
  readonly project: string
  readonly env: Readonly<Record<string, string>>
}

export function makeHome(more: Readonly<Record<string, string>> = {}): Home {
  const path = mkdtempSync(join(tmpdir(), 'offshoot-e2e-'))
  const project = join(path, 'project')
  mkdirSync(join(project, '.git'), { recursive: true })
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: path,
    OFFSHOOT_HOME: join(path, 'state'),
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
    ...more,
  }
  return { path, project, env }
}

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}
export interface Started {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
  /** Resolves when stderr or stdout holds the text. */
  says(text: string | RegExp): Promise<void>
}

export interface RunOptions {
  readonly input?: string
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** Leaves stdin open. */
  readonly isStdinOpen?: boolean
}

const limitMs = 60_000

export function start(home: Home, args: readonly string[], options: RunOptions = {}): Started {
  const child = spawn(process.execPath, [bin, ...args], {
    cwd: options.cwd ?? home.project,
    env: { ...home.env, ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  const waiting = new Set<() => void>()
  const note = () => {
    for (const look of waiting) look()
  }
  child.stdout.on('data', chunk => {
    stdout += chunk
    note()
  })
  child.stderr.on('data', chunk => {
    stderr += chunk
    note()
  })
  child.stdin.on('error', () => {})
  if (!options.isStdinOpen) child.stdin.end(options.input ?? '')
  const timer = setTimeout(() => child.kill('SIGKILL'), limitMs)
  const ended = new Promise<Ended>(resolveEnd => {
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      resolveEnd({ code, signal, stdout, stderr })
    })
  })
  return {
    child,
    ended,
    says: text =>
      new Promise((done, reject) => {
        const look = () => {
          const all = stdout + stderr
          if (typeof text === 'string' ? all.includes(text) : text.test(all)) {
            waiting.delete(look)
            done()
          }
        }
        waiting.add(look)
        void ended.then(end =>
          reject(new Error(`ended (${end.code}) before it said ${text}:\n${end.stderr}${end.stdout}`)),
        )
        look()
      }),
  }
}

export const run = (home: Home, args: readonly string[], options?: RunOptions): Promise<Ended> =>
  start(home, args, options).ended
