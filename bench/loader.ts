/**
 * What agent files cost.
 * L1 start-up: from the start of `offshoot -p` to its first request, with 50 files in the user's folder and with none, one
 *    right after the other, now this one first and now that; what the files add is the median of the differences, with
 *    its quartiles, for a machine that changes its speed in between. Beside it the same for files that no start has seen
 *    before, for 50 real ones where a collection lies beside the checkout, and, in a process of its own as well: loading
 *    a YAML parser and parsing the same front matters, and nothing else.
 * L2 5,000 files in a process of their own, by turns with one that parses their front matters and no more. Nothing of it
 *    is warm.
 * L3 a megabyte of hostile front matter each, cold: by the clock or by the processor, whichever is less. A busy machine
 *    lengthens the first, V8's other threads the second.
 */
import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { createAgentSource } from '../src/adapters/sources/agent-source.js'
import { memoryTrustStore } from '../src/adapters/sources/trust.js'
import { readAgentFile } from '../src/core/agent-file/read-agent-file.js'
import { createCatalog } from '../src/core/catalog/catalog.js'
import { hostileFiles } from '../test/fuzz/hostile-files.js'
import { type Row, row, table } from './report.js'
import { type Figure, firstRequests, median, untilExit } from './startup/first-request.js'

const rounds = 30
const roundsOfMany = 9
const root = mkdtempSync(join(tmpdir(), 'offshoot-loader-'))
export async function benchLoader(): Promise<void> {
  writeFolder(0)
  const few = writeFolder(50)
  const many = writeFolder(5000)
  table('Agent files', [...(await measureStart(few)), ...measureMany(many)])
  const real = copyReal()
  if (real) table('50 real agent files', await measureStart(real))
  table('A megabyte of hostile front matter (bound 200 ms each)', await measureHostile())
}

function writeFolder(count: number): string {
  const folder = join(root, `home-${count}`, '.claude', 'agents')
  mkdirSync(folder, { recursive: true })
  for (let index = 0; index < count; index++) writeFileSync(join(folder, `agent-${index}.md`), agentText(index))
  return folder
}

/** Every so many of a collection, of each its share. */
function copyReal(): string | undefined {
  const corpus = join(process.cwd(), '..', 'shared', 'corpus')
  if (!existsSync(corpus)) return undefined
  const listed = readFileSync(join(corpus, 'expected.jsonl'), 'utf8').trim().split('\n')
  const agents = listed.map(line => JSON.parse(line)).filter(({ role }) => role === 'agent')
  const folder = join(root, 'home-real', '.claude', 'agents')
  mkdirSync(folder, { recursive: true })
  for (let index = 0; index < 50; index++) {
    const { file } = agents[Math.floor((index * agents.length) / 50)]
    copyFileSync(join(corpus, file), join(folder, `agent-${index}.md`))
  }
  return folder
}

async function measureStart(folder: string): Promise<readonly Row[]> {
  const home = dirname(dirname(folder))
  const server = await firstRequests()
  const figures = {
    without: [] as Figure[],
    with: [] as Figure[],
    first: [] as Figure[],
    node: [] as Figure[],
    yaml: [] as Figure[],
  }
  const start = (home: string) =>
    server.untilRequest([join(process.cwd(), 'dist/bin/offshoot.cjs'), '-p', 'hello', '-q'], {
      PATH: process.env.PATH,
      HOME: home,
      OFFSHOOT_HOME: join(home, 'state'),
      ANTHROPIC_API_KEY: 'sk-bench',
      ANTHROPIC_BASE_URL: server.url,
    })
  const steps = [
    async () => {
      rmSync(join(home, 'state', 'data', 'agent-readings.json'), { force: true })
      figures.first.push(await start(home))
    },
    // Next to each other in every round: nothing else is as sensitive to a machine that changes its speed.
    async () => figures.with.push(await start(home)),
    async () => figures.without.push(await start(join(root, 'home-0'))),
    async () => figures.node.push(await untilExit(['-e', '0'], process.env)),
    async () => figures.yaml.push(await untilExit(['-e', plainParseScript, folder, process.cwd()], process.env)),
  ]
  await start(home) // So that there are readings, whichever way round the first round goes.
  for (let round = 0; round < rounds; round++) for (const step of round % 2 ? steps.toReversed() : steps) await step()
  server.close()
  type Kind = keyof typeof figures
  const added = (more: Kind, less: Kind, by: keyof Figure, bound = ''): [string, string] => {
    const differences = figures[more].map((each, round) => each[by] - figures[less][round]![by]).sort((a, b) => a - b)
    const at = (share: number) => differences[Math.floor(share * differences.length)]!.toFixed(0)
    return [`${median(differences).toFixed(0)} ms`, `${bound}half of the rounds ${at(0.25)} to ${at(0.75)} ms`]
  }
  const least = (more: Kind, less: Kind) =>
    `${(quickest(figures[more].map(each => each.wallMs)) - quickest(figures[less].map(each => each.wallMs))).toFixed(0)} ms`
  return [
    row('offshoot -p, first request: 50 files add', ...added('with', 'without', 'wallMs', 'bound 40 ms; ')),
    row('the same, the quickest starts of each', least('with', 'without')),
    row('the same, by the processor', ...added('with', 'without', 'cpuMs')),
    row('the first start that sees them: they add', ...added('first', 'without', 'wallMs', 'bound 40 ms; ')),
    row('the same, the quickest starts of each', least('first', 'without')),
    row('plain YAML parse of the 50, parser loaded', ...added('yaml', 'node', 'wallMs')),
    row('the same, the quickest of each', least('yaml', 'node')),
    row('the same, by the processor', ...added('yaml', 'node', 'cpuMs')),
  ]
}

/** On a busy machine the medians of two kinds of starts may come from different hours of the day. */
const quickest = (values: readonly number[]) => Math.min(...values)

/** As quick as it can be had: CommonJS, read at once. Broken ones throw, and that is all. */
const plainParseScript = `
  const { parse } = require(process.argv[2] + '/node_modules/yaml')
  const { readdirSync, readFileSync } = require('node:fs')
  for (const name of readdirSync(process.argv[1])) {
    const block = readFileSync(process.argv[1] + '/' + name, 'utf8').split('---\\n')[1]
    try { parse(block, { logLevel: 'silent' }) } catch {}
  }`

/** What one process took to load a folder, and how much larger it grew. */
interface Load {
  readonly wallMs: number
  readonly cpuMs: number
  readonly grownMb: number
  readonly loaded: number
}

function measureMany(folder: string): readonly Row[] {
  const alone = (kind: 'load' | 'parse'): Load => {
    const args = ['--expose-gc', process.argv[1]!, kind, folder]
    return JSON.parse(spawnSync(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] }).stdout.toString())
  }
  const loads: Load[] = []
  const parses: Load[] = []
  for (let round = 0; round < roundsOfMany; round++) {
    loads.push(alone('load'))
    parses.push(alone('parse'))
  }
  const took = (all: readonly Load[], by: 'wallMs' | 'cpuMs') => median(all.map(each => each[by])).toFixed(0)
  const spread = (all: readonly Load[]) => {
    const walls = all.map(each => each.wallMs)
    return `${quickest(walls).toFixed(0)} to ${Math.max(...walls).toFixed(0)} ms, ${took(all, 'cpuMs')} ms by the processor`
  }
  const ratio = median(loads.map((load, round) => load.wallMs / parses[round]!.wallMs))
  const count = readdirSync(folder).length
  return [
    row(
      `${loads[0]!.loaded} of ${count} files loaded`,
      `${took(loads, 'wallMs')} ms`,
      `bound 1,500 ms; ${spread(loads)}`,
    ),
    row('memory they take', `${median(loads.map(each => each.grownMb)).toFixed(0)} MB`, 'bound 150 MB'),
    row(`plain YAML parse of the same ${count}`, `${took(parses, 'wallMs')} ms`, spread(parses)),
    row('loading them ÷ parsing them', `${ratio.toFixed(2)}×`, 'by pairs'),
  ]
}

/** In a process of its own: `work` says how many files it got through. */
async function weigh(work: () => Promise<number>): Promise<Load> {
  globalThis.gc?.()
  const [rss, cpu, before] = [process.memoryUsage().rss, process.cpuUsage(), performance.now()]
  const loaded = await work()
  const wallMs = performance.now() - before
  return { wallMs, cpuMs: cpuSince(cpu), grownMb: (process.memoryUsage().rss - rss) / 2 ** 20, loaded }
}

async function loadAll(folder: string): Promise<number> {
  const source = createAgentSource({
    folders: () => [{ path: folder, scope: 'user', owner: root }],
    trust: memoryTrustStore(),
  })
  const { agents } = await source.load()
  return createCatalog(agents, [], new Set(agents)).offered().length
}

function cpuSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** The parser is there, and the files are read: what is counted is the parsing alone. */
async function parseAll(folder: string): Promise<Load> {
  const { parse } = await import('yaml')
  const blocks = readdirSync(folder).map(name => readFileSync(join(folder, name), 'utf8').split('---\n')[1]!)
  return weigh(async () => {
    for (const block of blocks) {
      try {
        parse(block, { logLevel: 'silent' })
      } catch {
        // One in twenty is broken on purpose, as in the wild.
      }
    }
    return blocks.length
  })
}

async function measureHostile(): Promise<readonly Row[]> {
  const { parsers } = await import('../src/adapters/sources/parsers.js')
  const rows = hostileFiles().map(({ name, path, text }) => {
    const content = new TextEncoder().encode(text)
    const [cpu, before] = [process.cpuUsage(), performance.now()]
    const { state } = readAgentFile({ path, content, source: { scope: 'user', isTrusted: true } }, parsers)
    const [byClock, byProcessor] = [performance.now() - before, cpuSince(cpu)]
    return { name: `${name} (${path})`, ms: Math.min(byClock, byProcessor), byProcessor, state }
  })
  const slowest = [...rows].sort((a, b) => b.ms - a.ms)
  return [
    row(`of ${rows.length} shapes the slowest`, `${slowest[0]!.ms.toFixed(0)} ms`, 'bound 200 ms'),
    ...slowest
      .slice(0, 5)
      .map(({ name, ms, byProcessor, state }) =>
        row(name, `${ms.toFixed(0)} ms`, `${byProcessor.toFixed(0)} ms by the processor, ${state}`),
      ),
  ]
}

/** As in the wild: most are plain, one in twenty is broken, one has a folded description, two have lists or maps. */
function agentText(index: number): string {
  const kind = index % 20
  const words = `Use this agent when the user needs help with topic ${index}, reviews of it, or plans for it.`
  const description =
    kind === 0 ? `${words} Triggers on: "x", "y".` : kind === 1 ? `>-\n  ${words}\n  Ask it early.` : words
  const tools =
    kind === 2
      ? 'tools:\n  - Read\n  - Grep\nmaxTurns: 20'
      : kind === 3
        ? 'tools:\n  read: true\n  bash: false'
        : 'tools: Read, Write, Edit, Bash, Glob, Grep'
  const prompt = `You are an expert on topic ${index}.\n\n${'- Look at what is there before you change it, and say what you found.\n'.repeat(60)}`
  return `---\nname: agent-${index}\ndescription: ${description}\n${tools}\nmodel: sonnet\n---\n\n${prompt}`
}

const [kind, folder] = process.argv.slice(2)
try {
  if (!kind || !folder) await benchLoader()
  else console.log(JSON.stringify(kind === 'load' ? await weigh(() => loadAll(folder)) : await parseAll(folder)))
} finally {
  rmSync(root, { recursive: true, force: true })
}
