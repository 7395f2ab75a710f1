import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { soundFiles } from '../../../test/fuzz/sound-files.js'
import type { AgentFolder } from './agent-folders.js'
import { createAgentSource } from './agent-source.js'
import { type KeptReadings, openKeptReadings } from './kept-readings.js'
import { memoryTrustStore } from './trust.js'

let root: string
let file: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'offshoot-kept-'))
  file = join(root, 'data/agent-readings.json')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

test('what was kept is what a file says: whatever it holds, the second start loads the same, and reads nothing', async () => {
  for (const [index, { path, text }] of soundFiles.entries()) put(`agents/${index}/${path}`, text)
  put('agents/broken.md', '---\nname: broken\ndescription: a: b\ntols: Read\n---\nDo it.')
  put('agents/odd.md', '---\nname: odd\ndescription: x\nextra: {a: .nan, b: [1, null]}\n---\nDo it.')
  put('agents/proto.md', '---\nname: proto\ndescription: x\n__proto__: {a: 1}\n---\nDo it.')
  const anew = await load()
  const first = counting(keptBy('one'))
  expect(await load(first)).toEqual(anew)
  expect(first.hits).toBe(0)
  const second = counting(keptBy('one'))
  expect(await load(second)).toEqual(anew)
  // Not a number is nothing JSON could give back, so that one is read every time.
  expect(new Set(second.misses)).toEqual(new Set([join(root, 'agents/odd.md')]))
  expect(second.hits).toBeGreaterThan(soundFiles.length)
})

test('a file that has changed, moved or come under another name is read anew', async () => {
  const path = put('agents/a.md', agent('a', 'Read'))
  await load(keptBy('one'))
  writeFileSync(path, agent('a', 'Grep'))
  expect(await toolsOf('a', keptBy('one'))).toEqual(['Grep'])
  // In another product's folder the same text means something else.
  put('agents/.opencode/agents/a.md', agent('a', 'Grep'))
  const moved = counting(keptBy('one'))
  await load(moved)
  expect(new Set(moved.misses)).toEqual(new Set([join(root, 'agents/.opencode/agents/a.md')]))
  const prefixed = counting(keptBy('one'))
  const { files } = await load(prefixed, { prefix: 'plugin', scope: 'plugin' })
  expect(prefixed.hits).toBe(0)
  expect(files.map(each => each.reading.agents[0]?.agent?.name)).toContain('plugin:a')
})

test('another build, a torn file, one that others could write: read anew, and nobody hears of it', async () => {
  put('agents/a.md', agent('a', 'Read'))
  await load(keptBy('one'))
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const whole = readFileSync(file, 'utf8')
  const isUsed = async (build = 'one') => {
    const kept = counting(keptBy(build))
    expect((await load(kept)).files).toHaveLength(1)
    return kept.hits > 0
  }
  expect(await isUsed()).toBe(true)
  expect(await isUsed('two')).toBe(false)
  const emptied = whole.replace(/(\.md",)\{.*\}\]/, '$1{}]')
  expect(JSON.parse(emptied).readings).toHaveLength(1)
  for (const text of [whole.slice(0, -5), 'null', '{"build":"one"}', '{"build":"one","readings":[1]}', '', emptied]) {
    writeFileSync(file, text)
    expect(await isUsed()).toBe(false)
  }
  writeFileSync(file, whole)
  chmodSync(file, 0o666)
  expect(await isUsed()).toBe(false)
  expect(statSync(file).mode & 0o777, 'written anew, for the user alone').toBe(0o600)
})

test('a mode that only the user’s own files may ask for reached a project’s, once the same file had been read as the user’s', async () => {
  put('agents/a.md', '---\nname: a\ndescription: x\npermissionMode: bypassPermissions\n---\nDo it.')
  const modeAs = async (scope: AgentFolder['scope']) =>
    (await load(keptBy('one'), { scope })).files[0]?.reading.agents[0]?.agent?.permissionMode
  expect(await modeAs('user')).toBe('bypassPermissions')
  expect(await modeAs('project')).toBe(undefined)
  expect(await modeAs('plugin')).toBe(undefined)
  expect(await modeAs('user')).toBe('bypassPermissions')
})

test('one damaged byte in what was kept loaded an agent without its limit', async () => {
  put('agents/a.md', '---\nname: a\ndescription: x\ndisallowedTools: Bash\n---\nDo it.')
  const anew = await load()
  await load(keptBy('one'))
  const whole = readFileSync(file, 'utf8')
  for (const [from, to] of [
    ['"disallowedTools"', '"xisallowedTools"'],
    ['"Bash"', '"Bush"'],
    ['"agents":[{', '"agents":[null,{'],
  ] as const) {
    expect(whole).toContain(from)
    writeFileSync(file, whole.replace(from, to))
    expect(await load(keptBy('one'))).toEqual(anew)
  }
})

test('a value that leads back to itself, or is nested without end, ended the program; now it is refused, and that is kept', async () => {
  put('agents/circle.md', '---\nname: circle\ndescription: x\nextra: &a [1, *a]\n---\nDo it.')
  const nested = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  put('agents/deep.json', `{"name":"deep","description":"x","prompt":"Do it.","extra":${nested}}`)
  put('agents/plain.md', agent('plain', 'Read'))
  expect((await load(keptBy('one'))).files).toHaveLength(3)
  const again = counting(keptBy('one'))
  const { files } = await load(again)
  expect(files.map(({ reading }) => [basename(reading.path), reading.state]).sort()).toEqual([
    ['circle.md', 'quarantined'],
    ['deep.json', 'quarantined'],
    ['plain.md', 'loaded'],
  ])
  expect(again.hits).toBe(3)
})

test('what other projects had grew until reading it took longer than reading the files of this one', async () => {
  for (let i = 0; i < 40; i++) put(`other/${i}.md`, agent(`a${i}`, 'Read').concat('x'.repeat(100_000)))
  put('agents/a.md', agent('a', 'Read'))
  await load(keptBy('one'), { path: join(root, 'other') })
  expect(statSync(file).size).toBeGreaterThan(4_000_000)
  await load(keptBy('one'))
  expect(statSync(file).size).toBeLessThan(2_200_000)
  expect(readFileSync(file, 'utf8')).toContain(join(root, 'agents/a.md'))
})

test('whether a file is trusted is found out every time', async () => {
  put('agents/a.md', agent('a', 'Read'))
  const trust = memoryTrustStore()
  const isTrusted = async () => {
    const { files } = await load(keptBy('one'), { scope: 'project' }, trust)
    const [first] = files
    expect(first!.reading.agents[0]?.agent?.source).toEqual(first!.source)
    return first!.source.isTrusted
  }
  expect(await isTrusted()).toBe(false)
  const [known] = (await load(undefined, { scope: 'project' })).files
  trust.trust(root, [known!.source.contentHash!])
  expect(await isTrusted()).toBe(true)
  trust.revoke(root)
  expect(await isTrusted()).toBe(false)
})

test('where nothing can be written, agents load as ever', async () => {
  put('agents/a.md', agent('a', 'Read'))
  put('data', 'a file where a folder should be')
  expect(await toolsOf('a', keptBy('one'))).toEqual(['Read'])
})

test('what other projects had is kept, as long as there is room', async () => {
  put('agents/a.md', agent('a', 'Read'))
  put('other/b.md', agent('b', 'Read'))
  await load(keptBy('one'))
  await load(keptBy('one'), { path: join(root, 'other') })
  const again = counting(keptBy('one'))
  await load(again)
  await load(again, { path: join(root, 'other') })
  expect([again.hits, again.misses]).toEqual([2, []])
})

/** What is to be written is written at once. */
const keptBy = (build: string): KeptReadings => openKeptReadings(file, build, run => run())

function load(kept?: KeptReadings, folder: Partial<AgentFolder> = {}, trust = memoryTrustStore()) {
  const folders = () => [{ path: join(root, 'agents'), scope: 'user', owner: root, ...folder } as const]
  return createAgentSource({ folders, trust, kept }).loadFiles()
}

async function toolsOf(name: string, kept: KeptReadings): Promise<unknown> {
  const { files } = await load(kept)
  const found = files.flatMap(each => each.reading.agents).find(each => each.agent?.name === name)?.agent
  return found?.tools === 'all' ? 'all' : found?.tools.map(grant => grant.name)
}

function counting(kept: KeptReadings) {
  const counted = { hits: 0, misses: [] as string[] }
  return Object.assign(counted, {
    ...kept,
    find(...[asked, source]: Parameters<KeptReadings['find']>) {
      const found = kept.find(asked, source)
      if (found) counted.hits += 1
      else counted.misses.push(asked.path)
      return found
    },
  })
}

function agent(name: string, tools: string): string {
  return `---\nname: ${name}\ndescription: x\ntools: ${tools}\n---\nDo it.`
}

function put(path: string, text: string): string {
  const full = join(root, path)
  mkdirSync(dirname(full), { recursive: true })
  writeFileSync(full, text)
  return full
}
