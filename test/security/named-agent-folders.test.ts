/** Folders of agents that settings name, or that are added: whose they are, who trusts them, and who may write there. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { furtherFolders, openGround, pluginsOf } from '../../src/adapters/ground/ground.js'
import type { Site } from '../../src/adapters/ground/site.js'
import { openAgentsOnDisk } from '../../src/adapters/sources/agents-on-disk.js'
import type { CommandDeps } from '../../src/apps/cli/command-deps.js'
import { trustFolder } from '../../src/apps/cli/commands/trust.js'
import { beyondFlag } from '../../src/apps/session/open-session.js'
import { paint } from '../../src/apps/session/paint.js'
import { openOffshoot } from '../../src/node.js'
import { ScriptedModel } from '../../src/testing/scripted-model.js'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'offshoot-named-'))
  mkdirSync(join(root, 'project', '.git'), { recursive: true })
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const siteIn = (place = 'project', trustsProject = false): Site => ({
  cwd: join(root, place),
  env: { HOME: join(root, 'home'), OFFSHOOT_HOME: join(root, 'state'), PATH: process.env.PATH },
  trustsProject,
})

function put(path: string, content: unknown): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), typeof content === 'string' ? content : JSON.stringify(content))
}
const agent = (path: string, name: string) =>
  put(path, `---\nname: ${name}\ndescription: Helps with all.\n---\nHelp.\n`)
const projectNames = (...agentsDirs: string[]) => put('project/.offshoot/settings.json', { subagents: { agentsDirs } })
const userNames = (...agentsDirs: string[]) => put('state/config/settings.json', { subagents: { agentsDirs } })

/** Names of the agents that may run, with those of the built-in ones left out. */
async function offered(site: Site, addedDirs: readonly string[] = []) {
  const ground = await openGround(site)
  const folders = furtherFolders(site, ground.settings, await pluginsOf(site, ground))
  const { cwd, env, trustsProject = false } = site
  const { catalog, files } = await openAgentsOnDisk({
    ...{ cwd, env, trust: ground.trust, trustsProjects: trustsProject },
    folders: { ...folders, addedDirs },
  }).load()
  const names = catalog
    .all()
    .filter(({ state, agent: { source } }) => state === 'active' && source.scope !== 'built-in')
  return { names: names.map(each => each.agent.name).sort(), diagnostics: ground.settings.diagnostics, files }
}

async function trust(options: Parameters<typeof trustFolder>[0], place?: string): Promise<string> {
  let out = ''
  const { cwd, env } = siteIn(place)
  const write = (text: string) => void (out += text)
  await trustFolder(options, { cwd, env, write, warn: write, look: paint(false) } as unknown as CommandDeps)
  return out
}

test('--trust-project trusted agents of --add-dir outside the project; those in it count', async () => {
  agent('downloaded/.claude/agents/evil.md', 'evil')
  agent('project/packages/x/.claude/agents/near.md', 'near')
  agent('project/.claude/agents/own.md', 'own')
  const added = [join(root, 'downloaded'), join(root, 'project/packages/x')]
  const found = await offered(siteIn('project', true), added)
  expect(found.names).toEqual(['near', 'own'])
  expect(beyondFlag(found)).toMatchObject([{ code: 'agents-untrusted', file: join(root, 'downloaded') }])
})

test.each(['../elsewhere', 'linked'])(
  'a project named %s, a folder of agents outside itself, and --trust-project trusted it',
  async named => {
    agent('elsewhere/evil.md', 'evil')
    symlinkSync(join(root, 'elsewhere'), join(root, 'project/linked'))
    projectNames(named)
    const { names, diagnostics } = await offered(siteIn('project', true))
    expect(names).toEqual([])
    expect(diagnostics).toMatchObject([
      { code: 'setting-not-for-projects', message: expect.stringContaining(`"${named}" lies outside the project`) },
    ])
  },
)

test('offshoot trust neither listed nor trusted the agents of subagents.agentsDirs', async () => {
  agent('project/team/helper.md', 'helper')
  projectNames('team')
  expect(await trust({ list: true })).toMatch(/agent +not trusted +.*team\/helper\.md/)
  await trust({ yes: true })
  for (const place of ['project', 'project/team']) expect((await offered(siteIn(place))).names).toEqual(['helper'])
  agent('project/team/later.md', 'later')
  expect((await offered(siteIn())).names).toEqual(['helper'])
})

test('a folder that the user’s own settings name counts as the user’s, unless it lies in the project', async () => {
  agent('mine/mine.md', 'mine')
  agent('project/team/theirs.md', 'theirs')
  userNames(join(root, 'mine'), 'team')
  expect((await offered(siteIn())).names).toEqual(['mine'])
  expect(await trust({ list: true })).not.toContain('mine.md')
  expect((await offered(siteIn('project', true))).names).toEqual(['mine', 'theirs'])
})

test('agentsDirs of a project took the user’s own away', async () => {
  agent('mine/mine.md', 'mine')
  agent('project/team/theirs.md', 'theirs')
  userNames(join(root, 'mine'))
  projectNames('team')
  expect((await offered(siteIn('project', true))).names).toEqual(['mine', 'theirs'])
})

test('a run that may edit files wrote an agent into a folder that settings name, and the next start offered it', async () => {
  projectNames('team')
  const write = (file_path: string) => ({ calls: [{ name: 'Write', input: { file_path, content: 'evil' } }] })
  const line = { calls: [{ name: 'Bash', input: { command: 'echo evil > team/evil.md' } }] }
  const { cwd, env } = siteIn()
  await using house = await openOffshoot({
    ...{ cwd, env, trustsProject: true, store: 'memory', policy: { mode: 'acceptEdits' } },
    model: new ScriptedModel({ main: [write('team/evil.md'), line, write('made.txt'), 'Done.'] }),
    settings: { permissions: { allow: ['Bash(echo *)'] } },
  })
  const ended: string[] = []
  house.subscribe({}, ({ event }) => {
    if (event.type === 'tool.ended') ended.push(`${event.status} ${event.rule} ${JSON.stringify(event.content)}`)
  })
  const run = await house.start({ prompt: 'go', description: 'a test' })
  if ('refused' in run) throw new Error(run.refused)
  await run.result
  const heldBack = expect.stringMatching(/^denied no-approver .*agents, git or other programs of yours go by it/)
  expect(ended).toEqual([heldBack, heldBack, expect.stringMatching(/^ok edits-accepted/)])
})
