import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createPlainSandbox } from '../../src/adapters/sandboxes/none.js'
import { textWidth } from '../../src/apps/session/text-width.js'
import type { RunId } from '../../src/core/message.js'
import { type AgentsProgram, agentsProgram } from './agents-program.js'
import { prepare } from './prepare.js'

let program: AgentsProgram
beforeEach(() => {
  program = agentsProgram()
})
afterEach(() => program.remove())

const agent = (name: string, more = '') => `---\nname: ${name}\ndescription: does it\n${more}---\nDo it.`

test('explain left out where a run stands, its hooks, its evidence, its report and what is switched off', async () => {
  const more = [
    ...['baseDir: web', 'resultBytes: 4000', 'disabledFeatures: [web]', 'evidence: {toolCalls: 2}'],
    'hooks: {PreToolUse: [{matcher: Bash, hooks: [{type: command, command: ./guard.sh}]}]}\n',
  ]
  program.put('home/.claude/agents/full.md', agent('full', more.join('\n')))
  mkdirSync(join(program.root, 'web'))
  const { out, code } = await program.run('explain', 'full')
  expect(code).toBe(0)
  expect(out).toMatch(/^ +limit +report 4000 bytes +definition/m)
  expect(out).toMatch(/^ +place +isolation none +default/m)
  expect(out).toMatch(/^ +place +directory web +definition/m)
  expect(out).toMatch(/^ +place +process in-process +default/m)
  expect(out).toMatch(/^ +feature +web off +definition/m)
  expect(out).toMatch(/^ +hook +PreToolUse for Bash +definition +\.\/guard\.sh/m)
  expect(out).toMatch(/^ +evidence +report checked +definition +\{"toolCalls":2\}/m)
  const { reasons } = JSON.parse((await program.run('explain', 'full', '--json')).out)
  expect(reasons).toContainEqual({ about: 'place', subject: 'directory', verdict: 'web', rule: 'definition' })
})

test('explain said nothing of a place that is not there, and the start failed with the system’s word', async () => {
  program.put('home/.claude/agents/lost.md', agent('lost', 'baseDir: nosuch\n'))
  program.put('home/.claude/agents/file.md', agent('file', 'baseDir: home/.claude/agents/file.md\n'))
  program.put('home/.claude/agents/tree.md', agent('tree', 'isolation: worktree\n'))
  const lost = await program.run('explain', 'lost')
  const why = 'The base directory nosuch of lost is not there: there is no'
  expect(lost).toMatchObject({ code: 1, out: expect.stringMatching(`^WILL NOT START: ${why} .*\\(no-place\\)\n`) })
  expect(lost.out).toContain('Otherwise it would get')
  expect(JSON.parse((await program.run('explain', 'lost', '--json')).out)).toMatchObject({ rule: 'no-place' })
  expect((await program.run('explain', 'file')).out).toContain('of file is no directory')
  expect((await program.run('explain', 'tree')).out).toMatch(/^WILL NOT START: A worktree needs /)
  const brief = { ...(await prepare({ agent: 'Plan' })), agent: 'lost', baseDir: 'nosuch' }
  const enter = createPlainSandbox({ cwd: program.root }).enter
  await expect(enter({ runId: 'r' as RunId, brief })).rejects.toThrow(why)
})

test('list and trust showed tools that an agent does not have, and cut off what takes them away', async () => {
  const [tools, mode] = [
    'tools: Read, Write, Edit, Bash, MultiEdit, Grep',
    'disallowedTools: Write, Edit, Bash(rm *)\n',
  ]
  program.put('home/.claude/agents/a.md', agent('a', [tools, mode].join('\n')))
  program.put('home/.claude/agents/b.md', agent('b', 'permissions: {deny: [Bash, Read(.env)]}\n'))
  program.put('home/.claude/agents/c.md', agent('c', 'tools: Bash(git *)\ndisallowedTools: Bash\n'))
  const { out } = await program.run('list')
  expect(out).toMatch(/^a +Read, Bash, MultiEdit, Grep but Bas… /m)
  expect(out).toMatch(/^b +all but Bash, Read\(\.env\) /m)
  expect(out).toMatch(/^c +none /m)
  expect((await program.run('show', 'a')).out).toMatch(/^tools +Read, Write, Edit, .* but Write, Edit, Bash\(rm \*\)$/m)
  expect((await program.run('lint', 'home/.claude/agents/c.md')).out).toContain(
    'info every tool it lists is disallowed [tools-none]',
  )
})

test('an agent that ends by text and extends one with an output was active, and would not start', async () => {
  program.put('home/.claude/agents/base.md', agent('base', 'output: {name: x, schema: {type: object}}\n'))
  program.put('home/.claude/agents/heir.md', agent('heir', 'extends: base\ncompletion: text\n'))
  expect((await program.run('list', '--all')).out).toMatch(/^heir .* quarantined: completion is text/m)
  expect((await program.run('lint')).out).toMatch(
    /heir\.md:4 error .*with what it has from "base".* \[extends-output\]/,
  )
  expect((await program.run('lint', 'home/.claude/agents')).code).toBe(1)
})

test('on a narrow terminal rows of list, lint, explain and show were torn in the middle of words', async () => {
  program.put('home/.claude/agents/q.md', agent('q', 'maxTurns: many\n'))
  for (const words of [['list', '--all'], ['lint'], ['explain', 'Explore'], ['show', 'q']]) {
    const { out } = await program.runOn({ width: 60, home: '/nowhere' }, ...words)
    for (const line of out.split('\n')) if (textWidth(line) > 60) expect(line.trim()).not.toContain(' ')
    if (words[0] === 'list')
      expect(out.replace(/\s+/g, ' ')).toMatch(/quarantined: the value of "maxTurns" cannot be read for certain/)
  }
})

test('show knew nothing of a file that is listed, and is too large to be read', async () => {
  writeFileSync(program.put('home/.claude/agents/big.md', ''), Buffer.alloc(1024 * 1024 + 1, 'a'))
  expect(await program.run('show', 'big')).toEqual({
    code: 1,
    out: '',
    err: expect.stringMatching(
      /^offshoot: Of "big" nothing is known, and it will not run:\n.*big\.md:1 error .*\[file-too-large\]/,
    ),
  })
  expect((await program.run('explain', 'big')).err).toMatch(/^big is quarantined and will not run: 1048577 bytes/)
})
