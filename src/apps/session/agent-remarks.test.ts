import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { openAgentsOnDisk } from '../../adapters/sources/agents-on-disk.js'
import { agentRemarks } from './agent-remarks.js'
import { sayDiagnostics } from './say-diagnostics.js'

const root = mkdtempSync(join(tmpdir(), 'offshoot-lame-'))
afterEach(() => rmSync(root, { recursive: true, force: true }))

test('a broken agent file took several lines at every start, and none said that its agent will not run', async () => {
  const folder = join(root, 'project/.claude/agents')
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    join(folder, 'broken.md'),
    '---\nname: broken\ndescription: does: things: badly\ntools: [Read, Grep\nmaxTuns: 3\n---\nBody.\n',
  )
  writeFileSync(join(folder, 'odd.md'), '---\nname: odd\ndescription: Says: hello\n---\nBody.\n')
  const env = { HOME: root, OFFSHOOT_HOME: join(root, 'own') }
  const { files, diagnostics } = await openAgentsOnDisk({
    cwd: join(root, 'project'),
    env,
    trustsProjects: true,
  }).load()
  const lines: string[] = []
  sayDiagnostics(agentRemarks(files, diagnostics), line => lines.push(line))
  expect(lines).toEqual([
    expect.stringMatching(
      /broken\.md:4: agent broken will not run: .*"tools" cannot be read for certain \(1 more: offshoot agents lint\); correct/,
    ),
    expect.stringContaining('odd.md:3: the value of "description" is no valid YAML'),
  ])
})

test('five broken agent files and as many odd ones took five lines at every start, and sent for the rest', async () => {
  const folder = join(root, 'many/.claude/agents')
  mkdirSync(folder, { recursive: true })
  for (const name of ['a', 'b', 'c', 'd', 'e']) {
    writeFileSync(join(folder, `${name}.md`), `---\nname: ${name}\ndescription: x\ntols: Read\n---\nBody.\n`)
    writeFileSync(join(folder, `odd-${name}.md`), `---\nname: odd-${name}\ndescription: Says: hello\n---\nBody.\n`)
  }
  const env = { HOME: root, OFFSHOOT_HOME: join(root, 'own') }
  const cwd = join(root, 'many')
  const { files, diagnostics } = await openAgentsOnDisk({ cwd, env, trustsProjects: true }).load()
  const lines: string[] = []
  sayDiagnostics(agentRemarks(files, diagnostics), line => lines.push(line))
  expect(lines).toEqual([
    'offshoot: 5 agents will not run: a, b, c, d, e; offshoot agents lint tells why\n',
    'offshoot: 5 agent files load with warnings; offshoot agents lint tells why\n',
  ])
})
