/** Files of other products as people write them today: what is sound there was quarantined here, or a limit in it lost. */
import { expect, test } from 'vitest'
import { agentIn, codesOf, readAs } from './read-as.js'
import { shownIn } from './shown-tools.js'

const opencode = '.opencode/agents/a.md'
const copilot = '.github/agents/a.agent.md'
const codex = '.codex/agents/a.toml'

const markdown = (block: string) => `---\ndescription: x\n${block}\n---\nYou are a probe.\n`
const role = (text: string) => `name = "a"\ndescription = "x"\ndeveloper_instructions = "Stay."\n${text}\n`
const rulesIn = (path: string, text: string) => {
  const { permissions } = agentIn(path, text)
  return (['allow', 'ask', 'deny'] as const).flatMap(
    action => permissions?.[action].map(rule => `${action} ${rule.text}`) ?? [],
  )
}

test.each([
  ['a server’s tool with letters that make no word', 'tools: {jiraMCP_sqlx_run: false}', 'mcp__jiraMCP__sqlx_run'],
  ['a server that is called like a tool of ours', 'tools: {"websearch_*": false}', 'WebSearch mcp__websearch__*'],
  ['a server that is called like a tool of ours', 'tools: {"edit_*": false}', 'Edit Write mcp__edit__*'],
])('opencode: %s, switched off, quarantined the file: %s', (_, block, names) => {
  const denied = shownIn(readAs(opencode, markdown(block))).split(' ')
  expect(denied).toEqual(expect.arrayContaining(names.split(' ').map(name => `-${name}`)))
})

test('opencode: the tools of a server, switched on without a line before the star, were no tools', () => {
  const shown = shownIn(readAs(opencode, markdown('tools: {webfetch: false, "browser-tools*": true}')))
  expect(shown).toMatch(/^Read .* mcp__browser-tools\* -WebFetch$/)
})

test('opencode: a rule that stands there twice quarantined the file; one with two meanings does', () => {
  const rules = (second: string) =>
    markdown(`permission:\n  bash:\n    "*": deny\n    npm test: allow\n    git log *: allow\n    npm test: ${second}`)
  expect(shownIn(readAs(opencode, rules('allow')))).toContain('Bash(npm test)')
  expect(readAs(opencode, rules('deny')).state).toBe('quarantined')
})

test('opencode: who may edit and write in one folder could not write there', () => {
  const folder = '\n    "*": deny\n    "notes/**": allow'
  const text = markdown(`permission:\n  edit:${folder}\n  write:${folder}`)
  expect(shownIn(readAs(opencode, text))).toContain('Write(notes/**)')
  expect(rulesIn(opencode, text).filter(rule => rule.startsWith('deny'))).toEqual([])
  expect(codesOf(readAs(opencode, text))).toEqual([])
})

test.each(['{"docs_*": deny, docs_search: allow}', '{"docs_*": ask, docs_search: allow}'])(
  'opencode: a tool allowed behind its server’s denial stayed denied without a word: %s',
  rules => {
    expect(codesOf(readAs(opencode, markdown(`permission: ${rules}`)))).toEqual(['permission-narrowed'])
  },
)

test('opencode: an agent with a dot in its name could not be called', () => {
  const agent = agentIn(opencode, markdown('permission: {task: {"*": deny, review.deep: allow, "review.*": allow}}'))
  expect(agent.canSpawn).toEqual(['review.deep'])
})

test.each([
  ['permission: {edit: false, bash: {"*": deny}}', 'deny Edit,deny MultiEdit,deny Write,deny NotebookEdit,deny Bash'],
  ['permission: {webfetch: false, bash: true}', 'deny WebFetch'],
])('opencode: switches where words belong quarantined the file: %s', (block, rules) => {
  expect(rulesIn(opencode, markdown(block)).join()).toBe(rules)
  expect(codesOf(readAs(opencode, markdown(block)))).toEqual(['value-converted'])
})

test('opencode: what is on beside rules may be a list of tools that lost its key: it is read as that', () => {
  for (const rules of ['edit: deny', 'bash: {"git *": allow}']) {
    const reading = readAs(opencode, markdown(`permission: {${rules}, read: true}`))
    expect(reading.agents[0]?.agent).toMatchObject({ tools: [{ name: 'Read' }] })
    expect(codesOf(reading)).toContain('permission-narrowed')
  }
})

test('opencode: words where switches belong quarantined the file', () => {
  const text = markdown('tools: {read: allow, bash: ask, edit: deny}')
  expect(shownIn(readAs(opencode, text))).toBe('Read Bash -Edit -Write')
  expect(rulesIn(opencode, text)).toEqual(['ask Bash'])
  expect(readAs(opencode, markdown('tools: {read: allow, edit: false}')).state).toBe('quarantined')
})

test('opencode: the variant of a model is how hard it thinks', () => {
  const agent = agentIn(opencode, markdown('model: acme/large-2#high'))
  expect([agent.model, agent.sampling?.effort]).toEqual([['acme/large-2'], 'high'])
  expect(agentIn(opencode, markdown('variant: xhigh')).sampling?.effort).toBe('xhigh')
  expect(codesOf(readAs(opencode, markdown('variant: thinking-fast')))).toEqual(['key-unknown'])
  expect(agentIn('.claude/agents/a.md', markdown('name: a\nvariant: high')).sampling).toBeUndefined()
})

test('opencode: a color of the theme and a mode in capital letters were warned about', () => {
  expect(readAs(opencode, markdown('color: accent')).state).toBe('loaded')
  expect(agentIn(opencode, markdown('mode: Primary')).isHidden).toBe(true)
})

test('servers that are named below mcp quarantined the file', () => {
  expect(agentIn(opencode, markdown('mcp:\n  servers:\n    - docs\n    - tickets')).mcpServers).toEqual([
    'docs',
    'tickets',
  ])
})

test('Codex: a setting that limits no agent quarantined the role', () => {
  const settings = 'include_apps_instructions = false\n[mcp_servers.docs]\ncommand = "docs"\n[shell_environment_policy]'
  const reading = readAs(codex, role(`${settings}\ninherit = "core"`))
  expect(reading.state).toBe('loaded')
  expect(readAs(codex, role('[shell_environment_policy]\nsandbox_mode = "read-only"')).state).toBe('quarantined')
})

test('Codex: a skill that is switched off was left on', () => {
  const skills = '[[skills.config]]\npath = "/home/me/skills/poster/SKILL.md"\nenabled = false\n[[skills.config]]'
  const text = role(`${skills}\npath = "skills/reader"`)
  expect(rulesIn(codex, text)).toEqual(['deny Skill(poster)'])
  expect(codesOf(readAs(codex, text))).toEqual([])
  expect(rulesIn(codex, role('[[skills.config]]\npath = "$(x)"\nenabled = false'))).toEqual(['deny Skill'])
  expect(rulesIn(opencode, markdown('skills: {poster: false, reader: true}'))).toEqual(['deny Skill(poster)'])
})

test.each(['enabled = false', 'max_depth = 0'])('Codex: a role that may have no agents could have some: %s', line => {
  const agent = agentIn(codex, role(`[agents]\n${line}`))
  expect(agent.canSpawn).toBe(false)
  expect(agent.disallowedTools).toContainEqual({ name: 'Task' })
})

test('Codex: a table for a tool that is switched off quarantined the role', () => {
  expect(shownIn(readAs(codex, role('[tools.update_plan]\nenabled = false')))).toBe('all -TodoWrite')
  expect(readAs(codex, role('[tools.update_plan]\nenabled = "perhaps"')).state).toBe('quarantined')
})

test('Codex: the provider of a model was left out, and the model called one without', () => {
  const text = role('model = "large-2"\nmodel_provider = "acme"')
  expect(agentIn(codex, text).model).toEqual(['acme/large-2'])
  expect(codesOf(readAs(codex, text))).toEqual([])
})

test('Copilot: a guard that says it runs in the project’s folder quarantined the agent; elsewhere it does', () => {
  const guard = (cwd: string) =>
    markdown(`hooks:\n  PreToolUse:\n    - type: command\n      command: node guard.mjs\n      cwd: ${cwd}`)
  expect(agentIn(copilot, guard('"${workspaceFolder}"')).hooks).toEqual({
    PreToolUse: [{ hooks: [{ type: 'command', command: 'node guard.mjs' }] }],
  })
  expect(readAs(copilot, guard('tools/guards')).state).toBe('quarantined')
})

test('Copilot: a tool of VS Code was taken for a server’s, or for nobody’s', () => {
  const reading = readAs(copilot, markdown('tools: [read, browser/typeInPage, edit/rename, vscode/newWorkspace]'))
  expect(codesOf(reading)).toEqual(['tools-elsewhere'])
  expect(shownIn(reading)).not.toContain('mcp__')
})

test('gemini-cli: of a list of agents elsewhere only the last was named', () => {
  const item = (name: string) => `- kind: remote\n  name: ${name}\n  agent_card_url: https://agents.example/${name}\n`
  const reading = readAs('.gemini/agents/a.md', `---\n${item('north')}${item('south')}---\n`)
  expect(reading.agents.map(({ agent, state }) => [agent?.name, state])).toEqual([
    ['north', 'quarantined'],
    ['south', 'quarantined'],
  ])
  expect(codesOf(reading)).not.toContain('security-key-damaged')
})

test.each(['hidden', 'user', 'false'])(
  'Copilot: an agent that models may not call was offered to them: infer: %s',
  word => {
    expect(agentIn(copilot, markdown(`infer: ${word}`)).isForPeople).toBe(true)
  },
)

test.each([
  'disable-model-invocation: true',
  'hidden: true\ndisableModelInvocation: true',
  'disableModelInvocation: true\nhidden: true',
])('an agent that its file keeps from models could be called by one that knew its name: %s', written =>
  expect(agentIn(copilot, markdown(written)).isForPeople).toBe(true),
)

test('Copilot: an agent for models is offered to them', () => {
  expect(agentIn(copilot, markdown('infer: agent')).isForPeople).toBeUndefined()
})

test('opencode: what rules allow and the tools that are on leave out was gone without a word', () => {
  const text = markdown('tools: {webfetch: true}\npermission: {edit: allow, webfetch: allow, bash: {"git *": allow}}')
  const [told, ...others] = readAs(opencode, text).diagnostics
  expect([told?.code, others]).toEqual(['permission-narrowed', []])
  expect(told?.message).toBe('Edit, MultiEdit, Write, NotebookEdit, Bash: allowed, and not among its tools')
  const sound = markdown('tools: {edit: true, read: true}\npermission: {edit: allow, bash: deny}')
  expect(codesOf(readAs(opencode, sound))).toEqual([])
})

test('opencode: a folder that asks was told of four times, once for each way of editing', () => {
  const text = markdown('permission: {edit: {"*": ask, "notes/**": allow}}')
  expect(codesOf(readAs(opencode, text))).toEqual(['permission-narrowed'])
})

test('a provider without a model was left out without a word', () => {
  expect(codesOf(readAs(codex, role('model_provider = "acme"')))).toEqual(['key-unknown'])
})

test('a limit that does not parse says why', () => {
  const [told] = readAs(copilot, markdown('tools: [read, agent]\nagents:\n  - *')).diagnostics
  expect(told?.message).toBe('the value of "agents" cannot be read for certain: a "*" stands there without quotes')
})

test('Codex: a table for a feature quarantined the role', () => {
  expect(readAs(codex, role('[features.multi_agent_v2]\nenabled = true')).state).toBe('loaded')
  expect(agentIn(codex, role('[features.multi_agent_v2]\nenabled = false')).canSpawn).toBe(false)
  expect(agentIn(codex, role('model_reasoning_effort = "ultra"')).sampling?.effort).toBe('max')
})

test('a model that is named twice, once in a list, was told of as two', () => {
  expect(codesOf(readAs(copilot, markdown('model: claude-haiku-4.5\nmodels: [claude-haiku-4.5]')))).toEqual([])
  expect(codesOf(readAs(copilot, markdown('model: claude-haiku-4.5\nmodels: [opus]')))).toEqual(['key-duplicate'])
})
