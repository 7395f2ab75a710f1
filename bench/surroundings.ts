/**
 * What hooks, skills, servers, instructions and memory cost a start: nothing configured, and one of each. As a ratio to
 * the floor of the same run: looking once at each of the places where something could lie. And what a hook costs a call.
 */
import { lstatSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSurroundings } from '../src/adapters/ground/surroundings.js'
import { loadSettings } from '../src/adapters/sources/settings.js'
import type { HookEvent } from '../src/core/hooks/hooks.js'
import type { RunId } from '../src/core/message.js'
import { row, table } from './report.js'

const rounds = 200
const median = (values: number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!

async function timed(act: () => unknown, times = rounds): Promise<number> {
  const figures: number[] = []
  for (let round = 0; round < times; round++) {
    const start = performance.now()
    await act()
    figures.push(performance.now() - start)
  }
  return median(figures)
}

const top = mkdtempSync(join(tmpdir(), 'offshoot-surroundings-'))
const [projectDir, home] = [join(top, 'project'), join(top, 'home')]
for (const folder of [projectDir, home]) mkdirSync(folder)
const directories = { config: join(home, 'config'), data: join(home, 'data') }
const place = { projectDir, home, trust: { isTrusted: () => true } }
const settings = await loadSettings({ ...place, configDir: directories.config, managedFiles: [] })
const open = () => openSurroundings({ ...place, cwd: projectDir, directories, env: process.env, settings })
const names = ['CLAUDE.md', '.claude/CLAUDE.md', 'AGENTS.md', 'CLAUDE.local.md', '.mcp.json', '.offshoot/skills']
const places = [...names, '.claude/skills', '.agents/skills'].flatMap(name => [
  join(projectDir, name),
  join(home, name),
])

const floor = await timed(() => places.map(path => lstatSync(path, { throwIfNoEntry: false })))
const empty = await timed(async () => (await open()).close())
const nothing = await open()
const brief = { agent: 'x', path: ['x'], depth: 1, description: '', model: 'm', chain: [] }
const asked = await timed(() => {
  for (let i = 0; i < 1000; i++) nothing.hooks.wants('pre-tool', brief, 'Bash')
})
await nothing.close()

for (const name of ['CLAUDE.md', 'AGENTS.md']) writeFileSync(join(projectDir, name), `${name}: be brief.\n`)
mkdirSync(join(projectDir, '.claude/skills/ship'), { recursive: true })
writeFileSync(join(projectDir, '.claude/skills/ship/SKILL.md'), '---\nname: ship\ndescription: Ships.\n---\nShip it.\n')
const furnished = await timed(async () => (await open()).close())

const hooks = [{ scope: 'user', origin: 'bench', hooks: { PreToolUse: [{ hooks: [{ command: 'true' }] }] } }] as const
const heard = await openSurroundings({
  ...place,
  cwd: projectDir,
  directories,
  env: process.env,
  settings: { ...settings, hooks },
})
const event: HookEvent = { point: 'pre-tool', key: 'k', runId: 'r' as RunId, rootId: 'r' as RunId, brief }
const fired = await timed(() => heard.hooks.fire(event, new AbortController().signal), 30)
await heard.close()
rmSync(top, { recursive: true, force: true })

table('Surroundings (medians)', [
  row('a look at each place something could lie', `${floor.toFixed(3)} ms`, 'the floor'),
  row('opened where nothing is configured', `${empty.toFixed(3)} ms`, `${(empty / floor).toFixed(1)} times the floor`),
  row('opened with instructions and a skill', `${furnished.toFixed(3)} ms`),
  row('asking whether a hook wants a call, none there', `${(asked * 1000).toFixed(0)} ns`),
  row('one hook (`true`) before a call', `${fired.toFixed(1)} ms`, 'mostly the shell it starts'),
])
