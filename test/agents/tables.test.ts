/** Tables of somebody else in a definition: what they hold is theirs, however much it looks like a limit. */
import { expect, test } from 'vitest'
import { agentIn, codesOf, readAs } from './read-as.js'

const toml = 'name = "a"\ndescription = "x"\nmodel = "haiku"\n'

test.each([
  ...['[apps.drive]\nenabled = false', '[plugins."mail@shop"]\nenabled = true', '[model_providers.b]\ntimeout = 3'],
  ...['[memories]\ndisabled = true', '[metadata]\ntimeout = 30', '[sampling]\nsteps = 20', '[team]\nagents = ["b"]'],
  ...['[mcp_servers.b]\ncommand = "c"\n[mcp_servers.b.env]\nMAX_TURNS = "3"\nSANDBOX_MODE = "read-only"'],
])('sound: a table of TOML that is no table of limits: %j', table => {
  expect(agentIn('a.toml', `${toml}${table}\n`)).toMatchObject({ name: 'a', tools: 'all' })
})

test.each(['[vendor]', '[[vendor]]', '[metadata]'])(
  'tools that somebody lists in %s are told, and limit nothing',
  table => {
    const reading = readAs('a.toml', `${toml}${table}\ntools = ["Read"]\n`)
    expect(reading.state).toBe('warned')
    expect(codesOf(reading).filter(code => code !== 'prompt-missing')).toEqual(['limit-nested'])
  },
)

test.each(['env: {PERMISSION_MODE: plan, MAX_TURNS: "3", SANDBOX_MODE: read-only}', 'headers: {max-turns: "3"}'])(
  'a server has settings of its own: %s',
  settings => {
    const keys = `mcpServers: {b: {command: c, ${settings}}}`
    expect(agentIn('a.md', `---\nname: a\ndescription: x\n${keys}\n---\nYou help.\n`).mcpServers).toHaveLength(1)
  },
)

test('many tables with a limit each are told, and not all of them', () => {
  const tables = Array.from({ length: 150 }, (_, index) => `[t${index}]\nmaxTurns = 1\n`).join('')
  const reading = readAs('a.toml', toml + tables)
  expect(reading.state).toBe('quarantined')
  expect(codesOf(reading).filter(code => code === 'security-key-damaged')).toHaveLength(20)
})
