/** The glance at plain files, held against the long way, which a blank behind the closing fence makes the only one. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readAtAGlance } from '../../src/core/agent-file/plain-file.js'
import type { FileReading } from '../../src/core/agent-file/read-agent-file.js'
import { runs } from '../support/properties.js'
import { damage, randomOf } from './damage.js'
import type { SoundFile } from './sound-files.js'
import { readText } from './widened.js'

function atAGlance(path: string, text: string): FileReading | undefined {
  return readAtAGlance({ path, content: text, source: { scope: 'user', isTrusted: true } })
}

const theLongWay = (path: string, text: string) => readText(text.replace('\n---\n', '\n--- \n'), path)

/** As text: the order of the keys is the same, too. */
function expectSame(path: string, text: string): boolean {
  const glance = atAGlance(path, text)
  if (glance !== undefined) expect(JSON.stringify(glance)).toBe(JSON.stringify(theLongWay(path, text)))
  return glance !== undefined
}

const paths = ['.claude/agents/a.md', '.offshoot/agents/a.md', 'a.md', '/x/.claude/agents/deep/b-c.md']
const valuesOf = {
  name: ['reviewer', 'tools-agent', 'code-reviewer', 'test2', 'constructor', 'agent', 'null', 'bash-tools'],
  description: [
    'Reviews code. Use it after every change.',
    'Looks after what is allowed',
    'Finds out which tools are disallowed',
    'Runs bash',
    'Use it when tests fail, or before they do',
    'Reads "quoted" words and C++ (all of it)',
    'Say in a sentence or two when a task should go to reviewer.',
    'Ends with a path \\n and more',
    'Plans. Never writes-',
    'Shows what is disallowed-',
    '"Reads code: all of it. Use it early."',
    '"Reads C# # and more"',
    '"Says \\"yes\\" to all"',
    'Knows GraphQL and DESIGN.md',
    'Builds the dev-tools-agent',
    'Asks for codetools Read',
    'Reviews code. Triggers on: "x", "y".',
    'Use it for: reviews, plans and tests',
    'Plans: what comes next. Examples: user: "Go" assistant: "Gone"',
    'Knows this: tools: Bash',
    'Looks at code: tool: Read',
    'Says what is allowed: Read, Grep',
    'Runs for: 30',
    'Ends in: read-only',
    'Note: disallowedTools: Bash # and more',
    'Reads <example>user: "a"</example> and: <example>',
    'Works in: src/core',
    'Is careful: true',
  ],
  tools: [
    'Read, Grep',
    'Read',
    'Read,Write,Bash',
    'Task, Read',
    'Read, Read',
    'Read, Frobnicate',
    'Edit, BashOutput',
    'Read, Only',
    '\n  read: true\n  bash: false',
    '\n  Read: true\n  Write: true',
    '\n  bash: false\n  grep: true\n  edit: false',
    '\n  read: true\n  "*": false',
    '\n  read: false',
    '\n  read: true\n  frobnicate: false',
    '\n  read: true\n  task: true',
    '\n  read: true\n  task: false',
    '\n  read: true\n  webfetch: no',
    '\n  read: true\n  disallowed: true',
  ],
  skills: [
    'coding-standards',
    'style, project-context',
    '[style, naming]',
    '\n  - style\n  - naming',
    '[]',
    '',
    'style,,naming',
    'tools, read',
    '\n  style: false',
    'style: false',
    'disallowed',
    'Style Guide',
  ],
  model: ['sonnet', 'opus', 'inherit', 'gpt-5', 'claude-sonnet-4-5', 'haiku'],
  color: ['red', 'blue', 'mauve'],
  maxTurns: ['20', '1', '0', '-3', '2000', '2.5', '"5"', 'five', '1e2', '0x10', '007', '1_0', ''],
}
const bodies = [
  'You review code.\n\nBe strict.',
  '# Reviewer\n\nYou review.',
  'You review code.',
  '\n\nYou review.\n\n---\n\nMore.',
  'tools: Bash\n\nYou review.',
  'Note: look at it\n\nthen act',
  'You review\nin two lines.',
  'You review\nin three lines:\nall of them.\n\n- and more',
  'You review\ntools: Bash',
  'You review\n"tools": Bash\n',
  'You review\n  tools: Bash\n',
  'You review\n- tools: Bash\n---\n',
  'You review\n---\ntools: Bash\n---\n',
  'You review\n```yaml\ntools: Bash\n```',
  'You review\nmode = plan\n',
  'あなたはコードを読む。\n\n- はい',
  'Über Code\n \ntools: Bash',
  '# Title\n---\n\nx',
  '',
]
const allKeys = Object.keys(valuesOf) as (keyof typeof valuesOf)[]
const otherKeys: typeof allKeys = allKeys.filter(key => key !== 'name' && key !== 'description')
const lineOf = (key: keyof typeof valuesOf) => fc.constantFrom(...valuesOf[key]).map(value => `${key}: ${value}`)
const plainText = fc
  .record({
    keys: fc.shuffledSubarray(allKeys, { minLength: allKeys.length }),
    // Without a name or a description it is never plain.
    left: fc.oneof({ weight: 5, arbitrary: fc.subarray(otherKeys) }, fc.subarray(allKeys)),
    lines: fc.tuple(...allKeys.map(lineOf)),
    body: fc.constantFrom(...bodies),
  })
  .map(({ keys, left, lines, body }) => {
    const block = keys.filter(key => !left.includes(key)).map(key => lines[allKeys.indexOf(key)])
    return `---\n${block.join('\n')}\n---\n${body}\n`
  })

test('what is read at a glance is what the long way reads', () => {
  let glances = 0
  fc.assert(
    fc.property(fc.constantFrom(...paths), plainText, (path, text) => {
      if (expectSame(path, text)) glances++
    }),
    runs(20_000),
  )
  expect(glances).toBeGreaterThan(100)
})

const sound: readonly SoundFile[] = [
  [
    'name: reviewer',
    'description: Reads what was changed, and says what is wrong with it.',
    'tools: Read, Grep',
    'model: sonnet',
  ],
  ['name: tools-agent', 'description: "Plans: what comes next."', 'tools: Read, Bash'],
  ['description: Finds files. Use it early.', 'tools: Glob', 'name: finder', 'color: blue'],
  ['name: skilled', 'description: Reads and plans.', 'tools: Read', 'skills: coding-standards, naming', 'model: opus'],
  ['name: unquoted', 'description: Reads code. Use it for: reviews, and tests.', 'tools: Read, Grep', 'model: opus'],
  ['name: switched', 'description: Reads and plans.', 'tools:', '  read: true', '  bash: false', '  edit: false'],
].map(lines => {
  const block = lines.join('\n')
  const text = `---\n${block}\n---\nYou are a probe.\n`
  const from = text.indexOf('tools:')
  const limit = { from, to: block.endsWith('  edit: false') ? 4 + block.length : text.indexOf('\n', from) }
  return { path: '.claude/agents/a.md', text, bare: text, limit, block: { from: 4, to: 4 + block.length } }
})

test('nor does damage bring them apart', () => {
  let glances = 0
  const slips = fc.record({ file: fc.constantFrom(...sound), slips: fc.integer({ min: 1, max: 3 }), seed: fc.nat() })
  fc.assert(
    fc.property(slips, fc.constantFrom('letters', 'pieces'), ({ file, slips: count, seed }, kind) => {
      const text = damage(file, count, randomOf(seed), kind)
      if (text !== undefined && expectSame(file.path, text)) glances++
    }),
    runs(3000),
  )
  expect(glances).toBeGreaterThan(40)
})

const corpus = join(import.meta.dirname, '../../../shared/corpus')
const real = (() => {
  try {
    const entries = readdirSync(corpus, { recursive: true, withFileTypes: true })
    return entries
      .filter(each => each.isFile() && each.name.endsWith('.md'))
      .map(each => join(each.parentPath, each.name))
  } catch {
    return []
  }
})()

test.skipIf(real.length === 0)('about half of real files are read at a glance (skipped where there are none)', () => {
  const taken = real.filter(path => expectSame(path, readFileSync(path, 'utf8')))
  expect(taken.length / real.length).toBeGreaterThan(0.25)
})
