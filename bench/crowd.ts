/**
 * The program as an outside harness sees it: `offshoot -p` against a model on loopback that takes 50 ms an answer. Main
 * hands N tasks on at once, each child reads a file three times and reports, main reports: six answers in a row, so 300 ms
 * are the model's. SQLite, transcript and permission checks are on. Every figure stands beside that of a bare loop without
 * features in the same run, which holds the same conversations: it shows its model the same prompt and tools. What the loop
 * would take if it showed none is printed, too. The cap and the queue are raised to N and nobody waits for a prompt cache; the last rows show
 * the default cap of 20 against its own ideal, which is N ÷ 20 waves of children. All of it in Anthropic's format; a small
 * table says what a few sizes cost in OpenAI's chat completions.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  answersInARow,
  type Figures,
  type Lag,
  measure,
  measureLag,
  middle,
  type Note,
  type Scene,
} from './crowd/story-run.js'
import { type Row, row, table } from './report.js'

const bin = join(process.cwd(), 'dist/bin/offshoot.cjs')
const modelMs = 50
const idealMs = answersInARow * modelMs
/** An empty list leaves its tables out. */
const sizesFrom = (name: string, usual: string): readonly number[] =>
  (process.env[name] ?? usual).split(',').map(Number).filter(Boolean)
const sizes = sizesFrom('OFFSHOOT_BENCH_CHILDREN', '1,4,16,64,256,1000')
const chatSizes = sizesFrom('OFFSHOOT_BENCH_CHAT_CHILDREN', '1,16,64')
const loopBounds: Readonly<Record<number, number>> = { 1: 1.1, 16: 1.25, 64: 2, 1000: 3 }
const memoryBounds: Readonly<Record<number, number>> = { 1: 90, 64: 130, 1000: 400 }

/** A crowd of one size: the bare loop, the same loop when it shows its model nothing, and ours. */
interface Pair {
  readonly children: number
  readonly floor: Figures
  readonly mute: Figures
  readonly our: Figures
  readonly lag?: { readonly floor: Lag; readonly our: Lag }
}
const home = mkdtempSync(join(tmpdir(), 'offshoot-crowd-'))
const file = join(home, 'note.txt')
const shownFile = join(home, 'shown.json')
const muteArgs = [join(process.cwd(), 'bench/crowd/floor.mjs'), 'begin']
const floorArgs = [...muteArgs, shownFile]
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
  const place = { url, home, file }
  if (sizes.length > 0) await benchMessages({ ...place, env: { ANTHROPIC_API_KEY: 'bench', ANTHROPIC_BASE_URL: url } })
  const env = { OPENAI_API_KEY: 'bench', OPENAI_BASE_URL: url, OFFSHOOT_MODEL: 'openai/bench' }
  if (chatSizes.length > 0) await benchChat({ ...place, env })
}

async function benchMessages(scene: Scene): Promise<void> {
  const pairs = await withLag(scene, await compare(scene, sizes))
  table(`${sizes.join(', ')} children, a model of ${modelMs} ms (Offshoot, and ÷ a bare loop)`, [
    ...pairs.flatMap(pair => [...loopRows(pair), ...otherRows(pair)]),
    coldRow(pairs[0]!),
    ...cpuRows(pairs),
  ])
  table('The default cap of 20 (loop ÷ its own ideal)', await capRows(scene))
  table('Prompt cache: first requests of 16 children that find their prefix in it', await cacheRows(scene))
  table('Bytes of the first request', await sizeRows(scene))
}

async function benchChat(scene: Scene): Promise<void> {
  const pairs = await compare(scene, chatSizes)
  table(`${chatSizes.join(', ')} children in OpenAI's format (Offshoot, and ÷ a bare loop that speaks it)`, [
    ...pairs.flatMap(loopRows),
    coldRow(pairs[0]!),
    ...cpuRows(pairs),
  ])
}

async function compare(scene: Scene, crowds: readonly number[]): Promise<readonly Pair[]> {
  const pairs: Pair[] = []
  await noteWhatIsShown(scene)
  for (const children of crowds) {
    const rounds = children >= 256 ? 5 : 7
    const floor: Figures[] = []
    const mute: Figures[] = []
    const our: Figures[] = []
    for (let round = 0; round < rounds; round++) {
      floor.push(await measure(scene, children, floorArgs))
      our.push(await measure(scene, children, offshootArgs(children)))
      mute.push(await measure(scene, children, muteArgs))
    }
    pairs.push({ children, floor: middle(floor), mute: middle(mute), our: middle(our) })
  }
  return pairs
}

/** The prompt and the tools Offshoot shows a model, for the bare loop. */
async function noteWhatIsShown(scene: Scene): Promise<void> {
  await measure(scene, 1, offshootArgs(1))
  writeFileSync(shownFile, await (await fetch(`${scene.url}/shown`)).text())
}

async function withLag(scene: Scene, pairs: readonly Pair[]): Promise<readonly Pair[]> {
  const watched: Pair[] = []
  for (const pair of pairs) {
    const floor = await measureLag(scene, pair.children, floorArgs)
    const our = await measureLag(scene, pair.children, offshootArgs(pair.children))
    watched.push({ ...pair, lag: { floor, our } })
  }
  return watched
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
  const { children, floor, mute, our } = pair
  const bound = loopBounds[children]
  return [
    row(
      `${crowdOf(pair)}: loop`,
      `${our.loopMs.toFixed(0)} ms  ${(our.loopMs / floor.loopMs).toFixed(2)}×`,
      `floor ${floor.loopMs.toFixed(0)} ms${bound ? `, bound ${bound}×` : ''}; ideal ${idealMs} ms: ${(our.loopMs / idealMs).toFixed(2)}×; showing its model nothing ${mute.loopMs.toFixed(0)} ms: ${(our.loopMs / mute.loopMs).toFixed(2)}×`,
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
  const { children, floor, our, lag } = pair
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
    ...(lag
      ? [
          row(
            `${crowdOf(pair)}: event-loop lag p99`,
            `${lag.our.p99.toFixed(0)} ms`,
            `floor ${lag.floor.p99.toFixed(0)} ms; at most ${lag.our.max.toFixed(0)} ms, floor ${lag.floor.max.toFixed(0)} ms`,
          ),
        ]
      : []),
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

async function capRows(scene: Scene): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (const children of sizes.filter(size => size > 20)) {
    const { loopMs } = await measure(scene, children, offshootArgs(children, { isCapRaised: false }))
    const wavesMs = (2 + Math.ceil(children / 20) * (answersInARow - 2)) * modelMs
    rows.push(row(`${children} children`, `${(loopMs / wavesMs).toFixed(2)}×`, `${loopMs.toFixed(0)} of ${wavesMs} ms`))
  }
  return rows
}

async function cacheRows(scene: Scene): Promise<readonly Row[]> {
  const children = 16
  const rows: Row[] = []
  for (const [title, cacheWaitSeconds] of [
    ['the first opens it, the rest follow (default)', 8],
    ['nobody waits', 0],
  ] as const) {
    const { notes, loopMs } = await measure(scene, children, offshootArgs(children, { cacheWaitSeconds }))
    const first = notes.filter(({ who, turn }) => who !== 'main' && turn === 0)
    const share = first.filter(({ isCached }) => isCached).length / first.length
    rows.push(row(title, `${(share * 100).toFixed(0)} %`, `loop ${loopMs.toFixed(0)} ms`))
  }
  return rows
}

async function sizeRows(scene: Scene): Promise<readonly Row[]> {
  const rows: Row[] = []
  const kb = (bytes: number) => `${(bytes / 1024).toFixed(1)} KB`
  for (const [agent, bound] of [
    ['Explore', 6],
    ['general-purpose', 12],
  ] as const) {
    const { notes } = await measure(scene, 1, offshootArgs(1), { agent })
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
