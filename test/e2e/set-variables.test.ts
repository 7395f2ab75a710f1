/** Variables that settings set (`env`), in everything the program starts. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ensureBuilt, run } from './program.js'
import { call, homesWithServers, task } from './scripted-server.js'

const { serve, closeAll } = homesWithServers()

vi.setConfig({ testTimeout: 90_000 })
beforeAll(ensureBuilt, 120_000)
afterAll(closeAll)

const shown = 'printf "%s/%s/%s" "$COLOUR_OF_TEST" "$ANTHROPIC_API_KEY" "$PAGER"'
const look = call('Bash', { command: shown })

test('a variable of the settings reached hooks, but no command and no server; a provider’s key reached hooks', async () => {
  const { server, home } = await serve({
    main: ({ turn }) => [look, task('worker', 'look'), 'ok'][turn]!,
    worker: ({ turn }) => [look, 'seen'][turn]!,
  })
  const told = join(home.path, 'told')
  mkdirSync(told)
  const tell = (who: string) => `{ ${shown}; } > '${told}/${who}'`
  const settings = {
    env: { COLOUR_OF_TEST: 'blue', ANTHROPIC_API_KEY: 'sk-of-settings', PAGER: 'less' },
    permissions: { allow: ['Bash(printf *)'] },
    hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: tell('hook') }] }] },
    mcpServers: { own: { command: 'bash', args: ['-c', tell('server')] } },
  }
  mkdirSync(join(home.env.OFFSHOOT_HOME!, 'config'), { recursive: true })
  writeFileSync(join(home.env.OFFSHOOT_HOME!, 'config/settings.json'), JSON.stringify(settings))
  const agents = { worker: { description: 'Works.', prompt: 'AGENT:worker', executionMode: 'process' } }
  expect(await run(home, ['-p', 'go', '-q', '--agents', JSON.stringify(agents)])).toMatchObject({ code: 0 })
  const heard = (agent: string) => JSON.stringify(server.requestsOf(agent)[1]?.body.messages)
  for (const agent of ['main', 'worker']) expect(heard(agent)).toContain('"blue//cat"')
  for (const who of ['hook', 'server']) expect(readFileSync(join(told, who), 'utf8')).toMatch(/^blue\/\/(cat|less)$/)
})
