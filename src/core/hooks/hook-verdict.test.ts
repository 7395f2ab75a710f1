import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyString } from '../../../test/support/properties.js'
import { type HookEntry, type HookEventName, hookEventNames, matcherCovers, readHookConfig } from './hook-config.js'
import { combineVerdicts, type HookEnd, maxHookText, readHookEnd } from './hook-verdict.js'

const entry = (event: HookEventName, more: Partial<HookEntry> = {}): HookEntry => ({ event, command: 'guard', ...more })
const end = (code: number, stdout = '', stderr = ''): HookEnd => ({ code, stdout, stderr })
const json = (value: unknown) => end(0, JSON.stringify(value))

const table: readonly (readonly [name: string, HookEventName, HookEnd, object])[] = [
  ['stdout goes to the child', 'SubagentStart', end(0, 'be quick\n'), { verdict: 'go', context: 'be quick' }],
  ['exit 2 is for people, the child goes on', 'SubagentStart', end(2, '', 'hm'), { verdict: 'go', notes: ['hm'] }],
  ['another exit is for people', 'SubagentStart', end(1, 'x', 'oops'), { verdict: 'go' }],
  [
    'JSON context',
    'SubagentStart',
    json({ hookSpecificOutput: { additionalContext: 'in German' } }),
    { verdict: 'go', context: 'in German' },
  ],
  [
    'JSON block refuses',
    'SubagentStart',
    json({ decision: 'block', reason: 'full' }),
    { verdict: 'refuse', reason: 'full' },
  ],
  [
    'continue: false refuses',
    'SubagentStart',
    json({ continue: false, stopReason: 'no' }),
    { verdict: 'refuse', reason: 'no' },
  ],
  ['the output of a stop hook is hidden', 'SubagentStop', end(0, 'thanks'), { verdict: 'go' }],
  ['exit 2 sends back', 'SubagentStop', end(2, '', 'no tests'), { verdict: 'send-back', reason: 'no tests' }],
  [
    'JSON block sends back',
    'Stop',
    json({ decision: 'block', reason: 'more' }),
    { verdict: 'send-back', reason: 'more' },
  ],
  ['another exit ends it all the same', 'SubagentStop', end(7, '', 'bug'), { verdict: 'go' }],
  [
    'continue: false at the end is the end',
    'SubagentStop',
    json({ continue: false, decision: 'block' }),
    { verdict: 'go' },
  ],
  ['exit 2 denies', 'PreToolUse', end(2, '', 'not here'), { verdict: 'refuse', reason: 'not here' }],
  ['plain text decides nothing', 'PreToolUse', end(0, 'looks fine'), { verdict: 'go' }],
  [
    'deny',
    'PreToolUse',
    json({ hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: 'rule 1' } }),
    { verdict: 'refuse', reason: 'rule 1' },
  ],
  [
    'ask with another input',
    'PreToolUse',
    json({ hookSpecificOutput: { permissionDecision: 'ask', updatedInput: { a: 1 } } }),
    { verdict: 'ask', input: { a: 1 } },
  ],
  [
    'allow',
    'PreToolUse',
    json({ hookSpecificOutput: { permissionDecision: 'allow' } }),
    { verdict: 'go', approves: true },
  ],
  [
    'an unknown word asks',
    'PreToolUse',
    json({ hookSpecificOutput: { permissionDecision: 'sure' } }),
    { verdict: 'ask' },
  ],
  ['a failing script is no word', 'PreToolUse', end(1, '', 'bug'), { verdict: 'go' }],
  ['added after a call', 'PostToolUse', end(2, '', 'format it'), { verdict: 'go', context: 'format it' }],
  ['a prompt is refused', 'UserPromptSubmit', end(2, '', 'secret'), { verdict: 'refuse', reason: 'secret' }],
  ['added to a prompt', 'UserPromptSubmit', end(0, 'it is Monday'), { verdict: 'go', context: 'it is Monday' }],
  [
    'a request is answered',
    'PermissionRequest',
    json({ hookSpecificOutput: { decision: { behavior: 'allow' } } }),
    { verdict: 'go', approves: true },
  ],
  [
    'a request is denied',
    'PermissionRequest',
    json({ hookSpecificOutput: { decision: { behavior: 'deny', message: 'never' } } }),
    { verdict: 'refuse', reason: 'never' },
  ],
]
test.each(table)('C1: %s (%s)', (_, event, ended, expected) => {
  expect(readHookEnd(entry(event), ended)).toMatchObject(expected)
})

/** What each event makes of each end: `to model` is context, `to you` a note, the rest is the verdict. */
const words = ['out', 'err'] as const
const ends = {
  'exit 0': end(0, 'out', 'err'),
  'exit 2': end(2, 'out', 'err'),
  'exit 1': end(1, 'out', 'err'),
  block: json({ decision: 'block', reason: 'out' }),
  'continue: false': json({ continue: false, stopReason: 'out' }),
  context: json({ hookSpecificOutput: { additionalContext: 'out' } }),
  'system message': json({ systemMessage: 'out' }),
} as const
const matrix: Readonly<Record<HookEventName, readonly string[]>> = {
  SessionStart: ['to model', 'to you', 'to you', 'refuse', 'refuse', 'to model', 'to you'],
  SessionEnd: ['hidden', 'to you', 'to you', 'to you', 'to you', 'hidden', 'to you'],
  UserPromptSubmit: ['to model', 'refuse', 'to you', 'refuse', 'refuse', 'to model', 'to you'],
  PreToolUse: ['hidden', 'refuse', 'to you', 'refuse', 'refuse', 'to model', 'to you'],
  PostToolUse: ['hidden', 'to model', 'to you', 'to model', 'to model', 'to model', 'to you'],
  PermissionRequest: ['hidden', 'refuse', 'to you', 'refuse', 'refuse', 'hidden', 'to you'],
  PreCompact: ['to model', 'refuse', 'to you', 'refuse', 'refuse', 'to model', 'to you'],
  Stop: ['hidden', 'send-back', 'to you', 'send-back', 'to you', 'hidden', 'to you'],
  SubagentStart: ['to model', 'to you', 'to you', 'refuse', 'refuse', 'to model', 'to you'],
  SubagentStop: ['hidden', 'send-back', 'to you', 'send-back', 'to you', 'hidden', 'to you'],
}
test.each(hookEventNames)('C1: what %s makes of every exit code and of every JSON answer', event => {
  const made = Object.values(ends).map(ended => {
    const verdict = readHookEnd(entry(event), ended)
    if (verdict.verdict !== 'go') {
      expect(words).toContain(verdict.reason)
      return verdict.verdict
    }
    if (verdict.context) return 'to model'
    return verdict.notes ? 'to you' : 'hidden'
  })
  expect(made).toEqual(matrix[event])
})

test('I03: a guard that cannot answer denies, whatever it was that went wrong; other hooks are passed over', () => {
  const faults: readonly HookEnd[] = [
    { stdout: '', stderr: '', fault: 'did not end within 60 s' },
    { stdout: '{"hookSpecificOutput":{"permissionDecision":"allow"}}', stderr: '', signal: 'SIGKILL' },
    end(127, '', 'sh: nope: not found'),
    end(126, '', 'permission denied'),
    end(137),
  ]
  for (const fault of faults) {
    expect(readHookEnd(entry('PreToolUse'), fault).verdict).toBe('refuse')
    expect(readHookEnd(entry('PermissionRequest'), fault).verdict).toBe('refuse')
    expect(readHookEnd(entry('PreToolUse', { failClosed: false }), fault).verdict).toBe('go')
    for (const event of ['SubagentStart', 'SubagentStop', 'PostToolUse', 'Stop', 'SessionStart'] as const) {
      const verdict = readHookEnd(entry(event), fault)
      expect(verdict.verdict).toBe('go')
      expect(verdict.notes).toHaveLength(1)
    }
  }
})

test('I04: garbled JSON from a guard is never an allow', () => {
  for (const stdout of [
    '{"a":',
    '{"a":1}{"b":2}',
    '{} trailing',
    '{"hookSpecificOutput":{"permissionDecision":"allow"}} x',
  ]) {
    expect(readHookEnd(entry('PreToolUse'), end(0, stdout)).verdict).toBe('ask')
    expect(readHookEnd(entry('SubagentStart'), end(0, stdout))).toMatchObject({ verdict: 'go' })
    expect(readHookEnd(entry('SubagentStart'), end(0, stdout))).not.toHaveProperty('context')
  }
})

test('I04: a guard that prints a line before its JSON is not taken for silent', () => {
  const answer = '{"hookSpecificOutput":{"permissionDecision":"deny"}}'
  expect(readHookEnd(entry('PreToolUse'), end(0, `checking…\n${answer}\n`)).verdict).toBe('ask')
  expect(readHookEnd(entry('PreToolUse'), end(0, 'checking…\nlooks {fine}\n')).verdict).toBe('go')
  expect(readHookEnd(entry('SubagentStart'), end(0, `an example:\n${answer}`))).toMatchObject({ verdict: 'go' })
})

test('every text a hook hands on is bounded, and nothing it prints makes reading it throw', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...hookEventNames),
      fc.integer({ min: 0, max: 255 }),
      fc.oneof(anyString(), fc.json(), fc.constant('x'.repeat(40_000)), fc.constant('💥'.repeat(9000))),
      (event, code, text) => {
        for (const ended of [end(code, text, text), end(code, JSON.stringify({ decision: 'block', reason: text }))]) {
          const verdict = readHookEnd(entry(event), ended)
          const texts = [
            ...('reason' in verdict ? [verdict.reason] : []),
            ...('context' in verdict ? [verdict.context] : []),
          ]
          for (const each of texts) expect(each?.length ?? 0).toBeLessThanOrEqual(maxHookText + 400)
        }
      },
    ),
    { numRuns: 60 },
  )
})

test('of several hooks the strictest word counts, and the caps only fall', () => {
  const go = { verdict: 'go' as const }
  expect(combineVerdicts([go, { verdict: 'ask', reason: 'b' }, { verdict: 'refuse', reason: 'c' }])).toMatchObject({
    verdict: 'refuse',
  })
  expect(
    combineVerdicts([
      { ...go, approves: true },
      { verdict: 'ask', reason: 'b' },
    ]).verdict,
  ).toBe('ask')
  expect(
    combineVerdicts([
      { ...go, context: 'a', maxTurns: 9 },
      { ...go, context: 'b', maxTurns: 3, notes: ['n'] },
    ]),
  ).toEqual({ verdict: 'go', context: 'a\nb', maxTurns: 3, notes: ['n'] })
  expect(combineVerdicts([])).toEqual({ verdict: 'go' })
})

test.each([
  [undefined, 'Bash', true],
  ['', 'Bash', true],
  ['*', 'Bash', true],
  ['Bash', 'Bash', true],
  ['Bash', 'BashOutput', false],
  ['Read|Write, Edit', 'Edit', true],
  ['Agent', 'Task', true],
  ['mcp__.*', 'mcp__git__log', true],
  ['^Notebook', 'NotebookEdit', true],
  ['Edit$', 'NotebookEdit', true],
  ['(', 'Bash', false],
] as const)('matcher %j on %s: %s', (matcher, name, expected) => {
  expect(matcherCovers(matcher, name)).toBe(expected)
})

test('what cannot be read in a configuration is named; a guard with a broken matcher guards everything', () => {
  const { entries, faults } = readHookConfig({
    PreToolUse: [
      { matcher: '(', hooks: [{ type: 'command', command: 'guard', timeout: 5 }] },
      { hooks: [{ type: 'prompt', prompt: 'is it safe?' }] },
    ],
    Stop: [{ matcher: '[', hooks: [{ command: 'x' }] }, 'no', { hooks: [{ type: 'command' }] }],
    Bogus: [],
  })
  expect(entries).toEqual([{ event: 'PreToolUse', command: 'guard', timeoutMs: 5000 }])
  expect(faults.map(({ isGuard }) => isGuard)).toEqual([true, true, false, false, false, false])
  for (const config of [null, undefined, [], 'x', 7]) expect(readHookConfig(config).entries).toEqual([])
})

test('the args of a hook were left out, so that its command ran without its script', () => {
  const hook = { type: 'command', command: 'python3', args: ["it's a guard.py", '$HOME'] }
  const { entries, faults } = readHookConfig({ PreToolUse: [{ hooks: [hook, { ...hook, args: 'guard.py' }] }] })
  expect(entries.map(({ command }) => command)).toEqual([`'python3' 'it'\\''s a guard.py' '$HOME'`])
  expect(faults).toMatchObject([{ isGuard: true }])
})

test('an argument of a guard named the project, and was handed over as it was written', () => {
  const args = ['${CLAUDE_PROJECT_DIR}/hooks/a "b" `c`.js']
  const { entries } = readHookConfig({ PreToolUse: [{ hooks: [{ type: 'command', command: 'node', args }] }] })
  expect(entries[0]?.command).toBe('\'node\' "${CLAUDE_PROJECT_DIR}/hooks/a \\"b\\" \\`c\\`.js"')
  const other = { type: 'command', command: 'node', args: ['${ELSEWHERE}/guard.js'] }
  expect(readHookConfig({ PreToolUse: [{ hooks: [other] }] }).faults).toMatchObject([{ isGuard: true }])
})

const answered = (event: HookEventName, output: unknown) =>
  readHookEnd({ event, command: 'guard' }, { code: 0, stdout: JSON.stringify(output), stderr: '' })

test('what hooks add to a call was lost when one of them asked', () => {
  const said = (more: object) => answered('PreToolUse', { hookSpecificOutput: { additionalContext: 'A', ...more } })
  expect(said({ permissionDecision: 'ask' })).toMatchObject({ verdict: 'ask', context: 'A' })
  expect(combineVerdicts([said({ permissionDecision: 'ask' }), said({ additionalContext: 'B' })])).toMatchObject({
    verdict: 'ask',
    context: 'A\nB',
  })
})

test('what a hook adds beside its block of a result was lost', () => {
  const output = { decision: 'block', reason: 'why', hookSpecificOutput: { additionalContext: 'beside' } }
  expect(answered('PostToolUse', output)).toEqual({ verdict: 'go', context: 'why\nbeside' })
})

test.each([
  ['PreToolUse', 'refuse', 'the call is denied'],
  ['PostToolUse', 'go', 'the model is told'],
] as const)('that a run goes on although %s said continue: false was told to nobody', (event, verdict, what) => {
  expect(answered(event, { continue: false, stopReason: 'STOP', systemMessage: 'and this' })).toMatchObject({
    verdict,
    notes: [`the ${event} hook "guard" said not to go on (STOP): ${what}, and the run goes on`, 'and this'],
  })
})
