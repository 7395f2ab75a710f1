/**
 * The program as an outside harness sees it: `offshoot -p` against a model on loopback that takes 50 ms an answer. Main
 * hands N tasks on at once, each child reads a file three times and reports, main reports: six answers in a row, so 300 ms
 * are the model's. SQLite, transcript and permission checks are on. Every figure stands beside that of a bare loop without
 * features in the same run. The cap and the queue are raised to N and nobody waits for a prompt cache; the last rows show
 * the default cap of 20 against its own ideal, which is N ÷ 20 waves of children. All of it in Anthropic's format; a small
 * table says what a few sizes cost in OpenAI's chat completions.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median, type Row, row, table } from './report.js'

const bin = join(process.cwd(), 'dist/bin/offshoot.cjs')
const floorLoop = join(process.cwd(), 'bench/crowd/floor.mjs')
const modelMs = 50
const answersInARow = 6
/** An empty list leaves its tables out. */
const sizesFrom = (name: string, usual: string): readonly number[] =>
  (process.env[name] ?? usual).split(',').map(Number).filter(Boolean)
const sizes = sizesFrom('OFFSHOOT_BENCH_CHILDREN', '1,4,16,64,256,1000')
const chatSizes = sizesFrom('OFFSHOOT_BENCH_CHAT_CHILDREN', '1,16,64')
const loopBounds: Readonly<Record<number, number>> = { 1: 1.1, 16: 1.25, 64: 2, 1000: 3 }
const memoryBounds: Readonly<Record<number, number>> = { 1: 90, 64: 130, 1000: 400 }

interface Note {
  readonly who: string
  readonly turn: number
  readonly came: number
  readonly done: number
  readonly bytes: number
  /** Its system prompt and tools had been seen by the time it came. */
  readonly isCached: boolean
  readonly parts: { readonly system: number; readonly tools: number; readonly messages: number }
}
interface Figures {
  readonly coldMs: number
  readonly loopMs: number
  readonly turnMs: number
  readonly spawnMs: number
  readonly joinMs: number
  readonly cpuMs: number
  readonly peakMb: number
  readonly notes: readonly Note[]
}

/** A crowd of one size: the bare loop, and ours. */
interface Pair {
  readonly children: number
  readonly floor: Figures
  readonly our: Figures
}
interface ModelServer {
  readonly url: string
  /** What leads a program there. */
  readonly env: Readonly<Record<string, string>>
}

const home = mkdtempSync(join(tmpdir(), 'offshoot-crowd-'))
const file = join(home, 'note.txt')
writeFileSync(file, Array.from({ length: 40 }, (_, i) => `line ${i} of the note`).join('\n'))
const server = spawn(process.execPath, ['scripts/story-model.mjs'], {
  stdio: ['pipe', 'pipe', 'inherit'],
  env: { ...process.env, MODEL_DELAY_MS: String(modelMs) },
})
try {
  const [port] = (await once(server.stdout!, 'data')) as [Buffer]
  await bench(`http://127.0.0.1:${String(port).trim()}`)
} finally {
  server.kill()
  rmSync(home, { recursive: true, force: true })
}

async function bench(url: string): Promise<void> {
  if (sizes.length > 0) await benchMessages({ url, env: { ANTHROPIC_API_KEY: 'bench', ANTHROPIC_BASE_URL: url } })
  const env = { OPENAI_API_KEY: 'bench', OPENAI_BASE_URL: url, OFFSHOOT_MODEL: 'openai/bench' }
  if (chatSizes.length > 0) await benchChat({ url, env })
}

async function benchMessages(server: ModelServer): Promise<void> {
  const pairs = await compare(server, sizes)
  table(`${sizes.join(', ')} children, a model of ${modelMs} ms (Offshoot, and ÷ a bare loop)`, [
    ...pairs.flatMap(pair => [...loopRows(pair), ...otherRows(pair)]),
    coldRow(pairs[0]!),
    ...cpuRows(pairs),
  ])
  table('The default cap of 20 (loop ÷ its own ideal)', await capRows(server))
  table('Prompt cache: first requests of 16 children that find their prefix in it', await cacheRows(server))
  table('Bytes of the first request', await sizeRows(server))
}

async function benchChat(server: ModelServer): Promise<void> {
  const pairs = await compare(server, chatSizes)
  table(`${chatSizes.join(', ')} children in OpenAI's format (Offshoot, and ÷ a bare loop that speaks it)`, [
    ...pairs.flatMap(loopRows),
    coldRow(pairs[0]!),
    ...cpuRows(pairs),
  ])
}

async function compare(server: ModelServer, crowds: readonly number[]): Promise<readonly Pair[]> {
  const pairs: Pair[] = []
  for (const children of crowds) {
    const rounds = children >= 256 ? 3 : 7
    const floor: Figures[] = []
    const our: Figures[] = []
    for (let round = 0; round < rounds; round++) {
      floor.push(await measure(server, children, [floorLoop, 'begin']))
      our.push(await measure(server, children, offshootArgs(children)))
    }
    pairs.push({ children, floor: middle(floor), our: middle(our) })
  }
  return pairs
}

function offshootArgs(
  children: number,
  { isCapRaised = true, cacheWaitSeconds = 0 }: { isCapRaised?: boolean; cacheWaitSeconds?: number } = {},
): readonly string[] {
  const cap = isCapRaised ? { concurrency: Math.max(20, children), queue: Math.max(1000, children) } : {}
  const settings = { subagents: { ...cap, cacheWaitSeconds } }
  return [bin, '-p', 'begin', '-q', '--settings', JSON.stringify(settings), '--allowedTools', 'Read']
}

function crowdOf({ children }: Pair): string {
  return `${children} ${children === 1 ? 'child' : 'children'}`
}

function loopRows(pair: Pair): readonly Row[] {
  const { children, floor, our } = pair
  const bound = loopBounds[children]
  return [
    row(
      `${crowdOf(pair)}: loop`,
      `${our.loopMs.toFixed(0)} ms  ${(our.loopMs / floor.loopMs).toFixed(2)}×`,
      `floor ${floor.loopMs.toFixed(0)} ms${bound ? `, bound ${bound}×` : ''}`,
    ),
    row(
      `${crowdOf(pair)}: a child's turn, median`,
      inTurns(our.turnMs, pair),
      children === 1
        ? `floor ${floor.turnMs.toFixed(1)} ms, bound ${boundOf(8)}`
        : `floor ${floor.turnMs.toFixed(1)} ms`,
    ),
  ]
}

/** The bounds in milliseconds are meant for a machine on which a turn of the floor takes two. */
function boundOf(ms: number): string {
  return `${ms} ms where a turn of the floor takes 2: ${ms / 2}×`
}

/** With one child also in turns of the floor, measured in the same run. */
function inTurns(ms: number, { children, floor }: Pair): string {
  return `${ms.toFixed(1)} ms${children === 1 ? `  ${(ms / floor.turnMs).toFixed(1)}×` : ''}`
}

function otherRows(pair: Pair): readonly Row[] {
  const { children, floor, our } = pair
  const memory = memoryBounds[children]
  return [
    row(
      `${crowdOf(pair)}: to the first child's request`,
      inTurns(our.spawnMs, pair),
      `floor ${floor.spawnMs.toFixed(1)} ms${children === 1 ? `, bound ${boundOf(10)}` : ''}`,
    ),
    row(
      `${crowdOf(pair)}: from the last report to main`,
      inTurns(our.joinMs, pair),
      `floor ${floor.joinMs.toFixed(1)} ms${children === 1 ? `, bound ${boundOf(5)}` : ''}`,
    ),
    row(
      `${crowdOf(pair)}: peak memory`,
      `${our.peakMb.toFixed(0)} MB`,
      `floor ${floor.peakMb.toFixed(0)} MB${memory ? `, bound ${memory} MB` : ''}`,
    ),
  ]
}

function coldRow({ floor, our }: Pair): Row {
  return row(
    'cold start to the first request',
    `${our.coldMs.toFixed(0)} ms  ${(our.coldMs / floor.coldMs).toFixed(2)}×`,
    `floor ${floor.coldMs.toFixed(0)} ms, bound 3.2×`,
  )
}

/** What one more child costs: the difference between the largest and the smallest crowd. */
function cpuRows(pairs: readonly Pair[]): readonly Row[] {
  const [few, many] = [pairs[0]!, pairs.at(-1)!]
  if (few === many) return []
  const each = (who: 'floor' | 'our') => (many[who].cpuMs - few[who].cpuMs) / (many.children - few.children)
  return [row('CPU a child', `${each('our').toFixed(1)} ms`, `floor ${each('floor').toFixed(1)} ms, bound 12 ms`)]
}

async function capRows(server: ModelServer): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (const children of sizes.filter(size => size > 20)) {
    const { loopMs } = await measure(server, children, offshootArgs(children, { isCapRaised: false }))
    const idealMs = (2 + Math.ceil(children / 20) * (answersInARow - 2)) * modelMs
    rows.push(row(`${children} children`, `${(loopMs / idealMs).toFixed(2)}×`, `${loopMs.toFixed(0)} of ${idealMs} ms`))
  }
  return rows
}

async function cacheRows(server: ModelServer): Promise<readonly Row[]> {
  const children = 16
  const rows: Row[] = []
  for (const [title, cacheWaitSeconds] of [
    ['the first opens it, the rest follow (default)', 8],
    ['nobody waits', 0],
  ] as const) {
    const { notes, loopMs } = await measure(server, children, offshootArgs(children, { cacheWaitSeconds }))
    const first = notes.filter(({ who, turn }) => who !== 'main' && turn === 0)
    const share = first.filter(({ isCached }) => isCached).length / first.length
    rows.push(row(title, `${(share * 100).toFixed(0)} %`, `loop ${loopMs.toFixed(0)} ms`))
  }
  return rows
}

async function sizeRows(server: ModelServer): Promise<readonly Row[]> {
  const rows: Row[] = []
  const kb = (bytes: number) => `${(bytes / 1024).toFixed(1)} KB`
  for (const [agent, bound] of [
    ['Explore', 6],
    ['general-purpose', 12],
  ] as const) {
    const { notes } = await measure(server, 1, offshootArgs(1), agent)
    const parts = ({ parts: { system, tools, messages } }: Note) =>
      `system ${kb(system)}, tools ${kb(tools)}, messages ${kb(messages)}, about ${Math.round((system + tools + messages) / 4)} tokens`
    const first = (who: string) => notes.find(note => note.who === who && note.turn === 0)!
    const child = first('0')
    rows.push(
      row(agent, kb(child.parts.system + child.parts.tools), `bound ${bound} KB of prompt and tools; ${parts(child)}`),
    )
    if (agent !== 'general-purpose') continue
    const main = first('main')
    rows.push(row('main', kb(main.parts.system + main.parts.tools), `bound 20 KB; ${parts(main)}`))
  }
  return rows
}

async function measure(
  { url, env }: ModelServer,
  children: number,
  args: readonly string[],
  agent = 'general-purpose',
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
function middle(rounds: readonly Figures[]): Figures {
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
