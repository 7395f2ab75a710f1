import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parsers } from '../../src/adapters/sources/parsers.js'
import { type FileReading, readAgentFile } from '../../src/core/agent-file/read-agent-file.js'
import type { AgentDefinition } from '../../src/core/types.js'

test('any bytes under any extension end in exactly one state', () => {
  const extension = fc.constantFrom('md', 'yaml', 'yml', 'toml', 'json', 'txt')
  const bytes = fc.oneof(fc.uint8Array({ maxLength: 400 }), fc.string({ unit: 'binary', maxLength: 300 }).map(toBytes))
  fc.assert(
    fc.property(bytes, extension, (content, ending) => isSettled(read(content, `a.${ending}`))),
    { numRuns: 800 },
  )
})

test('any front matter ends in exactly one state', () => {
  const word = fc.constantFrom(...PIECES)
  const text = fc.array(fc.oneof(word, fc.string({ maxLength: 8 })), { maxLength: 60 }).map(parts => parts.join(''))
  fc.assert(
    fc.property(text, block => isSettled(read(toBytes(`---\n${block}\n---\nbody`)))),
    { numRuns: 800 },
  )
})

const PIECES = [
  ...['name', 'description', 'tools', 'disallowedTools', 'hooks', 'model', 'inputs', 'permissions', 'x'].map(
    key => `${key}: `,
  ),
  ...[
    '\n',
    '\n  ',
    '\n- ',
    '---',
    '...',
    '"',
    "'",
    '|',
    '>',
    '[',
    ']',
    '{',
    '}',
    ',',
    '#',
    '&a',
    '*a',
    '!!js',
    '? ',
    '\t',
    '<example>',
  ],
  ...['Read', 'Bash(git *)', 'true', '42', 'null', '__proto__: 1\n', '\u0000', '\u202e', '\ufeff', '\\n'],
]

const SOUND: readonly string[] = [
  'name: a\ndescription: reads code\ntools: Read, Grep\nmodel: sonnet',
  'name: a\ndescription: reads code\ntools: [Read, Bash(git:*)]',
  'name: a\ntools:\n  - Read\n  - Glob\ndescription: "reads: code"',
  'description: reads code\ndisallowedTools: Write, Edit, Bash\nname: a',
  'name: a\ndescription: >\n  folded text\n  of two lines\ntools: Read\ncolor: red',
  'name: a\ndescription: Use this: when needed\ntools: Read, Grep\nmodel: haiku',
  'name: a\ndescription: x\npermissionMode: plan\nmodel: inherit',
  'name: a\ndescription: Use it. Examples:\n<example>\nuser: "hi"\n</example>\ndisallowedTools: Bash, Write',
  'name: a\ndescription: x\ntools: Read\nmaxTurns: 3\nmcpServers: none',
]

test('a damaged limit never yields more than the sound file gives', () => {
  const edit: fc.Arbitrary<Edit> = fc.record({
    at: fc.nat(),
    kind: fc.constantFrom('delete', 'insert', 'replace', 'swap'),
    character: character(),
  })
  fc.assert(
    fc.property(fc.constantFrom(...SOUND), edit, (sound, edited) => {
      const damaged = damageLimit(sound, edited)
      fc.pre(isStillALimit(sound, damaged))
      const before = agentOf(read(toBytes(fenced(sound))))!
      const after = agentOf(read(toBytes(fenced(damaged))))
      return after === undefined || !isWider(after, before)
    }),
    { numRuns: 1200 },
  )
})

interface Edit {
  readonly at: number
  readonly kind: 'delete' | 'insert' | 'replace' | 'swap'
  readonly character: string
}

/** `#` makes a comment, which is a sound way to take a line out, so it is no damage. */
function character() {
  return fc.constantFrom(...'abxTRW01 :,-()[]{}"\'*&!|>=.;?~%@`\n\t\u00a0\ufeffé')
}

/** Changes one character in, or at the edges of, a line that limits the agent. */
function damageLimit(text: string, edit: Edit): string {
  const limits = [...text.matchAll(/^(?:tools|disallowedTools|permissionMode|maxTurns):.*$/gm)]
  const line = limits[edit.at % limits.length] ?? { index: 0, 0: text }
  const at = Math.max(0, line.index - 1) + (edit.at % (line[0].length + 1))
  const [before, here, after] = [text.slice(0, at), text.slice(at, at + 1), text.slice(at + 1)]
  if (edit.kind === 'delete') return before + after
  if (edit.kind === 'insert') return before + edit.character + here + after
  if (edit.kind === 'replace') return before + edit.character + after
  return before + after.slice(0, 1) + here + after.slice(1)
}

/** An edit may also write another sound limit (`*`), or a fence: only damage is looked at. */
function isStillALimit(sound: string, damaged: string): boolean {
  const fences = (text: string) => text.split(/^(?:---|\.\.\.)/m).length
  return damaged !== sound && !/^tools:.*\*(?!\))/m.test(damaged) && fences(damaged) === fences(sound)
}

function isWider(after: AgentDefinition, before: AgentDefinition): boolean {
  const hasLost = (limit: (agent: AgentDefinition) => unknown) =>
    limit(before) !== undefined && limit(after) === undefined
  if (hasLost(agent => agent.permissionMode) || hasLost(agent => agent.limits?.maxTurns)) return true
  if (before.tools === 'all') {
    const isDenied = (name: string) => after.disallowedTools?.some(each => each.name === name)
    return after.tools === 'all' && (before.disallowedTools ?? []).some(denial => !isDenied(denial.name))
  }
  if (after.tools === 'all') return true
  return after.tools.some(grant => {
    const had = before.tools === 'all' ? [] : before.tools.filter(each => each.name === grant.name)
    if (had.length === 0) return isOneOfTheDangerous(grant.name)
    return grant.pattern === undefined && had.every(each => each.pattern !== undefined)
  })
}

/** One letter may turn a tool into another harmless one (`Red` is nobody's, `LS` is): not into these. */
function isOneOfTheDangerous(name: string): boolean {
  return ['Bash', 'Write', 'Edit', 'Task', 'WebFetch'].includes(name)
}

test('a megabyte of the worst front matter is settled, however it is made', () => {
  for (const [name, block] of Object.entries(hostileBlocks())) {
    for (const ending of ['md', 'yaml']) {
      const text = ending === 'md' ? `---\nname: a\n${block}\n---\nbody` : `name: a\n${block}`
      expect(isSettled(read(toBytes(text), `a.${ending}`)), name).toBe(true)
    }
  }
})

function hostileBlocks(): Readonly<Record<string, string>> {
  const size = 1024 * 1024
  return {
    brackets: `a: ${'['.repeat(size)}`,
    braces: `a: ${'{a: '.repeat(size / 4)}`,
    dashes: '- '.repeat(size / 2),
    questions: '? '.repeat(size / 2),
    questionLines: 'a: ? ? ?\n'.repeat(size / 9),
    keys: Array.from({ length: size / 12 }, (_, index) => `key${index}: 1`).join('\n'),
    known: 'description: x\n'.repeat(size / 15),
    tools: 'tools: Read\n'.repeat(size / 12),
    colons: 'a: b: '.repeat(size / 6),
    quotes: `description: "${'"'.repeat(size)}`,
    spaces: `description: x${' '.repeat(size)}y: z`,
    lines: '\n'.repeat(size),
    blanks: `tools: Read${' '.repeat(60_000)}x`,
    fence: `x\n---${' '.repeat(size)}!`,
    longValue: `description: a: ${'tools: '.repeat(70_000)}`,
    budget: `budget: "1${' '.repeat(60_000)}x"`,
    examples: `description: x\n${'<example>\n'.repeat(size / 10)}`,
    anchors: `a: ${'&a '.repeat(size / 3)}`,
    oneLine: `description: ${'tools: '.repeat(size / 7)}`,
    toolList: `tools: ${'Read, '.repeat(size / 6)}`,
    open: `tools: ${'('.repeat(size)}`,
    bomb: Array.from({ length: 30 }, (_, n) => `k${n}: &k${n} [${Array(9).fill(n === 0 ? 'x' : `*k${n - 1}`)}]`).join(
      '\n',
    ),
  }
}

function fenced(block: string): string {
  return `---\n${block}\n---\nYou are a probe.\n`
}

function read(content: Uint8Array, path = 'a.md'): FileReading {
  return readAgentFile({ path, content, source: { scope: 'user', isTrusted: true } }, parsers)
}

function agentOf(reading: FileReading): AgentDefinition | undefined {
  const agent = reading.agents[0]?.agent
  return agent?.quarantine === undefined ? agent : undefined
}

function isSettled(reading: FileReading): boolean {
  const isExplained = reading.state === 'loaded' || reading.diagnostics.length > 0
  const isListed = reading.agents.every(each => each.agent === undefined || each.agent.name !== '')
  return isExplained && isListed && !('polluted' in Object.prototype)
}

function toBytes(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
