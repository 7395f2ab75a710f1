import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { parsers } from '../../src/adapters/sources/parsers.js'
import type { AgentDefinition } from '../../src/core/agent-definition.js'
import { fixAgentText } from '../../src/core/agent-file/fix-agent-file.js'
import { fillReference } from '../../src/core/agent-file/reference.js'
import { agentFileSchema } from '../../src/core/agent-file/schema.js'
import { writeAgentFile } from '../../src/core/agent-file/write-agent-file.js'
import { sharedFolder } from '../shared-folder.js'
import { runs } from '../support/properties.js'
import { agentIn, codesOf, readAs } from './read-as.js'

const everything = `---
name: all-of-it
displayName: All Of It
description: "uses: everything"
nickname: all
aliases: [every, thing]
tools: Read, Bash(git *), Task(a, b), mcp__srv__x
disallowedTools: Write, Bash(git push *)
delegateTools: [WebFetch]
permissionMode: plan
permissions: { allow: ["Read(./src/**)"], deny: ["Bash(rm *)"] }
approvalMode: suppress
disabledFeatures: [web, outside-roots]
hooks: { PreToolUse: [{ matcher: Bash, hooks: [{ type: command, command: "guard --x" }] }] }
mcpServers: [github, { local: { command: node, args: ["a b"] } }]
isolation: worktree
baseDir: packages/a
maxTurns: 7
timeout: 90
grace: 1500ms
resultBytes: 1000
budget: { tokens: 1000, usd: 0.5, toolCalls: 9 }
resources: { memoryMb: 100 }
model: [opus, openai/gpt-5]
temperature: 0.3
topP: 0.9
thinkingBudget: -1
effort: high
query: "Do \${x}"
initialMessages: [{ role: user, text: "a: b" }]
initialPrompt: hello
criticalReminder: "Never # write"
inputs: { x: { type: string, required: true, description: "d: e" }, n: { type: integer, default: 3, enum: [1, 3] } }
output: { name: report, description: r, schema: { type: object, properties: { a: { type: string } } } }
completion: explicit
forkContext: summary
omitInstructions: true
background: true
executionMode: process
skills: [one, two]
memory: project
evidence: { citedFiles: true }
color: cyan
hidden: true
disabled: true
custom: { nested: [1, "two"] }
---
Body with --- and \${HOME}.
`

test('writing a definition and reading it again gives the same definition, field for field', () => {
  const before = agentIn('.offshoot/agents/a.md', everything)
  expect(agentIn('.offshoot/agents/a.md', writeAgentFile(before))).toEqual(before)
})

test('any name, description and prompt survive being written', () => {
  const word = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
  fc.assert(
    fc.property(word, fc.array(word, { minLength: 1, maxLength: 4 }), (name, lines) => {
      const given = readAs(
        '.offshoot/agents/a.md',
        `---\nname: ${JSON.stringify(name)}\ndescription: ${JSON.stringify(lines.join('\n'))}\n---\nbody`,
      )
      const before = given.agents[0]?.agent
      fc.pre(before !== undefined && before.quarantine === undefined)
      expect(agentIn('.offshoot/agents/a.md', writeAgentFile(before as AgentDefinition))).toEqual(before)
    }),
    runs(120),
  )
})

test('fix quotes what needs quoting and leaves comments and everything else alone', () => {
  const broken =
    '---\n# who\nname: a # me\ndescription: Use this: when needed\n# what it may do\ntools:\n\t- Read\nmodel: sonnet   # small\n---\n\nbody: x\n'
  expect(fixAgentText(broken, 'a.md', parsers)).toBe(
    '---\n# who\nname: a # me\ndescription: "Use this: when needed"\n# what it may do\ntools:\n  - Read\nmodel: sonnet   # small\n---\n\nbody: x\n',
  )
})

test('a comment behind a broken description became a part of it, and a limit in one quarantined', () => {
  const block = (comment: string) =>
    `---\nname: a\ndescription: Use this: when needed\n${comment}\nmodel: sonnet\n---\nx`
  for (const comment of ['# keep this', '\n# keep this\n#and this', '# tools: Read'])
    expect(agentIn('a.md', block(comment)).description).toBe('Use this: when needed')
})

test.each([
  ['a table became a text', 'inputs:\n  q:\n    type: string\n    description: what: to look for'],
  ['line ends of two kinds became one', 'description: Use this: when needed\r'],
])('fix left nothing as it was: %s', (_, lines) => {
  expect(fixAgentText(`---\nname: a\n${lines}\nmodel: sonnet\n---\nx\n`, 'a.md', parsers)).toBeUndefined()
})

test('fix changes how a description is written, and nothing else in the file', () => {
  const word = fc.constantFrom(
    'Use this',
    ': ',
    '"',
    "'",
    '\\n',
    ' #',
    '<example>',
    '</example>',
    'user: "hi"',
    '- ',
    '[x]',
    '{',
    'é',
  )
  const words = fc.array(word, { minLength: 1, maxLength: 12 }).map(parts => parts.join(' '))
  let mended = 0
  fc.assert(
    fc.property(fc.array(words, { minLength: 1, maxLength: 4 }), lines => {
      const rest = [
        '# who may',
        'tools: [Read, "Bash(git *)"] # no more',
        'model: sonnet',
        '---',
        '',
        'body: "x"',
        '---',
      ]
      const text = ['---', '# a comment', 'name: a', `description: ${lines.join('\n')}`, ...rest].join('\n')
      const fixed = fixAgentText(text, 'a.md', parsers)
      if (fixed === undefined) return
      mended++
      expect(fixed.startsWith('---\n# a comment\nname: a\ndescription: ')).toBe(true)
      expect(fixed.endsWith(rest.slice(1).join('\n'))).toBe(true)
      expect(readAs('a.md', fixed).agents[0]?.agent).toEqual(readAs('a.md', text).agents[0]?.agent)
    }),
    runs(120),
  )
  expect(mended).toBeGreaterThan(12)
})

test('fix keeps Windows line ends, and touches neither sound nor quarantined files', () => {
  expect(fixAgentText('---\r\nname: a\r\ndescription: x: y\r\n---\r\nb\r\n', 'a.md', parsers)).toBe(
    '---\r\nname: a\r\ndescription: "x: y"\r\n---\r\nb\r\n',
  )
  expect(fixAgentText('---\nname: a\ndescription: x\n---\nb', 'a.md', parsers)).toBeUndefined()
  expect(fixAgentText('---\nname: a\ndescription: x: y\ntools: "Read\n---\nb', 'a.md', parsers)).toBeUndefined()
})

const probes = sharedFolder('probes')
describe.skipIf(probes === undefined)('probes', () => {
  const files = probes === undefined ? [] : readdirSync(join(probes, 'files')).filter(name => name.endsWith('.md'))
  test.each(files)('fix never changes what %s means', name => {
    const text = readFileSync(join(probes!, 'files', name), 'utf8')
    const fixed = fixAgentText(text, name, parsers)
    if (fixed === undefined) return
    expect(codesOf(readAs(name, fixed))).not.toContain('syntax-repaired')
    expect(readAs(name, fixed).agents[0]?.agent).toEqual(readAs(name, text).agents[0]?.agent)
  })
})

test('the published schema is the one the loader’s table gives, and accepts what the loader takes', () => {
  const path = join(import.meta.dirname, '../../schemas/agent.schema.json')
  expect(existsSync(path)).toBe(true)
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(JSON.parse(JSON.stringify(agentFileSchema())))
  const check = new Ajv2020({ strict: false }).compile(agentFileSchema())
  expect(check(parse(everything.split('---')[1]!))).toBe(true)
  expect(check({ name: 'a', description: 'x', permissionMode: 'yolo' })).toBe(false)
})

test('the docs page lists every key and every code as they are', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/agent-files.md'), 'utf8')
  expect(fillReference(page)).toBe(page)
})
