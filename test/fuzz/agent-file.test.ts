import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parsers } from '../../src/adapters/sources/parsers.js'
import type { AgentDefinition } from '../../src/core/agent-definition.js'
import { type FileReading, readAgentFile } from '../../src/core/agent-file/read-agent-file.js'
import { damage, randomOf } from './damage.js'
import { hostileFiles } from './hostile-files.js'
import { SOUND_FILES, type SoundFile } from './sound-files.js'
import { widening } from './wider.js'

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

test('every sound file is loaded, and would be wider without its limit', () => {
  for (const { path, text, bare } of SOUND_FILES) {
    const before = agentOf(read(toBytes(text), path))
    const without = agentOf(read(toBytes(bare), path))
    expect(before && without && widening(without, before, without), text).toBeTruthy()
  }
})

test('a limit with one slip in it never yields more than the sound file gives (1,500 damages)', () => {
  fc.assert(
    fc.property(fc.constantFrom(...SOUND_FILES), fc.integer(), (file, seed) => {
      const damaged = damage(file, 1, randomOf(seed))
      expect(damaged === undefined ? undefined : wideningOf(file, damaged), damaged).toBeUndefined()
    }),
    { numRuns: 1500 * MORE },
  )
})

test('a Markdown file cut off anywhere in its front matter never yields more than the whole', () => {
  for (const file of SOUND_FILES.filter(({ path }) => path.endsWith('.md'))) {
    for (let end = 0; end < file.block.to; end++) {
      const cut = file.text.slice(0, end)
      expect(wideningOf(file, cut), cut).toBeUndefined()
    }
  }
})

// Two or three slips at once can leave nothing that anybody would recognise (`ol: Read` for `tools: Read`).
test.each([
  { slips: 2, tools: 0.1, limits: 0.3 },
  { slips: 3, tools: 0.6, limits: 1.5 },
])(
  '$slips slips at once in 2,460 files yield more tools in less than $tools %, lose any limit in less than $limits %',
  ({ slips, tools, limits }) => {
    const random = randomOf(slips)
    const runs = Array.from({ length: 60 * MORE }, () => SOUND_FILES).flat()
    const wider = runs.flatMap(file => {
      const damaged = damage(file, slips, random)
      return (damaged === undefined ? undefined : wideningOf(file, damaged)) ?? []
    })
    expect((100 * wider.filter(what => /tool/.test(what)).length) / runs.length).toBeLessThan(tools)
    expect((100 * wider.length) / runs.length).toBeLessThan(limits)
  },
)

/** A longer sweep: `OFFSHOOT_FUZZ=50 npx vitest run test/fuzz`. */
const MORE = Number(process.env.OFFSHOOT_FUZZ ?? 1)

function wideningOf(file: SoundFile, damaged: string): string | undefined {
  const after = agentOf(read(toBytes(damaged), file.path))
  const [before, bare] = SOUND_AGENTS.get(file)!
  return after === undefined ? undefined : widening(after, before!, bare!)
}

const SOUND_AGENTS = new Map(
  SOUND_FILES.map(file => [file, [file.text, file.bare].map(text => agentOf(read(toBytes(text), file.path)))]),
)

test('a megabyte of the worst front matter is settled, however it is made', () => {
  for (const { name, path, text } of hostileFiles())
    expect(isSettled(read(toBytes(text), path)), `${name} (${path})`).toBe(true)
})

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
