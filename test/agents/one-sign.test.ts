/** One damaged sign made an agent wider, each in its own way: limits that a fuzzer from outside found lost. */
import { describe, expect, test } from 'vitest'
import { codesOf, readAs } from './read-as.js'

const file = '.claude/agents/a.md'
const read = (block: string, path = file) =>
  readAs(path, `---\nname: a\ndescription: Looks at things.\n${block}\n---\n\nYou look at things.\n`)
const stateOf = (block: string) => read(block).state

describe('a text with blank lines above the limits', () => {
  const head =
    '---\nname: a\ndescription: |\n  Ask it about plugins.\n\n  <example>\n  user: "check it"\n  </example>\n'
  const limits = 'model: inherit\ntools: ["Read"]\n---\n\nYou are a reviewer.\n'

  test('is read to its end', () => {
    expect(readAs(file, head + limits).agents[0]?.agent?.tools).toEqual([{ name: 'Read' }])
  })
  test('lost all of them where the file was cut off behind a blank line', () => {
    for (let end = head.indexOf('<example>'); end < head.length; end++)
      expect(readAs(file, head.slice(0, end)).state, head.slice(end - 8, end)).toBe('quarantined')
  })
  test('lost all of them to a fence on a line of its own', () => {
    for (let at = head.indexOf('Ask'); at < head.length; at++)
      expect(readAs(file, `${head.slice(0, at)}\n---\n${head.slice(at)}${limits}`).state, head.slice(at, at + 9)).toBe(
        'quarantined',
      )
  })
  test('lost all of them to a fence that was moved up', () => {
    const open = head + limits.replace('---\n', '')
    for (const line of ['description: |\n', '  Ask', '\n  <example>', '  user:', '  </example>'])
      expect(readAs(file, open.replace(line, `---\n${line}`)).state, line).toBe('quarantined')
  })
  test('and a body that begins with a list is a body', () => {
    const text = `${head}---\n\n- one\n  - two\n\ntools: what you need\n`
    expect(readAs(file, text).state).toBe('loaded')
  })
})

describe('signs that nobody sees', () => {
  const cyrillic = 'gіt'
  test.each([
    ['a letter of another alphabet', `disallowedTools:\n  - Bash(${cyrillic} push:*)`],
    ['one without width', 'disallowedTools:\n  - Bash(git pu\u200bsh:*)'],
    ['one that turns the script around', 'disallowedTools:\n  - Bash(\u202egit push:*)'],
    ['one in place of bytes that were none', 'permissions:\n  ask:\n    - Bash(git pu\ufffdh *)'],
    ['the end of a line that YAML has none of', 'disallowedTools:\n  - Bash(git pu\u0085h:*)'],
    ['a blank that is a letter to a shell', 'disallowedTools:\n  - Bash(g\u00a0it push:*)'],
    ['one as wide as a picture', 'permission:\n  bash:\n    "rm\u3000*": deny'],
    ['a letter of phonetics alone', 'disallowedTools:\n  - Read(./\u0261.sh)'],
    ['a colon that is none', 'disallowedTools:\n  - Bash(git push：*)'],
    [
      'in the matcher of a guard',
      `hooks:\n  PreToolUse:\n    - matcher: Writе|Edit\n      hooks: [{type: command, command: x}]`,
    ],
    [
      'in the program of a guard',
      `hooks:\n  PreToolUse:\n    - matcher: Write\n      hooks: [{type: command, command: ./guаrd.sh}]`,
    ],
    [
      'a blank at the end of its program',
      'hooks:\n  PreToolUse:\n    - matcher: Write\n      hooks: [{type: command, command: "./guard.sh\u00a0"}]',
    ],
  ])('made a limit limit nothing: %s', (_, block) => {
    expect(codesOf(read(block)).join()).toMatch(/security-(?:value-unclear|key-damaged)/)
  })

  test.each([
    'disallowedTools:\n  - Bash(git commit -m "правка" *)\n  - Read(документы/**)',
    'disallowedTools:\n  - Read(設計/**)\n  - Read(über/**)',
    'tools: Read,\u00a0Grep',
    'canSpawn: [yard\u0131mc\u0131, 検索係]',
    'hooks:\n  PreToolUse:\n    - matcher: Write\n      hooks: [{type: command, command: "./guard.sh 🚀 👩‍💻 “ja” "}]',
    'hooks:\n  PreToolUse:\n    - matcher: Write\n      hooks: [{type: command, command: "printf \'\\e[31mno\\e[0m\'"}]',
  ])('are not words of another language, nor blanks between names: %s', block => {
    expect(stateOf(block)).toBe('loaded')
  })
})

describe('the matcher of a guard', () => {
  const guard = (matcher: string) =>
    read(`hooks:\n  PreToolUse:\n    - matcher: '${matcher}'\n      hooks: [{type: command, command: ./guard.sh}]`)
  test.each([
    'Write|=dit',
    'Wri;te|Edit',
    'Write}|Edit',
    'Wr#ite|Edit',
    'Write|Edit(',
    'Write#Edit',
    '.Bash',
    'Bash.',
    'Bash"',
    '$Bash',
    '<%= Bash %>',
  ])('fitted one of its tools no more: %s', matcher => expect(guard(matcher).state).toBe('quarantined'))
  test.each([
    'Write|Edit',
    '^(Write|Edit)$',
    'mcp__.*',
    'Bash|mcp__db__.*',
    '.*',
    'Notebook.*|Write',
    '/Bash/',
    '*',
    'Write|custom_.*',
    '(Edit|Write)',
    '^(?:Edit|MultiEdit)$',
    'mcp__.*__write.*',
    'Read|.*search.*',
    '"Write|Edit"',
  ])('that is sound stays so: %s', matcher => expect(guard(matcher).state).toBe('loaded'))
  test('named a tool of Kiro’s, with a slip', () => {
    const text = (matcher: string) =>
      JSON.stringify({
        ...{ name: 'a', description: 'x', prompt: 'y', tools: ['read'] },
        hooks: { preToolUse: [{ matcher, command: './g.sh' }] },
      })
    expect(readAs('.kiro/agents/a.json', `${text('execute_bash')}\n`).state).toBe('loaded')
    for (const matcher of ['execute_bbash', 'execute_bahs', 'xecute_bash'])
      expect(readAs('.kiro/agents/a.json', `${text(matcher)}\n`).state, matcher).toBe('quarantined')
  })
})

describe('a sign of comments inside a limit', () => {
  test.each([
    'disallowedTools: Write # , Edit',
    'disallowedTools: Write\n#, Edit',
    'disallowedTools:\n- mcp__slack__ # *',
    'tools:\n  - Bash # (git log:*)\n  - Read',
    'tools:\n  write: false # : x\n  webfetch # : false',
    'tool\n#s: Read',
    'di\n#sallowedTools: Write',
    'canSpawn: fal\n#se',
  ])('cut it short: %s', block => expect(stateOf(block)).toBe('quarantined'))

  test.each([
    'tools: Read, Grep # only these, for now',
    'tools: [\n  # to look\n  Read,\n  # to find\n  Grep\n]',
    'permissions: {\n  # never\n  deny: [Bash]\n}',
    'custom_tools: []\nmodel: haiku',
    'tools:\n  - Read # (for the docs)\n  - Grep',
    'disallowedTools:\n  - Write # it never writes\n  # nor runs anything\n  - Bash',
  ])('that somebody wrote is one: %s', block => expect(stateOf(block)).toBe('loaded'))

  test.each(['tools: []', 'tools: ""', 'tools:'])('and a list of nothing that was taken out is told: # %s', line => {
    expect(codesOf(read(`# ${line}\nmodel: haiku`))).toContain('limit-commented')
  })
})

describe('the shape of a line', () => {
  test.each([
    '- tools: Read\nmodel: haiku',
    'tools(Bash, Read)',
    'tools(Read Grep Bash)',
    'to: ols: []',
    'disa: llowedTools: \n  - Bash',
    'to\n  ols:',
    'tool\n\ns: ""',
    'disallowedTools: |\nmodel: haiku',
    'canSpawn: fal,se',
    'canSpawn: f alse',
    'canSpawn: [never]',
    'canSpawn:~ false',
    'disallowedTools:\n- mcp__slack__',
    'disallowedTools:\n- mcp__sl:ack__*',
    'disallowedTools:\n- m:p__slack__*',
    'budget:\n  tokens: 200\nusd: 0.5',
    'budget:\n  tokens: 200\nT usd: 0.5',
    'tools:\n  edit: false\n  EDIT: true',
  ])('made a limit something else: %s', block => expect(stateOf(block)).toBe('quarantined'))

  test('put a limit behind a border of a table', () => {
    expect(readAs('.cursor/agents/a.md', '---\nname: a\ndescription: x\n| readonly | true |\n---\nLook.\n').state).toBe(
      'quarantined',
    )
  })
  test('gave all of Copilot’s editing for a path that nobody knows', () => {
    const text = (tool: string) => `---\nname: a\ndescription: x\ntools: ['search', '${tool}']\n---\nLook.\n`
    const named = (tool: string) =>
      JSON.stringify(readAs('.github/agents/a.agent.md', text(tool)).agents[0]?.agent?.tools)
    expect(named('edit/editFiles')).toContain('"Edit"')
    expect(named('edit/edit/iles')).not.toContain('"Edit"')
  })
  test('let a server have all its tools for a dot in a key of TOML', () => {
    const role = (key: string) =>
      `name = "a"\ndescription = "x"\ndeveloper_instructions = "y"\n[mcp_servers.docs]\ncommand = "d"\n${key} = ["search"]\n`
    expect(readAs('.codex/agents/a.toml', role('enabled_tools')).state).toBe('loaded')
    expect(readAs('.codex/agents/a.toml', role('e.nabled_tools')).state).toBe('quarantined')
  })
})

describe('a line between those of a limit', () => {
  const after = ['x: "', "x: '", 'x: [', 'x: {', 'prose: with: colons', 'memory: project']
  test.each(after)('took the rest of a list away: %s', line => {
    expect(stateOf(`disallowedTools:\n- WebSearch\n${line}\n- mcp__slack__*\nmodel: haiku`)).toBe('quarantined')
  })
  test.each(after.slice(0, 5))('took the rest of a map away: %s', line => {
    expect(stateOf(`permissions:\n  allow:\n    - Read\n${line}\n  deny:\n    - Bash(curl *)\nmodel: haiku`)).toBe(
      'quarantined',
    )
  })
  test('that lost its place in opencode’s rules took those below it away', () => {
    const text =
      '---\ndescription: x\npermission:\n  bash:\n    "*": ask\n"git status": allow\n    "rm *": deny\n---\nLook.\n'
    expect(readAs('.opencode/agents/a.md', text).state).toBe('quarantined')
  })
})

test('UTF-16 with a byte lost was read as far as it went', () => {
  const text = '---\nname: a\ndescription: Looks at things\ntools: Read\n---\n\nLook.\n'
  const bytes = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])
  expect(readAs(file, bytes).state).toBe('warned')
  for (let lost = 4; lost < 120; lost++) {
    const { state, agents } = readAs(file, Buffer.concat([bytes.subarray(0, lost), bytes.subarray(lost + 1)]))
    expect(state === 'quarantined' || agents.length === 0, String(lost)).toBe(true)
  }
})

test.each(['"foo"', 'none', 'off', 'strict', 'true', '["read-only"]', '{mode: read-only}'])(
  'a sandbox mode that nobody can read left an agent in Markdown with all tools: %s',
  value => {
    for (const key of ['sandboxMode', 'sandbox-mode', 'sandbox_mode'])
      expect(stateOf(`${key}: ${value}`)).toBe('quarantined')
  },
)

describe('what an editor does to a limit', () => {
  const broken = 'tools: Read, Bash\n(npm run lint), Bash(npm test), Grep'
  test.each([
    ['a line wrapped inside a tool gave all of it', broken],
    ['a server’s one tool became the whole server', 'tools: Read, mcp__pw\n__click, Grep'],
    ['a key moved in below a guard', 'hooks:\n  Stop:\n    - hooks: [{ type: command, command: x }]\n  tools: Read'],
    ['a sign of a quote before each line', '> permissions:\n>   deny:\n>     - Read(./.env)'],
    ['a note before a list of rules', 'color: red\nTODO: permissions:\n  deny:\n    - Read(./.env)'],
    ['a tab for the first letter of a switch', '\tnable_mcp_tools: false'],
    ['a star that is an operator', 'disallowedTools: Bash(git push \u2217)'],
  ])('%s', (_, block) => expect(stateOf(block)).toBe('quarantined'))

  test.each(['disallowedTools: Bash(git push \\*)', 'permissions:\n  deny:\n    - Bash(git push \\*)'])(
    'a star that Markdown escaped denied nothing, and was not told: %s',
    block => {
      const reading = read(block)
      expect(codesOf(reading)).toContain('permission-narrowed')
      const { disallowedTools = [], permissions } = reading.agents[0]!.agent!
      const whole = [...disallowedTools, ...(permissions?.deny ?? [])].filter(each => each.pattern === undefined)
      expect(whole).toHaveLength(1)
    },
  )

  test('a file cut inside the examples of its description lost all that stood below', () => {
    const head = '---\nname: a\ndescription: Use it. Examples:\n\n<example>\nuser: "check"\n</example>\n'
    for (let end = head.indexOf('<example>') + 1; end < head.length; end++)
      expect(readAs(file, head.slice(0, end)).state, head.slice(end - 8, end)).toBe('quarantined')
  })
})
