import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { unheardIn } from '../../../test/support/unheard.js'
import { agentFolders, projectDirectories } from './agent-folders.js'
import { createAgentSource } from './agent-source.js'
import { openAgentsOnDisk } from './agents-on-disk.js'
import { isAloneIn } from './ownership.js'
import { fileTrustStore, memoryTrustStore } from './trust.js'

let root: string
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'offshoot-sources-')))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

test('a project is searched upwards to its repository root, the nearest folder first', () => {
  mkdirSync(join(root, 'repo/.git'), { recursive: true })
  mkdirSync(join(root, 'repo/pkg/deep'), { recursive: true })
  const directories = projectDirectories(join(root, 'repo/pkg/deep'), '/home/nobody')
  expect(directories).toEqual(['repo/pkg/deep', 'repo/pkg', 'repo'].map(path => join(root, path)))
})

test('outside a repository only the directory itself counts, and home is never a project', () => {
  mkdirSync(join(root, 'a/b'), { recursive: true })
  expect(projectDirectories(join(root, 'a/b'), '/home/nobody')).toEqual([join(root, 'a/b')])
  expect(projectDirectories(root, root)).toEqual([])
})

test('folders come in the order of their precedence', () => {
  const folders = agentFolders({
    cwd: join(root, 'p'),
    home: join(root, 'h'),
    configDir: join(root, 'c'),
    managedDir: join(root, 'm'),
  })
  expect([...new Set(folders.map(folder => folder.scope))]).toEqual(['managed', 'project', 'user'])
  const project = folders.filter(folder => folder.scope === 'project').map(folder => folder.path.slice(root.length + 3))
  expect(project.slice(0, 3)).toEqual(['.offshoot/agents', '.offshoot/agents.toml', '.claude/agents'])
})

test('F10: nested folders, other dialects and a list file load; the nearest project wins over the user', async () => {
  put('repo/.git/HEAD', '')
  put('repo/.claude/agents/sub/deeper/one.md', agent('one'))
  put('repo/.offshoot/agents.toml', '[[agents]]\nagent_type = "two"\nwhen_to_use = "x"\ntools = ["Read"]\n')
  put('repo/pkg/.claude/agents/shared.md', agent('shared', 'near'))
  put('repo/.claude/agents/shared.md', agent('shared', 'far'))
  put('home/.claude/agents/shared.md', agent('shared', 'user'))
  put('home/.config/offshoot/agents/mine.md', agent('mine'))
  const { catalog } = await open('repo/pkg', { trustsProjects: true }).load()
  expect(catalog.find('one')?.source.scope).toBe('project')
  expect(catalog.find('two')?.tools).toEqual([{ name: 'Read' }])
  expect(catalog.find('shared')?.description).toBe('near')
  expect(catalog.find('mine')?.source).toMatchObject({ scope: 'user', isTrusted: true })
  expect(catalog.find('Explore')?.source.scope).toBe('built-in')
})

test('modes of Roo Code in a project’s top were not found: they are its agents, once they are trusted', async () => {
  put('repo/.git/HEAD', '')
  const modes = 'customModes:\n  - slug: helper\n    name: Helper\n    roleDefinition: You help.\n    groups: [read]\n'
  put('repo/.roomodes', modes)
  put('home/.roomodes', modes.replace('helper', 'of-home'))
  put('repo/pkg/x', '')
  const house = open('repo/pkg')
  const { catalog } = await house.load()
  expect(catalog.lookup('helper')?.state).toBe('untrusted')
  expect(catalog.find('of-home')).toBeUndefined()
  house.trust.trust(join(root, 'repo'), [catalog.find('helper')!.source.contentHash!])
  expect((await house.load()).catalog.lookup('helper')?.state).toBe('active')
})

test('F12: a project agent is offered only once its content is trusted, and a change takes that back', async () => {
  put('repo/.git/HEAD', '')
  const path = put('repo/.claude/agents/a.md', agent('a'))
  const house = open('repo')
  const first = await house.load()
  expect(first.catalog.lookup('a')?.state).toBe('untrusted')
  expect(first.catalog.offered().map(each => each.name)).not.toContain('a')
  house.trust.trust(join(root, 'repo'), [first.catalog.find('a')!.source.contentHash!])
  expect((await house.load()).catalog.lookup('a')?.state).toBe('active')
  writeFileSync(path, agent('a', 'now with other words'))
  expect((await house.load()).catalog.lookup('a')?.state).toBe('untrusted')
})

test('trust is kept in a file of the user’s alone, and one that others could write trusts nothing', () => {
  const path = join(root, 'config/trust.json')
  const hash = 'a'.repeat(64)
  fileTrustStore(path).trust(root, [hash])
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(fileTrustStore(path).isTrusted(root, hash)).toBe(true)
  expect(fileTrustStore(path).isTrusted(join(root, 'other'), hash)).toBe(false)
  chmodSync(path, 0o622)
  expect(fileTrustStore(path).isTrusted(root, hash)).toBe(false)
  chmodSync(path, 0o600)
  fileTrustStore(path).revoke(root)
  expect(fileTrustStore(path).folders()).toEqual([])
  writeFileSync(path, '{"trusted": {"x": ["nonsense"]')
  expect(fileTrustStore(path).isTrusted(root, hash)).toBe(false)
})

test.each([
  ['torn', (text: string) => text.slice(0, -4)],
  ['empty', () => ''],
])('a trust file that is %s was written over, and the trust of every folder was lost without a word', (_, damage) => {
  const path = join(root, 'config/trust.json')
  const hash = 'a'.repeat(64)
  fileTrustStore(path).trust(root, [hash])
  const damaged = damage(readFileSync(path, 'utf8'))
  writeFileSync(path, damaged)
  const store = fileTrustStore(path)
  expect(store.isTrusted(root, hash)).toBe(false)
  expect(store.fault?.()).toMatch(/trust\.json .*Mend it, or move it away/)
  expect(() => store.trust(join(root, 'other'), [hash])).toThrow('nothing was changed')
  expect(() => store.revoke(root)).toThrow('nothing was changed')
  expect(readFileSync(path, 'utf8')).toBe(damaged)
})

test('A08: a folder of the user’s that everybody can write to is not trusted', async () => {
  put('home/.claude/agents/a.md', agent('a'))
  chmodSync(join(root, 'home/.claude/agents'), 0o777)
  mkdirSync(join(root, 'empty'))
  const { catalog } = await open('empty').load()
  expect(catalog.lookup('a')?.state).toBe('untrusted')
  expect(catalog.diagnostics.map(each => each.code)).toContain('unsafe-owner')
})

test.each<[string, (agents: string) => void]>([
  ['the file', agents => chmodSync(join(agents, 'team/a.md'), 0o666)],
  ['a folder in it', agents => chmodSync(join(agents, 'team'), 0o777)],
  ['where a link to a file leads', agents => linkTo(join(agents, 'team/a.md'), 0o777)],
  ['where a link to a folder leads', agents => linkTo(join(agents, 'team'), 0o777)],
  ['where a link lies that a link leads to', agents => linkTo(join(agents, 'team/a.md'), 0o777, 'twice')],
])('A08: an agent of the user’s is not trusted where everybody can write to %s', async (_, makeUnsafe) => {
  put('home/.claude/agents/team/a.md', agent('a'))
  put('home/.claude/agents/b.md', agent('b'))
  put('home/.claude/agents/README.md', 'no agent')
  chmodSync(join(root, 'home/.claude/agents/README.md'), 0o666)
  makeUnsafe(join(root, 'home/.claude/agents'))
  mkdirSync(join(root, 'empty'))
  const { catalog } = await open('empty').load()
  expect(catalog.lookup('a')?.state).toBe('untrusted')
  expect(catalog.lookup('b')?.state, 'what lies beside it is').toBe('active')
  expect(catalog.diagnostics.filter(each => each.code === 'unsafe-owner')).toHaveLength(1)
})

test('A08: a sticky folder protects what lies in it, and links to the user’s own are theirs', async () => {
  put('home/.claude/agents/team/a.md', agent('a'))
  linkTo(join(root, 'home/.claude/agents/team/a.md'), 0o1777)
  chmodSync(join(root, 'home/.claude'), 0o1777)
  mkdirSync(join(root, 'empty'))
  expect((await open('empty').load()).catalog.lookup('a')?.state).toBe('active')
})

test.runIf(process.getuid?.() === 0)(
  'A08: a group that may write, a stranger’s file and a stranger’s link',
  async () => {
    const stranger = 4711
    const paths = ['group', 'private', 'theirs', 'link'].map(name => put(`home/.claude/agents/${name}.md`, agent(name)))
    for (const path of paths.slice(0, 2)) chmodSync(path, 0o664)
    chownSync(paths[0]!, 0, stranger)
    chownSync(paths[2]!, stranger, stranger)
    linkTo(paths[3]!, 0o755)
    lchownSync(paths[3]!, stranger, stranger)
    mkdirSync(join(root, 'empty'))
    const { catalog } = await open('empty').load()
    const states = ['group', 'private', 'theirs', 'link'].map(name => catalog.lookup(name)?.state)
    expect(states).toEqual(['untrusted', 'active', 'untrusted', 'untrusted'])
  },
)

test.each([
  ['of the user’s name', 'root:x:0:\nann:x:1000:', true],
  ['with the user in it once more', 'ann:x:1000:ann', true],
  ['with somebody else in it', 'ann:x:1000:bob', false],
  ['of all users', 'staff:x:1000:', false],
  ['that no list has', 'root:x:0:', false],
  ['that is the first one of somebody else', 'ann:x:1000:', false, 'ann:x:1000:1000::/:\nbob:x:1001:1000::/:'],
])('O4: a group %s', (_, groups, isAlone, users = 'ann:x:1000:1000::/:') => {
  expect(isAloneIn(1000, 'ann', { groups, users })).toBe(isAlone)
})

/** Moves it elsewhere, into a folder of that mode, and leaves a link to it, or to a link in such a folder. */
function linkTo(path: string, mode: number, kind: 'once' | 'twice' = 'once'): void {
  mkdirSync(join(root, 'shared'))
  mkdirSync(join(root, 'safe'))
  const target = join(root, kind === 'twice' ? 'safe' : 'shared', basename(path))
  renameSync(path, target)
  if (kind === 'twice') symlinkSync(target, join(root, 'shared/link'))
  symlinkSync(kind === 'twice' ? join(root, 'shared/link') : target, path)
  chmodSync(join(root, 'shared'), mode)
}

test('the user’s own links may lead elsewhere; a project’s may not', async () => {
  const real = put('dotfiles/a.md', agent('a'))
  put('repo/.git/HEAD', '')
  for (const folder of ['home/.claude/agents', 'repo/.claude/agents']) {
    mkdirSync(join(root, folder), { recursive: true })
    symlinkSync(real, join(root, folder, 'a.md'))
  }
  const { catalog } = await open('repo', { trustsProjects: true }).load()
  expect(catalog.find('a')?.source.scope).toBe('user')
  expect(catalog.diagnostics.map(each => each.code)).toContain('symlink-refused')
})

test('a plugin’s agents carry its name and their folders’', async () => {
  put('plugin/agents/scan/deep.md', agent('deep'))
  const source = sourceOf([
    { path: join(root, 'plugin/agents'), scope: 'plugin' as const, owner: join(root, 'plugin'), prefix: 'sec' },
  ])
  expect((await source.load()).agents.map(each => each.name)).toEqual(['sec:scan:deep'])
})

test('B02: files that cannot be read as they should get one line each', async () => {
  put('f/big.md', `---\nname: big\n---\n${'x'.repeat(1024 * 1024)}`)
  writeFileSync(put('f/binary.md', ''), Buffer.from([0, 1, 2, 3, 0, 0]))
  put('f/notes.txt', 'hello')
  const { agents, diagnostics } = await sourceOf([{ path: join(root, 'f'), scope: 'user', owner: root }]).load()
  expect(agents.map(({ name, quarantine }) => [name, quarantine !== undefined])).toEqual([['big', true]])
  expect(diagnostics.map(each => each.code)).toEqual(['file-too-large', 'binary-file', 'other-extension'])
})

const data = (name: string, description: string) => `name: ${name}
description: ${description}
systemPrompt: Do it.
tools: [Read, Bash, Edit]
disallowedTools: [Bash]
`
const toml = (name: string, description: string) => `name = "${name}"
description = "${description}"
developer_instructions = "Do it."
sandbox_mode = "read-only"
nickname_candidates = ["one"]
`

test.each([
  ['a.md', agent],
  ['a.yaml', data],
  ['a.toml', toml],
])('B08: while a file is being written, what it last held counts: %s', async (name, textOf) => {
  const path = put(`f/${name}`, textOf('a', 'old'))
  let now = Date.now()
  const source = createAgentSource({
    folders: () => [{ path: join(root, 'f'), scope: 'user', owner: root }],
    trust: memoryTrustStore(),
    now: () => now,
  })
  const read = async () => (await source.load()).agents.map(each => JSON.stringify(each)).join()
  const old = await read()
  expect(old).toContain('old')
  const stop = source.watch(() => {})
  const texts = [textOf('a', 'new'), textOf('a', 'a much longer one than before '.repeat(20)), textOf('a', 'b')]
  try {
    for (const text of texts) {
      const before = await read()
      const ends = [...text.matchAll(/\n/g)].map(({ index }) => index + 1).slice(0, -1)
      // A writer that stops at the end of each line, and here and there within one.
      for (const length of [0, 12, 30, ...ends]) {
        write(path, text.slice(0, length), now)
        expect(await read(), `${length} letters, fresh`).toBe(before)
        now += 400
        expect(await read(), `${length} letters`).toBe(before)
      }
      write(path, text, now)
      expect(await read()).toBe(before)
      now += 4000
      const after = await read()
      expect(after).not.toBe(before)
      expect(after).toContain('"a"')
    }
  } finally {
    stop()
  }
})

test('B08: a new file that was not all there yet had fewer limits than its writer gave it', async () => {
  mkdirSync(join(root, 'f'))
  let now = Date.now()
  const source = createAgentSource({
    folders: () => [{ path: join(root, 'f'), scope: 'user', owner: root }],
    trust: memoryTrustStore(),
    now: () => now,
  })
  const stop = source.watch(() => {})
  try {
    const text = data('a', 'new')
    const path = put('f/a.yaml', '')
    for (const { index } of text.matchAll(/\n/g)) {
      write(path, text.slice(0, index + 1), now)
      now += 1000
      expect((await source.load()).agents).toEqual([])
    }
    now += 2000
    expect((await source.load()).agents[0]?.disallowedTools).toEqual([{ name: 'Bash' }])
  } finally {
    stop()
  }
})

test('a change made at once counts soon, and one that leaves less of the file a little later', async () => {
  const path = put('f/a.md', agent('a', 'old'))
  let now = Date.now()
  const source = createAgentSource({
    folders: () => [{ path: join(root, 'f'), scope: 'user', owner: root }],
    trust: memoryTrustStore(),
    now: () => now,
  })
  const description = async () => (await source.load()).agents[0]?.description
  expect(await description()).toBe('old')
  const stop = source.watch(() => {})
  try {
    write(path, agent('a', 'longer'), now)
    now += 400
    expect(await description()).toBe('longer')
    write(path, agent('a', 'new'), now)
    now += 400
    expect(await description()).toBe('longer')
    now += 3000
    expect(await description()).toBe('new')
    // Whatever happens to a file that was held: once it is as it was, nothing is left of that.
    write(path, agent('a', 'longest'), now)
    now += 400
    expect(await description()).toBe('longest')
  } finally {
    stop()
  }
})

test('changes are told, without a restart', async () => {
  mkdirSync(join(root, 'f'))
  const source = createAgentSource({
    folders: () => [{ path: join(root, 'f/agents'), scope: 'user', owner: root }],
    trust: memoryTrustStore(),
    settleMs: 10,
  })
  await source.load()
  const told = new Promise<void>(resolve => {
    const stop = source.watch(() => {
      stop()
      resolve()
    })
  })
  put('f/agents/a.md', agent('a'))
  await told
  expect(existsSync(join(root, 'f/agents/a.md'))).toBe(true)
})

test('a listener that threw once ended the process, and the change after it was not looked at', async () => {
  mkdirSync(join(root, 'p/.git'), { recursive: true })
  put('p/.offshoot/agents/first.md', agent('first'))
  const warnings: string[] = []
  const warned = ({ message }: Error) => void warnings.push(message)
  process.on('warning', warned)
  let looks = 0
  let tell = () => {}
  const unheard = await unheardIn('unhandledRejection', async () => {
    const disk = open('p')
    const looked = () =>
      new Promise<void>(resolve => {
        tell = resolve
      })
    const first = looked()
    const stop = disk.follow(() => {
      looks += 1
      tell()
      throw new Error('no room for it')
    })
    await first
    const second = looked()
    put('p/.offshoot/agents/a.md', agent('a'))
    await second
    await new Promise(resolve => setImmediate(resolve))
    stop()
  })
  process.off('warning', warned)
  expect(unheard).toEqual([])
  expect(looks).toBeGreaterThan(1)
  expect(warnings.join()).toContain('what was known of them stays: no room for it')
})

test('a project’s file that is the user’s own as well kept the user’s rights when it was loaded again', async () => {
  put('f/a.md', agent('a').replace('tools', 'permissionMode: bypassPermissions\ntools'))
  const place = { path: join(root, 'f'), owner: root }
  const source = sourceOf([
    { ...place, scope: 'project' },
    { ...place, scope: 'user' },
  ])
  for (let i = 0; i < 3; i++) {
    const { files } = await source.loadFiles()
    expect(files.map(each => each.source.scope)).toEqual(['project', 'user'])
    expect(files.map(each => each.reading.agents[0]?.agent?.permissionMode)).toEqual([undefined, 'bypassPermissions'])
  }
})

test('the same files give the same agents, in the same order', async () => {
  for (const name of ['c', 'a', 'b']) put(`f/${name}.md`, agent(name))
  const names = async () =>
    (await sourceOf([{ path: join(root, 'f'), scope: 'user', owner: root }]).load()).agents.map(each => each.name)
  expect(await names()).toEqual(['a', 'b', 'c'])
})

function sourceOf(folders: Parameters<typeof createAgentSource>[0]['folders'] extends () => infer T ? T : never) {
  return createAgentSource({ folders: () => folders, trust: memoryTrustStore() })
}

function open(cwd: string, options: { readonly trustsProjects?: boolean } = {}) {
  return openAgentsOnDisk({
    cwd: join(root, cwd),
    env: { HOME: join(root, 'home'), XDG_CONFIG_HOME: join(root, 'home/.config') },
    ...options,
  })
}

function agent(name: string, description = 'x'): string {
  return `---\nname: ${name}\ndescription: ${description}\ntools: Read\n---\nDo it.`
}

function put(path: string, text: string): string {
  const full = join(root, path)
  mkdirSync(dirname(full), { recursive: true })
  writeFileSync(full, text)
  return full
}

function write(path: string, text: string, at: number): void {
  writeFileSync(path, text)
  utimesSync(path, at / 1000, at / 1000)
}
