/**
 * Files as they lie about in the wild, written afresh: what each must come to. A summary reads
 * `state name: tools -denied · model · code, code`; `all` is every tool of the caller, `none` no tool at all.
 */
import { expect, test } from 'vitest'
import type { ToolGrant } from '../../src/core/agent-definition.js'
import type { FileReading } from '../../src/core/agent-file/read-agent-file.js'
import { readAs } from './read-as.js'

type Row = readonly [title: string, path: string, text: string, summary: string]

const claudeFile = '.claude/agents/file-stem.md'
const geminiFile = '.gemini/agents/file-stem.md'
const opencodeFile = '.opencode/agent/file-stem.md'
const copilotFile = '.github/agents/file-stem.agent.md'

const claude: readonly Row[] = [
  [
    'a comma list',
    claudeFile,
    front('name: r\ndescription: Reviews code.\ntools: Read, Grep, Glob\nmodel: sonnet'),
    'loaded r: Read Grep Glob · sonnet',
  ],
  [
    'a flow list with quotes',
    claudeFile,
    front('name: r\ndescription: x\ntools: ["Read", \'Bash\']\nmodel: opus'),
    'loaded r: Read Bash · opus',
  ],
  [
    'a block list',
    claudeFile,
    front('name: r\ndescription: x\ntools:\n  - Read\n  - WebFetch'),
    'loaded r: Read WebFetch',
  ],
  [
    'a block list at the left edge',
    claudeFile,
    front('name: r\ndescription: x\ntools:\n- Read\n- Edit\nmodel: haiku'),
    'loaded r: Read Edit · haiku',
  ],
  [
    'spaces instead of commas',
    claudeFile,
    front('name: r\ndescription: x\ntools: Read Grep Glob'),
    'loaded r: Read Grep Glob',
  ],
  ['a trailing comma', claudeFile, front('name: r\ndescription: x\ntools: Read, Grep,'), 'loaded r: Read Grep'],
  ['an empty list of tools', claudeFile, front('name: r\ndescription: x\ntools:'), 'loaded r: none · tools-none'],
  ['a star', claudeFile, front('name: r\ndescription: x\ntools: "*"'), 'warned r: all · tools-word'],
  [
    'no tools, an inherited model',
    claudeFile,
    front('name: r\ndescription: x\nmodel: inherit'),
    'loaded r: all · inherit',
  ],
  [
    'capital keys',
    claudeFile,
    front('Name: r\nDescription: x\nTools: Read\nModel: sonnet'),
    'warned r: Read · sonnet · key-spelling',
  ],
  [
    'patterns',
    claudeFile,
    front('name: r\ndescription: x\ntools: Read, Bash(git diff:*), Bash(npm run test:*)'),
    'loaded r: Read Bash(git diff:*) Bash(npm run test:*)',
  ],
  [
    'servers',
    claudeFile,
    front('name: r\ndescription: x\ntools: Read, mcp__github__get_issue, mcp__context7'),
    'loaded r: Read mcp__github__get_issue mcp__context7__*',
  ],
  [
    'delegation',
    claudeFile,
    front('name: r\ndescription: x\ntools: Agent(worker, reviewer), Read'),
    'loaded r: Task Read',
  ],
  [
    'denials',
    claudeFile,
    front('name: r\ndescription: x\ndisallowedTools: Write, Edit\npermissionMode: plan'),
    'loaded r: all -Write -Edit',
  ],
  [
    'denials by words for several tools',
    claudeFile,
    front('name: r\ndescription: x\ndisallowedTools: [web, Write]'),
    'warned r: all -Write -WebSearch -WebFetch · value-converted',
  ],
  [
    'a colon in the description',
    claudeFile,
    front('name: r\ndescription: Use this agent when: code changed\ntools: Read'),
    'warned r: Read · syntax-repaired',
  ],
  [
    'examples in the description',
    claudeFile,
    front(
      'name: r\ndescription: Use this agent when you need a review. Examples: <example>Context: A change was made.\\nuser: "Please look"\\nassistant: "I\'ll use the reviewer: it knows."</example>\ntools: Read, Grep\ncolor: blue',
    ),
    'warned r: Read Grep · syntax-repaired',
  ],
  [
    'examples over lines',
    claudeFile,
    front(
      'name: r\ndescription: Use it for reviews.\n\n<example>\nContext: tests failed\nuser: "why?"\ntools: none of them\n</example>\n\nmodel: sonnet\ntools: Read',
    ),
    'warned r: Read · sonnet · syntax-repaired',
  ],
  [
    'quotes inside quotes',
    claudeFile,
    front('name: r\ndescription: "He said "stop" and left"\ntools: Read'),
    'warned r: Read · syntax-repaired',
  ],
  [
    'an apostrophe in single quotes',
    claudeFile,
    front("name: r\ndescription: 'It's the reviewer'\ntools: Read"),
    'warned r: Read · syntax-repaired',
  ],
  ['smart quotes', claudeFile, front('name: r\ndescription: “Reviews” – carefully\ntools: Read'), 'loaded r: Read'],
  [
    'smart quotes around a tool',
    claudeFile,
    front('name: r\ndescription: x\ntools: “Read”, “Grep”'),
    'quarantined r: none · security-value-unclear',
  ],
  [
    'a folded description',
    claudeFile,
    front('name: r\ndescription: >-\n  Reviews: all of it,\n  with care.\ntools: Read'),
    'loaded r: Read',
  ],
  [
    'a literal description with headings',
    claudeFile,
    front('name: r\ndescription: |\n  # When\n  tools are broken\n\n  - always\ntools: Read'),
    'loaded r: Read',
  ],
  [
    'a description that begins with a bracket',
    claudeFile,
    front('name: r\ndescription: [Beta] reviews things\ntools: Read'),
    'warned r: Read · syntax-repaired',
  ],
  [
    'a description that begins with a star',
    claudeFile,
    front('name: r\ndescription: *Always* use it\ntools: Read'),
    'warned r: Read · syntax-repaired',
  ],
  [
    'a description that begins with an at sign',
    claudeFile,
    front('name: r\ndescription: @security reviews\ntools: Read'),
    'warned r: Read · syntax-repaired',
  ],
  [
    'a description with a percent sign first',
    claudeFile,
    front('name: r\ndescription: % of code covered\ntools: Read'),
    'warned r: Read · syntax-repaired',
  ],
  ['a tab behind the colon', claudeFile, front('name:\tr\ndescription:\tx\ntools:\tRead'), 'loaded r: Read'],
  [
    'tabs that indent',
    claudeFile,
    front('name: r\ndescription: x\ntools:\n\t- Read\n\t- Grep'),
    'warned r: Read Grep · syntax-repaired',
  ],
  [
    'no space behind a colon',
    claudeFile,
    front('name: r\ndescription: x\ntools:Read'),
    'warned r: Read · syntax-repaired',
  ],
  [
    'a comment behind a value',
    claudeFile,
    front('name: r\ndescription: x\ntools: Read, Grep # nothing else'),
    'loaded r: Read Grep',
  ],
  ['a byte order mark', claudeFile, `\ufeff${front('name: r\ndescription: x\ntools: Read')}`, 'loaded r: Read'],
  [
    'Windows line ends',
    claudeFile,
    front('name: r\ndescription: x\ntools: Read').replaceAll('\n', '\r\n'),
    'loaded r: Read',
  ],
  ['old line ends', claudeFile, front('name: r\ndescription: x\ntools: Read').replaceAll('\n', '\r'), 'loaded r: Read'],
  [
    'a comment before the front matter',
    claudeFile,
    `<!-- generated: do not edit -->\n\n${front('name: r\ndescription: x\ntools: Read')}`,
    'warned r: Read · front-matter-misplaced',
  ],
  [
    'a heading before the front matter',
    claudeFile,
    `# Reviewer\n\n${front('name: r\ndescription: x')}`,
    'not-an-agent - · front-matter-misplaced',
  ],
  [
    'front matter in a code block',
    claudeFile,
    `\`\`\`yaml\n${front('name: r\ndescription: x')}\`\`\`\n`,
    'not-an-agent - · front-matter-in-code-block',
  ],
  [
    'a closing fence forgotten',
    claudeFile,
    '---\nname: r\ndescription: x\ntools: Read\n\nYou review.',
    'warned r: Read · front-matter-unclosed',
  ],
  [
    'a file torn inside its front matter',
    claudeFile,
    '---\nname: r\ndescription: x',
    'quarantined r: none · front-matter-torn, prompt-missing',
  ],
  [
    'rules inside the body',
    claudeFile,
    front('name: r\ndescription: x\ntools: Read', 'One.\n\n---\n\nTwo: three\n---\n'),
    'loaded r: Read',
  ],
  ['a name of several words', claudeFile, front('name: Brand Guardian\ndescription: x'), 'loaded Brand Guardian: all'],
  ['a name that is a number', claudeFile, front('name: 42\ndescription: x'), 'warned 42: all · name-converted'],
  ['no name', claudeFile, front('description: x\ntools: Read'), 'warned file-stem: Read · name-missing'],
  ['a path for a name', claudeFile, front('name: ../../etc/x\ndescription: x'), 'quarantined - · name-invalid'],
  [
    'unknown keys',
    claudeFile,
    front('name: r\ndescription: x\nversion: 1.2.0\nauthor: me\ntags: [a, b]\npriority: high'),
    'loaded r: all · key-unknown',
  ],
  [
    'allowed-tools',
    claudeFile,
    front('name: r\ndescription: x\nallowed-tools: Read, Grep'),
    'warned r: Read Grep · tools-key',
  ],
  [
    'a misspelt key',
    claudeFile,
    front('name: r\ndescription: x\ntoools: Read'),
    'quarantined r: none · security-key-damaged',
  ],
  [
    'a misspelt tool',
    claudeFile,
    front('name: r\ndescription: x\ntools: Read, Gerp'),
    'warned r: Read Gerp · tools-unknown',
  ],
  [
    'a full model id',
    claudeFile,
    front('name: r\ndescription: x\nmodel: claude-sonnet-4-5-20250929'),
    'loaded r: all · claude-sonnet-4-5-20250929',
  ],
  [
    'another vendor’s model',
    claudeFile,
    front('name: r\ndescription: x\nmodel: gpt-5'),
    'warned r: all · gpt-5 · model-unknown',
  ],
  [
    'a colour in hex, unquoted',
    claudeFile,
    front('name: r\ndescription: x\ncolor: #ff0000'),
    'warned r: all · value-comment',
  ],
  ['a colour nobody has', claudeFile, front('name: r\ndescription: x\ncolor: teal'), 'warned r: all · value-invalid'],
]

const others: readonly Row[] = [
  [
    'gemini-cli',
    geminiFile,
    front(
      'kind: local\nname: auditor\ndisplay_name: The Auditor\ndescription: audits\ntools:\n  - read_file\n  - grep_search\n  - glob\nmodel: gemini-2.5-pro\ntemperature: 0.2\nmax_turns: 12\ntimeout_mins: 5',
    ),
    'loaded auditor: Read Grep Glob · gemini-2.5-pro',
  ],
  ['gemini-cli, everything', geminiFile, front('name: a\ndescription: x\ntools: ["*"]'), 'loaded a: all'],
  [
    'gemini-cli, servers',
    geminiFile,
    front('name: a\ndescription: x\ntools: [mcp_github_*, run_shell_command, write_file]'),
    'loaded a: mcp__github__* Bash Write',
  ],
  [
    'opencode',
    opencodeFile,
    front(
      'description: Reviews code\nmode: subagent\nmodel: anthropic/claude-sonnet-4-5\ntemperature: 0.1\ntools:\n  write: false\n  edit: false\n  bash: false',
    ),
    'loaded file-stem: all -Write -Edit -Bash · anthropic/claude-sonnet-4-5',
  ],
  [
    'opencode, rules',
    opencodeFile,
    front('description: x\nmode: subagent\npermission:\n  edit: deny\n  webfetch: deny'),
    'loaded file-stem: all',
  ],
  [
    'opencode, only git',
    opencodeFile,
    front('description: x\npermission:\n  bash:\n    "*": deny\n    "git *": allow\ntools: {read: true, bash: true}'),
    'loaded file-stem: Read Bash(git *)',
  ],
  [
    'opencode, a prompt from a file',
    opencodeFile,
    front('description: x\nmode: primary\nprompt: "{file:./prompt.txt}"', ''),
    'warned file-stem: all · prompt-file',
  ],
  [
    'Copilot',
    copilotFile,
    front("description: 'Plans work'\ntools: ['search', 'editFiles', 'fetch', 'runCommands']\nmodel: Claude Sonnet 4"),
    'loaded file-stem: Grep Glob LS Edit MultiEdit WebFetch Bash Read · sonnet',
  ],
  [
    'Copilot, handing off',
    copilotFile,
    front(
      "name: planner\ndescription: x\ntools: [read, search, 'github/*']\nhandoffs:\n  - label: Implement\n    agent: coder\n    prompt: go\n    send: false",
    ),
    'loaded planner: Read Grep Glob LS mcp__github__*',
  ],
  [
    'a chat mode',
    '.github/chatmodes/architect.chatmode.md',
    front("description: 'Designs'\ntools: ['codebase', 'usages', 'findTestFiles']"),
    'warned architect: Grep Glob findTestFiles Read · tools-elsewhere',
  ],
  [
    'a Codex role',
    '.codex/agents/reviewer.toml',
    'name = "reviewer"\ndescription = "Reviews"\nmodel = "gpt-5-codex"\nmodel_reasoning_effort = "high"\nsandbox_mode = "read-only"\ndeveloper_instructions = """\nReview: be exact.\n"""\n',
    'loaded reviewer: all · gpt-5-codex',
  ],
  [
    'a Codex role that does not parse',
    '.codex/agents/reviewer.toml',
    'name = "reviewer\ntools = ["Read"]\n',
    'quarantined - · syntax-error',
  ],
  [
    'agents of a command line',
    'agents.json',
    '{"reviewer": {"description": "Reviews", "prompt": "Review.", "tools": ["Read"], "model": "haiku"}, "fixer": {"description": "Fixes", "prompt": "Fix."}}',
    'loaded reviewer: Read · haiku + fixer: all',
  ],
  [
    'Cursor',
    '.cursor/agents/verifier.md',
    front('name: verifier\ndescription: Checks\nmodel: inherit\nreadonly: true\nis_background: true'),
    'loaded verifier: all · inherit',
  ],
  [
    'plain YAML',
    'reviewer.yaml',
    'name: reviewer\ndescription: Reviews\ntools: [read_file, grep]\nsystem_prompt: |\n  Review: all.\n',
    'loaded reviewer: Read Grep',
  ],
]

const strays: readonly Row[] = [
  ['a README', '.claude/agents/README.md', '# Agents\n\nThese are ours.\n', 'not-an-agent - · no-front-matter'],
  [
    'a README with a title',
    '.claude/agents/README.md',
    front('title: Agents\ndescription: ours'),
    'not-an-agent - · not-an-agent',
  ],
  ['a CLAUDE.md', '.claude/agents/CLAUDE.md', front('description: instructions'), 'not-an-agent - · not-an-agent'],
  [
    'a skill',
    '.claude/agents/pdf/SKILL.md',
    front('name: pdf\ndescription: Reads PDF files'),
    'not-an-agent - · not-an-agent',
  ],
  [
    'a page of a site',
    '.claude/agents/page.md',
    front('title: About\nlayout: default\ndescription: about us'),
    'not-an-agent - · not-an-agent',
  ],
  [
    'a command',
    '.claude/agents/commands/deploy.md',
    front('description: Deploy\nargument-hint: "[env]"\nallowed-tools: Bash(git:*)'),
    'not-an-agent - · not-an-agent',
  ],
  [
    'a prompt of Copilot',
    '.github/agents/plan.prompt.md',
    front("mode: agent\ntools: ['search']\ndescription: Plans"),
    'not-an-agent - · not-an-agent',
  ],
  [
    'a rule of an editor',
    '.claude/agents/rule.md',
    front('description: Style\nglobs: "*.ts"\nalwaysApply: true'),
    'not-an-agent - · not-an-agent',
  ],
  [
    'a manifest',
    '.claude/agents/package.json',
    '{"name": "x", "description": "y", "version": "1.0.0"}',
    'not-an-agent - · not-an-agent',
  ],
  [
    'a configuration',
    '.claude/agents/config.yaml',
    'version: 2\njobs: {build: {docker: [{image: x}]}}\n',
    'not-an-agent - · not-an-agent',
  ],
  ['a text', '.claude/agents/notes.txt', 'name: x', 'not-an-agent - · other-extension'],
]

test.each([...claude, ...others, ...strays])('%s (%s)', (_title, path, text, summary) => {
  expect(summaryOf(readAs(path, text))).toBe(summary)
})

function front(block: string, body = 'You do one thing well.\n'): string {
  return `---\n${block}\n---\n\n${body}`
}

function summaryOf({ state, agents, diagnostics }: FileReading): string {
  const shown = agents.flatMap(({ agent }) => {
    if (!agent) return []
    const tools = agent.tools === 'all' ? ['all'] : agent.tools.length === 0 ? ['none'] : agent.tools.map(grantText)
    const denied = (agent.disallowedTools ?? []).map(grant => `-${grantText(grant)}`)
    return `${agent.name}: ${[...tools, ...denied].join(' ')}${agent.model ? ` · ${agent.model.join(', ')}` : ''}`
  })
  const codes = [...new Set(diagnostics.map(each => each.code))].join(', ')
  return `${state} ${shown.join(' + ') || '-'}${codes === '' ? '' : ` · ${codes}`}`
}

function grantText({ name, pattern }: ToolGrant): string {
  return pattern === undefined ? name : `${name}(${pattern})`
}

test('F6 P34: a body with --- inside, Windows line ends and a byte order mark load, and the body is kept whole', () => {
  const text = `\ufeff${front('name: r\ndescription: x\ntools: Read', 'One.\n\n---\n\nTwo: three\n\n---\nname: no\n---\n')}`
  const agent = readAs(claudeFile, new TextEncoder().encode(text.replaceAll('\n', '\r\n'))).agents[0]?.agent
  expect(agent).toMatchObject({ name: 'r', tools: [{ name: 'Read' }] })
  expect(agent?.systemPrompt).toBe('One.\n\n---\n\nTwo: three\n\n---\nname: no\n---')
})
