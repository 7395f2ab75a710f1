import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fileTrustStore } from '../../src/adapters/sources/trust.js'
import type { TerminalRoom } from '../../src/apps/cli/agents/output.js'
import { textWidth } from '../../src/apps/session/text-width.js'
import { sharedFolder } from '../shared-folder.js'
import { runIn, type Said } from './agents-program.js'

let root: string
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'offshoot-commands-')))
  put('.git/HEAD', '')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

test('list shows what a task can go to, and says what it leaves out', async () => {
  put('.claude/agents/mine.md', '---\nname: mine\ndescription: does mine\n---\nx')
  put('home/.claude/agents/broken.md', '---\nname: broken\ndescription: x\ntools: "Read\n---\nx')
  const { out, err, code } = await run('list')
  expect(code).toBe(0)
  expect(out).toMatch(/^NAME +TOOLS +MODEL +FROM +USE\n/)
  expect(out).toMatch(/^Explore +Read, Grep, Glob, LS, Bash +inherit +built-in/m)
  expect(out).not.toContain('mine')
  expect(err).toContain('1 not trusted yet')
  expect(err).toContain('1 quarantined')
})

test('B04: list --all shows every definition with its place, and marks a replacement that is wider', async () => {
  put('home/.claude/agents/Explore.md', '---\nname: Explore\ndescription: mine\n---\nx')
  const { out, err } = await run('list', '--all')
  expect(out).toMatch(/Explore +all +inherit +user home\/\.claude\/agents\/Explore\.md/)
  expect(out).toMatch(/Explore .* built-in +shadowed by/)
  expect(err).toContain('has tools that the one it replaces did not have')
})

test('B04: lint names an alias that finds an agent of ours instead, and the line of what an agent extends', async () => {
  put('home/.claude/agents/a.md', '---\nname: a\ndescription: x\naliases: [planner, mine]\n---\nx')
  put('home/.claude/agents/b.md', '---\nname: b\ndescription: x\nextends: b\n---\nx')
  const { out } = await run('lint', 'home/.claude/agents')
  expect(out).toContain('"planner" is an alias of "Plan"')
  expect(out).toContain('[alias-taken]')
  expect(out).toMatch(/b\.md:4 error .*there is no such agent \[extends-unknown\]/)
  expect(out).not.toContain('did you mean "b"')
  expect((await run('show', 'planner')).out).toMatch(/^Plan\n/)
})

test('explain --json said nothing of a quarantined agent; and a tool of a server that is not there went unmentioned', async () => {
  put('home/.claude/agents/q.md', '---\nname: q\ndescription: x\ntols: Read\n---\nx')
  put('home/.claude/agents/g.md', '---\nname: g\ndescription: x\ntools: Read, mcp__gh__*\n---\nx')
  const { out, code } = await run('explain', 'q', '--json')
  expect([code, JSON.parse(out)]).toMatchObject([1, { rule: 'agent-quarantined' }])
  expect((await run('explain', 'g')).out).toMatch(/✗ +mcp__gh__\* +not-here/)
})

test('list --json is stable and complete', async () => {
  const { out } = await run('list', '--json', '--all')
  const { agents } = JSON.parse(out)
  expect(agents.find((agent: { name: string }) => agent.name === 'Plan')).toMatchObject({
    state: 'active',
    isOffered: true,
    tools: ['Read', 'Grep', 'Glob', 'LS', 'Bash'],
    scope: 'built-in',
    isTrusted: true,
  })
  expect(agents.find((agent: { name: string }) => agent.name === 'main').isOffered).toBe(false)
})

test('rows of list were wider than the terminal; where the output is none, nothing is cut', async () => {
  const far = `home/.claude/agents/${'deep/'.repeat(10)}reviewer.md`
  put(far, `---\nname: reviewer\ndescription: ${'Reviews 审查 '.repeat(20)}\n---\nx`)
  put('home/.claude/agents/a.md', '---\nname: a\ndescription: x\ntools: [Read]\nmaxTurns: many\n---\nx')
  const onTerminal = (width: number) => runOn({ width, home: join(root, 'home') }, ['list', '--all'])
  for (const width of [80, 100, 120]) {
    const rows = (await onTerminal(width)).out.trimEnd().split('\n')
    for (const row of rows) expect(textWidth(row)).toBeLessThanOrEqual(width)
    expect(rows.find(row => row.startsWith('reviewer '))).toMatch(/ user …\S*ewer\.md +Reviews 审查/)
  }
  expect((await onTerminal(400)).out).toContain(` user ${far} `)
  expect((await run('list', '--all')).out).toContain(` user ${far} `)
  const { agents } = JSON.parse((await runOn({ width: 80, home: join(root, 'home') }, ['list', '--json'])).out)
  expect(agents.find(({ name }: { name: string }) => name === 'reviewer').path).toBe(join(root, far))
})

test('show prints one agent; an unknown one names the nearest', async () => {
  expect((await run('show', 'explore')).out).toMatch(/^Explore\n[\s\S]*limits +30 turns, 120 s/)
  const unknown = await run('show', 'explroe')
  expect(unknown).toMatchObject({ code: 2, err: expect.stringContaining('Did you mean Explore?') })
})

test('show left out a dozen of the fields a file sets, and a value of several lines made rows of its own', async () => {
  const hook = '{type: command, command: x}'
  const lines = [
    ...[
      'nickname: "Ful\\nstate  x"',
      'aliases: [f1, f2]',

      'tools: [Read, Grep]',
      'delegateTools: [Glob]',
    ],
    ...['permissionMode: plan', 'approvalMode: suppress', 'disabledFeatures: [web]', 'isolation: worktree'],
    `hooks: {PreToolUse: [{matcher: Bash, hooks: [${hook}, ${hook}]}], Stop: [{hooks: [${hook}]}]}`,
    ...['mcpServers: [docs]', 'baseDir: packages/a', 'budget: {usd: 0.5, tokens: 200000, toolCalls: 9}'],
    ...['resources: {memoryMb: 512}', 'executionMode: process', 'completion: explicit', 'forkContext: summary'],
    ...['query: "Look at it\\nstate  active"', 'initialMessages: [{role: user, text: hi}]', 'initialPrompt: go'],
    ...['criticalReminder: careful', 'inputs: {q: {required: true}, n: {type: integer}, d: {enum: [a, b]}}'],
    ...['output: {name: answer, schema: {type: object}}', 'omitInstructions: true', 'background: true', 'skills: [s1]'],
    ...['memory: project', 'evidence: {toolCalls: 2}', 'color: red', 'hidden: true', 'disableModelInvocation: true'],
    ...['effort: high', 'x-mine: "a"', 'displayName: Full One'],
  ]
  put('home/.claude/agents/full.md', `---\nname: full\ndescription: x\n${lines.join('\n')}\n---\nDo it.`)
  const { out } = await run('show', 'full')
  const rows = new Map(
    [...out.split('\n\n')[1]!.matchAll(/^(.+?) {2,}(.+)$/gm)].map(([, label, text]) => [label, text]),
  )
  expect(Object.fromEntries(rows)).toEqual({
    state: 'active',
    from: 'user home/.claude/agents/full.md',
    dialect: 'claude',
    nickname: 'Ful\\u{000a}state  x',
    aliases: 'f1, f2',
    offered: 'not listed to models',
    'called by': 'people alone, and agents that name it in canSpawn',
    tools: expect.stringMatching(/^Read, Grep but .*WebFetch/),
    'hands on': 'Glob',
    'may delegate': 'no',
    mode: 'plan',
    asks: 'are denied unseen',
    'switched off': 'web',
    hooks: '2 for PreToolUse, 1 for Stop',
    servers: 'docs',
    isolation: 'worktree',
    directory: 'packages/a',
    'runs in': 'a process of its own',
    resources: '512 MB',
    limits: '1800 s',
    budget: '$0.5, 200000 tokens, 9 tool calls',
    model: 'inherit',
    sampling: 'effort high',
    inputs: 'q: string (required), n: integer, d: string of "a" | "b"',
    output: 'answer (with a schema)',
    'ends by': 'complete_task',
    evidence: '{"toolCalls":2}',
    query: 'Look at it state active',
    'opens with': '1 message',
    'begins with': 'go',
    reminder: 'careful',
    fork: 'summary',
    instructions: 'AGENTS.md and CLAUDE.md are left out',
    skills: 's1',
    memory: 'project',
    background: 'yes',
    color: 'red',
    'other keys': 'x-mine',
  })
  expect((await run('show', 'Plan')).out).not.toMatch(/^(?:hooks|budget|evidence|memory|skills) /m)
})

test('lint names place, cause and remedy, sums up, and fails for what is quarantined', async () => {
  put('agents/a.md', '---\nname: a\ndescription: x: y\n---\nz')
  put('agents/b.md', '---\nname: b\ndescription: x\nmaxTurns: many\n---\nz')
  put('agents/c.json', '{"name": "c",')
  put('agents/d.toml', '[[agents]]\nname = "d"\nprompt = "x"\ndescription = "x"\n[[agents]]\nname = "e"\nsteps = "x"\n')
  put('agents/README.md', '# hello')
  put('skills/s/SKILL.md', '---\nname: s\ndescription: a skill\n---\nz')
  const { out, code } = await run('lint', '.')
  expect(code).toBe(1)
  expect(out).toContain('agents/a.md:3:1 warning the value of "description" is no valid YAML')
  expect(out).toContain('agents/b.md:4:1 error the value of "maxTurns" cannot be read for certain')
  expect(out).toMatch(/5 agents in \d+ files: 1 sound, 1 with warnings, 3 quarantined; \d+ files are no agents/)
  const strict = await run('lint', '--strict', 'agents/a.md')
  expect(strict.code).toBe(1)
  expect((await run('lint', 'agents/a.md')).code).toBe(0)
})

test('of a file that was asked about by its name lint did not say why it is no agent', async () => {
  put('agents/notes.md', '# Notes\n\nWhat we talked about.\n')
  put('agents/a.md', '---\nname: a\ndescription: x\nversion: 2\n---\nz')
  expect((await run('lint', 'agents')).out).toMatch(/^1 agent in 2 files/)
  const { out, code } = await run('lint', 'agents/notes.md', 'agents/a.md')
  expect(code).toBe(0)
  expect(out).toMatch(/agents\/notes\.md:1 info .*no front matter/)
  expect(out).toContain('agents/a.md:4:1 info "version" is no key of ours')
})

test('lint --fix mends what it can and leaves the rest', async () => {
  const path = put('agents/a.md', '---\nname: a\ndescription: x: y\n---\nz\n')
  const { out } = await run('lint', '--fix', 'agents')
  expect(out).toContain('fixed agents/a.md')
  expect(readFileSync(path, 'utf8')).toBe('---\nname: a\ndescription: "x: y"\n---\nz\n')
  expect((await run('lint', '--strict', 'agents')).code).toBe(0)
})

test('lint without paths looks at what is found from here; a missing path is wrong use', async () => {
  put('home/.claude/agents/broken.md', '---\nname: broken\ndescription: x\ntools: "Read\n---\nx')
  expect(await run('lint')).toMatchObject({ code: 1, out: expect.stringContaining('home/.claude/agents/broken.md:4') })
  expect((await run('lint', 'nowhere')).code).toBe(2)
})

test('of a link that leads nowhere lint and import said that there is no such file, or a code of the system', async () => {
  symlinkSync('nowhere\n.md', join(root, 'dangling.md'))
  symlinkSync('loop.md', join(root, 'loop.md'))
  for (const command of ['lint', 'import']) {
    expect(await run(command, 'dangling.md')).toEqual({
      code: 2,
      out: '',
      err: 'offshoot: dangling.md is a link that leads nowhere: there is no nowhere\\u{000a}.md.\n',
    })
    expect((await run(command, 'loop.md')).err).toBe(
      'offshoot: loop.md is a link that leads back to itself (it names loop.md).\n',
    )
  }
})

test('where a link that leads nowhere, or a file, is in the way of a new one, the system’s EEXIST was all that was said', async () => {
  put('theirs.md', '---\nname: one\ndescription: x\ntimeout: 5m\n---\nDo it.')
  const commands = [
    ['new', 'one'],
    ['import', 'theirs.md'],
    ['import', 'theirs.md', '--force'],
  ] as const
  const refused = async (says: string) => {
    for (const words of commands) expect(await run(...words)).toEqual({ code: 1, out: '', err: `offshoot: ${says}\n` })
  }
  put('.offshoot/agents/other.md', 'x')
  symlinkSync('../../made.md', join(root, '.offshoot/agents/one.md'))
  await refused(
    '.offshoot/agents/one.md is a link that leads nowhere: there is no ../../made.md. Remove the link first.',
  )
  expect(existsSync(join(root, 'made.md'))).toBe(false)
  rmSync(join(root, '.offshoot'), { recursive: true })
  symlinkSync('gone', join(root, '.offshoot'))
  await refused('.offshoot is a link that leads nowhere: there is no gone. Remove the link first.')
  rmSync(join(root, '.offshoot'))
  put('.offshoot', '')
  await refused('.offshoot is no folder. Move it away first.')
})

test('G11 what a file says cannot move the cursor', async () => {
  put('agents/a.md', '---\nname: "a\\x1b[2Jb"\ndescription: x\nmodel: "\\x1b]0;title\\x07"\n---\nz')
  const { out } = await run('lint', 'agents')
  expect(out).not.toContain('\u001b')
})

test('a project’s file named by its path was read as one’s own: that its mode is not taken was left unsaid', async () => {
  const text = '---\nname: a\ndescription: x\npermissionMode: bypassPermissions\n---\nz\n'
  put('.claude/agents/a.md', text)
  for (const path of ['.', '.claude/agents', '.claude/agents/a.md'])
    expect((await run('lint', path)).out).toContain('a.md:4:1 warning "bypassPermissions" is not taken from the file')
  put('home/.claude/agents/a.md', text)
  put('collection/a.md', text)
  for (const path of ['home/.claude/agents', 'collection'])
    expect((await run('lint', path)).out).not.toContain('is not taken')
})

test('lint --fix wrote into commands, through links and over modes, and stopped at the first file it could not write', async () => {
  const broken = '---\nname: a\ndescription: Use: this\n---\nx\n'
  put('k/commands/c.md', broken)
  put('elsewhere/target.md', broken)
  put('k/agents/read-only.md', broken)
  put('k/agents/z.md', broken.replace('name: a', 'name: z'))
  chmodSync(join(root, 'k/agents/read-only.md'), 0o444)
  chmodSync(join(root, 'k/agents/z.md'), 0o664)
  symlinkSync('../../elsewhere/target.md', join(root, 'k/agents/link.md'))
  const { out, err } = await run('lint', '--fix', 'k')
  expect(out).toContain('fixed k/agents/z.md\n')
  expect(out.match(/^fixed /gm)).toHaveLength(1)
  expect(err).toBe('offshoot: k/agents/read-only.md was not fixed: it is read-only\n')
  expect(statSync(join(root, 'k/agents/z.md')).mode & 0o777).toBe(0o664)
  for (const path of ['k/commands/c.md', 'elsewhere/target.md', 'k/agents/read-only.md'])
    expect(readFileSync(join(root, path), 'utf8')).toBe(broken)
})

test('a folder’s command in Markdown was told to end in .md', async () => {
  const text = '---\nname: a\ndescription: x\n---\nx\n'
  for (const path of ['p/commands/c.md', 'p/skills/s/SKILL.md', 'p/notes.txt']) put(path, text)
  const { out } = await run('lint', '--all', 'p')
  expect(out).toMatch(/c\.md:1 info a command \[not-an-agent\]\n {2}move it to a folder of agents if it is one/)
  expect(out).toMatch(/SKILL\.md:1 info part of a skill \[not-an-agent\]/)
  expect(out).toMatch(/notes\.txt:1 info another kind of file \[other-extension\]\n {2}use \.md/)
})

test('lint --fix took a trusted agent out of service without a word', async () => {
  const broken = (name: string) => `---\nname: ${name}\ndescription: Use: this\n---\nx\n`
  const path = put('.claude/agents/a.md', broken('a'))
  put('home/.claude/agents/own.md', broken('own'))
  const hash = createHash('sha256').update(readFileSync(path)).digest('hex')
  fileTrustStore(join(root, 'home/.config/offshoot/trust.json')).trust(root, [hash], { [path]: hash })
  expect((await run('list')).out).toContain('a ')
  const { out } = await run('lint', '--fix')
  expect(out).toMatch(/^fixed \.claude\/agents\/a\.md: it was trusted as it was; .*offshoot trust$/m)
  expect(out).toMatch(/^fixed home\/\.claude\/agents\/own\.md$/m)
})

test('lint did not say why a link is not fixed, and counted one as broken whose file it had just fixed', async () => {
  put('c/agents/a.md', '---\nname: a\ndescription: Use: this\n---\nx\n')
  symlinkSync('a.md', join(root, 'c/agents/link.md'))
  expect((await run('lint', 'c/agents/link.md')).out).toContain('it is a link: lint --fix mends the file it leads to')
  expect((await run('lint', '--fix', 'c')).out).not.toContain('syntax-repaired')
})

test('lint --fix left the other names of a file with its old text', async () => {
  const broken = '---\nname: a\ndescription: Use: this\n---\nx\n'
  const path = put('c/agents/a.md', broken)
  linkSync(path, join(root, 'other-name'))
  const { out, err } = await run('lint', '--fix', 'c')
  expect(out).not.toContain('fixed')
  expect(err).toContain('was not fixed: it has other names (hard links)')
  for (const each of [path, join(root, 'other-name')]) expect(readFileSync(each, 'utf8')).toBe(broken)
})

test('show told at line 1 what lint tells at the line of extends', async () => {
  put('home/.claude/agents/lost.md', '---\nname: lost\ndescription: x\nextends: bsae\n---\nx')
  expect((await run('show', 'lost')).err).toContain('lost.md:4 error agent "lost" is quarantined')
})

test('lint told to quote a value where none was at fault', async () => {
  put('c/agents/a.md', '---\nname: a\ndescription: x\ntags: [a, b\n---\nx\n')
  const { out } = await run('lint', 'c')
  expect(out).toContain('a.md:4:1 warning the value of "tags" is no valid YAML')
  expect(out).toContain('correct it by hand')
})

test('an agent that cannot have what it extends was sound for lint, and counted by nobody', async () => {
  put('home/.claude/agents/base.md', '---\nname: base\ndescription: x\ntools: Read\n---\nx')
  put('home/.claude/agents/lost.md', '---\nname: lost\ndescription: x\nextends: bsae\n---\nx')
  put('home/.claude/agents/heir.md', '---\nname: heir\ndescription: x\nextends: base\ntools: Bash\n---\nx')
  for (const path of [[], ['home/.claude/agents'], ['home/.claude/agents/lost.md', 'home/.claude/agents/heir.md']]) {
    const { out, code } = await run('lint', ...path)
    expect(code).toBe(1)
    expect(out).toMatch(
      /lost\.md:4 error agent "lost" is quarantined: .* \[extends-unknown\]\n {2}did you mean "base"\?/,
    )
    expect(out).toMatch(/heir\.md:4 warning .* \[extends-widened\]\n {2}remove it/)
    expect(out).toMatch(/ 1 with warnings, 1 quarantined;/)
  }
  expect((await run('list')).err).toContain('1 quarantined')
})

test('what a file is called, or names as its model, moved the cursor and changed colours', async () => {
  put('home/.claude/agents/a\u001b[31mb\nc.md', '---\nname: d\ndescription: x\ntols: Read\n---\nx')
  put('home/.claude/agents/e.md', '---\nname: e\ndescription: x\nmodel: "\\e[31mgpt"\n---\nx')
  for (const words of [['list', '--all'], ['lint'], ['lint', 'home/.claude/agents']]) {
    const { out, err } = await run(...words)
    expect(out + err).not.toMatch(/\u001b|b\nc/)
    expect(out).toContain('a\\u{001b}[31mb\\u{000a}c.md')
  }
})

test('a tool that is listed and not to be had here was not in what explain prints', async () => {
  const { out } = await run('explain', 'researcher')
  expect(out).toMatch(/✗ +WebSearch +not-here +researcher lists it, and it is not to be had here/)
})

test('import wrote an agent of a plugin into a list that no file may have', async () => {
  put('theirs.md', '---\nname: a\ndescription: x\ntools: Read, Agent(security:explore)\ntimeout: 5m\n---\nx')
  await run('import', 'theirs.md')
  expect((await run('lint', '.offshoot/agents')).code).toBe(0)
  expect((await run('show', 'a')).out).toContain('security:explore')
})

test('new makes a file that our own linter likes, and replaces nothing', async () => {
  const made = await run('new', 'Code Reviewer', '--description', 'Reviews: everything')
  expect(made).toMatchObject({ code: 0, out: '.offshoot/agents/code-reviewer.md\n' })
  expect((await run('lint', '--strict', '.offshoot/agents')).code).toBe(0)
  expect((await run('new', 'code reviewer')).code).toBe(1)
  expect((await run('new', '../evil')).code).toBe(2)
  expect(existsSync(join(root, 'evil.md'))).toBe(false)
})

test('new took the name of a built-in agent without a word: it is refused unless it is meant', async () => {
  for (const name of ['main', 'Explore', 'explore', 'general purpose'])
    expect(await run('new', name)).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringMatching(/^offshoot: "[^"]+" is a name of the built-in agent .* --force/),
    })
  expect(existsSync(join(root, '.offshoot/agents'))).toBe(false)
  expect(await run('new', 'Explore', '--force')).toMatchObject({ code: 0, out: '.offshoot/agents/explore.md\n' })
  expect((await run('new', 'Explore', '--force')).code).toBe(1)
})

test('new and import made a file that stood in for another agent, without a word', async () => {
  put('.claude/agents/reviewer.md', '---\nname: reviewer\ndescription: mine\n---\nReview.')
  const refused = {
    code: 2,
    out: '',
    err: expect.stringMatching(/^offshoot: "[^"]+" is the agent of \.claude\/agents\/reviewer\.md, .* --force/m),
  }
  expect(await run('new', 'Reviewer')).toMatchObject(refused)
  put('theirs.md', '---\nname: reviewer\ndescription: theirs\ntimeout: 5m\n---\nReview.')
  expect(await run('import', 'theirs.md')).toMatchObject(refused)
  expect(await run('import', 'theirs.md', '--to', 'elsewhere')).toMatchObject({ code: 0 })
  // It is taken over from there: both may lie here.
  expect(await run('import', '.claude/agents/reviewer.md')).toMatchObject({ code: 0 })
})

test('import into another product’s folder gave an agent that product’s time', async () => {
  put('.codex/agents/a.toml', 'name = "a"\ndescription = "x"\ndeveloper_instructions = "Do a."\n')
  await run('import', '.codex/agents/a.toml', '--to', '.claude/agents')
  expect((await run('show', 'a')).out).toMatch(/limits +300 s/)
})

test('new made a file that is taken for a template', async () => {
  expect(await run('new', 'agent-template')).toMatchObject({
    code: 2,
    err: expect.stringContaining('taken for templates'),
  })
  expect(existsSync(join(root, '.offshoot/agents'))).toBe(false)
})

test('a folder was imported file by file', async () => {
  put('theirs/a.md', '---\nname: a\ndescription: does a\ntimeout: 5m\n---\nDo a.')
  put('theirs/deep/b.md', '---\nname: b\ndescription: does b\ntimeout: 5m\n---\nDo b.')
  put('theirs/README.md', '# What lies here')
  put('theirs/broken.md', '---\nname: c\ndescription: x\ntols: Read\n---\nDo c.')
  const { code, out, err } = await run('import', 'theirs')
  expect({ code, out }).toEqual({ code: 1, out: '.offshoot/agents/a.md\n.offshoot/agents/b.md\n' })
  expect(err).toMatch(/theirs\/broken\.md:4:1 error "tols" [\s\S]*theirs\/broken\.md: nothing was imported\n/)
  expect(err).not.toContain('README')
  expect(await run('import', 'theirs/README.md')).toMatchObject({
    code: 1,
    err: expect.stringContaining('no front matter'),
  })
})

test('new says that the folder has to be trusted; a file of one’s own has not', async () => {
  expect((await run('new', 'one')).err).toMatch(/write its prompt\. It acts once it is trusted.*: offshoot trust\n$/)
  expect((await run('new', 'two', '--user')).err).not.toContain('trust')
})

test('lint called the description that new writes sound', async () => {
  await run('new', 'reviewer')
  const { out, code } = await run('lint', '.offshoot/agents')
  expect(code).toBe(0)
  expect(out).toMatch(/reviewer\.md:3:1 warning the description is a placeholder.* \[description-placeholder\]/)
  expect((await run('lint', '--strict', '.offshoot/agents')).code).toBe(1)
})

test('import added a timeout the file does not contain, without a word', async () => {
  put('.claude/agents/y.md', '---\nname: y\ndescription: does y\n---\nDo y.')
  expect((await run('import', '.claude/agents/y.md')).err).toBe(
    'y: added, since files of this kind mean it without saying so: timeout: "30m"\n' +
      'What was imported acts once the folder is trusted as it is now: offshoot trust\n',
  )
  put('.claude/agents/z.md', '---\nname: z\ndescription: does z\ntimeout: 5m\n---\nDo z.')
  expect((await run('import', '.claude/agents/z.md')).err).not.toContain('added')
})

test('import did not say that what it wrote is not trusted yet', async () => {
  put('theirs.md', '---\nname: y\ndescription: does y\ntimeout: 5m\n---\nDo y.')
  expect((await run('import', 'theirs.md')).err).toContain('offshoot trust')
  // Nothing was written, or elsewhere: nothing to trust.
  for (const more of [[], ['--print'], ['--to', 'elsewhere']])
    expect((await run('import', 'theirs.md', ...more)).err).not.toContain('offshoot trust')
})

test('import took the name of a built-in agent without a word: it is refused unless it is meant', async () => {
  for (const name of ['Explore', 'EXPLORE', 'general purpose', 'claude-code-guide', 'planner']) {
    put('theirs.md', `---\nname: ${name}\ndescription: does it\ntimeout: 5m\n---\nDo it.`)
    expect(await run('import', 'theirs.md')).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringMatching(/^offshoot: "[^"]+" is a name of the built-in agent .* --force/m),
    })
  }
  expect(existsSync(join(root, '.offshoot/agents'))).toBe(false)
  expect((await run('import', 'theirs.md', '--print')).out).toContain('name: planner')
  expect(await run('import', 'theirs.md', '--force')).toMatchObject({ code: 0, out: '.offshoot/agents/planner.md\n' })
})

test('of several agents in a file the one with a built-in name is refused, and the others are imported', async () => {
  put(
    'agents.json',
    JSON.stringify({ Plan: { description: 'd', prompt: 'p' }, other: { description: 'd', prompt: 'p' } }),
  )
  expect(await run('import', 'agents.json')).toMatchObject({ code: 2, out: '.offshoot/agents/other.md\n' })
})

test('Roo’s modes could be neither imported nor linted: each is an agent of its own', async () => {
  const text = `customModes:
  - slug: writer
    name: ✍ Writer
    roleDefinition: You write.
    whenToUse: For docs.
    groups:
      - read
      - - edit
        - fileRegex: \\.md$
  - slug: odd
    name: Odd
    roleDefinition: You are odd.
    groups: [red]
`
  put('theirs/.roomodes', text)
  const { out, err, code } = await run('import', 'theirs/.roomodes')
  expect({ out, code }).toEqual({ out: '.offshoot/agents/writer.md\n', code: 1 })
  expect(err).toContain('theirs/.roomodes:13')
  expect(err).toContain('1 of 2 agents cannot be read for certain, and were left out')
  const written = readFileSync(join(root, '.offshoot/agents/writer.md'), 'utf8')
  expect(written).toContain('Edit(**/*.md)')
  expect((await run('lint', '.offshoot')).code).toBe(0)
  const linted = await run('lint', 'theirs')
  expect(linted.code).toBe(1)
  expect(linted.out + linted.err).toContain('theirs/.roomodes:13')
})

test('import turns another product’s file into ours and says what it could not carry over', async () => {
  put(
    'x.agent.md',
    "---\ndescription: plans\ntools: ['search', 'githubRepo']\nmodel: GPT-5 (copilot)\ntarget: vscode\n---\nPlan.",
  )
  const { out, err, code } = await run('import', 'x.agent.md')
  expect({ out, code }).toEqual({ out: '.offshoot/agents/x.md\n', code: 0 })
  expect(err).toContain('tools of other products: githubRepo')
  expect(err).toContain('kept as they are, though nothing here reads them: target')
  expect(readFileSync(join(root, '.offshoot/agents/x.md'), 'utf8')).toContain(
    'tools: [Grep, Glob, LS, githubRepo, Read]',
  )
  expect((await run('import', 'x.agent.md')).code).toBe(1)
})

test('explain shows every tool with the rule behind it, the chain, and what the prompt weighs', async () => {
  const { out, code } = await run('explain', 'Explore')
  expect(code).toBe(0)
  expect(out).toMatch(/✓ +Read +kept/)
  expect(out).toMatch(/✗ +Write +not-in-definition/)
  expect(out).toMatch(/model +test\/model chosen/)
  expect(out).toMatch(/Permission chain\n +main +mode default.*\n +Explore +mode plan +what must be asked is denied/)
  expect(out).toMatch(/system prompt +\d+/)
  expect(JSON.parse((await run('explain', 'Explore', '--json')).out)).toMatchObject({
    agent: 'Explore',
    estimatedTokens: { total: expect.any(Number) },
  })
})

test.skipIf(sharedFolder('corpus') === undefined)('lint of a collection finds its agents and only those', async () => {
  const { out, code } = await run('lint', sharedFolder('corpus')!)
  expect(code).toBe(0)
  expect(out).toMatch(/319 agents in 519 files: 275 sound, 44 with warnings, 0 quarantined; 200 files are no agents/)
})

const run = (...words: readonly string[]): Promise<Said> => runOn(undefined, words)
const runOn = (terminal: TerminalRoom | undefined, words: readonly string[]) => runIn(root, terminal, words)

function put(path: string, text: string): string {
  const full = join(root, path)
  mkdirSync(dirname(full), { recursive: true })
  writeFileSync(full, text)
  return full
}
