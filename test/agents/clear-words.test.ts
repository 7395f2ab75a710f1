/** What is said of a file names what is wrong with it, at the line where it stands, and no more often than it is so. */
import { describe, expect, test } from 'vitest'
import { codesOf, readAs } from './read-as.js'
import { shownIn } from './shown-tools.js'

const read = (path: string, block: string) => readAs(path, `---\nname: a\ndescription: x\n${block}\n---\nHi.\n`)
const saidOf = (path: string, block: string) =>
  read(path, block).diagnostics.map(({ message, hint }) => `${message}; ${hint}`)

test.each([
  ['model: openai:kimi-k2.7-code', /names its provider with a colon.*; write openai\/kimi-k2\.7-code$/],
  ['model: qwen2.5-coder:32b', /without its provider/],
  ['model: claude-4.6-opus-high-thinking', /named without its provider/],
])('a model was told to lack what it has, or nothing was told of it: %s', (block, said) => {
  expect(saidOf('.qwen/agents/a.md', block)).toEqual([expect.stringMatching(said)])
})

test('names of the vendor’s own models need no word', () => {
  for (const model of ['claude-sonnet-4-5', 'claude-opus-4-6', 'claude-3-5-sonnet-20241022', 'claude-3.5-sonnet'])
    expect(saidOf('.claude/agents/a.md', `model: ${model}`), model).toEqual([])
})

test('an empty list of hooks was to be a map, and two words that are no events were two faults', () => {
  expect(saidOf('.claude/agents/a.md', 'hooks: []')).toEqual([expect.stringMatching(/^an empty list holds no hooks;/)])
  const two = saidOf('.claude/agents/a.md', 'hooks:\n  pre:\n    - x\n  post:')
  expect(two).toEqual([expect.stringMatching(/^"pre", "post" are no events;/)])
})

describe('a list in a file of opencode’s', () => {
  test('a tool of another product became a server’s without a word', () => {
    const reading = read('agents/a.md', 'mode: subagent\ntools: [read_file, search_text]')
    expect(shownIn(reading)).toBe('Read mcp__search__text')
    expect(codesOf(reading)).toEqual(['tools-unknown'])
    for (const tools of ['[read, mcp__a__b, docs_*]', '{search_text: true, read: true}'])
      expect(codesOf(read('agents/a.md', `mode: subagent\ntools: ${tools}`)), tools).toEqual([])
  })

  test('that a map with tools on is all it has was said nowhere', () => {
    const reading = read('.opencode/agents/a.md', 'tools: {write: false, edit: false, bash: true}')
    expect([reading.state, codesOf(reading)]).toEqual(['loaded', ['tools-only']])
    for (const tools of ['{write: false}', '{read: true}', '{"*": false, read: true}', '{a_b: true, bash: false}'])
      expect(codesOf(read('.opencode/agents/a.md', `tools: ${tools}`)), tools).not.toContain('tools-only')
  })

  test('a switch that left its map was told in words nobody understands', () => {
    const left = saidOf('.opencode/agents/a.md', 'tools:\n  bash: false\ntask: false')
    expect(left).toEqual([expect.stringMatching(/^"task: false" switches a tool off.*; indent it below "tools"/)])
    expect(read('.opencode/agents/a.md', 'tools:\n  bash: false\ntask: false').state).toBe('quarantined')
  })
})

test('broken JSON was always broken in its first line', () => {
  const faultOf = (text: string) =>
    readAs('agents/a.json', text).diagnostics.map(({ line, message }) => [line, message])
  expect(faultOf('{\n  "name": "a",\n  "description": "x"\n  "prompt": "y"\n}\n')).toEqual([
    [4, expect.stringMatching(/^no valid JSON: /)],
  ])
  expect(faultOf('{\n  "name": "a",\n  "description": x\n}\n')[0]?.[0]).toBe(3)
  expect(faultOf('{\n  "name": "a",\n')[0]?.[0]).toBe(3)
})
