/** A description in quotes or in a block has an end: what may stand below it, and what it means. */
import { describe, expect, test } from 'vitest'
import { parsers } from '../../src/adapters/sources/parsers.js'
import { fixAgentText } from '../../src/core/agent-file/fix-agent-file.js'
import { agentIn, codesOf, readAs } from './read-as.js'
import { shownIn } from './shown-tools.js'

const path = '.claude/agents/a.md'
const file = (block: string) => `---\nname: a\n${block}\n---\n\nDo it well.\n`
const read = (block: string) => readAs(path, file(block))
const extraOf = (block: string) => agentIn(path, file(block)).extra
const fix = (block: string) => fixAgentText(file(block), path, parsers)

describe('text at the edge behind a description that has ended refused the agent', () => {
  test.each([
    ['description: |\n  Text.\n\nExamples:\n\n<example>\nContext: x\n</example>\n', 'Text.\n\nExamples:'],
    ['description: "Text."\nUse it often.', 'Text.\nUse it often.'],
    ["description: 'Text.'\n\n**Examples:**\n- one\n- two things", 'Text.\n\n**Examples:**\n- one'],
    ['description: "Text."\nWhen to use:\n<example>\nx\n</example>', 'Text.\nWhen to use:\n<example>'],
    ['description: "Text."\n1. First it reads\n2. Then it writes', 'Text.\n1. First it reads'],
    ['description: "Text."\nNote: be: brief', 'Text.\nNote: be: brief'],
    [
      'description: "Text."\n\nExamples:\n- user: "Plan it"\n  assistant: "Done."\n  (Calls the planner with the whole plan)\n',
      'Text.\n\nExamples:\n- user:',
    ],
    ['description: >-\n  Text.\n<commentary>said here</commentary>', 'Text.\n<commentary>'],
  ])('%j', (block, start) => {
    const reading = read(`${block}\ntools: Read\nmodel: sonnet`)
    expect([reading.state, codesOf(reading)]).toEqual(['warned', ['syntax-repaired']])
    expect(reading.agents[0]?.agent?.description?.startsWith(start)).toBe(true)
    expect(shownIn(reading)).toBe('Read')
  })

  test.each([
    'tols Read',
    'tools; [Read]',
    'Tools\nRead',
    'maxTurns 4',
    'axTurns 4',
    'permissionMode plan',
    'mode; plan',
    's\nubagents:\n  - worker',
    '(git log, git show)',
    '(Read Grep)',
    '(Never calls Bash or Write or Edit)',
    '(Read Grep Glob WebFetch WebSearch)',
    'subagents!\n  - worker',
    'Spawn:\n  - worker',
    '- Read\n- Grep',
    'Turns: 4',
    'disallowedTools Write, Edit',
    '"tools" [Read]',
    'permission\n  bash: deny',
    '[Read, Grep]',
    'tols: a: Read',
  ])('what is left of a limit there quarantines no less: %j', lines => {
    for (const description of ['"Reads code."', "'Reads code.'", '|\n  Reads code.', '"Reads code." # why'])
      expect(read(`description: ${description}\n${lines}\nmodel: haiku`).state).toBe('quarantined')
  })

  test('each line of a stretch was told as a fault of its own', () => {
    const { diagnostics } = read('description: "Text."\nsub gents\n- worke\n- helpr\nmodel: haiku')
    expect(diagnostics.filter(({ code }) => code === 'security-key-damaged').map(({ line }) => line)).toEqual([4])
  })

  test('where it stands is told, not where the text above begins', () => {
    const { diagnostics } = read('description: |\n  Text.\n\nUse it often.\nmodel: haiku')
    expect(diagnostics).toMatchObject([{ code: 'syntax-repaired', line: 6, column: 1 }])
  })
})

describe('a broken key of somebody’s own became a part of the description above it', () => {
  test.each(['reviewed-by', 'notes', 'owner', 'labels', 'examples', 'applies-to', 'x'])('%s', key => {
    for (const description of ['"A reviewer"', "'A reviewer' # TODO: shorten", '|\n  A reviewer', '"A\n  reviewer"']) {
      const block = `description: ${description}\n${key}: Jane: yes\ntools: Read`
      expect(extraOf(block)).toEqual({ [key]: 'Jane: yes' })
      expect(agentIn(path, file(block)).description?.replace('\n', ' ').trim()).toBe('A reviewer')
      expect(read(block).diagnostics).toMatchObject([
        { code: 'syntax-repaired', line: description.includes('\n') ? 5 : 4 },
        { code: 'key-unknown' },
      ])
      expect(fix(block)).toBe(file(block).replace('Jane: yes', '"Jane: yes"'))
    }
  })

  test.each(['metadata', 'config', 'options'])('a map of its own: %s', key => {
    const block = `description: "A reviewer"\n${key}:\n  note: see: docs\ntools: Read`
    expect(read(block).state).toBe('warned')
    expect(Object.keys(extraOf(block) ?? {})).toEqual([key])
    expect(fix(block)).toBeUndefined()
  })

  test('a limit below it counts, and one inside of it that is unclear quarantines', () => {
    expect(shownIn(read('description: "x"\nnotes: a: b\ntools: Read'))).toBe('Read')
    expect(read('description: "x"\nnotes: a: b\ndisallowedTols: Bash').state).toBe('quarantined')
  })
})

describe('fix made for good what was read for want of better', () => {
  test.each([
    ['a key became a part of a text', 'description: A reviewer\nnotes: a: b'],
    ['a comment became a part of a value', 'description: "A reviewer"\nnotes: a: b # keep'],
    ['a comment behind a text was gone', 'description: "A reviewer" # short\nUse it often.'],
    ['a map became a text', 'description: x\ninputs: {a: {type: string, description: x: y}}'],
    ['a list became a text', 'description: x\ntags: [a, b'],
  ])('%s', (_, block) => {
    expect(codesOf(read(`${block}\nmodel: haiku`))).toContain('syntax-repaired')
    expect(fix(`${block}\nmodel: haiku`)).toBeUndefined()
  })

  test('what stands below a text that has ended is joined to it, without its quotes', () => {
    expect(fix('description: "Text."\nUse it often.\nmodel: haiku')).toBe(
      file('description: |-\n  Text.\n  Use it often.\nmodel: haiku'),
    )
  })
})

test('a limit behind a tab was told at the first line, and promised a fix that did nothing', () => {
  const block = 'description: x\n\tmaxTurns: 4'
  expect(read(block).diagnostics).toMatchObject([{ code: 'syntax-repaired', line: 4 }])
  expect(agentIn(path, file(block)).limits?.maxTurns).toBe(4)
  expect(fix(block)).toBe(file('description: x\nmaxTurns: 4'))
})
