/**
 * What people get wrong, and what they are told: in one line what is the matter and what to do, with the exit code of the
 * page (docs/cli.md), nothing on stdout, and never a stack.
 */

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, openSync, writeFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { bin, ensureBuilt, type Home, makeHome, run } from './program.js'

vi.setConfig({ testTimeout: 90_000, maxConcurrency: 4 })
let home: Home
beforeAll(async () => {
  await ensureBuilt()
  home = makeHome()
  const put = (name: string, text: string) => writeFile(join(home.project, name), text)
  await put('broken.json', '{\n  "model": oops\n}')
  await put('words.json', 'my secret words\nand more')
  await put('list.json', '[]')
  await put('notes.txt', 'hello')
  await mkdir(join(home.project, '.claude/agents'), { recursive: true })
  await put('.claude/agents/theirs.md', '---\nname: theirs\ndescription: Says hello.\n---\nSay hello.\n')
}, 120_000)

type Row = readonly [what: string, args: readonly string[], says: RegExp]

const session = (...args: readonly string[]): readonly string[] => ['-q', '-p', 'go', ...args]

const rows: readonly Row[] = [
  ['an unknown option', ['--modle', 'x', 'go'], /unknown option '--modle'\n\(Did you mean --model\?\)/],
  ['an unknown command', ['rnus', 'list'], /Did you mean "offshoot runs list"\?/],
  ['help for an unknown command', ['help', 'agnets'], /Did you mean "offshoot help agents"\?/],
  ['the name of a built-in agent', ['agents', 'new', 'Explore'], /is a name of the built-in agent Explore.* --force/],
  ['an unknown subcommand', ['runs', 'lst'], /Did you mean list\?/],
  ['an argument that is missing', ['runs', 'show'], /missing required argument 'run'/],
  ['an argument too many', ['config', 'list', 'more'], /too many arguments/],
  ['no prompt', ['-p'], /What should I do\? Give a prompt, for example/],
  ['an empty prompt', ['-p', ' '], /What should I do\?/],
  ['broken JSON in --agents', session('--agents', '{"a":'), /--agents is no valid JSON/],
  ['an agent that says nothing', session('--agents', '{"a":{}}'), /"a" cannot be used: .*add name: and description:/],
  ['broken JSON in --settings', session('--settings', '{no}'), /--settings is no valid JSON: .* line 1, column 2/],
  ['a broken settings file', session('--settings', 'broken.json'), /broken\.json is no valid JSON: [^\n]*line 2/],
  ['a settings file of words', session('--settings', 'words.json'), /words\.json is no valid JSON: (?!.*secret)/],
  ['a settings file with a list', session('--settings', 'list.json'), /must be one JSON object/],
  ['a settings file that is not there', session('--settings', 'nowhere.json'), /there is no file .*nowhere\.json/],
  ['a directory that is not there', session('--add-dir', 'nowhere'), /there is no directory .*nowhere/],
  ['a directory without a name', session('--add-dir', ''), /--add-dir: no directory is named.*leave the option out/],
  ['a schema that is no JSON', session('--json-schema', '{"type":'), /--json-schema is no valid JSON/],
  [
    'a schema that is no schema',
    session('--json-schema', '{"type":3}'),
    /--json-schema is no valid JSON Schema: .*type/,
  ],
  ['a file of servers that is not there', session('--mcp-config', 'nowhere'), /there is no file .*nowhere/],
  ['a provider nobody has', session('--model', 'nobody/none'), /no provider named "nobody".*`offshoot models list`/],
  ['a model nobody has', session('--model', 'gpt-9'), /No model is named "gpt-9"\. `offshoot models list` shows/],
  ['an agent nobody knows', session('--agent', 'Explorer'), /Did you mean Explore\? Known:/],
  ['an agent nobody trusted', session('--agent', 'theirs'), /is not trusted yet .*`offshoot trust` shows/],
  ['a run nobody knows', session('--resume', 'nothing'), /no run "nothing"\. "offshoot runs list" shows them/],
  ['nothing to continue', session('--continue'), /no conversation to continue/],
  ['nothing to copy', session('--fork-session'), /add --continue or --resume/],
  ['options that exclude each other', session('-c', '-r', 'x'), /cannot be used together/],
  ['half a stream', session('--input-format', 'stream-json'), /needs --output-format stream-json/],
  ['a format nobody knows', session('--output-format', 'xml'), /Allowed choices are text, json, stream-json/],
  ['a mode nobody knows', session('--permission-mode', 'yolo'), /Allowed choices are default, acceptEdits/],
  ['turns out of bounds', session('--max-turns', '0'), /from 1 to 200/],
  ['money that is no number', session('--max-budget-usd', 'lots'), /An amount in US dollars above 0/],
  ['a rule that cannot be read', session('--allowedTools', 'Bash('), /no closing one/],
  [
    'a slip in what is denied',
    session('--permission-mode', 'bypassPermissions', '--disallowedTools', 'Read', 'Wriite'),
    /--disallowedTools: "Wriite" is for a tool nobody knows here; did you mean "Write"\?/,
  ],
  [
    'a slip in a denied pattern',
    session('--disallowedTools', 'Read,Bsh(rm:*)'),
    /"Bsh\(rm:\*\)" is for a tool nobody knows here; did you mean "Bash"\?/,
  ],
  [
    'nothing where something is denied',
    session('--disallowedTools', ''),
    /--disallowedTools: nothing is named.*leave the option out/,
  ],
  [
    'showing an agent nobody knows',
    ['agents', 'show', 'Explorer'],
    /Did you mean Explore\? "offshoot agents list --all"/,
  ],
  ['checking a file that is not there', ['agents', 'lint', 'nowhere'], /There is no file or folder nowhere/],
  ['a name for no file', ['agents', 'new', 'what?!'], /The name has .* Use letters, digits/],
  ['importing what is not there', ['agents', 'import', 'nowhere.md'], /nowhere\.md: the file cannot be read/],
  ['stopping a run nobody knows', ['runs', 'stop', 'nothing'], /"offshoot runs list" shows them/],
  ['importing words as a run', ['runs', 'import', 'notes.txt'], /Nothing in .*notes\.txt is a line of a transcript/],
  ['an age that is no number', ['runs', 'prune', '--days', 'old'], /A number from 0 is needed/],
  ['a setting nobody knows', ['config', 'set', 'sub.agents', '3'], /there is no setting "sub\.agents"/],
  ['a setting of the wrong kind', ['config', 'set', 'subagents.maxDepth', 'many'], /a whole number from 0 to 10/],
  ['an approval nobody asked for', ['approvals', 'answer', '7', 'allow'], /"offshoot approvals list" shows them/],
  ['half a yes', ['approvals', 'answer', '7', 'maybe'], /neither allow nor deny/],
  ['a server nobody has', ['mcp', 'approve', 'nothing'], /there is no server "nothing"\. Known: none/],
  ['a plugin nobody has', ['plugins', 'trust', 'nothing'], /there is no plugin "nothing"/],
  ['a shell nobody knows', ['completion', 'tcsh'], /Allowed choices are bash, zsh, fish/],
]

describe.concurrent('2: wrong usage', () => {
  test.each(rows)('%s', async (_, args, says) => {
    const end = await run(home, args)
    expect(end.stderr).toMatch(says)
    expect(end.stderr).toMatch(/^offshoot: [^\n]+\n(\([^\n]+\)\n)*$/)
    expect(end).toMatchObject({ code: 2, stdout: '' })
  })
})

describe.concurrent('1: what stands in the way is named', () => {
  const failed = /^offshoot: [^\n]+\n$/

  test('a home that is a file, below a file, or where none can be', async () => {
    const file = join(home.project, 'notes.txt')
    for (const OFFSHOOT_HOME of [file, join(file, 'below'), '/proc/offshoot']) {
      const end = await run(home, session(), { env: { OFFSHOOT_HOME } })
      expect(end.stderr).toMatch(failed)
      expect(end.stderr).toContain(`offshoot: ${OFFSHOOT_HOME}`)
      expect(end).toMatchObject({ code: 1, stdout: '' })
    }
  })

  test.skipIf(process.platform !== 'linux')(
    'a home where no directory can be made: nothing is tried for ever',
    async () => {
      const env = { OFFSHOOT_HOME: '/proc/offshoot' }
      for (const args of [
        ['config', 'set', 'model', 'x'],
        ['agents', 'new', 'me', '--user'],
        ['trust', '--yes'],
      ]) {
        const end = await run(home, args, { env })
        expect(end.stderr).toMatch(/^offshoot: .*\/proc\/offshoot/m)
        expect(end.code).toBe(1)
      }
    },
  )

  test('settings that cannot be read are not overwritten', async () => {
    const { env, project, path } = makeHome()
    await mkdir(join(env.OFFSHOOT_HOME!, 'config'), { recursive: true })
    await writeFile(join(env.OFFSHOOT_HOME!, 'config/settings.json'), '{oops')
    const end = await run({ env, project, path }, ['config', 'set', 'model', 'x'])
    expect(end.stderr).toMatch(/nothing was changed: .*settings\.json is no valid JSON: .*Mend it, or move it away/)
    expect(end).toMatchObject({ code: 1, stdout: '' })
  })

  test('a directory that is gone', async () => {
    const gone = join(home.path, 'gone')
    await mkdir(gone)
    const script = `rmdir '${gone}'; exec '${process.execPath}' '${bin}' runs list`
    const child = spawn('bash', ['--norc', '-c', script], { cwd: gone, env: home.env })
    let said = ''
    child.stderr.on('data', chunk => {
      said += chunk
    })
    expect(await once(child, 'close')).toEqual([1, null])
    expect(said).toBe('offshoot: the directory you are in does not exist any more: go to one that does.\n')
  })

  test.skipIf(process.platform !== 'linux')('a disk that takes no answer', async () => {
    const own = makeHome()
    const child = spawn(process.execPath, [bin, ...session()], {
      cwd: own.project,
      env: own.env,
      stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
    })
    let said = ''
    child.stderr!.on('data', chunk => {
      said += chunk
    })
    expect(await once(child, 'close')).toEqual([1, null])
    expect(said).toMatch(failed)
    expect(said).toContain('the output could not be written: ENOSPC')
  })
})

describe.concurrent('nothing is wrong with it', () => {
  test('help and version became prompts', async () => {
    const help = await run(home, ['help'])
    expect(help).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^Usage: offshoot \[options\]/) })
    expect(help.stdout).toMatch(/help \[command\.\.\.\] +show what a command takes/)
    expect((await run(home, ['help', 'agents'])).stdout).toMatch(/^Usage: offshoot agents /)
    expect((await run(home, ['help', 'agents', 'new'])).stdout).toMatch(/^Usage: offshoot agents new /)
    const version = await run(home, ['version'])
    expect(version).toEqual(await run(home, ['--version']))
    expect(version.code).toBe(0)
    expect((await run(makeHome(), ['-q', '-p', 'help'])).stdout).toContain('keyword search')
  })

  test('a server that cannot be used is left out, and the option that named it is named', async () => {
    const end = await run(makeHome(), ['-p', 'go', '--mcp-config', '{"mcpServers":{"a":{}}}'])
    expect(end.stderr).toContain('offshoot: --mcp-config: the MCP server "a" is left out')
    expect(end.code).toBe(0)
  })

  test.each<[string, string[]]>([
    ['a model nobody has', ['-p', 'hi', '--model', 'nope']],
    ['a run nobody has', ['-p', 'hi', '-r', 'nosuch']],
    ['a number that is none', ['-p', 'hi', '--max-turns', 'abc']],
    ['an option nobody has', ['-p', 'hi', '--nope']],
    ['no prompt', ['-p']],
    ['settings that are none', ['-p', 'hi', '--settings', '{']],
  ])('%s: a reader of JSON got nothing, or a document without its fields', async (_, args) => {
    const end = await run(makeHome(), [...args, '--output-format', 'json'])
    expect(end.code).toBe(2)
    const document = JSON.parse(end.stdout)
    const usage = { input_tokens: 0, output_tokens: 0 }
    expect(document).toMatchObject({
      type: 'result',
      is_error: true,
      session_id: null,
      num_turns: 0,
      usage,
      result: '',
    })
    expect(document.total_cost_usd).toBe(0)
    expect(end.stderr).toContain(document.error.message)
    const streamed = await run(makeHome(), [...args, '--output-format=stream-json'])
    const lines = streamed.stdout.trimEnd().split('\n')
    expect(lines.map(line => JSON.parse(line).type)).toEqual(['system', 'result'])
  })

  test('a home that is a file was answered with a raw ENOTDIR', async () => {
    const home = makeHome()
    const file = join(home.path, 'a-file')
    writeFileSync(file, '')
    const end = await run({ ...home, env: { ...home.env, OFFSHOOT_HOME: file } }, ['runs', 'list'])
    expect(end).toMatchObject({ code: 1, stderr: expect.stringContaining('See that the path leads to a directory') })
  })

  test('in a directory that is gone there was no help', async () => {
    const home = makeHome()
    const gone = join(home.path, 'gone')
    mkdirSync(gone)
    const command = `cd '${gone}' && rmdir '${gone}' && '${process.execPath}' '${bin}' --help`
    const help = spawnSync('sh', ['-c', command], { env: home.env, encoding: 'utf8' })
    expect(help.stdout).toMatch(/^Usage: offshoot /)
    expect(help.status).toBe(0)
  })

  test('a list of rules that took the prompt is named, with what parts them', async () => {
    const end = await run(makeHome(), ['-p', '--allowedTools', 'Read', 'say hi'])
    expect(end).toMatchObject({ code: 2, stderr: expect.stringContaining('--allowedTools Read -- "…"') })
  })

  test('-q and json hid that a server named on the command line could not be used', async () => {
    const config = '{"mcpServers":{"gone":{"command":"/nowhere/at-all"}}}'
    const asked = (format: string) =>
      run(makeHome(), ['-q', '-p', 'go', '--mcp-config', config, '--output-format', format])
    const end = await asked('json')
    expect(end.stderr).toContain('the MCP server "gone" cannot be used')
    expect(JSON.parse(end.stdout).mcp_servers).toEqual([{ name: 'gone', status: 'failed' }])
    const [init] = (await asked('stream-json')).stdout.split('\n')
    expect(JSON.parse(init!).mcp_servers).toEqual([{ name: 'gone', status: 'failed' }])
  })

  test('a prompt of megabytes without a space is answered, and says that it was cut', async () => {
    const end = await run(makeHome(), ['-q', '-p', '-'], { input: `Where is hello said? ${'x'.repeat(5_000_000)}` })
    expect(end.stdout).toContain('only the beginning of the question was looked at')
    expect(end).toMatchObject({ code: 0, stderr: '' })
  })
})

describe('the next step', () => {
  test('an unknown setting pointed to a page the user does not have', async () => {
    const end = await run(home, ['config', 'get', 'nosuch'])
    expect(end).toMatchObject({ code: 2, stdout: '' })
    expect(end.stderr).toMatch(/there is no setting "nosuch"\. Known: .*permissions\.deny/)
  })

  test('agents explain of an untrusted agent did not name the command that trusts it', async () => {
    const end = await run(home, ['agents', 'explain', 'theirs'])
    expect(end.code).toBe(1)
    expect(end.stderr).toContain('`offshoot trust` shows')
  })

  test('an agent had to be trusted before one could see what it would get', async () => {
    const end = await run(home, ['agents', 'explain', 'theirs'])
    expect(end.stdout).toMatch(
      /^NOT TRUSTED: theirs is not trusted yet and will not run \(.*\); trusted, it would get:\n/,
    )
    expect(end.stdout).toMatch(/✓ +Read +kept/)
    const asJson = await run(home, ['agents', 'explain', 'theirs', '--json'])
    expect(JSON.parse(asJson.stdout)).toMatchObject({ source: { isTrusted: false } })
    expect((await run(home, ['-p', '--agent', 'theirs', 'hi'])).stderr).toContain('is not trusted yet')
  })

  describe('a project that waits for trust', () => {
    let theirs: Home
    beforeAll(() => {
      theirs = makeHome()
      const hooks = { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'true guard' }] }] }
      const settings = { model: 'offline/scout', permissions: { allow: ['Bash(ls)'], deny: ['Read(x)'] }, hooks }
      mkdirSync(join(theirs.project, '.offshoot'), { recursive: true })
      writeFileSync(join(theirs.project, '.offshoot/settings.json'), JSON.stringify(settings))
      const bad = { command: '/nowhere/serve' }
      writeFileSync(join(theirs.project, '.mcp.json'), JSON.stringify({ mcpServers: { bad } }))
    })

    test('config get said "not set" of what was set there', async () => {
      const end = await run(theirs, ['config', 'get', 'model'])
      expect(end).toMatchObject({ code: 1, stdout: '' })
      expect(end.stderr).toMatch(/settings\.json sets model, and does not count: it is not trusted\. .*offshoot trust/)
      expect((await run(theirs, ['config', 'get', 'env'])).stderr).not.toContain('does not count')
    })

    test('mcp said that no server is configured, did not heed --trust-project, and called a failed one "0 tools"', async () => {
      const waiting = await run(theirs, ['mcp'])
      expect(waiting).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^bad +waits for trust +.*\.mcp\.json\n$/),
      })
      for (const args of [
        ['--trust-project', 'mcp', 'list'],
        ['mcp', 'list', '--trust-project'],
      ])
        expect(await run(theirs, args)).toMatchObject({ code: 1, stdout: expect.stringMatching(/^bad +failed +/) })
      const inside = await run(theirs, ['mcp', 'list', '--trust-project'], { env: { OFFSHOOT_RUN: 'r1' } })
      expect(inside).toMatchObject({ code: 4, stdout: '' })
    })

    test('doctor counted no rule and no hook of trusted settings', async () => {
      expect((await run(theirs, ['doctor'])).stdout).toMatch(/settings +0 files read: 0 values, 0 rules, 0 hooks\n/)
      await run(theirs, ['trust', '--yes'])
      const { stdout } = await run(theirs, ['doctor'])
      expect(stdout).toMatch(/settings +1 file read: 1 value, 2 rules, 1 hook\n/)
      expect(stdout).toMatch(/hook +PreToolUse \(Bash\): true guard \(.*settings\.json\)\n/)
    })
  })

  test('config unset was no command', async () => {
    const own = makeHome()
    await run(own, ['config', 'set', 'model', 'offline/scout'])
    expect((await run(own, ['config', 'unset', 'model'])).stderr).toMatch(/settings\.json: model taken away/)
    expect(await run(own, ['config', 'get', 'model'])).toMatchObject({ code: 1 })
    expect(await run(own, ['config', 'unset', 'modle'])).toMatchObject({ code: 2 })
  })

  test('lists of servers and of what can be trusted knew no --json; empty ones named no next step', async () => {
    expect(JSON.parse((await run(home, ['mcp', 'list', '--json'])).stdout)).toEqual([])
    expect((await run(home, ['mcp', 'list'])).stderr).toContain('--mcp-config FILE')
    expect((await run(home, ['plugins', 'list'])).stderr).toContain('offshoot plugins add')
    const items = JSON.parse((await run(home, ['trust', '--list', '--json'])).stdout)
    expect(items).toContainEqual(expect.objectContaining({ kind: 'agent', isTrusted: false }))
    expect(await run(home, ['trust', '--yes', '--json'])).toMatchObject({ code: 2, stdout: '' })
  })
})
