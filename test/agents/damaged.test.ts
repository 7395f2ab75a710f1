/** Two or three slips in one file, a row for each kind a sweep found: none of these agents may run. */
import { expect, test } from 'vitest'
import { readAs } from './read-as.js'

const damaged: readonly (readonly [kind: string, block: string])[] = [
  ['a key with a swap over a lost letter', 'name: a\ndescription: x\nteiout: 90'],
  ['a key of which little is left, before its value', 'name: a\ndescription: x\noos: R@ad'],
  ['a key cut in two by a newline', 'name: a\ndescription: x\nperm\nssionMode: plan'],
  ['a limit that hangs on a sentence', 'name: a\ndescription: reads codtools: Raed'],
  ['a limit that hangs on a sentence by a sign', 'name: a\ndescription: x~basDir:packages/web'],
  ['a limit that hangs on a version', 'name: a\ndescription: "x"\nversion: 2.0.0tools: [Read, Grep]'],
  ['a limit behind a quoted text', 'name: a\ndescription: "x" tols: LSP, Read'],
  ['a limit that swallowed the next key', 'name: a\ndescription: >\n  two lines tools: Readcolor: red'],
  ['a limit in signs of code that hangs on a quoted text', 'name: a\ndescription: "x y"`tools:` Read, Write'],
  ['a tool that hangs on its key', 'name: a\ndescription: "x"toolsBash'],
  ['a tool that stands before another key', 'description: x\ndisallowedTools: Write, Edit,\nBashname: a'],
  ['a line without colon and space', 'name: a\ndescription: x\ndisabledtrue\nmodel: haiku'],
  ['a terse line with a sign in its key', 'name: a\ndescription: x\ndis*bled[true\nmodel: haiku'],
  ['a list of tools without its key', 'name: a\ndescription: "x":tools \nRead, Write, Edit\nmodel: haiku'],
  [
    'a map whose lines lost their indentation',
    'description: x\ntools:\n  write: false\n  \nash: false\nmode: subagent',
  ],
  ['a list that left its map', 'name: a\ndescription: x\npermissions:\n  deny: [WebFetch]\nTa sk: [Write]'],
  ['a line of permissions in a text', 'description: x{permissi(n:  "*": deny\n  read: allow'],
  ['a wildcard with a letter more', 'description: x\npermission:\n  bash:\n    "*T": deny\n    "git log*": allow'],
  ['switches that became words', 'description: x\ntools:\n  write:false\n  bash\n false\nmode: subagent'],
  ['noise between a tool and its pattern', 'name: a\ndescription: x\ntools: [Read, Bash ;UO8p(git:*)]'],
  ['a star among tools', 'name: a\ntools:\n  - Raed  * Glob\ndescription: x'],
  ['one tool that became two', 'name: a\ndescription: x\ntools: Read, Tod Write'],
  ['one tool that became two by a comma', 'name: a\ndescription: x\ntools: Read, Grep, Bash,Output'],
  ['a tool out of a longer name', 'name: a\ndescription: x\ntools: Read, subagent catalog:fetch'],
  ['a name that a semicolon parted', 'name: a\ndescription: x\ntools: Read, subagent;catalog:search'],
  ['a word behind closing quotes', 'name: a\ndescription: "x y"t\nools: R'],
  [
    'half a name that another one has, too',
    'name: a\ndescription: x\ntools: Read, subagent-catalog:search, subagent,catalog:fetch',
  ],
  ['a key behind closing quotes and a sign', 'name: a\ndescription: "x y";tools: Bh'],
  ['a list of tools whose key lost its first letter', 'name: a\ndescription: Use this: when neededt\nolos: Reda, Grep'],
  [
    'a key that hangs on a remark in brackets, without its colon',
    'name: a\ndescription: Finds what changed. (Some are to transform.)tools Read, Glob, Grep',
  ],
  [
    'a key of which a sign made a comment, and not of its lines',
    'name: a\ndescription: x\n#permission:\n  tickets: deny\nmodel: haiku',
  ],
  ['a time in two pieces, with noise between them', 'name: a\ndescription: x: y\ntim\nqt: 90\ncolor: red'],
  ['a key that hangs on a tool', 'name: a\ndescription: x\ntools: Read, Bashextends reviewer'],
  ['a denial that is nearly one', 'name: a\ndescription: x\ndisallowedTools: Bsbah'],
  ['a denial with a stroke behind it', 'name: a\ndescription: x\ndisallowedTools: Bash_, Write'],
  ['two rules that ran together', 'name: a\ndescription: x\npermissions: { deny: ["Bash(, Edit(/src/**)"] }'],
  ['two denials that ran together', 'name: a\ndescription: x\ndisallowedTools: BashWrte'],
  ['a word with a limit behind it', 'name: a\ndescription: x\nmodel: inherit:|eadoly: true'],
  ['a table where a text should be', 'description:\n xotols: [Read]\nmodel: sonnet'],
  ['a guard whose event was cut', 'name: a\ndescription: x\nhooks:\n  PreT\nolUse:\n    - matcher: Bash'],
  [
    'a newline that moved out of the key into the sentence above',
    'name: a\ndescription: Use this: when ne\nededtools: Read, Grep\nmodel: haiku',
  ],
  ['a key in two behind a text that a sign broke', 'name: a\ndescription: x\n{base\nDir: packages/web\nmodel: sonnet'],
  ['tools of elsewhere behind a key that lost its colon', 'name: a\ndescription: "x"\ntoolsR LSP, R ad'],
  [
    'the rest of a list behind a name that was cut in two',
    'name: a\ndescription: x\ntools: Read, AskUesrQuestion, Task\nOutput, TaskStop, Agent(a, b)\nmodel: opus',
  ],
  ['a pattern whose bracket a semicolon parted from its tool', 'name: a\ndescription: x\ntools: [Read, Bash;R(git:*)]'],
  [
    'a list of tools in prose, of which the key is in pieces',
    'name: a\ndescription: Use it. Now\nto\nls: Ba\nsh, Read, Grep, Glob, Edit\nskills: b',
  ],
  ['a table of tools where a text should be', 'name: a\ndescription:\n You are a.atools: [Read]\nmodel: haiku'],
  ['tools in two behind a broken text', 'name: a\ndescription: Use: it.\nto\nls: [Re,ad]\nmodel: haiku'],
  ['a bracket that moved into the pattern', 'name: a\ndescription: x\ntools: ["Read", "Bash g(it log:*)"]'],
  ['a bracket that moved further into the pattern', 'name: a\ndescription: x\ntools: ["Read", "Bash it l(og:*)"]'],
  ['a bracket that moved behind a comma', 'name: a\ndescription: x\ntools: Read, Bash,g(it log:*)'],
  [
    'a denial of which a line of two letters is left',
    'name: a\ndescription: x\n*is\nallowedTools:\n  - Bash\n  - Write',
  ],
  ['a name with a mark in it that nobody can see', 'name: a\ndescription: x\ntools: Task, Tod.\ufeffWrite, Glob'],
  [
    'two denials that became one',
    'name: a\ndescription: x\npermissions:\n  deny: \n   - Bash(rm *)\n    - WebFetc)\n  ask: [Write]',
  ],
  ['spawned agents with a limit in their names', 'name: a\ndescription: x\ncanSpawn: b[](isolation:/ worktree'],
]

test.each(damaged)('%s', (_, block) => {
  const reading = readAs('a.md', `---\n${block}\n---\nYou are a probe.\n`)
  const faults = reading.diagnostics.filter(each => each.severity === 'error')
  expect(reading.state).toBe('quarantined')
  expect(faults[0]).toMatchObject({ file: 'a.md', line: expect.any(Number), hint: expect.stringMatching(/\w/) })
})

test.each(['disa.lowed.tools', 'dis.allowed_tools', 'd.is.allowedtools'])('%s: a key that dots took apart', key => {
  const reading = readAs('a.toml', `name = "a"\ndescription = "x"\ntools = ["*"]\n${key} = ["Bash", "Edit"]\n`)
  expect(reading.state).toBe('quarantined')
})

test('a scrap of a longer name brought delegation along', () => {
  const reading = readAs('a.md', '---\nname: a\ndescription: x\ntools: Read subagent-;catalog:fetch\n---\nYou help.\n')
  expect(reading.agents[0]?.agent?.canSpawn).toBeUndefined()
  expect(JSON.stringify(reading.agents[0]?.agent?.tools)).not.toContain('Task')
})

test.each([
  'description: Reviews pull requests',
  'description: x\nmodel: opus',
  'description: x\ncolor: red',
  'description: Does static analysis',
  'description: Says "this"',
  'description: Reads (all of it)',
  'description: "It does (this"',
  'description: |\n  Reads whatever there\n  was',
])('a whole list of allowed tools below %j was taken for half of a list of denied ones', above => {
  const reading = readAs('a.md', `---\nname: a\n${above}\nallowed-tools: Read, Grep\n---\nYou help.\n`)
  expect(reading.agents[0]?.agent?.quarantine).toBeUndefined()
  expect(reading.state).toBe('warned')
})

test.each([
  ['metadata:\n  tools: Read, Bash', 5],
  ['claude:\n  tools: Read, Grep\n  permissionMode: plan', 5],
  ['platforms:\n  claude:\n    disallowedTools: [Bash]', 6],
  ['config: { maxTurns: 3 }', 4],
  ['capabilities:\n  allowed_tools: [Read]\n  restricted_tools: [Bash]', 5],
])('a limit inside a table of somebody else was passed over without a word: %j', (block, line) => {
  const reading = readAs('a.md', `---\nname: a\ndescription: x\n${block}\n---\nYou help.\n`)
  expect(reading.state).toBe('warned')
  expect(reading.diagnostics).toMatchObject([{ code: 'limit-nested', line }])
})

test('a limit that stands at the left edge too needs no word', () => {
  const reading = readAs('a.md', '---\nname: a\ndescription: x\ntools: Read\nmetadata: {tools: 3}\n---\nYou help.\n')
  expect(reading.state).toBe('loaded')
})

test.each(['[mcp_servers.foo]\ncommand = "x"', '[output]\ntype = "object"', '[inputs.q]\ntype = "string"'])(
  'a limit of TOML that a header above it swallowed: %j',
  table => {
    const reading = readAs(
      '.codex/agents/a.toml',
      `name = "a"\ndescription = "x"\ndeveloper_instructions = "y"\n${table}\nsandbox_mode = "read-only"\n`,
    )
    expect(reading.state).toBe('quarantined')
  },
)

test.each(['to', 'tols', 'ols'])('a long list of tools under what is left of its key gave all tools: %s', key => {
  const servers = Array.from({ length: 40 }, (_, at) => `mcp__srv__tool_${at}`).join(', ')
  const text = `---\nname: a\ndescription: x\n${key}: Read, Grep, Glob, ${servers}\n---\nYou help.\n`
  expect(readAs('.claude/agents/a.md', text).state).toBe('quarantined')
})
