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
  ['nicknameCandidates: [Ann, Bob]', /only the first is used/, /one nickname/],
  ['delegateTools: Raed', /unknown tools: Raed/, /^did you mean Read\?$/],
  ['tools: Read, Grpe', /unknown tools: Grpe/, /^did you mean Grep\?$/],
  ['tools: Read, run_shell_comand', /unknown tools: run_shell_comand/, /^did you mean Bash\?$/],
  ['tools: Read, Grpe, Frobnicate, Bsah(git *)', /Frobnicate/, /^did you mean Grep for Grpe, Bash for Bsah\?$/],
])('what is left out of %s is named with its reason', (line, words, hint) => {
  expect(read(line).state).toBe('warned')
  expect(read(line).diagnostics).toEqual([
    expect.objectContaining({ message: expect.stringMatching(words), hint: expect.stringMatching(hint) }),
  ])
})

test.each(['evidence: true', 'evidence: {tool_calls: 2, commands: npm test*}', 'output: {name: answer}'])(
  'what can be had is taken without a word: %s',
  line => expect(read(line)).toMatchObject({ state: 'loaded', diagnostics: [] }),
)
