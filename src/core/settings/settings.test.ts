import { expect, test } from 'vitest'
import {
  findSetting,
  mergeSettings,
  obstacleIn,
  type SettingsFile,
  type SettingsScope,
  settingsIn,
} from './settings.js'
import { isGuardedVariable } from './settings-guard.js'

const file = (scope: SettingsScope, content: unknown, dialect: SettingsFile['dialect'] = 'offshoot'): SettingsFile => ({
  scope,
  dialect,
  origin: `${scope}/${dialect}`,
  root: '/work',
  content,
})

test('a value comes from the highest file that sets it, and says which', () => {
  const turns = (n: number) => ({ subagents: { maxTurns: n } })
  const scopes: SettingsScope[] = ['user', 'project', 'local', 'command-line', 'managed']
  for (let count = 1; count <= scopes.length; count++) {
    const merged = mergeSettings(scopes.slice(0, count).map((scope, i) => file(scope, turns(i + 1))))
    expect(findSetting(merged, 'subagents.maxTurns')).toMatchObject({
      value: count,
      scope: scopes[count - 1],
      origin: `${scopes[count - 1]}/offshoot`,
    })
    expect(merged.overridden).toHaveLength(count - 1)
  }
})

test('a project raised your own limits without a word: its value counts, and each one is told', () => {
  const own = {
    permissions: { defaultMode: 'plan' },
    subagents: { enabled: false, maxDescendants: 1, maxDepth: 2, maxTurns: 10, concurrency: 3, timeoutSeconds: 60 },
  }
  const theirs = {
    permissions: { defaultMode: 'acceptEdits' },
    subagents: {
      enabled: true,
      maxDescendants: 100_000,
      maxDepth: 1,
      maxTurns: 10,
      concurrency: 4,
      timeoutSeconds: 61,
    },
  }
  const told = (...files: SettingsFile[]) =>
    mergeSettings(files).diagnostics.map(({ code, file, message }) => [code, file, message])
  const raised = (key: string, theirs: string, yours: string, scope = 'project') => [
    'setting-raised',
    `${scope}/offshoot`,
    `"${key}" is ${theirs} here, and counts before the ${yours} of your own user/offshoot`,
  ]
  const all = (scope: SettingsScope) => [
    raised('permissions.defaultMode', '"acceptEdits"', '"plan"', scope),
    raised('subagents.concurrency', '4', '3', scope),
    raised('subagents.enabled', 'true', 'false', scope),
    raised('subagents.maxDescendants', '100000', '1', scope),
    raised('subagents.timeoutSeconds', '61', '60', scope),
  ]
  expect(told(file('user', own), file('project', theirs))).toEqual(all('project'))
  expect(told(file('user', own), file('local', theirs))).toEqual(all('local'))
  // What is stricter is nobody's loss, what nobody limited is not raised, and what you say for one start is yours.
  expect(told(file('user', theirs), file('project', { ...own, subagents: { maxTurns: 5 } }))).toEqual([])
  expect(told(file('project', theirs))).toEqual([])
  expect(told(file('user', own), file('project', theirs), file('command-line', own))).toEqual([])
  expect(told(file('user', own), file('managed', theirs))).toEqual([])
})

test('in one scope our own file wins over the one of .claude', () => {
  const merged = mergeSettings([
    file('user', { env: { CI: 'theirs', LANG: 'C' } }, 'claude'),
    file('user', { env: { CI: 'ours' } }),
  ])
  expect(settingsIn(merged, 'env').map(({ name, value, origin }) => [name, value, origin])).toEqual([
    ['CI', 'ours', 'user/offshoot'],
    ['LANG', 'C', 'user/claude'],
  ])
})

test('of a .claude file only permissions, hooks and env are read, and the rest is nobody’s business', () => {
  const merged = mergeSettings([
    file(
      'user',
      {
        model: 'opus',
        theme: 'dark',
        enabledPlugins: {},
        permissions: { allow: ['Bash(git *)'], defaultMode: 'acceptEdits', disableBypassPermissionsMode: 'disable' },
        hooks: { Stop: [{ hooks: [{ type: 'command', command: 'true' }] }] },
      },
      'claude',
    ),
  ])
  expect(merged.diagnostics).toEqual([])
  expect(merged.values.map(({ key }) => key)).toEqual([
    'permissions.defaultMode',
    'permissions.disableBypassPermissionsMode',
  ])
  expect(merged.rules[0]?.rules.allow[0]).toMatchObject({ tool: 'Bash', pattern: 'git *' })
  expect(merged.hooks).toHaveLength(1)
})

test('a bad value costs its own key and is named; the rest of the file counts', () => {
  const merged = mergeSettings([
    file('user', { subagents: { maxTurns: 'many', maxDepth: 2, maxTurn: 3 }, modle: 'x', hooks: { PreToolUse: 'no' } }),
  ])
  expect(findSetting(merged, 'subagents.maxDepth')?.value).toBe(2)
  expect(merged.diagnostics.map(({ code, severity }) => [code, severity])).toEqual([
    ['setting-invalid', 'error'],
    ['setting-unknown', 'error'],
    ['setting-unknown', 'warning'],
    ['hook-invalid', 'error'],
  ])
  expect(merged.diagnostics[1]?.hint).toContain('subagents.maxTurns')
})

test('a hook of Claude Code’s for an event that does not occur here was told as a fault at every start', () => {
  const hooks = { Notification: [{ hooks: [{ type: 'command', command: 'beep' }] }], Notifcation2: [] }
  const { diagnostics } = mergeSettings([file('user', { hooks })])
  expect(diagnostics.map(({ code, severity }) => [code, severity])).toEqual([
    ['hook-elsewhere', 'info'],
    ['hook-invalid', 'warning'],
  ])
})

test('a deny rule that cannot be read takes the allow rules of its file with it', () => {
  const merged = mergeSettings([
    file('user', { permissions: { allow: ['Bash'], deny: ['Bash(rm'] } }),
    file('project', { permissions: { allow: ['Read'] } }),
  ])
  expect(merged.rules.map(({ scope, rules }) => [scope, rules.allow.length])).toEqual([['project', 1]])
  expect(merged.diagnostics.map(({ code }) => code)).toContain('permissions-damaged')
})

test.each([
  ['no object', [], 'one JSON object'],
  ['permissions that are a list', { permissions: ['Bash'] }, '"permissions" must be an object'],
  ['denials that are no list', { permissions: { deny: 7 } }, '"permissions.deny" must be a list'],
  ['asks with something else among them', { permissions: { ask: ['Bash', 7] } }, '"permissions.ask" must be a list'],
  ['a deny that cannot be read', { permissions: { deny: ['Bash(rm'] } }, 'permissions.deny: "Bash(rm" has an opening'],
  ['hooks that are a list', { hooks: [] }, 'hooks must be an object'],
  ['a guard that is no list', { hooks: { PreToolUse: 'no' } }, 'hooks.PreToolUse: must be a list'],
  [
    'a guard of a kind that is not run',
    { hooks: { PreToolUse: [{ hooks: [{ type: 'prompt' }] }] } },
    '"prompt" are not',
  ],
  ['rules under a name nobody reads', { permision: { deny: ['Bash'] } }, 'did you mean "permissions"?'],
  ['denials under a name nobody reads', { permissions: { denny: ['Bash'] } }, 'did you mean "permissions.deny"?'],
  ['hooks under a name nobody reads', { Hook: {} }, 'did you mean "hooks"?'],
  ['a mode nobody knows', { permissions: { defaultMode: 'plam' } }, 'did you mean "plan"?'],
  ['a mode that is no word', { permissions: { defaultMode: ['plan'] } }, '"permissions.defaultMode" must be one of'],
  ['a mode under a name nobody reads', { permissions: { defaultmod: 'plan' } }, 'mean "permissions.defaultMode"?'],
  ['a guard of an event with a slip', { hooks: { PreToolUsed: [] } }, 'did you mean "PreToolUse"?'],
  ['a guard of an event in small letters', { hooks: { pretooluse: [] } }, 'did you mean "PreToolUse"?'],
])('nothing is started over %s: a deny or a guard may be lost there', (_, content, says) => {
  for (const scope of ['managed', 'command-line', 'project', 'user'] as const) {
    const obstacle = obstacleIn(mergeSettings([file('user', { model: 'x' }), file(scope, content)]))
    expect(obstacle).toContain(`${scope}/offshoot: `)
    expect(obstacle).toContain(says)
    expect(obstacle).toMatch(/[.?]$/)
  }
})

test.each([
  ['a word for a number', { concurrency: 'many' }, '"subagents.concurrency" must be a whole number from 1 to 10000'],
  ['less than nothing', { budgetTokens: -1 }, '"subagents.budgetTokens" must be a whole number from 1 to'],
  ['half a turn', { maxTurns: 0.5 }, '"subagents.maxTurns" must be a whole number from 1 to 1000'],
  ['a switch that is a word', { enabled: 'no' }, '"subagents.enabled" must be true or false'],
  ['a slip in its name', { maxDepht: 1 }, 'did you mean "subagents.maxDepth"?'],
  ['a name of small letters', { maxdepth: 1 }, 'did you mean "subagents.maxDepth"?'],
  ['a word of another name', { maxConcurrent: 'many' }, 'did you mean "subagents.concurrency"?'],
  ['a name that only sounds like a limit', { maxCost: 2 }, 'docs/settings.md lists every setting.'],
])('a limit of runs with %s was told, and the default counted', (_, subagents, says) => {
  for (const scope of ['managed', 'command-line', 'user'] as const) {
    const obstacle = obstacleIn(mergeSettings([file(scope, { subagents })]))
    expect(obstacle).toContain(`${scope}/offshoot: `)
    expect(obstacle).toContain(says)
  }
})

test('a section of limits that is none, or whose name has a slip, starts nothing', () => {
  expect(obstacleIn(mergeSettings([file('user', { subagents: [] })]))).toContain('"subagents" must be an object')
  expect(obstacleIn(mergeSettings([file('user', { subagent: { maxTurns: 3 } })]))).toContain('mean "subagents"?')
  expect(obstacleIn(mergeSettings([file('project', { subagents: { budgetUsd: 'x', budgetUds: 1 } })]))).toBeUndefined()
})

test.each([
  ['the section', { permisions: { deny: ['Bash'] } }, 'did you mean "permissions"?'],
  ['the section, in capitals', { Permissions: { deny: ['Bash'] } }, 'did you mean "permissions"?'],
  ['the list', { permissions: { denny: ['Bash'] } }, 'did you mean "permissions.deny"?'],
  ['the list, by another word', { permissions: { disallow: ['Bash'] } }, 'did you mean "permissions.deny"?'],
  ['the asks', { permissions: { asks: ['Bash'] } }, 'did you mean "permissions.ask"?'],
  ['the mode', { permissions: { defaultMod: 'plan' } }, 'did you mean "permissions.defaultMode"?'],
  ['the hooks', { Hook: { PreToolUse: [] } }, 'did you mean "hooks"?'],
  ['a deny', { permissions: { deny: ['Bash(rm'] } }, 'permissions.deny: "Bash(rm"'],
])('a slip of .claude in the name of %s lost its rules in silence', (_, content, says) => {
  for (const scope of ['project', 'local', 'user'] as const) {
    const obstacle = obstacleIn(mergeSettings([file(scope, content, 'claude')]))
    expect(obstacle).toContain(`${scope}/claude: `)
    expect(obstacle).toContain(says)
  }
})

test('what else stands in a file of .claude stays its own business', () => {
  const content = {
    permissions: {
      disableBypassPermissionsMode: 'disable',
      disableAutoMode: 'disable',
      skipAutoPermissionPrompt: true,
    },
    ...{ sandbox: { enabled: true }, plugins: 1, subagents: 7, model: 7, statusLine: 1, outputStyle: 'x', agent: 'a' },
    ...{
      subagentStatusLine: {},
      attribution: {},
      enabledPlugins: {},
      allowedHttpHookUrls: [],
      allowManagedHooksOnly: 1,
    },
    ...{ apiKeyHelper: 'x', cleanupPeriodDays: 3, permissionPromptTool: 'x', skipDangerousModePermissionPrompt: true },
  }
  expect(mergeSettings([file('user', content, 'claude')]).diagnostics).toEqual([])
})

test('a deny of WebFetch that names no host is about all, and it is said', () => {
  const permissions = { deny: ['WebFetch(^evil.*$)', 'WebFetch(https://evil.test/x)', 'WebFetch'] }
  const { diagnostics } = mergeSettings([file('user', { permissions })])
  expect(diagnostics).toMatchObject([{ code: 'permission-host-unreadable', severity: 'warning' }])
  expect(diagnostics[0]?.message).toContain('"WebFetch(^evil.*$)" names no host')
})

test('a rule for a tool whose name has a slip did nothing, and nobody said so', () => {
  for (const dialect of ['offshoot', 'claude'] as const) {
    const permissions = { deny: ['Bsh(rm:*)', 'mcp__git__push', 'Sleep', 'Web*'], ask: ['Wirte'], allow: ['Reed'] }
    const { diagnostics } = mergeSettings([file('user', { permissions }, dialect)])
    expect(diagnostics.map(({ severity, message, hint }) => [severity, message, hint])).toEqual([
      ['warning', 'permissions.allow: "Reed" is for a tool nobody knows here', 'did you mean "Read"?'],
      [
        'warning',
        'permissions.ask: "Wirte" is for a tool nobody knows here, so no call is asked about by it',
        'did you mean "Write"?',
      ],
      [
        'warning',
        'permissions.deny: "Bsh(rm:*)" is for a tool nobody knows here, so no call is denied by it',
        'did you mean "Bash"?',
      ],
    ])
  }
})

test.each([
  ['a slip', { sandbox: 'bublewrap' }, 'did you mean "bubblewrap"?'],
  ['a slip in its kind', { sandbox: { kind: 'bubblewrp' } }, 'did you mean "bubblewrap"?'],
  ['a switch', { sandbox: true }, '"sandbox" must be "none" or "bubblewrap"'],
  ['no kind', { sandbox: { network: false } }, '"sandbox" must be'],
  ['something nobody hides', { sandbox: { kind: 'bubblewrap', hidden: ['/secret'] } }, '"sandbox" must be'],
  ['a network that is neither on nor off', { sandbox: { kind: 'bubblewrap', network: 'off' } }, '"sandbox" must be'],
  ['a name nobody reads', { sandbx: 'bubblewrap' }, 'did you mean "sandbox"?'],
])('a sandbox asked for with %s is not done without in silence', (_, content, says) => {
  for (const scope of ['managed', 'command-line', 'user'] as const)
    expect(obstacleIn(mergeSettings([file(scope, content)]))).toContain(says)
  // It could not have set one.
  expect(obstacleIn(mergeSettings([file('project', content)]))).toBeUndefined()
})

test.each(['none', 'bubblewrap', { kind: 'bubblewrap', network: false, writable: ['/cache'] }])(
  'the sandbox %j is taken as it is',
  sandbox => {
    const merged = mergeSettings([file('user', { sandbox })])
    expect([findSetting(merged, 'sandbox')?.value, merged.diagnostics]).toEqual([sandbox, []])
  },
)

const written = (text: string, scope: SettingsScope = 'user', dialect: SettingsFile['dialect'] = 'offshoot') =>
  mergeSettings([{ ...file(scope, JSON.parse(text), dialect), text }])

test.each([
  [
    'permissions',
    '{"permissions": {"deny": ["Bash(rm:*)"]},\n "permissions": {"allow": ["Bash"]}}',
    '"permissions" stands',
  ],
  ['denials', '{"permissions": {"deny": ["Bash"], "allow": [], "deny": []}}', '"deny" in "permissions" stands twice'],
  ['denials with an escape', '{"permissions": {"deny": ["Bash"], "\\u0064eny": []}}', '"deny" in "permissions"'],
  [
    'guards',
    '{"hooks": {"PreToolUse": [{"hooks": [{"command": "guard"}]}], "PreToolUse": []}}',
    '"PreToolUse" in "hooks"',
  ],
  [
    'commands of a guard',
    '{"hooks": {"Stop": [{"hooks": [{"command": "a", "command": "b"}]}]}}',
    '"command" in "hooks"',
  ],
  ['sandboxes', '{"sandbox": "bubblewrap", "sandbox": "none"}', '"sandbox" stands twice'],
  ['kinds of sandbox', '{"sandbox": {"kind": "bubblewrap", "kind": "none"}}', '"kind" in "sandbox" stands twice'],
  ['budgets', '{"subagents": {"budgetUsd": 1, "budgetUsd": 1000}}', '"budgetUsd" in "subagents" stands twice'],
])('of %s that stand twice the first was lost in silence', (_, text, says) => {
  for (const scope of ['managed', 'command-line', 'user'] as const) {
    const obstacle = obstacleIn(written(text, scope))
    expect(obstacle).toContain(`${scope}/offshoot: ${says.slice(0, 1)}`)
    expect(obstacle).toContain(says)
    expect(obstacle).toMatch(/line \d+\).*write it once\.$/)
  }
})

test('a key that stands twice where nothing is limited is told and stops nothing; the same value twice says one thing', () => {
  const env = written('{"env": {"CI": "1", "CI": "2"}}')
  expect(obstacleIn(env)).toBeUndefined()
  expect(env.diagnostics).toMatchObject([{ code: 'setting-repeated', severity: 'warning' }])
  expect(written('{"permissions": {"deny": ["Bash"]}, "permissions": {"deny": ["Bash"]}}').diagnostics).toEqual([])
  expect(written('{"theme": 1, "theme": 2, "ui": {"a": 1, "a": 2}}', 'user', 'claude').diagnostics).toEqual([])
  expect(obstacleIn(written('{"disableAllHooks": true, "hooks": {"Stop": [1], "Stop": []}}'))).toBeUndefined()
})

test('many keys that stand twice and limit nothing do not hide one that limits, and a large file takes no time', () => {
  const many = Array.from({ length: 100_000 }, (_, i) => `"K": "${i}"`).join(',')
  const nested = `${'{"a":1,"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`
  const text = `{"env": {${many}}, "models": ${nested}, "permissions": {"deny": ["Bash"], "deny": []}}`
  const started = performance.now()
  const merged = written(text)
  expect(performance.now() - started).toBeLessThan(3000)
  expect(obstacleIn(merged)).toContain('"deny" in "permissions" stands twice')
  expect(merged.diagnostics.length).toBeLessThan(50)
})

test.each([
  ['a mode that asks for nothing, as others call it', { permissions: { defaultMode: 'auto' } }],
  ['the same in another word', { permissions: { mode: 'yolo' }, permissionMode: 'auto' }],
  ['no mode', { permissions: { defaultMode: null } }],
  ['no sandbox', { sandbox: null }],
  ['an event of others', { hooks: { PostToolUseFailure: [], Notification: [], PosToolUse: [] } }],
  ['an allow that cannot be read', { permissions: { allow: ['Bash('] } }],
  ['allows that are no list', { permissions: { allow: 7 } }],
  ['no number', { subagents: { maxTurns: null } }],
  ['a section that is not there', { subagents: null }],
  ['something beside limits that cannot be read', { subagents: { agentsDirs: 7, cacheWaitSeconds: 'x', note: 'x' } }],
  ['an allow with a slip in its name', { permissions: { allw: ['Bash'] } }],
  ['a key nobody knows', { tools: 1, modle: 'x', books: [] }],
  ['a hook that only watches', { hooks: { Stop: 'no' } }],
  ['a guard that may be missed', { hooks: { PreToolUse: [{ hooks: [{ type: 'prompt', failClosed: false }] }] } }],
  ['guards that are switched off', { disableAllHooks: true, hooks: { PreToolUse: 'no' } }],
  ['no hooks', { hooks: null }],
])('%s loses no deny and stops nothing', (_, content) => {
  expect(obstacleIn(mergeSettings([file('user', content)]))).toBeUndefined()
})

test.each([
  ['permissions.mode', { permissions: { mode: 'plan' } }, 'permissions.defaultMode'],
  ['permissions.never', { permissions: { never: ['LS'] } }, 'permissions.deny'],
  ['permissions.confirm', { permissions: { confirm: ['LS'] } }, 'permissions.ask'],
  ['deny', { deny: ['LS'] }, 'permissions.deny'],
  ['ask', { ask: ['LS'] }, 'permissions.ask'],
  ['disallowedTools', { disallowedTools: ['LS'] }, 'permissions.deny'],
  ['disallowed_tools', { disallowed_tools: ['LS'] }, 'permissions.deny'],
  ['defaultMode', { defaultMode: 'plan' }, 'permissions.defaultMode'],
  ['permissionMode', { permissionMode: 'plan' }, 'permissions.defaultMode'],
  ['sandboxMode', { sandboxMode: 'read-only' }, 'sandbox'],
  ['maxTurns', { maxTurns: 3 }, 'subagents.maxTurns'],
  ['max_turns', { max_turns: 3 }, 'subagents.maxTurns'],
  ['budgetUsd', { budgetUsd: 1 }, 'subagents.budgetUsd'],
  ['timeout', { timeout: 60 }, 'subagents.timeoutSeconds'],
])('the word %s for a limit was ignored, and the run went on without it', (word, content, meant) => {
  const obstacle = obstacleIn(mergeSettings([file('user', content)]))
  expect(obstacle).toContain(`there is no setting "${word}"`)
  expect(obstacle).toContain(`did you mean "${meant}"?`)
})

test('what else a .claude file has at its top is Claude Code’s; rules and modes there are meant', () => {
  const theirs = {
    deniedMcpServers: [],
    disabledMcpjsonServers: ['x'],
    blockedMarketplaces: [],
    maxTurns: 3,
    sandbox: {},
  }
  expect(mergeSettings([file('user', theirs, 'claude')]).diagnostics).toEqual([])
  expect(obstacleIn(mergeSettings([file('user', { disallowedTools: ['LS'] }, 'claude')]))).toContain('permissions.deny')
})

test('guards switched off by a user do not excuse a slip in managed ones', () => {
  const slip = { hooks: { PreToolUse: 'no' } }
  expect(obstacleIn(mergeSettings([file('managed', slip), file('user', { disableAllHooks: true })]))).toBeDefined()
})

test('hooks switched off by a user leave managed hooks on, and a project cannot switch any off', () => {
  const hooks = { PreToolUse: [{ hooks: [{ type: 'command', command: 'guard' }] }] }
  const off = { disableAllHooks: true }
  const heard = (files: readonly SettingsFile[]) => mergeSettings(files).hooks.map(({ scope }) => scope)
  expect(heard([file('managed', { hooks }), file('user', { hooks, ...off })])).toEqual(['managed'])
  expect(heard([file('user', { hooks }), file('project', off)])).toEqual(['user'])
})

test('A04: a project sets no provider, no key, no base URL, no sandbox and no bypass', () => {
  for (const scope of ['project', 'local'] as const) {
    const merged = mergeSettings([
      file(scope, {
        providers: { anthropic: { baseURL: 'http://sink.example', apiKey: 'x' } },
        sandbox: 'none',
        permissions: { defaultMode: 'bypassPermissions', additionalDirectories: ['../..'] },
      }),
    ])
    expect(merged.values).toEqual([])
    expect(merged.diagnostics.map(({ code }) => code)).toEqual(Array(4).fill('setting-not-for-projects'))
  }
  const own = mergeSettings([file('user', { providers: { anthropic: { baseURL: 'http://127.0.0.1:1' } } })])
  expect(findSetting(own, 'providers.anthropic')).toBeDefined()
})

test.each([
  'OFFSHOOT_HOME',
  'OFFSHOOT_CONFIG_DIR',
  'PATH',
  'NODE_OPTIONS',
  'LD_PRELOAD',
  'DYLD_INSERT_LIBRARIES',
  'HTTPS_PROXY',
  'http_proxy',
  'ANTHROPIC_BASE_URL',
  'OPENAI_API_KEY',
  'BASH_ENV',
  'XDG_CONFIG_HOME',
  'GIT_SSH_COMMAND',
  'RIPGREP_CONFIG_PATH',
  'DOTNET_STARTUP_HOOKS',
  'JDK_JAVA_OPTIONS',
  'GOFLAGS',
  'RUSTC_WRAPPER',
  'LESSOPEN',
  'npm_config_script_shell',
  'GCC_EXEC_PREFIX',
  'COMPILER_PATH',
  'DEPENDENCIES_OUTPUT',
  'CPLUS_INCLUDE_PATH',
  'CCACHE_PREFIX',
  'BAT_OPTS',
  'BAT_CONFIG_PATH',
  'FZF_DEFAULT_COMMAND',
  'FZF_DEFAULT_OPTS',
  'FZF_DEFAULT_OPTS_FILE',
  'ACK_OPTIONS',
  'MAGIC',
  'MAGICK_CONFIGURE_PATH',
])('A03: a project cannot set %s', name => {
  const merged = mergeSettings([file('project', { env: { [name]: './evil', FEATURE: 'on' } })])
  expect(settingsIn(merged, 'env').map(setting => setting.name)).toEqual(['FEATURE'])
  expect(merged.diagnostics).toHaveLength(1)
  expect(isGuardedVariable(name)).toBe(true)
})

test('whatever a file holds, reading it throws nothing', () => {
  for (const content of [
    null,
    [],
    'text',
    7,
    { permissions: [] },
    { permissions: { deny: 7 } },
    { env: null },
    { hooks: 3 },
  ])
    expect(mergeSettings([file('user', content)]).values).toEqual([])
})
