/** The pure parts of the command line, as tables. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { split } from '../../adapters/ground/policy-settings.js'
import type { AgentDefinition } from '../../core/agent-definition.js'
import { createCatalog } from '../../core/catalog/catalog.js'
import type { Envelope } from '../../core/events.js'
import type { CallId, RunId } from '../../core/message.js'
import type { Outcome } from '../../core/types.js'
import { denialWords } from '../session/denial-words.js'
import { Denials } from '../session/denials.js'
import { exitCodeOf, refusalCodeOf } from '../session/exit-codes.js'
import { cacheWords, costWords, secondsWords, shortCount } from '../session/figures.js'
import { addSessionOptions, flagConflict, type SessionFlags } from '../session/flags.js'
import { mentionOf, mentionsIn } from '../session/mention-words.js'
import { expandMentions, fileReader } from '../session/mentions.js'
import { mayUseUnicode, wantsColour } from '../session/paint.js'
import { stateWords } from '../session/run-words.js'
import type { CommandDeps } from './command-deps.js'
import { guessCommand } from './command-guess.js'
import { completionEntries, registerCompletionCommand } from './commands/completion.js'
import { withValue } from './commands/config.js'
import { askedHelp } from './program.js'
import { knownCommands } from './program-commands.js'
import { readInputLine } from './stream-input.js'

test.each<[string[], boolean]>([
  [['rnus', 'list'], true],
  [['runs'], false],
  [['modls'], true],
  [['agnets', 'lnit'], true],
  [['fix', 'the', 'tests'], false],
  [['trusts', 'nobody'], false],
  [['why do runs fail?'], false],
  [['resume'], true],
  [['resume', '3f2c81d0'], true],
  [['resume', 'the work'], false],
  [['stop', 'talking'], true],
  [['lint'], true],
  [['lint', 'everything'], false],
  [['test'], true],
  [['help', 'agnets'], true],
  [['help', 'agents', 'nwe'], true],
  [['help', 'nosuch'], true],
  [['help', 'me'], false],
  [['help', 'the failing tests'], false],
  [['help', 'me', 'with', 'agents'], false],
])('%j is taken for a mistyped command: %s', (words, isGuessed) => {
  expect(guessCommand(words, knownCommands) !== undefined).toBe(isGuessed)
})

test.each<[string[], RegExp | undefined]>([
  [['list'], /"offshoot runs list" or "offshoot agents list" or /],
  [['show', '3f2c81d0'], /"offshoot runs show 3f2c81d0" or "offshoot agents show 3f2c81d0"\?/],
  [['explain', 'Explore'], /"offshoot agents explain Explore"\?/],
  [['export', 'x'], /"offshoot runs export x"\?/],
  [['tail', 'x'], /"offshoot runs tail x"\?/],
  [['stop', 'x'], /"offshoot runs stop x"\?/],
  [['new', 'foo'], /"offshoot agents new foo"\?/],
  [['import', 'foo.md'], /"offshoot runs import foo\.md" or "offshoot agents import foo\.md"\?/],
  [['init'], /Nothing has to be set up/],
  [['login'], /ANTHROPIC_API_KEY/],
  [['update'], /does not update itself/],
  [['status'], /offshoot runs list --unfinished/],
  [['sessions'], /offshoot -r RUN/],
  [['logs', '3f2c81d0'], /offshoot runs tail/],
  [['show', 'me'], undefined],
  [['show', 'me', 'the', 'agents'], undefined],
  [['explain', 'the', 'resolver'], undefined],
  [['explain the resolver'], undefined],
  [['update', 'the', 'readme'], undefined],
  [['update', 'dependencies'], undefined],
  [['refactor'], undefined],
])('%j began a run, which may cost money: said is %s', (words, said) => {
  const guess = guessCommand(words, knownCommands)
  if (said) expect(guess).toMatch(said)
  else expect(guess).toBeUndefined()
})

test.each<[string[], string[] | undefined]>([
  [['help'], ['--help']],
  [
    ['help', 'agents'],
    ['agents', '--help'],
  ],
  [
    ['help', 'agents', 'new'],
    ['agents', 'new', '--help'],
  ],
  [['help', 'me', 'out'], undefined],
  [['help', 'agents', 'and', 'runs'], undefined],
  [['-p', 'help'], undefined],
])('%j became a prompt, and cost a request: it asks for %j', (argv, asked) => expect(askedHelp(argv)).toEqual(asked))

test.each<[Partial<SessionFlags>, boolean, RegExp | undefined]>([
  [{ continue: true, resume: 'x' }, false, /cannot be used together/],
  [{ forkSession: true }, false, /needs a conversation/],
  [{ forkSession: true, continue: true }, false, undefined],
  [{ inputFormat: 'stream-json', outputFormat: 'json' }, false, /needs --output-format stream-json/],
  [{ inputFormat: 'stream-json', outputFormat: 'stream-json' }, true, /prompts come on stdin/],
])('options %j with a prompt (%s): %s', (given, hasPrompt, fault) => {
  const flags = { outputFormat: 'text', inputFormat: 'text', wait: true, ...given } as SessionFlags
  if (fault) expect(flagConflict(flags, hasPrompt)).toMatch(fault)
  else expect(flagConflict(flags, hasPrompt)).toBeUndefined()
})

test.each<[Outcome, boolean, boolean, number]>([
  ['completed', false, false, 0],
  ['completed', false, true, 4],
  ['completed', true, false, 130],
  ['failed', false, false, 1],
  ['failed', false, true, 4],
  ['no_completion', false, false, 1],
  ['loop', false, false, 1],
  ['cancelled', true, true, 130],
  ['timeout', false, true, 3],
  ['max_turns', false, false, 3],
  ['budget', false, false, 3],
  ['approval_expired', false, false, 4],
])('%s (interrupted %s, permission missing %s) ends with %i', (outcome, wasInterrupted, lacksPermission, code) => {
  expect(exitCodeOf({ outcome }, { wasInterrupted, lacksPermission })).toBe(code)
})

test.each<[Outcome, boolean, number]>([
  ['max_turns', false, 3],
  ['timeout', true, 3],
  ['budget', false, 3],
  ['no_completion', false, 0],
])('completed by a last turn after %s (permission missing %s) ends with %i', (recoveredFrom, lacksPermission, code) => {
  expect(exitCodeOf({ outcome: 'completed', recoveredFrom }, { lacksPermission })).toBe(code)
})

test.each<[Parameters<typeof stateWords>[0], boolean, string]>([
  [{ status: 'running' }, true, 'running'],
  [{ status: 'running' }, false, 'unfinished'],
  [{ status: 'queued' }, false, 'unfinished'],
  [{ status: 'ended', outcome: 'failed' }, false, 'failed'],
  [{ status: 'ended', outcome: 'completed' }, false, 'completed'],
  [{ status: 'ended', outcome: 'completed', recoveredFrom: 'budget' }, false, 'completed (recovered from budget)'],
])('a run with %j, driven %s, is called %s', (run, isDriven, words) => {
  expect(stateWords(run, isDriven)).toBe(words)
})

describe('denials', () => {
  const ended = (runId: string, parentId: string | undefined, status: 'ok' | 'denied', name = 'Bash'): Envelope => ({
    eventId: `${runId}/${Math.random()}`,
    runId: runId as RunId,
    rootId: 'root' as RunId,
    ...(parentId && { parentId: parentId as RunId }),
    depth: parentId ? 1 : 0,
    agent: runId,
    seq: 1,
    at: 1,
    event: {
      type: 'tool.ended',
      callId: 'c' as CallId,
      name,
      status,
      content: [],
      context: 'touch x',
      summary: '',
      durationMs: 1,
      ...(status === 'denied' && { rule: 'no-approver' }),
    },
  })

  const approval = (verdict?: 'expired' | 'allow'): Envelope => ({
    ...ended('child', 'root', 'ok'),
    event: verdict
      ? { type: 'approval.resolved', approvalId: 'a', callId: 'c' as CallId, verdict, scope: 'once', by: 'runtime' }
      : {
          type: 'approval.requested',
          approvalId: 'a',
          callId: 'c' as CallId,
          name: 'Bash',
          input: {},
          inputHash: '',
          path: ['main', 'child'],
          rule: 'execute-asks',
          reason: 'it asks',
          context: 'touch x',
        },
  })

  test('an approval that nobody gave a child in time: the program ended with 0, as if nothing were missing', () => {
    const denials = new Denials()
    for (const event of [approval(), approval('expired'), ended('root', undefined, 'ok', 'Task')]) denials.hear(event)
    expect(denials.open).toMatchObject([{ agent: 'child', name: 'Bash', context: 'touch x', isExpired: true }])
    expect(denialWords(denials.open, undefined)).toMatch(/^nobody answered for this call in time, so it was not run:/)
    expect(denialWords(denials.open, undefined)).not.toContain('--wait-for-approval')
    const allowed = new Denials()
    for (const event of [approval(), approval('allow')]) allowed.hear(event)
    expect(allowed.open).toEqual([])
  })

  test.each<[string, Envelope[], number]>([
    ['nothing was denied', [ended('root', undefined, 'ok')], 0],
    ['the last thing tried was denied', [ended('root', undefined, 'ok'), ended('root', undefined, 'denied')], 1],
    ['another way was found', [ended('root', undefined, 'denied'), ended('root', undefined, 'ok')], 0],
    ['handing it on is no other way', [ended('root', undefined, 'denied'), ended('root', undefined, 'ok', 'Task')], 1],
    ['a child gave up', [ended('child', 'root', 'denied'), ended('root', undefined, 'ok', 'Task')], 1],
    ['its caller found a way', [ended('child', 'root', 'denied'), ended('root', undefined, 'ok')], 0],
    ['its sibling did', [ended('a', 'root', 'denied'), ended('b', 'root', 'ok')], 1],
  ])('%s', (_, events, open) => {
    const denials = new Denials()
    for (const event of events) denials.hear(event)
    expect(denials.open).toHaveLength(open)
  })
})

test.each([
  [450, '0.5s'],
  [12_400, '12s'],
  [61_000, '1m 01s'],
  [3_725_000, '1h 02m'],
])('%i ms are %s', (ms, words) => expect(secondsWords(ms)).toBe(words))

test('figures: what is unknown is said to be, and small amounts are not rounded away', () => {
  expect(cacheWords({ input: 100, output: 9, cacheRead: 300, cacheWrite: 0 })).toEqual(['75 % of input from cache'])
  expect(cacheWords({ input: 0, output: 0, cacheRead: 0, cacheWrite: 0 })).toEqual([])
  expect([undefined, 0, 0.00042, 1.5].map(costWords)).toEqual(['cost unknown', '$0.00', '$0.0004', '$1.50'])
  expect([999, 1200, 123_456, 2_500_000].map(shortCount)).toEqual(['999', '1.2k', '123k', '2.5M'])
})

test.each<[string[], string[]]>([
  [
    ['Read,Bash(git log, git show)', 'Edit'],
    ['Read', 'Bash(git log, git show)', 'Edit'],
  ],
  [[' Read , '], ['Read']],
  [['Read(./note.txt) Bash(cat *)'], ['Read(./note.txt)', 'Bash(cat *)']],
  [['Read Bash(git *) mcp__db'], ['Read', 'Bash(git *)', 'mcp__db']],
  [['Bash (git *)'], ['Bash (git *)']],
  [['Bash rm *'], ['Bash rm *']],
])('rules %j are split outside brackets', (given, rules) => expect(split(given)).toEqual(rules))

test.each<[string, object]>([
  ['{"type":"user","message":{"content":"hi"}}', { prompt: 'hi' }],
  ['{"type":"user","message":{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}}', { prompt: 'a\nb' }],
  [
    '{"type":"user","message":{"content":[{"type":"text","text":"a"},{"type":"image"}]}}',
    { fault: 'message.content has a part that is no text ("image")' },
  ],
  ['{"type":"user","message":{"content":[null]}}', { fault: 'message.content has a part that is no text (null)' }],
  ['{"type":"interrupt"}', { interrupt: true }],
  ['{"type":"user","message":{"content":"  "}}', { fault: 'message.content holds no text' }],
  ['{"type":"other"}', { fault: '"type" must be "user" or "interrupt", not "other"' }],
  ['null', { fault: '"type" must be "user" or "interrupt", not undefined' }],
  ['{', { fault: 'a line is no valid JSON' }],
])('the input line %s', (line, read) => expect(readInputLine(line)).toEqual(read))

describe('mentions', () => {
  const known: readonly AgentDefinition[] = (
    [
      ['Plan', true, {}],
      ['reviewer', false, {}],
      ['broken', true, { quarantine: 'its tools cannot be read' }],
      ['off', true, { isDisabled: true }],
    ] as const
  ).map(([name, isTrusted, more]) => ({
    name,
    systemPrompt: '',
    tools: 'all',
    source: { scope: 'project', isTrusted, path: `/p/${name}.md` },
    ...more,
  }))
  const sources = {
    agents: {
      lookup: (word: string) => createCatalog(known).lookup(word),
    },
    read: (path: string) => (path === 'src/a.ts' ? 'content of a' : undefined),
  }
  test('a file’s text and a request to hand over stand below the prompt', () => {
    const { prompt: text, remarks } = expandMentions('look at @src/a.ts, (@src/a.ts) and ask @Plan.', sources)
    expect(remarks).toEqual([])
    expect(text).toMatch(/^look at @src\/a\.ts, \(@src\/a\.ts\) and ask @Plan\.\n\n/)
    expect(text.match(/<file path="src\/a\.ts">\ncontent of a\n<\/file>/g)).toHaveLength(1)
    expect(text).toContain('subagent_type "Plan"')
  })
  test.each(['mail me@src/a.ts', 'use @types/node', 'a lone @', 'no mention'])('%s is left alone', text => {
    expect(expandMentions(text, sources)).toEqual({ prompt: text, remarks: [] })
  })
  test('a file that holds no text or is not there, a folder or a link in a circle was left out without a word', () => {
    const folder = mkdtempSync(join(tmpdir(), 'offshoot-mentions-'))
    writeFileSync(join(folder, 'b.bin'), '\0\u0001bin')
    mkdirSync(join(folder, 'dir'))
    symlinkSync('loop', join(folder, 'loop'))
    const prompt = 'see @b.bin @dir @loop @types/node @nope.txt, @./x/y and @bob'
    const expanded = expandMentions(prompt, { ...sources, read: fileReader(folder) })
    rmSync(folder, { recursive: true })
    expect(expanded.prompt).toBe(prompt)
    expect(expanded.remarks).toEqual([
      '@b.bin is left out: it holds no text',
      expect.stringContaining('@dir is left out: it is a folder'),
      expect.stringMatching(/^@loop is left out: .*ELOOP/),
      '@nope.txt is left out: there is no such file',
      '@./x/y is left out: there is no such file',
    ])
  })
  test('a file with a space in its name was suggested and then silently not attached', () => {
    const read = (path: string) => (path === 'a b.txt' || path === 'q"[1].md' ? `content of ${path}` : undefined)
    for (const text of ['see @"a b.txt".', 'see @a\\ b.txt, please', String.raw`(@"q\"[1].md")`]) {
      const { prompt, remarks } = expandMentions(text, { ...sources, read })
      expect([prompt.match(/content of/g), remarks]).toEqual([['content of'], []])
    }
    const { remarks } = expandMentions('see @"no such" and @no\\ such', { ...sources, read })
    expect(remarks).toEqual([expect.stringMatching(/is left out: there is no such file$/)])
    for (const name of ['a b.txt', 'q"[1].md', 'src/a.ts', 'back\\slash', '日本.md', 'ends.'])
      expect([...mentionsIn(`see ${mentionOf(name)} now`).keys()]).toEqual([name])
  })
  test.each([
    ['@reviewer', /^@reviewer: the agent reviewer \(\/p\/reviewer\.md\) is not trusted yet, .* offshoot trust$/],
    ['@Broken', /is quarantined, so nothing is handed to it; "offshoot agents lint" says why$/],
    ['@off', /is switched off, so nothing is handed to it$/],
  ])('%s, which cannot run, went to main without a word: it is said, and nothing is asked of it', (word, says) => {
    const { prompt, remarks } = expandMentions(`${word} look at it`, sources)
    expect(prompt).toBe(`${word} look at it`)
    expect(remarks).toEqual([expect.stringMatching(says)])
  })

  test.each([
    ['@reviewer look at it', 'agent-untrusted'],
    ['@Broken', 'agent-quarantined'],
    [' @off, go', 'agent-disabled'],
    ['ask @reviewer', undefined],
    ['@src/a.ts and @reviewer', undefined],
    ['@reviewer.md is a draft. Why is @reviewer not found?', undefined],
  ])('a prompt for an agent that cannot run was answered by main, and a script could not tell: %j', (prompt, rule) => {
    const { refusal } = expandMentions(prompt, sources)
    expect(refusal?.rule).toBe(rule)
    if (refusal) expect(refusalCodeOf(refusal)).toBe(2)
  })
})

test('a setting is put into its section, and what stands beside it stays', () => {
  const before = { subagents: { maxDepth: 2 }, model: 'x' }
  expect(withValue(before, 'subagents.maxTurns', 7)).toEqual({ subagents: { maxDepth: 2, maxTurns: 7 }, model: 'x' })
  expect(withValue(before, 'env.CI', '1')).toEqual({ ...before, env: { CI: '1' } })
  expect(withValue(before, 'model', undefined)).toEqual({ subagents: { maxDepth: 2 } })
})

test.each<[Record<string, string>, boolean, boolean]>([
  [{}, true, true],
  [{ NO_COLOR: '1', FORCE_COLOR: '1' }, true, false],
  [{ FORCE_COLOR: '1' }, false, true],
  [{ FORCE_COLOR: '0' }, false, false],
  [{ TERM: 'dumb' }, true, false],
])('colours with %j on a terminal (%s): %s', (env, isTTY, isColoured) =>
  expect(wantsColour({ isTTY }, env)).toBe(isColoured),
)

test.each<[Record<string, string>, boolean]>([
  [{ LANG: 'en_GB.UTF-8' }, true],
  [{ LANG: 'C' }, false],
  [{ LANG: 'en_GB.UTF-8', LC_ALL: 'POSIX' }, false],
  [{ LANG: 'C.UTF-8', TERM: 'linux' }, false],
  [{ LANG: 'C.UTF-8', OFFSHOOT_ASCII: '1' }, false],
])('line-drawing characters with %j: %s', (env, may) => expect(mayUseUnicode(env)).toBe(may))

test('completion knows every option of the session, and choices of arguments', () => {
  const program = addSessionOptions(new Command('offshoot'))
  program.command('runs').command('list').option('--all', 'all')
  const entries = completionEntries(program)
  const words = (path: string) => entries.find(entry => entry.path === path)?.words.map(({ word }) => word)
  expect(words('')).toEqual(expect.arrayContaining(['runs', '--max-budget-usd', '--json-schema', '--no-wait']))
  expect(words('runs list')).toEqual(['--all'])
})

test('completion --help named no shell', () => {
  const program = new Command('offshoot')
  registerCompletionCommand(program, {} as CommandDeps)
  expect(program.commands[0]!.helpInformation()).toMatch(/^ +shell {2,}.*"bash", "zsh", "fish"/m)
})
