/**
 * How long the program takes to begin, as ratios to an empty Node process of the same run: the version, and from the
 * start of `-p` to the first request that reaches a model's server. By the clock, and by the processor: on a busy machine
 * a longer process waits more often, so there only the second one means something.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { row, table } from './report.js'
import { type Figure, firstRequests, median, untilExit } from './startup/first-request.js'

const bin = join(process.cwd(), 'dist/bin/offshoot.cjs')
const rounds = 15

export async function benchStartup(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'offshoot-startup-'))
  const server = await firstRequests()
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    OFFSHOOT_HOME: join(home, 'state'),
    ANTHROPIC_API_KEY: 'sk-bench',
    ANTHROPIC_BASE_URL: server.url,
  }
  const cases = { empty: ['-e', '0'], version: [bin, '--version'], request: [bin, '-p', 'hello', '-q'] }
  const figures = { empty: [] as Figure[], version: [] as Figure[], request: [] as Figure[] }
  for (let round = 0; round < rounds; round++) {
    figures.empty.push(await untilExit(cases.empty, env))
    figures.version.push(await untilExit(cases.version, env))
    figures.request.push(await server.untilRequest(cases.request, env))
  }
  server.close()
  rmSync(home, { recursive: true, force: true })
  const of = (name: keyof typeof figures, by: keyof Figure) => median(figures[name].map(figure => figure[by]))
  const ratio = (name: keyof typeof figures, by: keyof Figure) => (of(name, by) / of('empty', by)).toFixed(2)
  table('Start-up (ratios to `node -e 0`, medians)', [
    row(
      'node -e 0',
      `${of('empty', 'wallMs').toFixed(0)} ms`,
      `${of('empty', 'cpuMs').toFixed(0)} ms of processor time`,
    ),
    row('offshoot --version, by the clock', ratio('version', 'wallMs'), 'bound 1.6'),
    row('offshoot --version, by the processor', ratio('version', 'cpuMs')),
    row('offshoot -p, first model request, by the clock', ratio('request', 'wallMs'), 'bound 5'),
    row('offshoot -p, to its very end, by the processor', ratio('request', 'cpuMs')),
  ])
}

await benchStartup()
