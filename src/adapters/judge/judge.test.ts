import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { callOf, layer, link } from '../../../test/support/judging.js'
import { startUpFiles } from '../ground/start-up-files.js'
import { filesIn, linksIn, realPath } from '../os/real-path.js'
import { createJudge, type JudgeOptions } from './judge.js'

let home: string
let root: string

beforeAll(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'offshoot-judge-')))
  root = join(home, 'app')
  mkdirSync(join(root, 'src'), { recursive: true })
  mkdirSync(join(home, 'app-secret'))
  mkdirSync(join(home, 'state'))
  writeFileSync(join(home, 'app-secret', 'x'), 'secret')
  writeFileSync(join(root, 'src', 'a.ts'), '')
  symlinkSync(join(home, 'app-secret'), join(root, 'link'))
  symlinkSync(join(home, 'app-secret', 'not-there'), join(root, 'dangling'))
  symlinkSync(join(home, 'app-secret', 'x'), join(root, 'src', 'readme.md'))
  symlinkSync('loop', join(root, 'loop'))
})
afterAll(() => rmSync(home, { recursive: true }))

function judgeWith(options: Partial<JudgeOptions>, tool: string, input: object, chain = [link()]) {
  const judge = createJudge({ layers: () => [], stateDirs: [join(home, 'state')], home, ...options })
  return judge.judge(callOf(tool, input, { chain, call: { workspace: { cwd: root, roots: [root] } } }))
}
const decide = async (tool: string, input: object, options: Partial<JudgeOptions> = {}, chain = [link()]) =>
  (await judgeWith(options, tool, input, chain)).decision

test('E03 links are followed on the disk, also ones that lead to nothing yet', async () => {
  const accepting = [link({ mode: 'acceptEdits' })]
  expect(await decide('Write', { file_path: 'src/new.ts' }, {}, accepting)).toBe('allow')
  for (const path of ['link/x', 'link/new/deep', 'dangling', 'src/readme.md', 'link/../x', 'src/../link/x'])
    expect([path, await decide('Write', { file_path: path }, {}, accepting)]).toEqual([path, 'ask'])
  const denying = { layers: () => [layer({ deny: [`Read(/${home}/app-secret/**)`] })] }
  expect(await decide('Read', { file_path: 'link/x' }, denying, [link({ mode: 'bypassPermissions' })])).toBe('deny')
})

test('E02 the neighbour of a root is outside', async () => {
  expect(await decide('Read', { file_path: `${root}-secret/x` })).toBe('ask')
})

test('a wildcard that could pick a link to the outside asks', async () => {
  expect(await decide('Bash', { command: 'cat ./src/*.ts' })).toBe('allow')
  expect(await decide('Bash', { command: 'cat ./src/*.md' })).toBe('ask')
})

test('our own state is denied by its real path too', async () => {
  symlinkSync(join(home, 'state'), join(root, 'innocent'))
  expect(await decide('Read', { file_path: 'innocent/runs.db' }, {}, [link({ mode: 'bypassPermissions' })])).toBe(
    'deny',
  )
})

test('C12 whatever goes wrong while judging denies the call and says so', async () => {
  const broken: readonly Partial<JudgeOptions>[] = [
    {
      layers: () => {
        throw new Error('the database is locked')
      },
    },
    { layers: () => undefined as never },
    { layers: () => [{ scope: 'user', origin: 'x', rules: null as never }] },
    { parseShell: () => Promise.reject(new Error('no grammar')) },
    {
      realPath: () => {
        throw new Error('I/O error')
      },
    },
  ]
  for (const options of broken) {
    const verdict = await judgeWith(options, 'Bash', { command: 'cat src/a.ts' }, [link({ mode: 'bypassPermissions' })])
    expect(verdict).toMatchObject({
      decision: 'deny',
      rule: 'judge-failed',
      reason: expect.stringContaining('could not be judged'),
    })
  }
})

test('C12 a parser that throws leaves a doubt, not a hole', async () => {
  const parse = () => {
    throw new RangeError('too deep')
  }
  const parseShell = async () => ({ parse, children: () => undefined })
  expect(await decide('Bash', { command: 'ls' }, { parseShell })).toBe('ask')
})

test('C09 rules are read at every call', async () => {
  const rules = [layer({ allow: ['Bash(npm test)'] })]
  const judge = createJudge({ layers: () => rules, stateDirs: [], home })
  const call = callOf('Bash', { command: 'npm test' })
  expect((await judge.judge(call)).decision).toBe('allow')
  rules.push(layer({ deny: ['Bash(npm:*)'] }))
  expect((await judge.judge(call)).decision).toBe('deny')
})

test('commands are judged from where the shell stands, rules from where the run began', async () => {
  const options = {
    layers: () => [layer({ allow: ['Bash(echo:*)', 'Edit(./out/**)'] })],
    shellDirectory: () => join(root, 'src'),
  }
  expect(await decide('Bash', { command: 'cat a.ts' }, options)).toBe('allow')
  expect(await decide('Bash', { command: 'echo x > out/a' }, options)).toBe('ask')
  expect(await decide('Bash', { command: 'echo x > ../out/a' }, options)).toBe('allow')
  expect(await decide('Bash', { command: 'cat ../../x' }, options)).toBe('ask')
})

test('a search gets a quick yes for ordinary files only', () => {
  const judge = createJudge({ layers: () => [layer({ deny: ['Read(.env)'] })], stateDirs: [join(home, 'state')], home })
  const isPlain = judge.plainReading(callOf('Grep', {}, { call: { workspace: { cwd: root, roots: [root] } } }))
  const paths = ['.env', 'src/a.ts', 'src/.env'].map(path => join(root, path))
  expect([...paths, join(home, 'state', 'runs.db')].filter(isPlain)).toEqual([join(root, 'src/a.ts')])
})

test('explain gives the same verdict with what was weighed', async () => {
  const judge = createJudge({ layers: () => [layer({ deny: ['Bash(curl:*)'] })], stateDirs: [], home })
  const { verdict, considered } = await judge.explain(callOf('Bash', { command: 'ls && curl x' }))
  expect(verdict).toMatchObject({ decision: 'deny', rule: 'Bash(curl:*)' })
  expect(considered.map(one => [one.subject, one.decision])).toContainEqual(['curl x', 'deny'])
})

test('real paths: what is missing is kept, loops and odd texts end', () => {
  expect(realPath(join(root, 'link', 'a', 'b'))).toBe(join(home, 'app-secret', 'a', 'b'))
  expect(realPath(join(root, 'dangling'))).toBe(join(home, 'app-secret', 'not-there'))
  expect(realPath(join(root, 'loop', 'x'))).toMatch(/x$/)
  expect(realPath(`/no/such\0/place`)).toBe('/no/such\0/place')
  expect(linksIn(join(root, 'src'))).toEqual(['readme.md'])
  expect(filesIn(join(root, 'src'))).toEqual(['a.ts'])
  expect(linksIn(join(root, 'missing'))).toEqual([])
  expect(linksIn(join(root, 'src', 'a.ts'))).toEqual([])
  expect(linksIn(join(root, 'loop'))).toBeUndefined()
})

describe('a place that runs later was judged by where it led at an earlier call', () => {
  const bypass = [link({ mode: 'bypassPermissions' })]
  let judged: (path: string) => Promise<readonly string[]>
  let user: string
  let work: string
  beforeEach(() => {
    user = realpathSync(mkdtempSync(join(tmpdir(), 'offshoot-swapped-')))
    work = join(user, 'app')
    mkdirSync(join(work, 'dot'), { recursive: true })
    mkdirSync(join(user, '.config/fish'), { recursive: true })
    for (const file of ['.bashrc', '.config/fish/config.fish', 'app/rc', 'app/dot/config.fish'])
      writeFileSync(join(user, file), '')
    const places = startUpFiles({ home: user, env: {}, roots: [work] })
    const judge = createJudge({ layers: () => [], stateDirs: [], home: user, decisive: () => places })
    const workspace = { cwd: work, roots: [work] }
    judged = path =>
      Promise.all(
        [
          callOf('Write', { file_path: path }, { chain: bypass, call: { workspace } }),
          callOf('Bash', { command: `cp x ${path}` }, { chain: bypass, call: { workspace } }),
        ].map(async call => (await judge.judge(call)).decision),
      )
  })
  afterEach(() => rmSync(user, { recursive: true }))

  test('a file swapped for a link between two calls', async () => {
    expect(await judged('rc')).toEqual(['allow', 'allow'])
    rmSync(join(user, '.bashrc'))
    symlinkSync(join(work, 'rc'), join(user, '.bashrc'))
    expect(await judged('rc')).toEqual(['ask', 'ask'])
    rmSync(join(user, '.bashrc'))
    symlinkSync(join(work, 'dot'), join(user, '.bashrc'))
    expect(await judged('rc')).toEqual(['allow', 'allow'])
  })

  test('a file that was missing, and is a link at the next call', async () => {
    expect(await judged('rc')).toEqual(['allow', 'allow'])
    symlinkSync('app/rc', join(user, '.zshrc'))
    expect(await judged('rc')).toEqual(['ask', 'ask'])
  })

  test('a folder above it, there or not, that is a link at the next call', async () => {
    expect(await judged('dot/config.fish')).toEqual(['allow', 'allow'])
    renameSync(join(user, '.config/fish'), join(user, '.config/fish-before'))
    symlinkSync(join(work, 'dot'), join(user, '.config/fish'))
    expect(await judged('dot/config.fish')).toEqual(['ask', 'ask'])
    rmSync(join(user, '.config/fish'))
    expect(await judged('dot/config.fish')).toEqual(['allow', 'allow'])
    renameSync(join(user, '.config'), join(user, 'config-before'))
    mkdirSync(join(work, 'cfg/fish'), { recursive: true })
    symlinkSync(join(work, 'cfg'), join(user, '.config'))
    expect(await judged('cfg/fish/config.fish')).toEqual(['ask', 'ask'])
    expect(await judged('dot/config.fish')).toEqual(['allow', 'allow'])
  })

  test('what it led to, which is a link at the next call', async () => {
    rmSync(join(user, '.bashrc'))
    symlinkSync(join(work, 'dot/rc'), join(user, '.bashrc'))
    expect(await judged('rc')).toEqual(['allow', 'allow'])
    symlinkSync('../rc', join(work, 'dot/rc'))
    expect(await judged('rc')).toEqual(['ask', 'ask'])
  })
})
