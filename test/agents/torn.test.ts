/** Whole pieces lost, written over or written twice, a row for each kind a sweep found: none of these agents may run. */
import { expect, test } from 'vitest'
import { foreignNames } from '../../src/core/tools/foreign-tool-names.js'
import { toolNames } from '../../src/core/tools/tool-names.js'
import { readAs } from './read-as.js'

const A = 'name: a\ndescription: x\n'

const torn: readonly (readonly [kind: string, block: string])[] = [
  ['the middle of a key is gone', `${A}permMode: dontAsk`],
  ['of a key one letter is left, before tools', `${A}s: Read, Grep`],
  ['the beginning of a key is gone', `${A}ation: worktree`],
  ['the end of a key is gone', `${A}base: packages/web`],
  ['a key with a piece of it twice', `${A}toolsools: Bash`],
  ['a key with a piece of it twice, before a map', `${A}permissioissions: { deny: [Bash] }`],
  ['a key that was written over, before a word that only it has', `${A}approt2X.ode: suppress`],
  ['a key that was written over and cut in two', `${A}disabKc0\neatures: [shell, web]`],
  ['a key that was written over and cut in two, with a blank in it', `${A}permistl\nxx sionMode: plan`],
  ['a short key that was written over and cut in two', `${A}tim\nxßExeout: 90`],
  ['a key of capitals before a tool', `${A}PJTyu: Read`],
  ['a permission with capitals before it', `${A}permission:\n  RFPSedit: deny\n  bash: ask`],
  ['a name that was written over and cut in two', `${A}tools: Task, TeamCreate, TFw Create, TaskUpdate`],
  ['a denied name with letters more inside', `${A}disallowedTools:\n  - write_fiwAyLfle\n  - Bash`],
  ['a key that was written over, before tools', `${A}tvnZs: Read, Write, Edit`],
  ['a key of another script before a tool', `${A}ßs中Z6: Read`],
  ['a key that nobody can see all of', `${A}base\u200bDi\u0000r: packages/web`],
  ['noise inside a key that is a word', `${A}stxcveps: 4`],
  ['a list of rules that moved to the left edge', `${A}permissions:\n  deny: [Bash]\ngoask: [Write]`],
  ['a limit that hangs on the last tool, with a sign between', `${A}tools: Read, Bash0extendsa reviewer`],
  ['a key in prose, and the next one hangs on its value', 'name: a\ndescription: x baseDir: packages/webmdel: sonnet'],
  ['a newline and two signs that made an allowance of a denial', `${A}d i1s\nallowedTools: Bash, Write`],
  ['a short key of which nothing but the value was lost', 'name: a\ndescription: xmode: subagentsteps: _'],
  [
    'signs of code around the tools, one of them for the newline',
    'name: a\ndescription: Shows the gaps.`tools: Read, Grep, Bash,`WebSearch',
  ],
  ['a key in brackets behind a quoted text', 'name: a\ndescription: "Reads it all."(tools:) Read, Write'],
  ['a slip that made a label of a key, beside another', `${A}Wimeout: 90color: red`],
  ['noise on the end of a denied tool', `${A}disallowedTools: BashVhoXite`],
  ['noise before a denied tool', `${A}disallowedTools: [LaotBash]`],
  ['noise for a denied tool', `${A}disallowedTools: Write, Edit,vRJ3h`],
  ['two pieces of a key are gone', `${A}peonMode: plan`],
  ['the name of what it builds on has a sign in it', `${A}exetnd: revi!ewer`],
  ['two denials without what was between them', `${A}disallowedTools:\n  - shellrite_file`],
  ['a list at the left edge that lost its key', 'name: a\ndescription: reads codeols:\n- Read\n- Grep'],
  ['a key in three lines, with a letter less', `${A}dis\nllowe\nTools: Write, Edit, Bash`],
  ['a key in two lines with a letter less, before a list', `${A}disa\nlowed\nTools:\n  - Bash\n  - Write`],
  ['what is left of a denial above its list', `${A}:i\nallowedTools:\n  - Bash`],
  ['a key in two lines, with a blank in it', `${A}perm ssionMo\nde: plan`],
  ['a denial of which a letter is left in the line above it', `${A}:i\nallowedTools: Write, Edit`],
  ['a key in two lines, and its value in a third', `${A}budg\nt\n 200k tokens`],
  ['a list behind a text, without its bracket', 'name: a\ndescription: x disabledFeatures: -shell, web]\ncolor: blue'],
  ['a list of rules under a word that is none', `${A}permissions:\n  deny: [Bash]\n  \nsxk: [Write]`],
  ['all but the first letter of a key below the tools', `${A}tools: Read, Bash\n xtends reviewer`],
  ['the same with a letter behind it', `${A}tools: Read, Bash\n xtendsx reviewer`],
  ['half a switch behind a text', 'name: a\ndescription: x disabled: ,rue\nmodel: haiku'],
  ['a limit in the middle of a tool', `${A}tools: Read, Bashxextendsx reviewer`],
  ['a key without its value behind a text', 'name: a\ndescription: x max_turns: ,\ntimeout_mins: 3'],
  ['a budget that stands below its key', 'name: a\ndescription: x budget:\n200k tokens\nmodel: sonnet'],
  [
    'an event of a guard with a dash before it',
    `${A}hooks:\n - PreT1olUse:\n    - matcher: Bash\n      hooks:\n        - type: command\n          command: ./guard.sh`,
  ],
  ['a sign that makes a comment of a list of rules', `${A}permissions:\n  allow: [Read]\n  ask: #[Write]`],
  ['such a sign for the line end below a map', 'description: x\ntools:#  write: false\n  bash: false'],
  ['such a sign for the line end below its rule for all', 'description: x\npermission:#  "*": deny\n  read: allow'],
  [
    'such a sign before the event of a guard',
    `${A}hooks:\n  #PreToolUse:\n    - matcher: Bash\n      hooks:\n        - type: command\n          command: ./guard.sh`,
  ],
  ['a map of switches torn in two', 'description: x\ntools:\n  write: false\nit: false\n  bash: false'],
  ['a map of actions torn in two', 'description: x\npermission:\n  edit: deny\nsh:\n    "*": ask\n  webfetch: deny'],
  [
    'a guard of which the middle is gone',
    `${A}hooks:\n  PlUse:\n    - matcher: Bash\n      hooks:\n        - type: command\n          command: ./guard.sh`,
  ],
  [
    'a guard that a newline cut, and a colon lost',
    `${A}hooks:\n  P\nreToolUse:\n    - matcher Bash\n      hooks:\n        - type: command\n          command: ./guard.sh`,
  ],
  [
    'a guard one level too deep',
    `${A}hooks:\n ks:\n  PreToolUse:\n    - matcher: Bash\n      hooks:\n        - type: command\n          command: ./guard.sh`,
  ],
  [
    'a key that hangs on a bracket, with a letter more',
    'name: a\ndescription: reads code(toolsé Read, Grep=model: sonnet',
  ],
  [
    'a key behind a quoted text, with a letter more',
    'name: a\ndescription: "reads code." toolsé Read, Bash, Glo{b, Grep',
  ],
  ['a key without its ends before a tool that a comma cut', `${A}ool: Re,d`],
  ['what it builds on, by three slips', `${A}xeted: reviewer`],
  ['a number, by three slips', `${A}toeut: 90`],
  ['a key between two signs', 'name: a\ndescription: reads code]tools; Read, Grepmodel: sonnet'],
  ['a key between a digit and a sign', 'name: a\ndescription: reads code.0tools( Read, Grep, S, Bash'],
  ['a switch that begins with another letter, in a broken block', 'name: a\ndescription: x: y\nWisabled: true'],
  [
    'a tool that ran into its first pattern',
    'description: x\nmode: subagent\npermission:\n  bash:;    "*": &eny\n    "git log*": allow',
  ],
  ['two denials that became one item', `${A}disallowedTools:\n - shell\n  - writ/e_file`],
  ['tools that ran into whom it may call', `${A}canSpawn: false\n Read, Task`],
  ['tools that ran into what it builds on', `${A}extends: base\n Read, Task`],
  ['a switch with a letter less', `${A}tools: Read, Task\ncanSpawn: fale`],
  ['a denial that ran into a server', `${A}disallowedTools: ["Basmcp__github__*"]`],
  ['a star that a comma made', `${A}tools: Read, mcp__github,*`],
  ['a star that a comma made in quotes', `${A}tools: ['read', 'github,*']`],
  ['a map in itself', 'description: x\npermission:\n permission:\n  "*": deny\n  read: allow'],
  ['a key with a piece twice that was moved in', `${A} permissionMsionMode: dontAsk`],
  ['a key of a map of rules, of which a letter is left', `${A}permissions:\n  deny: [WebFetch]\nk: [Write]`],
  ['a map of actions under no key', `${A}pssion:\n  bash:\n    "*": deny`],
  ['a map of rules under no key', `${A}permi:\n  deny:\n    - Bash(rm *)`],
  ['a table of limits under no key', `${A}rnfig: { maxTimeSeconds: 60, maxTurns: 5 }`],
  ['a line that lost its colon and the end of its key', `${A}ti 90\ncolor: red`],
  ['a line that lost its colon and its space', `${A}disabtrue\nmodel: haiku`],
  ['a line that lost its colon, its space and a letter', `${A}approvalMouppress\nmodel: haiku`],
  ['a line that is the beginning of a key', `${A}timeo\ncolor: red`],
  ['a budget without its key', `${A}b 200k tokens\nmodel: haiku`],
  ['a path that hangs on its key', `${A}basepackages/web\nmodel: haiku`],
  ['the newline and half of a key', 'name: a\ndescription: x4^ssionMode: plan\nmodel: haiku'],
  ['what is left of a key behind a text', 'name: a\ndescription: reads codls: Read, Grep'],
  ['what is left of a key behind another value', `${A}color: purpleols: Read, Glob, Grep`],
  ['a list of tools behind a letter', `${A}t [Read]\nmodel: haiku`],
  ['a list of tools behind noise', `${A}toC_09 Read, Write, Edit\nmodel: haiku`],
  ['a switch of a tool below a text', 'description: reviews:\n  write: false\n  bash: false'],
  ['a key that is no name before a switch', `${A}[L?0(t: true\nmodel: haiku`],
  ['a mode that is empty', `${A}permissionMode:`],
  ['a denial of which a piece is gone', `${A}disallowedTools: Write, Multt`],
  ['a denial with a piece twice', `${A}disallowedTools: Write, NoteboNotebookEdit`],
  ['a denial with something in it', `${A}disallowedTools: Write, Bas2UBkh`],
  ['a denial that was written over', `${A}disallowedTools: Write, Noteb*737Bft`],
  ['two denials that became one', `${A}disallowedTools: Write, MultiEdiotebookEdit`],
  ['a denial that is gone but for its comma', `${A}disallowedTools: Write, Edit,`],
  ['a denial that is empty', `${A}disallowedTools: ["", "Edit"]`],
  ['a denial in two words', `${A}disallowedTools:\n  - shel_- write_file`],
  ['a rule that is empty', `${A}permissions: { deny: ["", "Edit"] }`],
  ['a switch with its tool twice', 'description: x\ntools:\n  write: false\n  bash:bash: false\nmode: subagent'],
  ['an action with its tool twice', 'description: x\npermission:\n  bash:ash: ask\nmode: subagent'],
  ['an action for something that is no name', 'description: x\npermission:\n  M&1 +:\n    "*": deny'],
  ['a denial of which nothing is left', `${A}disallowedTools: Write, xzNY`],
  ['a denial with noise before it', `${A}disallowedTools: Write, clRhEdit`],
  ['a denial that was mostly written over', `${A}disallowedTools: Write, Mu.KfwK8t`],
  ['two denials with noise between them', `${A}disallowedTools: WritPhBEdit, MultiEdit`],
  ['two long denials with noise between them', `${A}disallowedTools: Write, MultiEditWRdytebookEdit`],
  ['a switch of a tool that was written over', 'description: x\ntools:\n  write: false\n  JCmPe: false'],
  ['an action for a tool that was written over', 'description: x\npermission:\n  edit: deny\n  xzNY: ask'],
  ['a pattern behind noise', `${A}tools: [Read, Bash Y7(git:*)]`],
  [
    'a key that was written over, before tools that nobody knows',
    `${A}tooISHls: Read, Write, Edit, Bash, docker, pytest`,
  ],
  ['a key in two words, before tools that nobody knows', `${A}toolp_Nmfs: Read, Write, Edit, Bash, docker`],
  ['a line of tools that runs into their key', `${A}toolCOGNrep, Glob, LS\nmodel: haiku`],
  ['a list behind what is left of its bracket', `${A}to1+WA"'search', 'usages']\nmodel: haiku`],
  ['one tool under a key that was written over', `${A}trpou: [Read]\nmodel: haiku`],
  ['a line that lost its colon and half of its key', `${A}base packages/web\nmodel: haiku`],
  ['a denial with noise in its first word', `${A}disallowedTools: Write, szzrtiEdit`],
  ['a denial that ran into a whole one', `${A}disallowedTools: Write, MultiEdi2izNotebookEdit`],
  ['a denial of elsewhere that ran into a whole one', `${A}disallowedTools:\n  - shelTbgi2rwrite_file`],
  ['a line of tools behind a word that is none', `${A}tooliPLx cd, Grep\nmodel: haiku`],
  ['a line of tools behind signs', `${A}to :mt\\"rep, Glob, LS\nmodel: haiku`],
  ['a limit with two letters of another language', `${A}disébledFeatureés: [shell, web]`],
  ['a line that lost its colon and its end', `${A}tim90\ncolor: red`],
  ['a denial with a single capital in it', `${A}disallowedTools: Edit, j7YzY`],
  ['a denial with a digit in it', `${A}disallowedTools: Write, Edr8mCTash`],
  ['a denial before signs', `${A}disallowedTools: WN01-/ Edit, MultiEdit`],
  ['a denial of elsewhere that was written over', `${A}disallowedTools:\n  - wrikBOpte_file`],
  ['a denial in no convention', `${A}disallowedTools: Write, NoteVaP_RSit`],
  ['two short denials with noise between them', `${A}disallowedTools: WritsKJEdit, MultiEdit`],
  ['a key in two scripts before a tool', `${A}中tiph: Read`],
  ['a mode behind noise with a colon in it', 'name: a\ndescription: xn/!Gg:ssionMode: dontAsk'],
  ['a long denial without its middle', `${A}disallowedTools: Write, NotpOeUkEdit`],
  ['a denial with noise behind it', `${A}disallowedTools: Write, EditvGbHu`],
  ['a tool under a key that is noise', `${A}tjyx1: Read`],
  ['a mode under what is left of its key', `${A}permisVq\ndMode: dontAsk`],
  [
    'a long key with another first letter behind a text',
    'name: a\ndescription: xisabledFeatures: ,shell, web]\ncolor: blue',
  ],
  ['a mode behind what a newline and noise left', `${A}permix\nLéWMode: dontAsk`],
  ['a denial that cannot be said', `${A}disallowedTools: Bash, EfQze`],
  ['switches, one of them off, under no key', `${A}to6yX1mbols:\n  web_search: false\n  view_image: true`],
  ['a mode behind noise', `${A}perm\naSC_%Mode: plan\nmodel: inherit`],
  ['a star at the end of a denial', `${A}disallowedTools:\n  - shell\n  - write_fil*`],
  ['a star behind a denial', `${A}disallowedTools:\n  - shell\n  - write_file*`],
  ['a star and a line at the end of a denial', `${A}disallowedTools:\n  - shell\n  - write_fil_*`],
  ['a name of elsewhere that was pulled apart', `${A}tools: Read, Task L Create`],
  ['a tool beside itself with a pattern', `${A}tools: Read, Agent Agent(reviewer)`],
  ['a tool beside a longer one', `${A}tools: Read, Bash BashOutput`],
  ['a tool that came out of a longer one', `${A}tools: Read, Todob7z5,Write`],
  ['a key that noise stands in, all of it there', `${A}toopbquls: Bash`],
  ['a key with letters of two alphabets', `${A}st\u0435\u0440s: 4`],
  ['a key of rules that ran into the one in its map', `${A}permissnseny: ["Bash", "Edit(/src/**)"]`],
  ['a beginning and a number', `${A}max_ 9\nmodel: haiku`],
  ['an end of a key, and below it tools of which the first is torn', `${A}ols: \nead, Grep\nmodel: haiku`],
  ['a mode behind a newline and a sign', `${A}permi*KY7\n(ode: plan\nmodel: inherit`],
  ['two letters of a key and what nobody can see', `${A}to\u202e\n\ufeffHiSead, Grep\nmodel: haiku`],
  ['a line of tools that runs into their key behind a dash', `${A}too-jCpIrep, Glob, LS\nmodel: haiku`],
  ['a line of tools behind noise and a sign', `${A}toovfZj %ad, Write, Edit, Bash\nmodel: haiku`],
  ['the end of a mode below noise', `${A}peg -<?\nonMode: plan\nmodel: inherit`],
  ['a beginning, and what nobody can see behind it', `${A}perm\u0007\`,B\nnMode: plan\nmodel: inherit`],
  ['two denials with capitals between them', `${A}disallowedTools: Write, EdiWJOMultiEdit, NotebookEdit`],
  ['a key with a sign in it that no name has', `${A}nu$H6: ['search', 'usages']`],
  ['a path behind what nobody can see', `${A}base \u0007P+ packages/web\nmodel: haiku`],
  ['a line of tools that runs into their key, both ends torn', `${A}toolead, Glob, Grepash\nmodel: haiku`],
  ['a line of tools behind a letter, one of them torn', `${A}t Read, GreSSp\nmodel: haiku`],
  ['a line of tools behind signs, the first torn', `${A}to ^4 r[ead, Grep\nmodel: haiku`],
]

test.each(torn)('%s', (_, block) => {
  const reading = readAs('a.md', `---\n${block}\n---\nYou are a probe.\n`)
  const faults = reading.diagnostics.filter(each => each.severity === 'error')
  expect(reading.state).toBe('quarantined')
  expect(faults[0]).toMatchObject({ file: 'a.md', line: expect.any(Number), hint: expect.stringMatching(/\w/) })
})

test(() => {
  const reading = readAs('a.toml', 'name = "a"\ndescription = "x"\ntools = ["*"]\ndisallo.SYnjwed_tools = ["Bash"]\n')
  expect(reading.state).toBe('quarantined')
})

test(() => {
  const reading = readAs(
    '.codex/agents/a.toml',
    'name = "a"\ndescription = "x"\nsandhziu.ode = "read-only"\ndeveloper_instructions = "y"\n',
  )
  expect(reading.state).toBe('quarantined')
})

test(() => {
  const reading = readAs('a.toml', 'name = "a"\ndescription = "x"\ntBDa.xools = ["Read", "Glob"]\nprompt = "y"\n')
  expect(reading.state).toBe('quarantined')
})

test('half of a mode that is the key of another field still holds the agent back', () => {
  const reading = readAs('a.md', '---\nname: a\ndescription: x\npermi|p"!\nMode: plan\n---\nYou are a probe.\n')
  expect(reading.state === 'quarantined' || reading.agents[0]?.agent?.permissionMode === 'plan').toBe(true)
})

test('a sign that ends lines for patterns, and not for YAML, hid the tools behind it', () => {
  const reading = readAs(
    'a.md',
    '---\nname: a\ndescription: x\ntools: [Read, Grep]\u2028\nmodel: haiku\n---\nYou are a probe.\n',
  )
  expect(reading.agents[0]?.agent?.tools).toEqual([{ name: 'Read' }, { name: 'Grep' }])
})

test(() => {
  const file = 'agentType: a\nwhenToUse: x\nru:\nConfig: { maxTurns: 5 }\npromptConfig: { systemPrompt: y }\n'
  expect(readAs('a.yaml', file).state).toBe('quarantined')
})

test('no two tools of ours, one behind the other, are a third: a list of nothing else needs no second look', () => {
  const names = new Set([...toolNames, ...foreignNames])
  const joined = toolNames.flatMap(first => toolNames.map(second => first + second))
  expect(joined.filter(name => names.has(name))).toEqual([])
})
