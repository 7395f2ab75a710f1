/** A megabyte each (or what is still read) of the worst that could be found, in every format. */

export interface HostileFile {
  readonly name: string
  readonly path: string
  readonly text: string
}

export function hostileFiles(): readonly HostileFile[] {
  return [
    ...Object.entries(yamlBlocks()).flatMap(([name, block]) => [
      { name, path: 'a.md', text: `---\nname: a\n${block}\n---\nbody` },
      { name: `${name}, broken`, path: 'a.md', text: `---\nname: a\ndescription: x: y\n${block}\n---\nbody` },
      { name, path: 'a.yaml', text: `name: a\n${block}` },
    ]),
    ...Object.entries(tomlTexts()).map(([name, text]) => ({ name, path: 'a.toml', text })),
    ...Object.entries(jsonTexts()).map(([name, text]) => ({ name, path: 'a.json', text })),
    ...Object.entries(modeTexts()).map(([name, text]) => ({ name, path: '.roomodes', text })),
    { name: 'returns', path: 'a.md', text: `---\nname: a\n${'\r'.repeat(fullSize)}\n---\nbody` },
    { name: 'unclosed', path: 'a.md', text: `---\nname: a\n${fill('key: x\n')}` },
    { name: 'gaps', path: 'a-template.md', text: `---\nname: x${fill('[', halfSize)}\ndescription: x\n---\nbody` },
    { name: 'gaps', path: 'a-template.md', text: `---\nname: ${fill('<', halfSize)}\ndescription: x\n---\nbody` },
    {
      name: 'words between fences',
      path: 'a.md',
      text: `---\nname: a\ndescription: x\n---\n${words(95_000, ' ')}\n---\nbody`,
    },
    { name: 'unclosed, nothing', path: 'a.md', text: `---\nname: a\n${fill('\n')}` },
    { name: 'unclosed, with gaps', path: 'a.md', text: `---\nname: a\n${fill('1\n\n')}` },
    { name: 'unclosed, zeroed', path: 'a.md', text: `---\n${fill('a: b\n\0\n')}` },
    {
      name: 'a fence in a text',
      path: 'a.md',
      text: `---\nname: a\ndescription: |\n${fill('  a\n\n', halfSize)}---\n${fill('  b\n', halfSize)}`,
    },
    { name: 'comments before it', path: 'a.md', text: fill('<!-- ') },
  ]
}

const fullSize = 1024 * 1024
/** Data files are read up to this. */
const halfSize = fullSize / 2 - 100
/** Broken front matter is mended up to a few lines more. */
const mended = 290

function fill(text: string, size = fullSize): string {
  return text.repeat(Math.floor(size / text.length))
}

function lines(count: number, line: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => line(index)).join('\n')
}

function yamlBlocks(): Readonly<Record<string, string>> {
  const prose = (line: string) => `description: a: b\n${`${line}\n`.repeat(mended)}`
  return {
    brackets: `a: ${fill('[')}`,
    braces: `a: ${fill('{a: ')}`,
    dashes: fill('- '),
    dashLines: fill('- \n'),
    questions: fill('? '),
    questionLines: fill('a: ? ? ?\n'),
    circle: 'color: &c [*c]',
    aliasKeys: `description: &k tools\n${'*k : a\n'.repeat(mended)}`,
    moreAliasKeys: `description: &k tools\n${'*k : a\n'.repeat(450)}`,
    fencesInText: `description: |\n${fill('  ---\n')}`,
    documents: fill('---\nb: c\n'),
    cutByComments: `disallowedTools:\n${fill(`  - a${' '.repeat(1900)}b # x\n`)}`,
    linesBetween: `x: {\npermissions:\n${`  a${' '.repeat(900)}b: deny\n`.repeat(280)}`,
    expressions: `hooks:\n  PreToolUse:\n${fill('    - matcher: "aaaaaa|bbbbbbb;c|dddddd"\n', 60_000)}`,
    oneExpression: `hooks:\n  PreToolUse:\n    - matcher: "${fill('execute_cash|')}x"`,
    keys: lines(fullSize / 12, index => `key${index}: 1`),
    fewerKeys: lines(mended, index => `key${index}: 1`),
    longWords: lines(190, index => `${'ab'.repeat(18)}1b${index}: Read`),
    longDenials: `disallowedTools: ${lines(390, index => `${'ab'.repeat(30)}1b${index},`).replaceAll('\n', ' ')} Bash`,
    mostKeys: lines(199, index => `key${index}: 1`),
    nearKeys: `description: a: b\n${lines(mended, index => `toolz${index}: Read`)}`,
    known: fill('tools: Read\n'),
    twice: fill('tools: Read\n', 16_000),
    colons: fill('a: b: '),
    quotes: `description: "${fill('"')}`,
    openQuote: `description: "${`${'word '.repeat(70)}\n`.repeat(mended)}`,
    escapes: `description: "${fill('\\u0041')}"`,
    spaces: `description: x${fill(' ')}y: z`,
    spacedList: `tools: [a${' '.repeat(30_000)}b]`,
    newlines: fill('\n'),
    tabs: `a:${fill('\t')}b`,
    tabLines: `description: |\n${'\tx tools: Read\n'.repeat(mended)}`,
    indent: `a:\n${' '.repeat(fullSize / 2)}b: c\n${' d: e\n'.repeat(1400)}`,
    blocks: `description: |\n${`  ${'x '.repeat(170)}\n`.repeat(1400)}`,
    fence: `x\n---${fill(' ')}!`,
    budget: `budget: "1${' '.repeat(60_000)}x"`,
    examples: `description: x\n${fill('<example>\n')}`,
    anchors: `a: ${fill('&a ')}`,
    chain: lines(1400, index => `k${index}: &a${index} [*a${Math.max(0, index - 1)}]`),
    bomb: lines(30, n => `k${n}: &k${n} [${Array(9).fill(n === 0 ? 'x' : `*k${n - 1}`)}]`),
    oneLine: `description: ${fill('tools: ')}`,
    brokenLine: `description: a: ${'tools: '.repeat(70_000)}`,
    brokenColons: prose('tols:'.repeat(60)),
    brokenWords: prose('too: l '.repeat(50)),
    brokenTools: prose('Raed, Grpe, '.repeat(28)),
    brokenLimits: prose(`x${'permissionMode disallowedTools: '.repeat(20)}`),
    models: `model: ${fill('Raed,')}`,
    toolList: `tools: ${fill('Read, ')}`,
    open: `tools: ${fill('(')}`,
    emoji: `description: a: ${fill('\u{1f600}')}`,
    toolLines: `description: a: b\n${lines(mended, index => `Read, Grep: x${index}`)}`,
    camelItems: `description: a: b\n${lines(mended / 2, index => `key${index}:\n  - ${camelWord(index)}`)}`,
    deniedWords: `disallowedTools: [${words(399, ', ')}]`,
    signsBelow: `disallowedTools: x\n${`${'Q='.repeat(110)}\n`.repeat(260)}`,
    wordsBelow: `disallowedTools: x\n${`${'q'.repeat(220)}\n`.repeat(260)}`,
    deniedRules: `permissions:\n  deny: [${words(990, ', ')}]`,
  }
}

/** Words that are no tools and nearly none, all different: `banogubadole`. */
function word(index: number): string {
  const parts = [index, index / 8, index / 64, index / 512, index / 4096].map(Math.floor)
  return parts.map(part => `${'bdgklmnp'[part % 8]}${'aeiou'[part % 5]}`).join('')
}

function camelWord(index: number): string {
  return [index, 31 * index + 7, 17 * index + 3]
    .map(word)
    .map(each => each[0]!.toUpperCase() + each.slice(1))
    .join('')
}

function words(count: number, sign: string, from = 0): string {
  return Array.from({ length: count }, (_, index) => word(from + index)).join(sign)
}

function modeTexts(): Readonly<Record<string, string>> {
  const mode = (index: number, more: string) =>
    `  - slug: a${index}\n    roleDefinition: x\n    groups: [read]\n${more}`
  const list = (text: string) => `customModes:\n${text}\n`
  return {
    modes: list(lines(180, index => mode(index, `    toolz${index}: Read`))),
    oneMode: list(
      mode(
        0,
        lines(1250, index => `    key${index}: 1`),
      ),
    ),
    groups: list(`  - slug: a\n    groups: [${fill('edit, ', 7500)}]`),
    // They stand in no text, though it looks so.
    seemingTexts: list(`  - slug: a\n    groups: [ "|\n${lines(950, () => '      ", [e], "')}\n      " ]`),
    texts: list(lines(30, index => mode(index, `    customInstructions: |\n${fill('      - **a**: "b"\n', 400)}`))),
    regex: list(`  - slug: a\n    groups: [[edit, {fileRegex: '${fill('.*\\.(a|', 3500)}'}]]`),
    dashes: list(lines(170, index => `${' '.repeat(8 * index)}- - - -`)),
    dashesInLine: list(fill('- ', 100_000)),
    anchors: list(`- ${fill('&a ', 3800)}`),
    role: list(`  - slug: a\n    groups: []\n    roleDefinition: ${fill('a.', 120_000)}`),
  }
}

function tomlTexts(): Readonly<Record<string, string>> {
  return {
    brackets: `a = ${fill('[', halfSize)}`,
    inline: `a = {${fill('b = {', halfSize)}`,
    dots: `${fill('a.', halfSize)}b = 1`,
    dottedKeys: lines(halfSize / 16, index => `a.b${index}.c = 1`),
    deepKeys: lines(halfSize / 60, index => `a${index}.${'b.'.repeat(20)}c = 1`),
    deepTables: lines(halfSize / 60, index => `[a${index}.${'b.'.repeat(20)}c]`),
    tables: lines(200, index => `[[agents]]\nname = "a${index}"\nmodel = "x"\ntools = ["Reda"]\ntoolz${index} = 1\n`),
    manyTables: lines(halfSize / 30, index => `[[agents]]\nname = "a${index}"`),
    array: `a = [${fill('1,', halfSize)}]`,
    arrayOfTables: `a = [${fill('{a=1},', halfSize)}]`,
    keys: `name = "x"\ntools = ["Read"]\n${lines(halfSize / 13, index => `key${index} = 1`)}`,
    quotes: `a = """${fill('"', halfSize)}`,
    escapes: `name = "a"\nmodel = "x"\nd = "${fill('\\u0041', halfSize)}"`,
    comments: fill('# x\n', halfSize),
    dashes: `name = "a"\n# x\n${fill('-', halfSize)}`,
    tableNames: '[[agents]]\n[agents.name]\n[[agents]]\n[agents.name]\n',
    newlines: fill('\n', halfSize),
    limitTables: `name = "a"\nmodel = "x"\n${lines(4900, index => `[t${index}]\nmaxTurns = 1`)}\n`,
    limitsInTables: `name = "a"\nmodel = "x"\n[t]\n${lines(9000, index => `a${index} = {tools = 1}`)}\n`,
    inlineKeys: `name = "a"\nmodel = "x"\n${lines(halfSize / 34, index => `k${index} = {a.b.c.d.e.f.g.h = 1}`)}\n`,
    inlineLines: `name = "a"\nmodel = "x"\na = [\n${lines(4, () => `{${fill(`a.${'b.'.repeat(20)}c = 1, `, halfSize / 4 - 100)}},`)}\n]\n`,
    inlineTables: `name = "a"\nmodel = "x"\na = [${fill(`{a.${'b.'.repeat(20)}c = 1}, `, halfSize - 200)}]\n`,
  }
}

function jsonTexts(): Readonly<Record<string, string>> {
  const agent = (more: string) => `{"name":"a","prompt":"x",${more}}`
  return {
    brackets: fill('[', halfSize),
    nested: `${'['.repeat(halfSize / 2)}${']'.repeat(halfSize / 2)}`,
    fewerBeside: `{"agents":[{"name":"a","description":"x"}],${lines(4900, index => `"k${index}":{"tools":1},`)}"z":1}`,
    beside: `{"agents":[{"name":"a","description":"x"}],${lines(halfSize / 32, index => `"k${index}":{"tools":1},`)}"z":1}`,
    nestedWord: agent(`"color":${'['.repeat(halfSize / 3)}${']'.repeat(halfSize / 3)}`),
    nestedTables: agent(`"hooks":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`),
    twice: `{${fill('"tools":["Read"],', halfSize)}"a":1}`,
    keys: agent(`${lines(halfSize / 12, index => `"k${index}":1,`)}"z":1`),
    deniedCommands: agent(
      `"tools":["shell"],"toolsSettings":{"shell":{"deniedCommands":[${lines(20_000, index => `"git (a|b)${index} .*",`)}"x"]}}`,
    ),
    fewerActions: agent(`"permission":{"bash":{${lines(9900, index => `"git ${index} *":"ask",`)}"z":"ask"}}`),
    nearKeys: agent(`${lines(halfSize / 32, index => `"tolz${index}":["Read","Write"],`)}"z":1`),
    agents: `[${lines(halfSize / 36, index => `{"name":"a${index}","tools":["Read"]},`)}{}]`,
    fewerEvents: agent(`"hooks":{${lines(9900, index => `"PreToolUsx${index}":[],`)}"z":[]}`),
    events: agent(`"hooks":{${lines(halfSize / 24, index => `"PreToolUsx${index}":[],`)}"z":[]}`),
    tools: agent(`"tools":"${fill('Read ', halfSize)}"`),
    denials: agent(`"disallowedTools":[${fill('"Reda",', halfSize)}"x"]`),
    rules: agent(`"permissions":{"deny":[${fill('"Bash(rm *)",', halfSize)}"x"]}`),
    actions: agent(`"permission":{"bash":{${lines(halfSize / 22, index => `"git ${index} *":"ask",`)}"z":"ask"}}`),
    manyParts: agent(
      `"permission":{"s${fill('_a', 4000)}":{${lines(50, index => `"p${index}":"allow",`)}"z":"allow"}}`,
    ),
    longName: agent(`"permission":{"s${fill('_a', halfSize)}":"allow"}`),
    longKey: agent(`"s${fill('_a', halfSize)}":false`),
    longKeyOfTable: agent(`"s${fill('_a', halfSize)}":{"x":1}`),
    longEvent: agent(`"hooks":{"s${fill('.a', halfSize)}":[]}`),
    longTool: agent(`"tools":["s${fill('-a', halfSize)}"]`),
    longSetting: agent(`"toolsSettings":{"s${fill('_a', halfSize)}":{}}`),
    spawns: agent(
      `"tools":["subagent"],"toolsSettings":{${['subagent', 'delegate'].map(tool => `"${tool}":{"availableAgents":[${lines(halfSize / 18, index => `"${tool[0]}${index}",`)}"z"]}`)}}`,
    ),
    sets: agent(`"disallowedTools":[${fill('"web","Zed",', halfSize)}"x"]`),
    inputNumbers: agent(`"inputs":[${fill('1,', halfSize)}1]`),
    models: agent(`"model":[${fill('"Reda",', halfSize)}"x"]`),
    inputs: agent(`"inputs":{${lines(halfSize / 18, index => `"k${index}":"string",`)}"z":"string"}`),
    escapes: agent(`"description":"${fill('\\u0041', halfSize)}"`),
    unclosed: `{"name":"${fill('a', halfSize)}`,
    heapedName: `{"name":"a${fill('\u0301\u0316', halfSize / 2)}","prompt":"x"}`,
    matcher: agent(`"hooks":${guard(words(halfSize / 12, '|'))}`),
    sameMatcher: agent(`"hooks":${guard(fill('deploy|', halfSize - 200))}`),
    servers: agent(`"mcpServers":{${lines(60, index => `"s${index}":${serverOfLists(400)},`).slice(0, -1)}}`),
    fewerServerKeys: agent(`"mcpServers":{"x":{${lines(9900, index => `"inklu${index}tulz":[],`)}"z":1}}`),
    serverKeys: agent(`"mcpServers":{"x":{${lines(halfSize / 22, index => `"inklu${index}tulz":[],`)}"z":1}}`),
    serverNames: agent(`"mcpServers":"${fill('abc,', halfSize)}x"`),
    serverTables: agent(
      `"mcpServers":{"x":{"tools":{${lines(halfSize / 30, index => `"ä${index}":{"enabled":false},`)}"z":{}}}}`,
    ),
    ...listsOfAgents(),
  }
}

/** Three lists of its tools, the same ones in each. */
function serverOfLists(count: number): string {
  const names = Array.from({ length: count }, (_, index) => `t${index}`).join('","')
  return `{"tools":["${names}"],"enabled_tools":["${names}"],"includeTools":["${names}"]}`
}

function guard(matcher: string): string {
  return `{"PreToolUse":[{"matcher":"${matcher}","hooks":[{"type":"command","command":"x"}]}]}`
}

/** As many agents as a file may have, each with as many words as fit in: all different, or a few again and again. */
function listsOfAgents(): Readonly<Record<string, string>> {
  const count = 199
  const each = 100
  const quoted = (from: number) => words(each, '","', from)
  const agents = (more: (from: number) => string) =>
    `[${lines(count, index => `{"name":"a${index}","prompt":"x",${more(index * each)}},`).slice(0, -1)}]`
  const shapes: Readonly<Record<string, (from: number) => string>> = {
    permission: from => `"permission":{"${words(each, '":"deny","', from)}":"deny"}`,
    denied: from => `"disallowedTools":["${quoted(from)}"]`,
    rules: from => `"permissions":{"deny":["${quoted(from)}"]}`,
    tools: from => `"tools":["${quoted(from)}"]`,
    text: from => `"tools":"x${from}, ${words(each, ', ', from)}"`,
    guards: from => `"hooks":${guard(words(each, '|', from))}`,
    camel: from => `"disallowedTools":["${Array.from({ length: 40 }, (_, at) => camelWord(from + at)).join('","')}"]`,
    keys: from => Array.from({ length: 30 }, (_, at) => `"${camelWord(from + at)}":"Read"`).join(','),
    servers: from => `"mcpServers":{"x":{"tools":["ä${words(each, '","ä', from)}"]}}`,
    settings: from => `"toolsSettings":{"${words(each, '":{},"', from)}":{}}`,
    known: () => `"tools":["${Array(each).fill('Read","Bash').join('","')}"]`,
  }
  return Object.fromEntries(
    Object.entries(shapes).flatMap(([name, more]) => [
      [`agents, ${name}`, agents(more)],
      [`agents, ${name} again`, agents(from => more(from % (15 * each)))],
    ]),
  )
}
