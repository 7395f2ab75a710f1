/** A model may add any field to a call. What is judged has to be what is done: by such a field nothing is judged. */
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { PermissionRules } from '../../src/core/agent-definition.js'
import type { ToolContext } from '../../src/core/ports.js'
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

  test('one field more switched the judge of command lines off', () => {
    const bypass: Setting = { chain: [link({ mode: 'bypassPermissions' })], rules: { deny: ['Read(secret/**)'] } }
    const shell = (input: unknown, fields: object | undefined) =>
      verdictOf(input, declaring('execute', fields, bypass)).split(' ')[0]
    const read = { command: 'cat secret/a.txt' }
    expect(shell(read, { command: text })).toBe('deny')
    expect(shell({ ...read, note: 1 }, { command: text })).toBe('deny')
    expect(shell({ ...read, note: 1 }, { command: text, note: {} })).toBe('deny')
    expect(shell(read, undefined)).toBe('deny')
    expect(shell({ command: 'cat a.txt', note: 1 }, { command: text, note: {} })).toBe('allow')
  })

  test('a declared field more may make something else of a line that only looks', () => {
    const plan = declaring('execute', { command: text, env: {}, mode: text }, mode('plan'))
    expect(verdictOf({ command: 'ls' }, plan)).toBe('allow read-only-command')
    expect(verdictOf({ command: 'ls', env: { PATH: '.' } }, plan)).toBe('deny plan-mode')
    // What it does not declare it never hears of.
    expect(verdictOf({ command: 'ls', explanation: 'to look' }, plan)).toBe('allow read-only-command')
  })

  test.each([
    { additionalProperties: {} },
    { additionalProperties: { type: 'string' } },
    { anyOf: [{ properties: { path: text }, required: ['path'] }] },
  ])('one that may take more than it lists was refused what it takes: %j', more => {
    const spec = { name: 'Own', description: '', inputSchema: { type: 'object', properties: { op: text }, ...more } }
    const judged = (effect: 'read' | 'write') =>
      verdictOf({ op: 'x', path: 'a.txt' }, { ...mode('acceptEdits'), call: { effect, spec: { ...spec, effect } } })
    expect([judged('read'), judged('write')]).toEqual(['allow read-inside', 'ask write-asks'])
  })

  test('a field that is null is none, and a refusal says which there are', () => {
    const look = declaring('read', { pattern: text, path: text })
    expect(verdictOf({ pattern: 'x', path: 'a', cwd: null }, look)).toBe('allow read-inside')
    const { verdict } = explain('Own', { pattern: 'x', cwd: '.' }, look)
    expect(verdict).toMatchObject({ reason: 'Own: there is no input "cwd". It takes pattern, path.' })
    const shell = declaring('execute', { command: text })
    const { verdict: elsewhere } = explain('Own', { command: 'ls', cwd: 'src' }, shell)
    expect(elsewhere).toMatchObject({ reason: expect.stringContaining('`cd … &&`') })
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
  const answer = await save.run({ path: ' ../evil.txt' }, at('/w'))
  expect([answer.isError, written]).toEqual([true, undefined])
  expect(answer.content).toContain('"../evil.txt"')
  await save.run({ path: 'a.txt', text: ' x ' }, at('/w'))
  expect(written).toBe('a.txt')
})

test('a field that the schema of a tool renames or makes something else of could not be written in any way', async () => {
  const path = z.string()
  const schemas: readonly z.ZodType[] = [
    z.object({ path }).transform(read => ({ file: read.path })),
    z.object({ path: path.transform(each => `/w/${each}`) }),
    z.object({ path: path.transform(each => each.split('/')) }),
  ]
  for (const input of schemas) {
    const run = (read: unknown) => JSON.stringify(read)
    const tool = defineTool({ name: 'Look', description: 'x', effect: 'read', input: input as z.ZodType<object>, run })
    const read = { content: JSON.stringify(input.parse({ path: 'src/a.txt' })) }
    expect(await tool.run({ path: 'src/a.txt' }, at('/w'))).toEqual(read)
  }
})

const at = (cwd: string) => ({ workspace: { cwd, roots: [cwd] } }) as unknown as ToolContext
