/**
 * One run of the story by a program of its own, against the model on loopback, and what can be seen of it from outside: by
 * the requests it made, by its memory, by its processor time; and how late its event loop came, by a run of its own.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { median } from '../report.js'

export const answersInARow = 6

export interface Note {
  readonly who: string
  readonly turn: number
  readonly came: number
  readonly done: number
  readonly bytes: number
  /** Its system prompt and tools had been seen by the time it came. */
  readonly isCached: boolean
  readonly parts: { readonly system: number; readonly tools: number; readonly messages: number }
}
export interface Figures {
  readonly coldMs: number
  readonly loopMs: number
  readonly turnMs: number
  readonly spawnMs: number
  readonly joinMs: number
  readonly cpuMs: number
  readonly peakMb: number
  readonly notes: readonly Note[]
}

export interface ModelServer {
  readonly url: string
  /** What leads a program there. */
  readonly env: Readonly<Record<string, string>>
}

/** Where the program lives and what its children read. */
export interface Scene extends ModelServer {
  readonly home: string
  readonly file: string
}

export async function measure(
  { url, env, home, file }: Scene,
  children: number,
  args: readonly string[],
  { agent = 'general-purpose', more = {} }: { readonly agent?: string; readonly more?: ModelServer['env'] } = {},
): Promise<Figures> {
  await fetch(`${url}/story`, { method: 'POST', body: JSON.stringify({ children, file, agent }) })
  const began = performance.timeOrigin + performance.now()
  const child = spawn('bash', ['-c', '"$@"; times', 'bash', process.execPath, ...args], {
    cwd: home,
    env: {
      PATH: process.env.PATH,
      HOME: home,
      OFFSHOOT_HOME: join(home, 'state'),
      ...env,
      ...more,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout!.on('data', chunk => {
    said += String(chunk)
  })
  const peak = watchMemory(child)
  await once(child, 'close')
  const peakMb = peak()
  if (!said.includes('All children have reported.')) throw new Error(`the story did not end well: ${said}`)
  const notes = (await (await fetch(`${url}/notes`)).json()) as Note[]
  if (notes.filter(note => note.turn === answersInARow - 3).length < children) throw new Error('a child is missing')
  return { ...timesOf(notes, began), cpuMs: processorMs(said), peakMb, notes }
}

/** How late the event loop came, which is watched from inside and so by a run of its own. */
export async function measureLag(scene: Scene, children: number, args: readonly string[]): Promise<Lag> {
  const path = join(scene.home, 'lag.json')
  await measure(scene, children, ['--require', lagWatch, ...args], { more: { OFFSHOOT_BENCH_LAG: path } })
  return JSON.parse(readFileSync(path, 'utf8')) as Lag
}

export interface Lag {
  readonly p99: number
  readonly max: number
}

const lagWatch = join(process.cwd(), 'bench/crowd/lag.cjs')

function timesOf(notes: readonly Note[], began: number) {
  const of = (who: string, turn: number) => notes.find(note => note.who === who && note.turn === turn)!
  const childNotes = notes.filter(({ who }) => who !== 'main')
  const byChild = groupBy(childNotes)
  const gaps = [...byChild.values()].flatMap(turns => turns.slice(1).map((note, i) => note.came - turns[i]!.done))
  const first = of('main', 0)
  const last = of('main', 1)
  return {
    coldMs: first.came - began,
    loopMs: last.done - first.came,
    turnMs: median(gaps),
    spawnMs: Math.min(...childNotes.map(({ came }) => came)) - first.done,
    joinMs: last.came - Math.max(...childNotes.map(({ done }) => done)),
  }
}

function groupBy(notes: readonly Note[]): Map<string, Note[]> {
  const groups = new Map<string, Note[]>()
  for (const note of notes) groups.set(note.who, [...(groups.get(note.who) ?? []), note])
  return groups
}

/** The highest resident size of the program, which is the shell's only child. */
function watchMemory(shell: ChildProcess): () => number {
  let peakKb = 0
  const look = () => {
    try {
      const pid = readFileSync(`/proc/${shell.pid}/task/${shell.pid}/children`, 'utf8').trim().split(' ')[0]
      const status = readFileSync(`/proc/${pid}/status`, 'utf8')
      peakKb = Math.max(peakKb, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0))
    } catch {
      // It has not begun, or has ended.
    }
  }
  const timer = setInterval(look, 10)
  return () => {
    clearInterval(timer)
    return peakKb / 1024
  }
}

/** The second line of `times`: user and system time of children. */
function processorMs(said: string): number {
  const parts = [...(said.trim().split('\n').at(-1) ?? '').matchAll(/(\d+)m([\d.]+)s/g)]
  return parts.reduce((sum, [, minutes, seconds]) => sum + (Number(minutes) * 60 + Number(seconds)) * 1000, 0)
}

/** Each figure by itself; the notes are those of the round whose loop stands in the middle. */
export function middle(rounds: readonly Figures[]): Figures {
  const { notes } = [...rounds].sort((a, b) => a.loopMs - b.loopMs)[Math.floor(rounds.length / 2)]!
  const of = (name: Exclude<keyof Figures, 'notes'>) => median(rounds.map(round => round[name]))
  return {
    coldMs: of('coldMs'),
    loopMs: of('loopMs'),
    turnMs: of('turnMs'),
    spawnMs: of('spawnMs'),
    joinMs: of('joinMs'),
    cpuMs: of('cpuMs'),
    peakMb: of('peakMb'),
    notes,
  }
}
