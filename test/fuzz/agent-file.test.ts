import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AgentDefinition } from '../../src/core/agent-definition.js'
import { fieldTable } from '../../src/core/agent-file/field-table.js'
import type { FileReading } from '../../src/core/agent-file/read-agent-file.js'
import { anyString, runs } from '../support/properties.js'
import { damage, isDamage, type Random, randomOf, type Slip } from './damage.js'
import { everySign } from './every-sign.js'
import { everyPiece } from './every-slip.js'
import { isPastReading, isSoundAlone, isSoundInItsPlace } from './sound-alone.js'
import { foreignFiles, kiroFiles, oddFiles, type SoundFile, soundFiles } from './sound-files.js'
import { agentOf, isSettled, readText, wideningBy, wideningOf } from './widened.js'
import { widening } from './wider.js'

test('any bytes under any extension end in exactly one state', () => {
  const extension = fc.constantFrom('md', 'yaml', 'yml', 'toml', 'json', 'txt')
  const bytes = fc.oneof(fc.uint8Array({ maxLength: 400 }), anyString({ maxLength: 300 }).map(toBytes))
  fc.assert(
    fc.property(bytes, extension, (content, ending) => isSettled(read(content, `a.${ending}`))),
    runs(400),
  )
})

test('any front matter ends in exactly one state', () => {
  const word = fc.constantFrom(...pieces)
  const text = fc.array(fc.oneof(word, fc.string({ maxLength: 8 })), { maxLength: 60 }).map(parts => parts.join(''))
  fc.assert(
    fc.property(text, block => isSettled(read(toBytes(`---\n${block}\n---\nbody`)))),
    runs(400),
  )
})

const pieces = [
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

test('any kind of value under any key ends in exactly one state (a table without a prototype as the name of an input threw)', () => {
  const toml = [
    '{a=1}',
    '[{a=1}]',
    '[{name={a=1}}]',
    '{a={b=1}}',
    '[[{a=1}]]',
    '1979-05-27',
    'true',
    'inf',
    '""',
    '[""]',
  ]
  const json = [
    '{"a":1}',
    '[{"name":{"a":1}}]',
    '{"__proto__":{"a":1}}',
    '[[1]]',
    'null',
    '1e999',
    '[null]',
    '[{"toString":1}]',
  ]
  const files = Object.values(fieldTable).flatMap(({ keys }) =>
    [...keys].flatMap(key => [
      ...toml.map(value => ['.codex/agents/a.toml', `${key} = ${value}\ndeveloper_instructions = "y"\n`] as const),
      ...json.map(value => ['a.json', `{"prompt": "y", "${key}": ${value}}`] as const),
      ...json.map(value => ['a.md', `---\n${key}: ${value}\n---\ny`] as const),
    ]),
  )
  expect(files.filter(([path, text]) => !isSettled(read(toBytes(text), path)))).toEqual([])
})

const ownFiles = [...soundFiles, ...kiroFiles]
const allFiles = [...ownFiles, ...oddFiles, ...foreignFiles]

test('every sound file is loaded, and would be wider without its limit', () => {
  for (const { path, text, bare } of allFiles) {
    const before = agentOf(read(toBytes(text), path))
    const without = agentOf(read(toBytes(bare), path))
    expect(before && without && widening(without, before, without), text).toBeTruthy()
  }
})

test('a limit with one slip in it never yields more, unless that makes another sound file of it', () => {
  fc.assert(
    fc.property(fc.constantFrom(...allFiles), fc.integer(), (file, seed) => {
      expect(whatIsMore(file, { slips: 1, of: 'letters' }, randomOf(seed))).toBeUndefined()
    }),
    runs(700),
  )
})

test('a piece of a limit lost, or written twice, never yields more, unless that makes another sound file of it', () => {
  const files = [...ownFiles, ...oddFiles]
  const pieces = new Map(files.map(file => [file, [...everyPiece(file)].filter(text => isDamage(file, text))]))
  fc.assert(
    fc.property(fc.constantFrom(...files), fc.nat(), (file, at) => {
      const all = pieces.get(file)!
      const damaged = all[at % all.length]!
      const wider = wideningOf(file, damaged)
      if (wider === undefined || isSoundInItsPlace(file, damaged) || isPastReading(file, damaged)) return
      expect.fail(`${wider}:\n${damaged}`)
    }),
    runs(700),
  )
})

test('a sign from outside never yields more: unseen, alike, a comment, a line or a fence in between', () => {
  const files = [...ownFiles, ...oddFiles]
  const signs = new Map(files.map(file => [file, [...everySign(file)].filter(text => isDamage(file, text))]))
  fc.assert(
    fc.property(fc.constantFrom(...files), fc.nat(), (file, at) => {
      const all = signs.get(file)!
      const damaged = all[at % all.length]!
      const wider = wideningOf(file, damaged)
      if (wider === undefined || isSoundInItsPlace(file, damaged) || isPastReading(file, damaged)) return
      expect.fail(`${wider}:\n${damaged}`)
    }),
    runs(700),
  )
})

test('a Markdown file cut off anywhere in its front matter never yields more than the whole', () => {
  // Many begin alike: what is left of them is read once.
  const read = new Map<string, AgentDefinition | undefined>()
  const agentIn = (text: string, path: string) => {
    const key = `${path}\n${text}`
    if (!read.has(key)) read.set(key, agentOf(readText(text, path)))
    return read.get(key)
  }
  for (const file of allFiles.filter(({ path }) => path.endsWith('.md'))) {
    // In the limit anywhere, and else at every twenty-fifth letter.
    const isTried = (end: number) =>
      more > 1 || end % 25 === 0 || (end >= file.limit.from - 2 && end <= file.limit.to + 2)
    const ends = Array.from({ length: file.block.to }, (_, end) => end).filter(isTried)
    const cuts = ends.map(end => file.text.slice(0, end))
    expect(cuts.filter(cut => wideningBy(agentIn(cut, file.path), file))).toEqual([])
  }
})

test('a fence between any two lines of the front matter takes no limit with it', () => {
  for (const file of allFiles.filter(({ path }) => path.endsWith('.md'))) {
    const lines = file.text.split('\n')
    const end = lines.indexOf('---', 1)
    for (let at = 1; at <= end; at++)
      for (const fence of [
        '---',
        '...',
        ' ---',
        '---x',
        '--- # x',
        '... # x',
        '-----',
        '---\n',
        '---\n---',
        '---\n\n---',
      ]) {
        const fenced = [...lines.slice(0, at), fence, ...lines.slice(at)].join('\n')
        if (wideningOf(file, fenced)) expect.fail(fenced)
      }
  }
})

// What is sound by itself says what it says: sound-alone.ts has the definition, docs/damaged-files.md the reason, and how
// often more than one slip leaves too little to be seen.
test.each([
  { slips: 2, of: 'letters', whose: 'our own', files: ownFiles, oneIn: 500, rounds: 30 },
  { slips: 3, of: 'letters', whose: 'our own', files: ownFiles, oneIn: 200, rounds: 20 },
  { slips: 1, of: 'pieces', whose: 'our own', files: ownFiles, oneIn: 200, rounds: 20 },
  { slips: 2, of: 'letters', whose: 'other products’', files: foreignFiles, oneIn: 100, rounds: 8 },
  { slips: 1, of: 'pieces', whose: 'other products’', files: foreignFiles, oneIn: 100, rounds: 8 },
] as const)('$slips slips of $of in $whose words yield more in no file of $oneIn, unless that is a sound one', each => {
  const random = randomOf(each.slips)
  const tried = Array.from({ length: each.rounds * more }, () => each.files).flat()
  const found = tried.flatMap(file => whatIsMore(file, each, random) ?? [])
  expect(found.length, found.join('\n\n')).toBeLessThanOrEqual(Math.floor(tried.length / each.oneIn))
})

function whatIsMore(
  file: SoundFile,
  each: { readonly slips: number; readonly of: Slip },
  random: Random,
): string | undefined {
  const damaged = damage(file, each.slips, random, each.of)
  const what = damaged === undefined ? undefined : wideningOf(file, damaged)
  // Of a piece nothing may be left; then a number of turns or seconds is lost, and never a tool, a rule or a mode.
  const wider = each.of === 'pieces' && !moreRights.test(what ?? '') ? undefined : what
  if (wider === undefined || isSoundInItsPlace(file, damaged!) || isPastReading(file, damaged!)) return undefined
  return `${wider}:\n${damaged}`
}

const moreRights = /tool|rule|mode|guard|delegation|outside/

test('another sound file: what is told apart', () => {
  const file = (block: string) => `---\n${block}\n---\nYou are a probe.\n`
  const isSound = (block: string) => isSoundAlone('a.md', file(block))
  expect(isSound('name: a\ndescription: with timeout 90')).toBe(true)
  expect(isSound('name: a\ndescription: x\ntools: Write, Bash(git *)')).toBe(true)
  expect(isSound('name: a\ndescription: x\nversion: 2')).toBe(true)
  expect(isSound('name: a\ndescription: x\ntols: Read')).toBe(false)
  expect(isSound('name: a\ndescription: x\ntools: Raed')).toBe(false)
  expect(isSound('name: a\ndescription: x: tools')).toBe(false)
  expect(isSound('name: a\ndescription: x\nmaxTurns: many')).toBe(false)
  for (const sound of ownFiles.filter(({ text }) => !text.includes(': when') && !text.includes('<example>')))
    expect(isSoundAlone(sound.path, sound.text), sound.text).toBe(true)
})

test('past reading: half of a word of the limit is gone, and not less', () => {
  const file = soundFiles.find(({ text }) => text.includes('\ntimeout: 90'))!
  const isPast = (line: string) => isPastReading(file, file.text.replace('timeout: 90', line))
  expect(['tmt: 90', 'HDQut: 90', ': 90', 'od: 90'].map(isPast)).toEqual([true, true, true, true])
  expect(['timeut: 90', 'tim-gct: 90', 'toimeut: 90', 'xtimeoutx: 90'].map(isPast)).toEqual([
    false,
    false,
    false,
    false,
  ])
})

/** More of the same: `OFFSHOOT_FUZZ=50 npx vitest run test/fuzz`; `npm run test:fuzz` counts and sorts what it finds. */
const more = Number(process.env.OFFSHOOT_FUZZ ?? 1)

function read(content: Uint8Array, path = 'a.md'): FileReading {
  return readText(content, path)
}

function toBytes(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
