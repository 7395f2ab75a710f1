import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createPlainSandbox } from '../../src/adapters/sandboxes/none.js'
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
