/** What is left of a limit when a bracket, a quote, a newline or its place is lost: each of these bound nothing, and was not told. */
import { describe, expect, test } from 'vitest'
import { codesOf, readAs } from './read-as.js'

const read = (block: string, path = '.claude/agents/a.md') =>
  readAs(path, `---\nname: a\ndescription: Reviews code changes\n${block}\n---\n\nYou review.\n`)

describe('a denial', () => {
  test.each([
    'disallowedTools: Bash(git push *)), WebFetch',
    'disallowedTools: Bash(rm *)(git push *)',
    'disallowedTools: Bash(git push" *), WebFetch',
    'disallowedTools: Bash(git pus]h *)',
    "disallowedTools: Bash('git push *)",
    'permissions:\n  deny:\n    - Bash((git push *)',
    'permissions:\n  deny:\n    - Read(./.env)env)',
    'permissions:\n  ask:\n    - Bash(git `push *)',
    'disallowedTools: Bash(\u212aill *)',
    'disallowedTools: Bash(git pus\u0301h *)',
    'disallowedTools: Bash(git pu\th *)',
    'disallowedTools: Bash(git pu\th \u00e9 *)',
    'permission:\n  "": {"gi\u0456t *": deny}\n  edit: ask',
    'disallowedTools: Bash(git push \u204e)',
    'tools:\n  "\uff0a": false\n  read: true',
    'disallowedTools: yes',
    'disallowedTools: Write, undefined',
    'disallowedTools: TODO',
    'disallowedTools:\n  - Bash\n  - m__github__*',
    'disallowedTools:\n  - mcp__github__*j',
    'disallowedTools:\n  - mcp__*p__*',
    'disallowedTools:\n  - mcp__githu # b__*',
    'disallowedTools: Task #(deployer), Bash(sudo *)',
    "disabledFeatures: [web, '']",
    'permission:\n  webfetch: {value: ask}',
    'permission:\n  bash: {default: ask, "git *": allow}',
  ])('of which a half is lost quarantines: %s', block => expect(read(block).state).toBe('quarantined'))
  test.each([
    'disallowedTools: Bash(git commit -m "a (b)" *)',
    "disallowedTools: Read(./l'atelier/**)",
    'disallowedTools: Read(app/[id]/**), Bash(ls {a,b} *)',
    'permission:\n  bash:\n    "*": ask\n    "*$(*": deny\n    "*`*": deny',
    'disallowedTools: Bash(psql -c "DROP*), Bash(node -e rm(*)',
    "disallowedTools: Bash(git commit -m 'wip*)",
    'disallowedTools: mcp__github__delete_*, mcp__db__*_write',
  ])('that is whole stays so: %s', block => expect(read(block).state).not.toBe('quarantined'))
  test.each(["disallowedTools: ''", 'disallowedTools: {}'])('of nothing is told: %s', block =>
    expect(codesOf(read(block))).toEqual(['value-invalid']),
  )
})

describe('a grant', () => {
  test.each([
    'tools: Read, mcp__docs\n __search',
    'tools: TODO',
    'tools: Read, mcp__docs # __search',
    'tools: Read, Task #(scout, tester), Grep',
  ])('that a remark makes wider quarantines: %s', block => expect(read(block).state).toBe('quarantined'))
})

describe('hooks of no shape', () => {
  test.each(['hooks: yes', 'hooks: 0', 'hooks: [[]]', 'hooks: PreTool'])('may have been a guard: %s', block =>
    expect(read(block).state).toBe('quarantined'),
  )
  test.each(['hooks: false', 'hooks: none', 'hooks:\n  - error-patterns\n  - log-analysis'])('%s holds none', block =>
    expect(read(block).state).not.toBe('quarantined'),
  )
})

describe('a limit that became a part of what stands above it', () => {
  const server = 'mcpServers:\n  tracker:\n    command: t\n'
  test.each([
    `${server}    disallowedTools: Write, Edit`,
    `${server}    permissions: {deny: [Bash]}`,
    `${server}    isolation: worktree`,
    `${server}  permissions: {deny: [Bash]}`,
    `${server}  tools: {read: true, bash: false}`,
    `${server}  hooks: {PreToolUse: [{hooks: [{type: command, command: ./g.sh}]}]}`,
    `${server}    excludeTools: delete]`,
    `${server}    excludeTools: [dele:te]`,
    `${server}    enabledToedTools: [list]`,
    'mcpServers: -',
    'mcpServers: on',
    'skills:\n  - one disallowedTools: Write, Edit',
    'skills:\n  - one\n  - disallowedTools: Write, Edit',
    'tools none',
    'toolsnone',
  ])('quarantines: %s', block => expect(read(block).state).toBe('quarantined'))

  const below = (text: string) =>
    readAs('.offshoot/agents/a.md', `---\nname: a\ndescription: ${text}\n---\n\nYou review.\n`)
  test.each([
    '>-\n  Reviews code\n  tools: Read, Grep, LS # only looks',
    '>-\n  Reviews code\n  tools: none',
    '>-\n  Reviews code\n  tools: All tools except Edit, Write',
    '|\n  Reviews code\n  disabledFeatures: outside-roots',
    '|\n  Reviews code\n  max_turns: 5',
    'Reviews code changes disabledFeatures: web',
    'Reviews code changes tools: none',
    'Reviews code changes canSpawn: scout',
  ])('below a text and behind one: %s', text => expect(below(text).state).toBe('quarantined'))
  test.each([
    '|\n  Explains `disabledFeatures: web` and what it takes away',
    '"Explains permissionMode: plan and acceptEdits"',
    'Tells when to use tools, and which',
    '|\n  tools: whatever the task needs',
  ])('which speaks of it: %s', text => expect(below(text).state).not.toBe('quarantined'))

  test.each(['# tools: none', '# disabledFeatures: outside-roots', '# canSpawn: scout'])(
    'is told in a comment: %s',
    line => expect(codesOf(read(line))).toEqual(['limit-commented']),
  )
})
