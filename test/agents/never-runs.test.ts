/** What would be refused whenever somebody calls the agent, or left out without a word, is said when its file is read. */
import { expect, test } from 'vitest'
import { agentIn, codesOf, readAs } from './read-as.js'

const file = (line: string) => `---\nname: worker\ndescription: Works.\n${line}\n---\nYou work.\n`
const read = (line: string) => readAs('/home/.claude/agents/worker.md', file(line))
const agentOf = (line: string) => agentIn('/home/.claude/agents/worker.md', file(line))

test.each([
  ['output: {schema: {type: nonsense}}', 'output-invalid', /type must be one of/],
  ['outputSchema: {properties: {a: {$ref: "#/$defs/b"}}}', 'output-invalid', /b/],
  ['output: {name: answer, schema: ./answer.json}', 'output-invalid', /must be written out here.*answer\.json/],
  ['output: {schema: [string]}', 'output-invalid', /must be written out here/],
  ['evidence: {toolCalls: -1}', 'security-value-unclear', /toolCalls is not understood/],
  ['evidence: {callz: 2}', 'security-value-unclear', /callz is not understood/],
  ['evidence: {commands: []}', 'security-value-unclear', /commands is not understood/],
  ['evidence: thorough', 'security-value-unclear', /must be true/],
])('lint called a file sound whose agent could never run: %s', (line, code, words) => {
  const { state, diagnostics } = read(line)
  expect(state).toBe('quarantined')
  expect(diagnostics).toEqual([expect.objectContaining({ code, message: expect.stringMatching(words) })])
})

test('inputs written as a JSON Schema became inputs called "properties" and "required"', () => {
  const schema = '{type: object, properties: {q: {type: [string, "null"]}, n: {type: integer}}, required: [n]}'
  expect(agentOf(`inputs: ${schema}`).inputs).toEqual([
    { name: 'q', type: 'string', isRequired: false },
    { name: 'n', type: 'integer', isRequired: true },
  ])
})

test('an input called "constructor" was said to be left out, and was asked for', () => {
  const line = 'inputs: {constructor: {type: string, required: true}, topic: {type: string}}'
  expect(codesOf(read(line))).toEqual(['key-forbidden'])
  expect(agentOf(line).inputs?.map(({ name }) => name)).toEqual(['topic'])
})

test('a default that is none of the choices refused every task that left the input out', () => {
  const line =
    'inputs: {depth: {type: string, enum: [a, b], default: c}, tags: {type: "string[]", enum: [x], default: [x]}}'
  expect(codesOf(read(line))).toEqual(['value-invalid'])
  expect(agentOf(line).inputs).toEqual([
    { name: 'depth', type: 'string', isRequired: false, enum: ['a', 'b'] },
    { name: 'tags', type: 'string[]', isRequired: false, enum: ['x'], default: ['x'] },
  ])
})

test.each([
  ['output: {name: "my answer!", schema: {type: string}}', /called "result", and not "my answer!"/, /letters/],
  ['inputs: {größe: {type: string}}', /"größe" was left out/, /letters from a to z/],
  ['inputs: {prompt: {type: string}}', /"prompt" was left out/, /have a meaning already/],
  ['inputs: {a: {type: date}}', /"a" was left out/, /^types: string/],
  ['inputs: {a: {type: string, required: sometimes}}', /counts as optional/, /./],
  ['output: {name: r, schma: {type: string}}', /"schma" of the output is not read/, /did you mean "schema"/],
  ['inputs: {q: {type: string, requred: true}}', /"requred" of the input "q" is not read/, /did you mean "required"/],
  ['inputs: {q: {type: string, enum: []}}', /enum of the input "q" is empty/, /./],
  ['inputs: {q: 5}', /"q" was left out/, /^types: string/],
  ['inputs: {q: {type: [string, number]}}', /"q" was left out/, /^types: string/],
  ['delegateTools: Raed', /unknown tools: Raed/, /^did you mean Read\?$/],
  ['tools: Read, Grpe', /unknown tools: Grpe/, /^did you mean Grep\?$/],
  ['tools: Read, run_shell_comand', /unknown tools: run_shell_comand/, /^did you mean Bash\?$/],
  ['tools: Read, Grpe, Frobnicate, Bsah(git *)', /Frobnicate/, /^did you mean Grep for Grpe, Bash for Bsah\?$/],
  ['tools: Read, ps, lint, match, jira', /unknown tools: ps, lint, match, jira/, /^correct them$/],
  ['permissions: {allow: [Raed, Frobnicate, mcp__a__b]}', /unknown tools: Raed$/, /^did you mean Read\?$/],
  [
    'hooks: {PostToolUse: [{matcher: Edit|Bsh, hooks: [{type: command, command: x}]}]}',
    /did you mean "Bash"/,
    /matcher/,
  ],
  ['hooks: {PreToolUse: [{matcher: Bash(rm *), hooks: [{type: command, command: x}]}]}', /matches no tool/, /matcher/],
  ['hooks: {PreToolUse: [{matcher: Deploy.*, hooks: [{type: command, command: x}]}]}', /fits no tool/, /server/],
  ['inputConfig: {input: {q: {type: string}}}', /"input" in "inputConfig" is not read/, /did you mean "inputs"/],
  [
    'inputConfig: {inputs: {q: string}, input: {p: string}}',
    /"input" of "inputConfig" is not/,
    /did you mean "inputs"/,
  ],
])('what is left out of %s is named with its reason', (line, words, hint) => {
  expect(read(line).state).toBe('warned')
  expect(read(line).diagnostics).toEqual([
    expect.objectContaining({ message: expect.stringMatching(words), hint: expect.stringMatching(hint) }),
  ])
})

test.each([
  ['enum: []', 'list the values it may have'],
  ['default: 3', 'write a string, or leave it out'],
  ['enum: [a, 3]', 'list values of the type string'],
  ['required: sometimes', 'valid: true, false'],
  ['enum: [a, b], default: c', 'valid: "a", "b"'],
])('an input with %s was to have "one of the valid values", and none was named', (member, hint) => {
  expect(read(`inputs: {q: {type: string, ${member}}}`).diagnostics).toEqual([expect.objectContaining({ hint })])
})

test.each([
  ['permissions: {deny: [Bash], extra: 1}', /"extra" is no list of rules; there are allow, ask and deny/, /^correct/],
  ['permissions: {deny: [Bash], alow: [Read]}', /"alow" is no list of rules/, /did you mean "allow"/],
  ['permissions: {defaultMode: plan, dney: [Bash], ask: []}', /"dney" is no list of rules/, /did you mean "deny"/],
  ['runConfig: {max_turns: 5, foo: 1}', /"foo" in "runConfig" is no key of ours/, /^remove it/],
  ['runConfig: {max_tuns: 5}', /"max_tuns" in "runConfig" is no key of ours/, /did you mean "maxTurns"/],
  [
    'hooks: {PreToolUse: [{matcher: Edit|Bsh, hooks: [{type: command, command: x}]}]}',
    /the hooks of "PreToolUse" name "Bsh", which is no tool/,
    /^did you mean Bash\?$/,
  ],
  [
    'hooks: {PreToolUse: [{matcher: ^(Bsh|Deploy)$, hooks: [{type: command, command: x}]}]}',
    /the hooks of "PreToolUse" name "Bsh", which is no tool/,
    /^did you mean Bash\?$/,
  ],
])('what quarantines %s was not named, or something else was', (line, words, hint) => {
  expect(read(line)).toMatchObject({ state: 'quarantined' })
  expect(read(line).diagnostics).toEqual([
    expect.objectContaining({ message: expect.stringMatching(words), hint: expect.stringMatching(hint) }),
  ])
})

const hooked = (event: string, matcher: string) =>
  `hooks: {${event}: [{matcher: "${matcher}", hooks: [{type: command, command: x}]}]}`
test.each([
  'evidence: true',
  'evidence: {tool_calls: 2, commands: npm test*}',
  'output: {name: answer}',
  'inputConfig: {input: {type: string, description: what to look at}}',
  'permissions: {allow: [Read, jira_search, ps, mcp__a__b, view_image]}',
  ...[
    'Bash',
    'Write|Edit',
    'mcp__a__bsh',
    'Bsh.*',
    '^Edi',
    'Notebook.*',
    '*',
    'jira_search',
    'view_image',
    'fetch',
  ].map(matcher => hooked('PostToolUse', matcher)),
  hooked('PreToolUse', 'Bash|mcp__a__.*'),
  ...['execute_.*', '^run_shell_command$', '/Bash/', '(bash|write)'].map(matcher => hooked('PreToolUse', matcher)),
  hooked('SubagentStop', 'Bsh'),
])('what can be had is taken without a word: %s', line =>
  expect(read(line)).toMatchObject({ state: 'loaded', diagnostics: [] }),
)
