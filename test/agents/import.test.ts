import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type AgentsProgram, agentsProgram } from './agents-program.js'

let program: AgentsProgram
beforeEach(() => {
  program = agentsProgram()
})
afterEach(() => program.remove())

const agent = (name: string, more = '') => `---\nname: ${name}\ndescription: does it\ntimeout: 5m\n${more}---\nDo it.`
const at = (path: string) => join(program.root, path)
const textOf = (path: string) => readFileSync(at(path), 'utf8')

test('import --force wrote through a link that lay at the target, over the file it leads to', async () => {
  program.put('cm.md', agent('cm'))
  program.put('outside.md', 'mine')
  program.put('.offshoot/agents/x.md', agent('x'))
  symlinkSync('../../outside.md', at('.offshoot/agents/cm.md'))
  for (const more of [[], ['--force'], ['--to', '.offshoot/agents', '--force']])
    expect(await program.run('import', 'cm.md', ...more)).toEqual({
      code: 1,
      out: '',
      err: 'offshoot: .offshoot/agents/cm.md is a link to ../../outside.md, which is not written through it. Remove the link first.\n',
    })
  expect(textOf('outside.md')).toBe('mine')
})

test('a project’s folder that is a link out of it took what import and new made', async () => {
  program.put('home/theirs/keep', '')
  program.put('p/.git/HEAD', '')
  program.put('p/cm.md', agent('cm'))
  symlinkSync('../home/theirs', at('p/.offshoot'))
  symlinkSync('../home/theirs', at('p/sub'))
  const { importAgents } = await import('../../src/apps/cli/agents/import.js')
  const { newAgent } = await import('../../src/apps/cli/agents/new.js')
  let err = ''
  const deps = {
    cwd: at('p'),
    write: () => {},
    warn: (text: string) => {
      err += text
    },
    userAgentsDir: at('p/.offshoot/agents'),
    loadAgents: () => Promise.reject(new Error('not asked')),
  }
  expect(await importAgents('cm.md', { force: true }, deps)).toBe(1)
  expect(await importAgents('cm.md', { force: true, to: 'sub/deep' }, deps)).toBe(1)
  expect(await newAgent('cm', { force: true }, deps)).toBe(1)
  expect(err.match(/ leads out of the project, to \S+home\/theirs\S*\. Remove the link first\.\n/g)).toHaveLength(3)
  expect(readdirSync(at('home/theirs'))).toEqual(['keep'])
  // The user's own folders may lie anywhere.
  expect(await newAgent('cm', { force: true, user: true }, deps)).toBe(0)
})

test('of two agents of one import that have one name the second replaced the first', async () => {
  program.put('in/a.md', agent('Same Name'))
  program.put('in/b.md', agent('same-name'))
  program.put('in/c.md', agent('samename'))
  for (const more of [[], ['--force']]) {
    const { out, err, code } = await program.run('import', 'in', '--to', `out${more}`, ...more)
    expect({ out, code }).toEqual({ out: `out${more}/same-name.md\n`, code: 1 })
    expect(err).toContain('"same-name" of in/b.md was not imported: it has the name of "Same Name" of in/a.md')
    expect(err).toContain('"samename" of in/c.md was not imported')
    expect(textOf(`out${more}/same-name.md`)).toContain('name: Same Name')
  }
})

test('import made a quarantined file of one that loads: opencode denies tools by words that no file of ours can say', async () => {
  program.put('.opencode/agent/a.md', '---\ndescription: d\npermission:\n  "docs_*": deny\n  "mcp_*": ask\n---\nhi')
  const { err, code } = await program.run('import', '.opencode/agent/a.md', '--to', 'out')
  expect(code).toBe(0)
  expect(err).toContain('a: not carried over: docs_*, mcp_*, which no file of ours can say')
  expect(textOf('out/a.md')).toMatch(/ask: \[.*"mcp__mcp_\*"\]\n {2}deny: \["mcp__docs__\*", "mcp__docs_\*"\]/)
  expect(await program.run('lint', 'out')).toMatchObject({ code: 0, out: expect.stringContaining('1 sound') })
})

test('import lost comments and figures, and that a mode is not taken from a file, without a word', async () => {
  const more = [
    '# keep me for later\ntools: Read # only this\nx: "# kept"',
    'big: 12345678901234567890\nversion: 1.10\npermissionMode: bypassPermissions\n',
  ].join('\n')
  program.put('a.md', agent('a', more))
  const { err } = await program.run('import', 'a.md')
  expect(err).toContain('a.md: comments are not carried over: lines 5, 6\n')
  expect(err).toContain('a.md: 12345678901234567890 is written as 12345678901234567000')
  expect(err).toContain('a.md: 1.10 is written as 1.1;')
  expect(err).toMatch(/\.offshoot\/agents\/a\.md:\d+:1 warning "bypassPermissions" is not taken from the file/)
  program.put('b.md', agent('b', 'x: 3\ny: 2.5\n'))
  expect((await program.run('import', 'b.md')).err).not.toMatch(/comments|written as/)
  program.put('c.toml', '# a role\nname = "c"\ndescription = "d"\ndeveloper_instructions = """\n# Title\nDo."""\n')
  expect((await program.run('import', 'c.toml')).err).toContain('comments are not carried over: line 1\n')
})

test('where import could not write, or read, the system’s own words were all that was said', async () => {
  program.put('x.md', agent('x'))
  mkdirSync(at('out/x.md'), { recursive: true })
  expect((await program.run('import', 'x.md', '--to', 'out', '--force')).err).toBe(
    'offshoot: out/x.md is a folder. Move it away first.\n',
  )
  expect(await program.run('import', 'x.md', '--to', '/proc/none')).toMatchObject({
    code: 1,
    err: 'offshoot: /proc/none/x.md was not written: no folder can be made there\n',
  })
  expect(await program.run('import', 'nowhere.md')).toEqual({
    code: 2,
    out: '',
    err: 'offshoot: There is no file or folder nowhere.md.\n',
  })
})

test('a file that cannot be read ended an import with another code than in a folder', async () => {
  writeFileSync(program.put('in/big.md', ''), Buffer.alloc(1024 * 1024 + 1, 'a'))
  for (const path of ['in', 'in/big.md'])
    expect(await program.run('import', path)).toMatchObject({ code: 1, err: expect.stringContaining('at most') })
  expect(existsSync(at('.offshoot'))).toBe(false)
})

test('import let an opencode agent that may call some agents call them all', async () => {
  const lists = 'tools:\n  "*": false\n  task: true\npermission:\n  task:\n    "*": deny\n    git-*: allow\n'
  program.put('.opencode/agents/g.md', `---\ndescription: d\nmode: subagent\n${lists}---\nRoute.`)
  expect(await program.run('import', '.opencode/agents/g.md', '--to', 'out')).toEqual({
    code: 1,
    out: '',
    err: 'offshoot: .opencode/agents/g.md: "g" was not imported: as a file of ours it would not mean the same (tools)\n',
  })
})
