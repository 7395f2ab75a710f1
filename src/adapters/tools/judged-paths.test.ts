import { rmSync, symlinkSync } from 'node:fs'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createTestRun, createTestWorkspace, textOf } from '../../../test/support/tool-workspace.js'
import type { PermissionRule } from '../../core/agent-definition.js'
import type { CallId, RunId } from '../../core/message.js'
import type { CallToJudge, Tool, Verdict } from '../../core/ports.js'
import { createJudge } from '../judge/judge.js'
import { createFileLocks } from '../os/file-lock.js'
import { createJudgedPaths } from './judged-paths.js'
import { createShells } from './shells.js'
import { createWorkspaceTools } from './workspace-tools.js'

const workspace = createTestWorkspace()
const outside = createTestWorkspace()
const shells = createShells()
afterAll(async () => {
  await shells.close()
  workspace.remove()
  outside.remove()
})
workspace.write('open.txt', 'needle in the open\n')
workspace.write('.env', 'needle=secret\n')
workspace.write('private/key.txt', 'needle of mine\n')
outside.write('notes.txt', 'needle elsewhere\n')

let allow: readonly PermissionRule[] = []
const rules = {
  ask: [],
  deny: [{ tool: 'Read', pattern: './private/**', text: 'Read(./private/**)' }],
}
const judge = createJudge({
  layers: () => [{ scope: 'user', origin: 'settings', rules: { ...rules, allow } }],
  stateDirs: [],
})
const judged = createJudgedPaths(judge)
const tools = new Map(
  createWorkspaceTools({ shells, guard: judged.guard, locks: createFileLocks(outside.path('.locks')) }).map(
    (tool): [string, Tool] => [tool.spec.name, tool],
  ),
)

beforeEach(() => {
  rmSync(workspace.path('link'), { force: true })
})

/** As the runtime does it, with a person who says yes; `meanwhile` happens between the judgement and the call. */
async function ask(name: string, input: object, meanwhile: () => void = () => undefined, chain?: Chain) {
  const tool = tools.get(name)!
  const run = createTestRun(workspace.root, 'judged')
  const { callId, verdict } = await callFor(name, input, chain)
  if (verdict.decision === 'deny') return `denied: ${verdict.reason}`
  meanwhile()
  return `${verdict.decision}: ${textOf(await run.call(tool, input, { callId }))}`
}
type Chain = CallToJudge['brief']['chain']
const source = { scope: 'user', isTrusted: true } as const

/** A call that has been judged and not made yet. */
async function callFor(name: string, input: object, chain: Chain = []) {
  const { spec } = tools.get(name)!
  const callId = `call-${Math.random()}` as CallId
  const call: CallToJudge = {
    runId: 'judged' as RunId,
    callId,
    spec,
    effect: spec.effect,
    input,
    workspace: { cwd: workspace.root, roots: [workspace.root] },
    brief: { agent: 'tester', path: ['main'], depth: 0, allowed: [name], chain, source, isBackground: false },
  }
  const verdict: Verdict = await judged.around(judge).judge(call)
  return { input, callId, verdict }
}

test('a search below a link showed a file that a rule denies by the name it has there', async () => {
  outside.write('token.txt', 'needle to hide\n')
  symlinkSync(outside.root, workspace.path('link'))
  const denied = { agent: 'main', mode: 'bypassPermissions', approvalMode: 'caller', grants: [], refusals: [] } as const
  for (const pattern of ['token.txt', '**/token.txt', './link/token.txt']) {
    const deny = [{ tool: 'Read', pattern, text: `Read(${pattern})` }]
    const chain: Chain = [{ ...denied, rules: { allow: [], ask: [], deny } }]
    const found = await ask('Grep', { pattern: 'needle', path: 'link', output_mode: 'content' }, undefined, chain)
    expect(found, pattern).toContain('needle elsewhere')
    expect(found, pattern).not.toContain('needle to hide')
    expect(await ask('Read', { file_path: 'link/token.txt' }, undefined, chain)).toMatch(/^denied/)
  }
})

test('what was judged is opened: allowed, or asked about and approved', async () => {
  expect(await ask('Read', { file_path: 'open.txt' })).toContain('allow:      1\tneedle in the open')
  expect(await ask('Read', { file_path: '.env' })).toContain('ask:      1\tneedle=secret')
  expect(await ask('Read', { file_path: outside.path('notes.txt') })).toContain('ask:      1\tneedle elsewhere')
  expect(await ask('Read', { file_path: 'private/key.txt' })).toContain('denied')
})

test('E03 E04 a link swapped in after the judgement does not reach what is denied or was never asked about', async () => {
  const swapTo = (target: string) => () => {
    rmSync(workspace.path('link'), { force: true })
    symlinkSync(target, workspace.path('link'))
  }
  for (const target of ['private/key.txt', '.env', outside.path('notes.txt')]) {
    swapTo('open.txt')()
    const text = await ask('Read', { file_path: 'link' }, swapTo(target))
    expect(text, target).toContain('Refused to read link')
    expect(text, target).not.toContain('needle')
  }
})

test('a search leaves out what is denied and what would have to be asked for', async () => {
  const text = await ask('Grep', { pattern: 'needle', output_mode: 'content' })
  expect(text).toBe('allow: open.txt:1:needle in the open\n[2 files left out: not permitted to be read]')
  expect(await ask('Glob', { pattern: '**/*.txt' })).toContain('open.txt')
})

test('a search outside the workspace that was approved shows what it finds there', async () => {
  expect(await ask('Grep', { pattern: 'needle', path: outside.root })).toContain(outside.path('notes.txt'))
  expect(await ask('Glob', { pattern: `${outside.root}/*.txt` })).toContain(outside.path('notes.txt'))
})

test('a yes to a search outside the workspace showed every secret below it', async () => {
  const elsewhere = createTestWorkspace()
  for (const name of ['.env', '.ssh/id_rsa', 'server.pem', 'plain.txt']) elsewhere.write(name, 'needle\n')
  const found = await ask('Grep', { pattern: 'needle', path: elsewhere.root, output_mode: 'content' })
  expect(found).toBe(`ask: ${elsewhere.path('plain.txt')}:1:needle\n[3 files left out: not permitted to be read]`)
  expect(await ask('Read', { file_path: elsewhere.path('.env') })).toContain('ask:      1\tneedle')
  elsewhere.remove()
})

test('a rule for a directory outside the workspace showed the secrets below it, and nobody had been asked', async () => {
  const elsewhere = createTestWorkspace()
  for (const name of ['.env', 'plain.txt']) elsewhere.write(name, 'needle\n')
  const pattern = `/${elsewhere.root}`
  allow = [{ tool: 'Read', pattern, text: `Read(${pattern})` }]
  const found = await ask('Grep', { pattern: 'needle', path: elsewhere.root, output_mode: 'content' })
  expect(found).toBe(`allow: ${elsewhere.path('plain.txt')}:1:needle\n[1 file left out: not permitted to be read]`)
  allow = []
  elsewhere.remove()
})

test('an ask of an agent further down was hidden behind one about the place, and taken as answered', async () => {
  const link = { mode: 'default', approvalMode: 'caller', grants: [], refusals: [] } as const
  const asks = { tool: 'Read', pattern: '//**/notes.txt', text: 'Read(//**/notes.txt)' }
  const chain = [
    { ...link, agent: 'main', rules: { allow: [], ask: [], deny: [] } },
    { ...link, agent: 'tester', rules: { allow: [], ask: [asks], deny: [] } },
  ]
  const found = await ask('Grep', { pattern: 'needle', path: outside.root }, undefined, chain)
  expect(found).toContain('[1 file left out: not permitted to be read]')
})

test('a call nobody judged, or of a run that has ended, reaches only the roots', async () => {
  const run = createTestRun(workspace.root, 'stranger')
  expect(textOf(await run.call(tools.get('Read')!, { file_path: outside.path('notes.txt') }))).toContain(
    'outside the workspace',
  )
  const ended = await ask('Read', { file_path: outside.path('notes.txt') }, () => judged.forget('judged' as RunId))
  expect(ended).toContain('outside the workspace')
})

test('of very many calls at once the first ones were no longer held to what had been judged', async () => {
  const crowd = async () => {
    for (let i = 0; i < 500; i++) await ask('Read', { file_path: 'open.txt' })
  }
  const tool = tools.get('Grep')!
  const run = createTestRun(workspace.root, 'judged')
  const first = await callFor('Grep', { pattern: 'needle', output_mode: 'content' })
  await crowd()
  const text = textOf(await run.call(tool, first.input, { callId: first.callId }))
  expect(text).toContain('Make it again')
  expect(text).not.toContain('secret')
})
