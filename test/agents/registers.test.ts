/** Lists of agents that stand elsewhere: each form was met in the wild, and is written afresh. */
import { describe, expect, test } from 'vitest'
import { codesOf, readAs } from './read-as.js'
import { shownIn } from './shown-tools.js'

const json = (value: unknown) => JSON.stringify(value, null, 2)
const whole = { name: 'night-watch', description: 'Watches.', tools: ['Read'], prompt: 'You watch.' }

describe('a list of the agents beside it stood in for them, with all tools', () => {
  test.each([
    ['registry.json', json({ agents: [{ name: 'night-watch', description: 'Watches.', path: 'night-watch.md' }] })],
    ['REGISTRY.json', json({ agents: { 'night-watch': { file: 'review/night-watch.md', model: 'opus' } } })],
    ['agents.json', json({ agents: [{ name: 'night-watch', model: 'opus', domain: 'nights' }] })],
    ['agents.json', json([{ name: 'night-watch', description: 'Watches.', tools: ['Read'] }])],
    ['config.json', json({ agents: { a: { description: 'x', prompt_file: 'prompts/a.md' } } })],
    ['config.json', json({ nightly: { enabled: true, model: 'opus' } })],
    ['registry.yaml', 'agents:\n  night-watch:\n    description: Watches.\n    model: haiku\n    accepts: [nights]\n'],
    ['agents.yml', '- name: night-watch\n  description: Watches.\n- name: day-watch\n  description: Watches, too.\n'],
    [
      'agents.json',
      json({ agents: [{ ...whole, prompt: undefined }], quality_gates: { max_turns: 3, tools: ['Bash'] } }),
    ],
  ])('%s: %s', (name, text) => {
    const reading = readAs(`.claude/agents/${name}`, text)
    expect(reading).toMatchObject({ state: 'not-an-agent', agents: [] })
    expect(reading.holds).toBeUndefined()
    expect(reading.diagnostics).toHaveLength(1)
    expect(reading.diagnostics[0]).toMatchObject({ code: 'not-an-agent', hint: expect.stringContaining('prompt') })
  })

  test('one that names a file is none among others that are', () => {
    const reading = readAs('.claude/agents/agents.json', json([whole, { name: 'b', description: 'x', file: 'b.md' }]))
    expect(reading.agents.map(({ agent }) => agent?.name)).toEqual(['night-watch'])
    expect(codesOf(reading)).toEqual(['not-an-agent'])
    expect(reading.diagnostics[0]?.message).toContain('b.md')
  })

  test('limits that a list states beside the file it names bound nobody, and nobody was told', () => {
    const entry = { name: 'b', description: 'x', file: 'b.md', tools: ['Read'], max_turns: 3 }
    const both = readAs('.claude/agents/agents.json', json([whole, entry]))
    expect(both.diagnostics[0]?.message).toContain('tools, max_turns binds nobody')
    const only = readAs('.claude/agents/agents.json', json([entry, { name: 'c', description: 'y', file: 'c.md' }]))
    expect(only.diagnostics[0]?.message).toContain('tools, max_turns binds nobody')
    const none = readAs('.claude/agents/agents.json', json([{ name: 'c', description: 'y', file: 'c.md' }]))
    expect(none.diagnostics[0]?.message).not.toContain('binds')
  })

  test('of very many that stand elsewhere all are accounted for', () => {
    const files = Array.from({ length: 450 }, (_, at) => ({ name: `b${at}`, description: 'x', file: `b${at}.md` }))
    const told = readAs('.claude/agents/agents.json', json([whole, ...files])).diagnostics
    expect(told).toHaveLength(201)
    expect(told.at(-1)?.message).toContain('250 more')
  })

  test('a list that cannot be parsed took the names of them all', () => {
    const text = json(['night-watch', 'day-watch'].map(name => ({ name, description: 'x', file: `${name}.md` })))
    const reading = readAs('.claude/agents/registry.json', text.replace('},', '}'))
    expect(reading).toMatchObject({ state: 'quarantined', holds: ['registry'] })
  })
})

describe('what is damaged is no list, and keeps its name', () => {
  const agent = (key: string) =>
    json({ agents: [{ name: 'a', description: 'x', tools: ['Read'], [key]: 'You help.' }] })
  test.each(['promt', 'mpt', 'pro}mpt', 'instrctions', 'systemPromt'])('a prompt under %s', key => {
    const reading = readAs('.claude/agents/team.json', agent(key))
    expect(reading.agents[0]?.agent?.name ?? reading.holds).toBeTruthy()
    expect(reading.state).not.toBe('not-an-agent')
  })

  test('a path under another key is no file of the agent', () => {
    const entry = { name: 'b', description: 'x', tools: ['Read'], output: 'report.md' }
    const reading = readAs('.claude/agents/team.json', json([whole, entry]))
    expect(reading.agents.map(({ agent }) => agent?.name)).toEqual(['night-watch', 'b'])
  })

  test('a prompt that names a file is still one that is told', () => {
    const text = json([{ name: 'b', description: 'x', tools: ['Read'], prompt: 'file://./b.txt' }])
    expect(codesOf(readAs('.claude/agents/team.json', text))).toContain('prompt-file')
  })

  test.each([
    [
      '.roo/custom_modes.yaml',
      'customModes:\n  - slug: a\n    name: Mode A\n    groups: [read\n  - slug: b\n    name: Mode B\n',
    ],
    ['.claude/agents/t.json', '{"name": "reviewer", "tools": ["Read"], "mcpServers": {"git": {"env": {"name": "x"}}},'],
  ])('%s keeps the names in it', (path, text) => expect(readAs(path, text).holds?.length).toBeGreaterThan(1))
})

describe('lists of agents stay agents', () => {
  const two = [whole, { ...whole, name: 'day-watch' }]
  test.each([
    ['.claude/agents/agents.json', json(two)],
    [
      '.claude/agents/agents.json',
      json({ agents: two.map(({ prompt, ...rest }) => ({ ...rest, instructions: prompt })) }),
    ],
    ['.claude/agents/agents.json', json([whole, { name: 'day-watch', description: 'Watches.', tools: ['Read'] }])],
    ['agents/agents.yaml', 'agents:\n  a:\n    description: x\n    guidance: |\n      You watch.\n      All night.\n'],
    ['.offshoot/agents/agents.yaml', '- name: a\n  description: x\n  tools: [Read]\n'],
    ['/home/u/.config/offshoot/agents/agents.yaml', '- name: a\n  description: x\n  tools: [Read]\n'],
    ['.offshoot/agents/agents.toml', '[[agents]]\nname = "a"\ndescription = "x"\ntools = ["Read"]\n'],
    ['agents.toml', '[[agents]]\nname = "a"\ndescription = "x"\ntools = ["Read"]\n'],
    ['.claude/agents/a.json', json({ name: 'a', description: 'x', tools: ['Read'] })],
    ['.kiro/agents/a.json', json({ name: 'a', description: 'x', tools: ['read'], resources: ['file://README.md'] })],
  ])('%s: %s', (path, text) => expect(readAs(path, text).agents.length).toBeGreaterThan(0))

  test('what is switched on beside them limits none, and refused them all', () => {
    const text = json({ agents: [whole], nightly: { enabled: true }, off: { disabled: false } })
    expect(shownIn(readAs('.claude/agents/agents.json', text))).toBe('Read')
    const limited = json({ agents: [whole], nightly: { enabled: false } })
    expect(readAs('.claude/agents/agents.json', limited).state).toBe('quarantined')
  })
})
