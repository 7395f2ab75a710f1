import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { CommandDeps } from '../command-deps.js'
import { registerConfigCommands } from './config.js'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'offshoot-config-'))
  mkdirSync(join(root, 'state/config'), { recursive: true })
})
afterEach(() => rmSync(root, { recursive: true }))

async function config(...words: readonly string[]): Promise<string> {
  let said = ''
  const hear = (text: string) => {
    said += text
  }
  const env = { HOME: root, OFFSHOOT_HOME: join(root, 'state') }
  const deps = { cwd: root, env, write: hear, warn: hear, setExitCode: () => undefined }
  const program = new Command()
  registerConfigCommands(program, deps as unknown as CommandDeps)
  await program.parseAsync(['config', ...words], { from: 'user' })
  return said
}

const settings = {
  providers: {
    corp: {
      baseUrl: 'https://me:canary-1@llm.corp.example',
      apiKey: 'canary-2',
      apiKeyEnv: 'CORP_KEY',
      headers: { 'X-Org': 'canary-3' },
    },
  },
  mcpServers: {
    web: {
      url: 'https://x.example/mcp?token=canary-4',
      headers: { Authorization: 'Bearer canary-5', B: 'Bearer ${TOKEN}' },
    },
    own: {
      command: 'serve',
      args: ['--token', 'canary-6', '--api-key=canary-7', '--port', '80'],
      env: { A_SECRET: 'canary-8' },
    },
  },
  env: { GITHUB_TOKEN: 'canary-9', CI: '1' },
}

test.each([
  ['list'],
  ['list', '--json'],
  ['list', '--show-origin'],
  ['get', 'providers.corp'],
  ['get', 'mcpServers'],
  ['get', 'env'],
  ['set', 'providers.x', '{"apiKey":"canary-0"}'],
])('keys, headers and passwords were printed by config %s %s', async (...words) => {
  writeFileSync(join(root, 'state/config/settings.json'), JSON.stringify(settings))
  const said = await config(...words)
  expect(said).toContain('[key hidden]')
  expect(said).not.toContain('canary')
})

test('what names a key and is none is shown', async () => {
  writeFileSync(join(root, 'state/config/settings.json'), JSON.stringify(settings))
  const said = await config('list')
  for (const text of ['CORP_KEY', 'Bearer ${TOKEN}', '"--port","80"', 'llm.corp.example']) expect(said).toContain(text)
})

test.each(['allow', 'ask', 'deny'])('a slip in a rule of permissions.%s is said when it is set', async list => {
  const said = await config('set', `permissions.${list}`, '["Bahs(rm *)"]')
  expect(said).toContain(`permissions.${list}: "Bahs(rm *)" is for a tool nobody knows here`)
  expect(said).toContain('; did you mean "Bash"?')
})

test.each([
  ['model', 'opuss', 'no model is named "opuss". Did you mean "opus"?'],
  ['models.default', 'opuss', 'Did you mean "opus"?'],
  ['model', 'opuss[1m]', 'no model is named "opuss[1m]"'],
  ['model', 'corpp/fast-1', 'no provider named "corpp" is configured. Did you mean "corp"?'],
  ['model', 'openai/gpt-9', 'cannot be had here: OPENAI_API_KEY is not set'],
])('config set %s %s was taken without a word, and the next start refused it', async (key, name, told) => {
  writeFileSync(join(root, 'state/config/settings.json'), JSON.stringify({ providers: settings.providers }))
  const said = await config('set', key, name)
  expect(said).toContain(told)
  expect(said).toContain(`${key} = ${name}`)
})

test.each([
  ['model', 'opus'],
  ['model', 'sonnet[1m]'],
  ['model', 'corp/anything'],
  ['model', 'offline/scout'],
  ['model', 'quick'],
  ['env.NAME', 'opuss'],
])('config set %s %s is nobody’s slip', async (key, name) => {
  const own = {
    providers: { corp: { baseUrl: 'https://llm.corp.example', apiKey: 'k' } },
    models: { aliases: { quick: 'corp/a' } },
  }
  writeFileSync(join(root, 'state/config/settings.json'), JSON.stringify(own))
  const said = await config('set', key, name)
  expect(said).not.toMatch(/refused|Did you mean "opus"|cannot be had/)
})

const rulesNow = () =>
  JSON.parse(readFileSync(join(root, 'state/config/settings.json'), 'utf8')).permissions as Record<string, string[]>

test('a rule that was set took all earlier ones of its list away without a word', async () => {
  await config('set', 'permissions.deny', '["Bash(rm:*)","Read(.env)"]')
  expect(await config('set', 'permissions.deny', 'Bash(curl *)')).toContain(
    'permissions.deny: added Bash(curl *); it is now ["Bash(rm:*)","Read(.env)","Bash(curl *)"]',
  )
  expect(rulesNow().deny).toEqual(['Bash(rm:*)', 'Read(.env)', 'Bash(curl *)'])
  expect(await config('set', 'permissions.deny', '"Bash(curl *)"')).toContain('has Bash(curl *) already; nothing was')
  expect(rulesNow().deny).toHaveLength(3)
  expect(await config('set', 'permissions.ask', 'WebFetch')).toContain('it is now ["WebFetch"]')
  const replaced = await config('set', 'permissions.deny', '["Bash(curl *)","WebSearch"]')
  expect(replaced).toContain('permissions.deny = ["Bash(curl *)","WebSearch"]; taken away: Bash(rm:*), Read(.env)')
  expect(rulesNow()).toEqual({ deny: ['Bash(curl *)', 'WebSearch'], ask: ['WebFetch'] })
})

test('a rule is not added to what is no list of rules', async () => {
  const path = join(root, 'state/config/settings.json')
  writeFileSync(path, JSON.stringify({ permissions: { deny: [7] } }))
  expect(await config('set', 'permissions.deny', 'Bash')).toContain('nothing was changed')
  expect(rulesNow().deny).toEqual([7])
})

test.each([
  ['{"comand":"y"}', 'has neither a "command" nor a "url" ("comand": did you mean "command"?)'],
  ['{"command":"y","args":"z"}', '"args" must be a list of texts'],
  ['{"url":"ftp://x"}', 'must begin with http'],
  ['y', 'must be an object'],
])('the MCP server %s was set without a word, and no session had it', async (value, says) => {
  expect(await config('set', 'mcpServers.x', value)).toContain(says)
  expect(existsSync(join(root, 'state/config/settings.json'))).toBe(false)
})

test('of an MCP server that is set what nobody reads in it is said', async () => {
  expect(await config('set', 'mcpServers.x', '{"command":"y","agrs":["z"]}')).toContain('nobody reads "agrs"')
  expect(await config('set', 'mcpServers.x', '{"command":"y","args":["z"]}')).not.toContain('nobody')
  expect(await config('set', 'mcpServers.x', '{"disabled":true}')).toContain('mcpServers.x = ')
})
