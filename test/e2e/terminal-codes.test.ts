/** What files, prompts and settings hold reaches no terminal as a code, whichever command shows it. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test, vi } from 'vitest'
import { ensureBuilt, type Home, makeHome, run } from './program.js'

vi.setConfig({ testTimeout: 90_000 })
beforeAll(ensureBuilt, 120_000)

const title = '\u001b]0;pwn\u0007'
const evil = `${title}\u001b[2J\u009b1G\u0008`
const command = `${evil}x`

function hostileHome(): Home {
  const home = makeHome({ FORCE_COLOR: '1' })
  const put = (path: string, text: string) => {
    mkdirSync(join(home.project, path, '..'), { recursive: true })
    writeFileSync(join(home.project, path), text)
  }
  put('esc.js', `export function slotter() {} // slotter ${evil}\n`)
  put(`slotter${title}.js`, 'slotter()\n')
  put('.claude/agents/odd.md', `---\nname: odd\ndescription: ${JSON.stringify(evil)}\n---\nOdd ${evil}\n`)
  put('.claude/commands/odd.md', `Say ${evil}\n`)
  put('.claude/settings.json', JSON.stringify({ env: { ODD: evil }, statusLine: { type: 'command', command } }))
  put('.mcp.json', JSON.stringify({ mcpServers: { odd: { command } } }))
  return home
}

/** Our own colours are the only codes there are. */
const others = /(?!\u001b\[(?:1|2|22|3[1-69])m)[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/

test('G03 what a repository holds set the title of the terminal from seven commands', async () => {
  const home = hostileHome()
  const first = ['-p', `where is slotter ${evil}`, '--verbose']
  const commands = [
    ['trust', '--list'],
    ['trust', '--yes'],
    first,
    ['-p', 'where is slotter', '-q'],
    ['runs', 'list'],
    ['runs', 'list', '--all'],
    ['runs', 'list', '--unfinished'],
    ...[['show'], ['show', '--full'], ['tail', '--from-start'], ['export', '--format', 'markdown', '--only']].map(
      ([name, ...options]) => ['runs', name!, 'ID', ...options],
    ),
    ['runs', 'export', 'ID', '--format', 'markdown', '--to', 'out'],
    ['config', 'list', '--show-origin'],
    ['config', 'get', 'env.ODD'],
    ['agents', 'list', '--all'],
    ['agents', 'show', 'odd'],
    ['agents', 'lint'],
    ['agents', 'explain', 'odd'],
    ...['approvals', 'plugins', 'models', 'mcp', 'doctor'].map(name => [name]),
    [evil],
  ]
  let id = ''
  for (const words of commands) {
    const end = await run(
      home,
      words.map(word => (word === 'ID' ? id : word)),
    )
    expect(end.code, end.stderr).toBeLessThan(3)
    if (words === first) id = (await run(home, ['runs', 'list', '--ids'])).stdout.trim()
    expect(others.exec(end.stdout + end.stderr), `${words.join(' ')}:\n${end.stdout}${end.stderr}`).toBeNull()
  }
  expect(id).not.toBe('')
  const out = join(home.project, 'out')
  const files = readdirSync(out, { recursive: true, encoding: 'utf8' }).filter(path => path.endsWith('.md'))
  expect(files).not.toEqual([])
  for (const path of files) expect(readFileSync(join(out, path), 'utf8')).not.toMatch(others)
})

test('what is exported as JSON says exactly what a file said', async () => {
  const home = hostileHome()
  const prompt = `where is slotter ${evil}`
  const { stdout } = await run(home, ['-p', prompt, '--output-format', 'json', '-q'])
  const { session_id: id, result } = JSON.parse(stdout) as { session_id: string; result: string }
  expect(result).toContain(title)
  const shown = JSON.parse((await run(home, ['runs', 'show', id, '--json'])).stdout)
  expect(shown.runs.map((each: { prompt: string }) => each.prompt)).toContain(prompt)
})
