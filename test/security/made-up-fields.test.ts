/** A model may add any field to a call. What is judged has to be what is done: by such a field nothing is judged. */
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { PermissionRules } from '../../src/core/agent-definition.js'
import type { ToolEffect } from '../../src/core/types.js'
import { defineTool } from '../../src/index.js'
import { explain, link, type Setting } from '../support/judging.js'
import { called, createNodeStage, type NodeStage, ownAgent } from '../support/node-story.js'

const declaring = (effect: ToolEffect, properties: object | undefined, setting: Setting = {}): Setting => ({
  ...setting,
  call: {
    effect,
    spec: { name: 'Own', description: '', effect, inputSchema: { type: 'object', ...(properties && { properties }) } },
  },
})
const verdictOf = (input: unknown, setting: Setting) => {
  const { decision, rule } = explain('Own', input, { ...setting }).verdict
  return `${decision} ${rule}`
}
const mode = (name: 'plan' | 'acceptEdits' | 'default' | 'dontAsk', more: Partial<Setting> = {}): Setting => ({
  chain: [link({ mode: name })],
  ...more,
})

describe('a host’s own tool', () => {
  const text = { type: 'string' }

  test.each(['command', 'cmd', 'script'])('with a made-up %s it was judged as a harmless ls', field => {
    for (const how of [mode('plan'), mode('dontAsk'), mode('default')])
      expect(verdictOf({ [field]: 'ls' }, declaring('execute', { timeout: text }, how))).toBe('deny unknown-input')
  })

  test('a command that is no text, or that nobody declares, is no command line that anybody could judge', () => {
    const plan = mode('plan')
    expect(verdictOf({ command: ['rm', '-rf', '/'] }, declaring('execute', { command: {} }, plan))).toBe(
      'deny plan-mode',
    )
    expect(verdictOf({ command: 'ls' }, declaring('execute', undefined, plan))).toBe('deny plan-mode')
    expect(verdictOf({ command: 'ls', cwd: ['..'] }, declaring('execute', { command: text, cwd: {} }, plan))).toBe(
      'deny plan-mode',
    )
    const two = { command: text, cwd: text, workdir: text }
    expect(verdictOf({ command: 'ls', cwd: '.', workdir: '/etc' }, declaring('execute', two, plan))).toBe(
      'deny plan-mode',
    )
    expect(verdictOf({ command: 'ls' }, declaring('execute', { command: text }, plan))).toBe('allow read-only-command')
  })

  test('with a made-up path or address it was judged by that', () => {
    const note = (input: unknown, more: Partial<Setting> = {}) =>
      verdictOf(input, declaring('write', { text }, mode('acceptEdits', more)))
    expect(note({ text: 'x' })).toBe('ask write-asks')
    for (const field of ['path', 'file_path', 'uri', 'cwd'])
      expect(note({ text: 'x', [field]: 'a.txt' }, { rules: { allow: ['Edit(a.txt)'] } })).toBe('deny unknown-input')
    const post = { endpoint: 'https://evil.example', url: 'https://ok.example' }
    const rules = { allow: ['Own(domain:ok.example)'] }
    expect(verdictOf(post, declaring('network', { endpoint: text }, { rules }))).toBe('deny unknown-input')
    // Of a tool that says nothing about its inputs nobody knows what else it does.
    expect(verdictOf({ path: 'a.txt' }, declaring('write', undefined, mode('acceptEdits')))).toBe('ask write-asks')
  })

  test('of two paths only one was looked at', () => {
    const move = (input: unknown) =>
      verdictOf(input, declaring('write', { path: text, destination: text }, mode('acceptEdits')))
    expect(move({ path: 'a.txt', destination: '/home/u/.bashrc' })).toBe('ask write-asks')
    expect(move({ path: 'a.txt' })).toBe('allow edits-accepted')
  })

  test('called like a delegation it was judged as one, whatever it does', () => {
    const setting = declaring('execute', { command: text }, mode('plan'))
    const call = { ...setting.call, spec: { ...setting.call!.spec!, name: 'subagent_cleanup' } }
    expect(explain('subagent_cleanup', { command: 'rm -rf /' }, { ...setting, call }).verdict.decision).toBe('deny')
  })
})

describe('our own tools', () => {
  let stage: NodeStage
  beforeEach(() => {
    stage = createNodeStage()
  })
  afterEach(() => stage.close())

  const denying = (text: string, pattern: string): PermissionRules => ({
    allow: [],
    ask: [],
    deny: [{ tool: 'Read', pattern, text }],
  })

  test('a made-up path had Skill show a file that is denied to Read', async () => {
    stage.write('project/.claude/skills/deploy/SKILL.md', '---\nname: deploy\ndescription: d\n---\nDo it.\n')
    const file = stage.write('project/.claude/skills/deploy/private/notes.md', 'SECRET-NOTES\n')
    const main = ownAgent('main', { permissions: denying('Read(**/private/**)', '**/private/**') })
    const asked = { skill: 'deploy', file: 'private/notes.md' }
    const calls = [asked, { ...asked, path: file }, { ...asked, file_path: file }].map(input => called('Skill', input))
    const { answers } = await stage.tell(
      { main: [...calls, 'done'] },
      { policy: { mode: 'bypassPermissions' }, trustsProject: true, agents: [main] },
    )
    expect(answers).toHaveLength(3)
    expect(answers.join()).not.toContain('SECRET-NOTES')
  })

  test('a made-up file_path lost the way over a link by which Grep had come', async () => {
    stage.write('project/b/secret.txt', 'SECRET-NOTES\n')
    mkdirSync(join(stage.project, 'a'))
    symlinkSync('../b', join(stage.project, 'a/link'))
    const main = ownAgent('main', { permissions: denying('Read(a/*/secret.txt)', 'a/*/secret.txt') })
    const search = { pattern: 'SECRET', path: 'a/link', output_mode: 'content' }
    const { answers } = await stage.tell(
      { main: [called('Grep', search), called('Grep', { ...search, file_path: '.' }), 'done'] },
      { policy: { mode: 'bypassPermissions' }, agents: [main] },
    )
    expect(answers).toHaveLength(2)
    expect(answers.join()).not.toContain('SECRET-NOTES')
  })

  test('a name with a newline was taken for a file of its own, and shown', async () => {
    stage.write('project/private/a\nb.txt', 'SECRET-NOTES\n')
    const main = ownAgent('main', { permissions: denying('Read(private/**)', 'private/**') })
    const modes = ['content', 'count', 'files_with_matches']
    const { answers } = await stage.tell(
      { main: [...modes.map(output_mode => called('Grep', { pattern: 'SECRET', output_mode })), 'done'] },
      { policy: { mode: 'bypassPermissions' }, agents: [main] },
    )
    expect(answers).toHaveLength(3)
    expect(answers.join()).not.toMatch(/SECRET-NOTES|b\.txt|NaN/)
  })
})

test('a tool was given another path than the one that was judged', async () => {
  let written: string | undefined
  const save = defineTool({
    name: 'Save',
    description: 'x',
    effect: 'write',
    input: z.object({ path: z.string().trim(), text: z.string().trim().default('') }),
    run: ({ path }) => {
      written = path
      return 'saved'
    },
  })
  const context = {} as Parameters<typeof save.run>[1]
  const answer = await save.run({ path: ' ../evil.txt' }, context)
  expect([answer.isError, written]).toEqual([true, undefined])
  expect(answer.content).toContain('"../evil.txt"')
  await save.run({ path: 'a.txt', text: ' x ' }, context)
  expect(written).toBe('a.txt')
})
