/**
 * The published schema against the loader, on values as the docs spell them: what loads without a word fits it, what
 * quarantines for its value does not. Of what is warned about either may be. Not here is what no schema says: which tools,
 * servers and features there are, whether a rule can be read, and whether the output's own schema is one.
 */
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { agentFileSchema } from '../../src/core/agent-file/schema.js'
import { readAs } from './read-as.js'

const fits = new Ajv2020({ strict: false }).compile(agentFileSchema())
const command = { type: 'command', command: 'x' }
const guard = (...groups: readonly unknown[]) => ({ PreToolUse: groups })

const values: Readonly<Record<string, readonly unknown[]>> = {
  name: ['a', 'A b', 'größe', 'a/b', '..', '', 'a:b', 'a<b', 'a$b', 'x'.repeat(129), '__proto__', '\u0001a', 3],
  displayName: ['A', 3],
  nickname: ['Ann', ['Ann'], 3],
  aliases: ['a', ['a', 'b'], 3],
  extends: ['base', '', ' ', 3, ['a']],
  tools: ['Read', 'none', ['Read'], [], null, { read: true }, { read: 'maybe' }, 3, ['Read', 3]],
  disallowedTools: ['Bash', ['Bash(git *)'], [], 3, [3]],
  delegateTools: ['Read', ['Read'], 3],
  canSpawn: [true, false, 'a, b', ['a'], ['*'], 3, ['a/b']],
  permissionMode: ['plan', 'default', 'dontAsk', 'strict', null, 3],
  permissions: [
    ...[
      { deny: ['Bash'] },
      { allow: ['Read'], ask: [], deny: ['Bash(rm *)'] },
      { defaultMode: 'plan', deny: ['Bash'] },
    ],
    ...[{ bash: 'deny' }, { bash: { '*': 'ask', 'git *': 'allow' } }, { edit: false }],
    ...[
      { deny: 'Bash' },
      { deny: [3] },
      { deny: null },
      { deny: ['Bash'], extra: 1 },
      { deny: ['Bash'], bash: 'deny' },
    ],
    ...[{ bash: 'sometimes' }, { bash: { 'git *': 3 } }, 5, 'x'],
  ],
  approvalMode: ['caller', 'suppress', 'sandbox', 'sometimes'],
  disabledFeatures: ['web', ['web', 'shell'], 3],
  readOnly: [true, false, 'maybe'],
  hooks: [
    ...[
      guard({ matcher: 'Bash', hooks: [command] }),
      guard({ command: 'x' }),
      guard(),
      { Stop: [{ hooks: [command] }] },
    ],
    ...[guard({ matcher: 'Bash', hooks: [] }), guard({ matcher: 'Bash' }), guard({ hooks: [{ command: 'x' }] })],
    ...[guard({ hooks: [{ type: 'prompt', prompt: 'x' }] }), guard({ hooks: [{ ...command, command: ' ' }] })],
    ...[{ PreToolUse: 'x' }, { PreToolUse: null }, { PermissionRequest: [{ matcher: 'Bash' }] }, ['PreToolUse']],
  ],
  mcpServers: [
    ...['docs', ['docs'], [{ a: { command: 'x' } }], { a: { command: 'x' } }, { a: null }, [], {}],
    ...[[3], { a: 3 }, 5, '', ['']],
  ],
  isolation: ['none', 'worktree', 'remote', 'x', null],
  baseDir: ['packages/a', './a', 'a..b', '../a', 'a/../b', 'a/..', '..', '/etc', '~/a', 'C:/a', '', ' ', 3],
  budget: [
    ...['$0.50', '$ 3', '3 usd', '3 dollars', '200k tokens', '1.5m tokens', '1 token'],
    ...[{ tokens: 5 }, { tokens: 0.5 }, { toolCalls: 3, usd: 1 }],
    ...['$0', '0 tokens', '5', 5, 'much', '200k', {}, { usd: 0 }, { tokens: -1 }, { euros: 4 }, `$${'1'.repeat(40)}`],
  ],
  maxTurns: [1, 20, 0, -1, 1.5, 'many', null],
  timeout: [1, 0.5, '90s', '10m', '1h', '500ms', '10 minutes', '2 hours', 0, '0s', '0', -1, 'soon', '5 parsecs', null],
  grace: [0, '0s', false, 30, '30s', -1, 'soon', true],
  resultBytes: [1, 0, 'x'],
  resources: [{ memoryMb: 512 }, { memoryMb: 0.5, cpuSeconds: 1 }, {}, { memoryMb: 0 }, { disk: 3 }, 5],
  disabled: [true, false, 'maybe'],
  model: ['haiku', ['haiku', 'inherit'], null, { provider: 'a', model: 'b' }, 5],
  temperature: [0, 2, 3],
  thinkingBudget: [-1, 0, 5, -2, 1.5],
  effort: ['low', 3, 1.5, 0, 'x'],
  query: ['Look', 3],
  initialMessages: [[{ role: 'user', text: 'hi' }], [3], 'x'],
  inputs: [
    ...[{ q: { type: 'string', required: true } }, { q: 'string' }, { q: null }, [{ name: 'q' }]],
    ...[{ type: 'object', properties: { q: { type: 'string' } } }, { q: { type: 'date' } }, 5],
  ],
  output: [{ name: 'answer' }, { schema: { type: 'object' } }, { schema: './a.json' }, { schema: ['string'] }, 'x'],
  completion: ['explicit', 'text', 'x'],
  forkContext: [true, 'none', 'summary', 'full', 'x'],
  background: [true, 'x'],
  executionMode: ['process', 'in-process', 'x'],
  skills: ['a', ['a'], 3],
  memory: ['user', 'project', 'local', true],
  evidence: [
    ...[
      true,
      false,
      null,
      {},
      { toolCalls: 2 },
      { tool_calls: 0 },
      { commands: 'npm test*' },
      { commands: ['a', 'b'] },
    ],
    ...[{ citedFiles: true }, { toolCalls: -1 }, { toolCalls: 1.5 }, { commands: [] }, { commands: [''] }],
    ...[{ citedFiles: 'yes' }, { callz: 1 }, 'thorough', 3, []],
  ],
  color: ['red', '#fff', 'beige'],
}

test.each(Object.entries(values))(
  'of %s the schema let values pass that quarantine, or refused some that load',
  (key, each) => {
    for (const value of each) {
      const table = { name: 'a', description: 'x', [key]: value }
      const { state } = readAs('.offshoot/agents/a.json', JSON.stringify({ systemPrompt: 'Do it.', ...table }))
      const wanted = state === 'warned' ? fits(table) : state === 'loaded'
      expect([value, state, fits(table)]).toEqual([value, state, wanted])
    }
    const states = each.map(value => fits({ name: 'a', description: 'x', [key]: value }))
    expect(states).toContain(true)
  },
)
