/** `agents explain` decides in the house a conversation would have; what a run does without is said when it starts. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { ensureBuilt, type Home, run } from './program.js'
import { homesWithServers, task } from './scripted-server.js'

const { serve, closeAll } = homesWithServers()

vi.setConfig({ testTimeout: 90_000 })
beforeAll(ensureBuilt, 120_000)
afterAll(closeAll)

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

/** One skill that is there, one that is not, a server of its own, and instructions. */
function furnish(home: Home): void {
  const config = join(home.env.OFFSHOOT_HOME!, 'config')
  write(join(home.project, 'AGENTS.md'), 'Be brief.\n')
  write(join(config, 'skills/release/SKILL.md'), '---\nname: release\ndescription: How to release.\n---\nTag it.\n')
  const front = 'tools: Read, Skill\nskills: [release, gone]\nmcpServers:\n  - own: { command: "true" }'
  write(join(config, 'agents/smith.md'), `---\nname: smith\ndescription: Works.\n${front}\n---\nAGENT:smith\n`)
}

describe.concurrent('what an agent gets', () => {
  test('explain knew no skill, no server and no instructions: it decided in a house of its own', async () => {
    const { home } = await serve({ main: () => 'never' })
    furnish(home)
    const settings = { mcpServers: { down: { command: 'no-such-program-here' } } }
    write(join(home.env.OFFSHOOT_HOME!, 'config/settings.json'), JSON.stringify(settings))
    const { code, stdout, stderr } = await run(home, ['agents', 'explain', 'smith'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/✓ +Skill +kept/)
    expect(stdout).toMatch(/prompt +\S+AGENTS\.md 9 bytes +instructions/)
    expect(stdout).toMatch(/prompt +release 7 bytes +skill/)
    expect(stdout).toMatch(/prompt +gone missing +skill-missing/)
    expect(stderr).toContain('the MCP server "down" cannot be used')
    expect(stderr).toContain('Not shown: tools of its own MCP servers (own), which start with it.')
  })

  test('a skill that an agent is to begin with and that is not there was left out without a word', async () => {
    const { home } = await serve({
      main: ({ turn }) => (turn === 0 ? task('smith', 'work') : 'ok'),
      smith: () => 'done',
    })
    furnish(home)
    const { code, stderr } = await run(home, ['-p', 'go'])
    expect(code).toBe(0)
    expect(stderr).toContain('[smith] there is no skill "gone", which it is to begin with')
    expect(stderr).not.toContain('no skill "release"')
  })
})
