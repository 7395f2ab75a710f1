import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, expect, test } from 'vitest'
import { createTestRun, createTestWorkspace, textOf } from '../../../test/support/tool-workspace.js'
import { createShells } from './shells.js'
import { createWorkspaceTools } from './workspace-tools.js'

const workspace = createTestWorkspace()
const shells = createShells()
afterAll(async () => {
  await shells.close()
  workspace.remove()
})
const todos: unknown[] = []
const all = createWorkspaceTools({
  shells,
  webFetch: { judgeUrl: () => ({ allowed: false, reason: 'no' }) },
  webSearch: async () => [],
  askUser: async questions => (questions[0]!.question === 'alone?' ? undefined : questions.map(() => 'yes')),
  planMode: {
    enter: async () => ({}),
    leave: async plan => ({ isApproved: plan !== 'bad', feedback: 'hm' }),
  },
  showTodos: list => todos.push(list),
})
const byName = new Map(all.map(tool => [tool.spec.name, tool]))
const tool = (name: string) => byName.get(name)!

/** What a provider is sent of a tool. */
const bytesOf = (name: string) => {
  const { description, inputSchema } = tool(name).spec
  return Buffer.byteLength(JSON.stringify({ name, description, input_schema: inputSchema }))
}

test('every tool says little: bytes of name, description and schema', () => {
  const bounds: [string, number][] = [
    ['Read', 430],
    ['Glob', 310],
    ['Grep', 1000],
    ['LS', 300],
    ['Edit', 430],
    ['MultiEdit', 460],
    ['Write', 280],
    ['NotebookEdit', 450],
    ['Bash', 540],
    ['BashOutput', 180],
    ['KillShell', 190],
    ['WebFetch', 280],
    ['WebSearch', 340],
    ['TodoWrite', 440],
    ['AskUser', 570],
    ['EnterPlanMode', 150],
    ['ExitPlanMode', 210],
  ]
  expect(bounds.map(([name]) => name).sort()).toEqual([...byName.keys()].sort())
  for (const [name, bound] of bounds) expect(bytesOf(name), name).toBeLessThanOrEqual(bound)
  const sum = (names: readonly string[]) => names.reduce((bytes, name) => bytes + bytesOf(name), 0)
  expect(sum(['Read', 'Grep', 'Glob', 'LS', 'Bash'])).toBeLessThan(2700)
  expect(sum([...byName.keys()])).toBeLessThan(6600)
})

test('effects: what each tool can do to the world', () => {
  const effects = Object.fromEntries(all.map(({ spec }) => [spec.name, spec.effect]))
  expect(effects).toEqual({
    Read: 'read',
    Glob: 'read',
    Grep: 'read',
    LS: 'read',
    BashOutput: 'read',
    KillShell: 'read',
    TodoWrite: 'read',
    Edit: 'write',
    MultiEdit: 'write',
    Write: 'write',
    NotebookEdit: 'write',
    Bash: 'execute',
    WebFetch: 'network',
    WebSearch: 'network',
    AskUser: 'interactive',
    EnterPlanMode: 'interactive',
    ExitPlanMode: 'interactive',
  })
  const mainOnly = all.filter(({ spec }) => spec.isMainOnly).map(({ spec }) => spec.name)
  expect(mainOnly.sort()).toEqual(['AskUser', 'EnterPlanMode', 'ExitPlanMode', 'TodoWrite'])
})

test('schemas are sound, and a context is one short line for any input', () => {
  const ajv = new Ajv2020({ strict: true })
  for (const { spec, context } of all) {
    expect(() => ajv.compile(spec.inputSchema), spec.name).not.toThrow()
    for (const input of [
      undefined,
      null,
      7,
      {},
      { command: 'a\n\x1b[31mb'.repeat(50), file_path: 'x'.repeat(500), todos: 3 },
    ]) {
      const text = context!(input)
      expect(text.length, spec.name).toBeLessThanOrEqual(60)
      expect(text, spec.name).not.toMatch(/[\n\x1b]/)
    }
  }
})

test('a tool whose port is missing does not exist', () => {
  const names = createWorkspaceTools({ shells }).map(({ spec }) => spec.name)
  expect(names).toEqual([
    'Read',
    'Glob',
    'Grep',
    'LS',
    'Edit',
    'MultiEdit',
    'Write',
    'NotebookEdit',
    'Bash',
    'BashOutput',
    'KillShell',
  ])
})

test('P31 what was too long to show can be read by its own run, and by no other', async () => {
  const [run, other] = [createTestRun(workspace.root, 'own'), createTestRun(workspace.root, 'other')]
  const path = /is in (\S+):/.exec(textOf(await run.call(tool('Bash'), { command: 'seq 1 20000' })))![1]!
  expect(textOf(await run.call(tool('Read'), { file_path: path, offset: 9000, limit: 1 }))).toContain('  9000\t9000')
  expect(textOf(await other.call(tool('Read'), { file_path: path }))).toContain('outside the workspace')
})

test('todos, questions and plan mode reach the host', async () => {
  const run = createTestRun(workspace.root)
  const list = [
    { content: 'a', status: 'completed' },
    { content: 'b', status: 'pending' },
  ]
  expect((await run.call(tool('TodoWrite'), { todos: list })).summary).toBe('1 of 2 done')
  expect(todos).toEqual([list])
  expect(textOf(await run.call(tool('AskUser'), { questions: [{ question: 'Sure?' }] }))).toBe('Sure?\n→ yes')
  expect(textOf(await run.call(tool('AskUser'), { questions: [{ question: 'alone?' }] }))).toContain('Nobody is there')
  expect((await run.call(tool('EnterPlanMode'), {})).summary).toBe('planning')
  expect(textOf(await run.call(tool('ExitPlanMode'), { plan: 'good' }))).toContain(
    'approved; plan mode is off. The user says: hm',
  )
  expect(textOf(await run.call(tool('ExitPlanMode'), { plan: 'bad' }))).toContain('not approved')
})
