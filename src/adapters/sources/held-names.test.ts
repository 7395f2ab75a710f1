import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openAgentsOnDisk } from './agents-on-disk.js'

let home: string
let ours: string
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'offshoot-held-')))
  ours = join(home, '.config/offshoot/agents')
  for (const folder of [ours, join(home, '.claude/agents'), join(home, 'project')])
    mkdirSync(folder, { recursive: true })
  writeFileSync(join(home, '.claude/agents/deploy.md'), agent)
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const agent = '---\nname: deploy\ndescription: Ships it.\n---\nYou ship.\n'
const narrow = agent.replace('---\nYou', 'tools: Read\n---\nYou')

const load = async () => {
  const { catalog, diagnostics } = await openAgentsOnDisk({ cwd: join(home, 'project'), env: { HOME: home } }).load()
  return { entry: catalog.lookup('deploy'), diagnostics, all: catalog.all() }
}

test('the sound file is the one used, and without it the next', async () => {
  writeFileSync(join(ours, 'deploy.md'), narrow)
  expect((await load()).entry?.agent.tools).toEqual([{ name: 'Read' }])
  unlinkSync(join(ours, 'deploy.md'))
  expect((await load()).entry?.agent.tools).toBe('all')
})

describe('of a file that could not be read a wider agent from elsewhere took the name', () => {
  test.each<[string, string, string | Uint8Array]>([
    ['zero bytes behind the text', 'deploy.md', `${narrow}\0\0\0\0`],
    ['nothing but zero bytes', 'deploy.md', Buffer.alloc(300)],
    ['more than a megabyte', 'deploy.md', narrow + 'x'.repeat(1_100_000)],
    ['front matter in a language', 'deploy.md', narrow.replace('---', '---js')],
    ['no opening fence', 'deploy.md', narrow.slice(4)],
    ['a name of a plugin', 'deploy.md', narrow.replace('name: deploy', 'name: "deploy:x"')],
    ['JSON cut off', 'ship.json', '{"name": "deploy", "description": "Ships it.", "tools": ["Re'],
    ['TOML cut off', 'ship.toml', 'name = "deploy"\ndescription = "Ships it.\ndeveloper_instructions = "You ship."\n'],
    ['a list cut off', 'more.json', '[{"name": "other", "description": "x"}, {"name": "deploy", "descr'],
  ])('%s', async (_, file, content) => {
    writeFileSync(join(ours, file), content)
    const { entry, diagnostics } = await load()
    expect(entry?.state).toBe('quarantined')
    expect(entry?.agent.source.path).toBe(join(ours, file))
    expect(entry?.agent.quarantine).not.toBe('')
    expect(diagnostics.some(({ file: where, severity }) => where === join(ours, file) && severity !== 'info')).toBe(
      true,
    )
  })

  test('nothing in it', async () => {
    writeFileSync(join(ours, 'deploy.md'), '')
    expect((await load()).entry?.agent.quarantine).toBe('the file is empty')
  })

  test('a link that leads nowhere', async () => {
    symlinkSync(join(home, 'gone.md'), join(ours, 'deploy.md'))
    expect((await load()).entry?.state).toBe('quarantined')
  })
})

test('rank comes before spelling: what was switched off ran as it is spelt elsewhere', async () => {
  writeFileSync(join(ours, 'deploy.md'), narrow.replace('name: deploy', 'name: De Ploy\ndisabled: true'))
  const { entry, all } = await load()
  expect(entry).toMatchObject({ state: 'disabled', agent: { name: 'De Ploy' } })
  expect(all.filter(each => each.shadowedBy !== undefined).map(each => each.agent.name)).toEqual(['deploy'])
})

test('notes beside agents take nobody’s name', async () => {
  writeFileSync(join(ours, 'deploy.txt'), 'how to deploy')
  writeFileSync(join(ours, 'README.md'), '# Deploy\n\nname: deploy\n')
  expect((await load()).entry?.state).toBe('active')
})
