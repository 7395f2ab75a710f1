/**
 * What loading agent files costs, beside the plain YAML parse of the same front matters.
 * Goals: 5,000 files under 1.5 s and 150 MB; 50 files under 40 ms at start-up; 1 MB of hostile front matter under 200 ms.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { createAgentSource } from '../src/adapters/sources/agent-source.js'
import { memoryTrustStore } from '../src/adapters/sources/trust.js'
import { readAgentFile } from '../src/core/agent-file/read-agent-file.js'
import { createCatalog } from '../src/core/catalog.js'
import { type Row, row, table } from './report.js'

const root = mkdtempSync(join(tmpdir(), 'offshoot-loader-'))
try {
  table('Agent files', [
    ...(await measure(50, 'start-up', 'bound 40 ms')),
    ...(await measure(5000, 'many files', 'bound 1,500 ms and 150 MB')),
  ])
  const { parsers } = await import('../src/adapters/sources/parsers.js')
  const hostileRows: Row[] = []
  for (const [name, block] of Object.entries(hostile())) {
    const file = {
      path: 'a.md',
      content: `---\nname: a\n${block}\n---\nx`,
      source: { scope: 'user', isTrusted: true },
    } as const
    const before = performance.now()
    const { state } = readAgentFile(file, parsers)
    hostileRows.push(row(name, `${(performance.now() - before).toFixed(0)} ms`, state))
  }
  table('A megabyte of hostile front matter (bound 200 ms)', hostileRows)
} finally {
  rmSync(root, { recursive: true, force: true })
}

async function measure(count: number, title: string, bound: string): Promise<readonly Row[]> {
  const folder = join(root, String(count))
  mkdirSync(folder)
  for (let index = 0; index < count; index++) writeFileSync(join(folder, `agent-${index}.md`), agentText(index))
  globalThis.gc?.()
  const heap = process.memoryUsage().rss
  const cpu = process.cpuUsage()
  const before = performance.now()
  const source = createAgentSource({
    folders: () => [{ path: folder, scope: 'user', owner: root }],
    trust: memoryTrustStore(),
  })
  const { agents } = await source.load()
  const catalog = createCatalog(agents)
  const wall = performance.now() - before
  const { user, system } = process.cpuUsage(cpu)
  const grown = (process.memoryUsage().rss - heap) / 2 ** 20
  const offered = catalog.offered().length
  const cpuMs = ((user + system) / 1000).toFixed(0)
  return [
    row(`${title}: ${offered} of ${count} loaded`, `${wall.toFixed(0)} ms`, `${cpuMs} ms CPU, ${bound}`),
    row(`${title}: memory`, `${grown.toFixed(0)} MB`),
    row(`${title}: plain YAML parse of the same`, await plainParse(folder)),
  ]
}

async function plainParse(folder: string): Promise<string> {
  const { parse } = await import('yaml')
  const blocks = readdirSync(folder).map(name => readFileSync(join(folder, name), 'utf8').split('---\n')[1]!)
  const before = performance.now()
  const cpu = process.cpuUsage()
  for (const block of blocks) {
    try {
      parse(block, { logLevel: 'silent' })
    } catch {
      // One in twenty is broken on purpose, as in the wild.
    }
  }
  const { user, system } = process.cpuUsage(cpu)
  return `${(performance.now() - before).toFixed(0)} ms (${((user + system) / 1000).toFixed(0)} ms CPU)`
}

/** Like real ones: a description of a few sentences, a list of tools, a page of prompt; one in twenty is broken. */
function agentText(index: number): string {
  const broken = index % 20 === 0 ? ' Triggers on: "x", "y".' : ''
  const description = `Use this agent when the user needs help with topic ${index}, reviews of it, or plans for it.${broken}`
  const prompt = `You are an expert on topic ${index}.\n\n${'- Look at what is there before you change it, and say what you found.\n'.repeat(60)}`
  return `---\nname: agent-${index}\ndescription: ${description}\ntools: Read, Write, Edit, Bash, Glob, Grep\nmodel: sonnet\n---\n\n${prompt}`
}

function hostile(): Readonly<Record<string, string>> {
  const size = 1024 * 1024
  const many = (line: string) =>
    `description: a: b\n${Array.from({ length: 1400 }, (_, n) => line.replace('%', String(n))).join('\n')}`
  return {
    brackets: `a: ${'['.repeat(size)}`,
    questions: '? '.repeat(size / 2),
    keys: 'key: 1\n'.repeat(size / 7),
    'near keys': many('toolz%: Read'),
    prose: many('and then % happened: nothing'),
    'long value': `description: a: ${'tools: '.repeat(70_000)}`,
    quotes: `description: "${'"'.repeat(500_000)}`,
  }
}
