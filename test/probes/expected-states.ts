/**
 * What the rules make of each probe: state, codes, effective tools (`all`, a list, or nothing where there is no agent).
 * A probe that Claude Code loads and we quarantine has its reason here.
 */
export interface ExpectedState {
  readonly state: 'loaded' | 'warned' | 'quarantined' | 'not-an-agent'
  readonly codes?: readonly string[]
  readonly name?: string
  readonly tools?: 'all' | readonly string[]
  readonly denied?: readonly string[]
  readonly why?: string
}

const loaded = (
  name: string,
  tools: ExpectedState['tools'] = 'all',
  more: Partial<ExpectedState> = {},
): ExpectedState => ({
  state: 'loaded',
  name,
  tools,
  ...more,
})
const warned = (name: string, codes: readonly string[], tools: ExpectedState['tools'] = 'all'): ExpectedState => ({
  state: 'warned',
  name,
  codes,
  tools,
})
const quarantined = (code: string, why: string, name?: string): ExpectedState => ({
  state: 'quarantined',
  codes: [code],
  why,
  ...(name ? { name, tools: [] } : {}),
})
const noAgent = (code: string): ExpectedState => ({ state: 'not-an-agent', codes: [code] })

export const expectedStates: Readonly<Record<string, ExpectedState>> = {
  'ok.md': loaded('ok'),
  // Bytes and fences
  'bom.md': loaded('bom'),
  'crlf.md': loaded('crlf'),
  'crlfcolon.md': warned('crlfcolon', ['syntax-repaired']),
  'utf16.md': warned('utf16', ['encoding-utf16']),
  'latin1.md': warned('latin1', ['encoding-invalid']),
  'nbsp.md': warned('nbsp', ['syntax-repaired']),
  'leadblank.md': warned('leadblank', ['front-matter-misplaced']),
  'leadcomment.md': warned('leadcomment', ['front-matter-misplaced']),
  'fencespace.md': loaded('fencespace'),
  'dots.md': loaded('dots'),
  'indentfm.md': loaded('indentfm'),
  'twofm.md': loaded('twofm'),
  'unclosed.md': warned('unclosed', ['front-matter-unclosed']),
  'codefence.md': noAgent('front-matter-in-code-block'),
  'nofm.md': noAgent('no-front-matter'),
  'emptyfile.md': noAgent('no-front-matter'),
  'emptyfm.md': noAgent('empty-front-matter'),
  // Syntax
  'colon.md': warned('colon', ['syntax-repaired']),
  'colonlit.md': warned('colonlit', ['syntax-repaired']),
  'multiunind.md': warned('multiunind', ['syntax-repaired']),
  'multicolon.md': warned('multicolon', ['syntax-repaired']),
  'quotedq.md': warned('quotedq', ['syntax-repaired']),
  'atval.md': warned('atval', ['syntax-repaired']),
  'backtick.md': warned('backtick', ['syntax-repaired']),
  'pct.md': warned('pct', ['syntax-repaired']),
  'bracket.md': warned('bracket', ['syntax-repaired']),
  'brace.md': warned('brace', ['syntax-repaired']),
  'hashin.md': warned('hashin', ['value-comment']),
  'tabind.md': warned('tabind', ['syntax-repaired'], ['Read', 'Grep']),
  'dupkey.md': warned('dupkey2', ['key-duplicate']),
  'keyspace.md': loaded('keyspace'),
  'keyupper.md': warned('keyupper', ['key-spelling']),
  'unkkey.md': loaded('unkkey', 'all', { codes: ['key-unknown'] }),
  // Tools
  'starbare.md': warned('starbare', ['syntax-repaired', 'tools-word']),
  'starq.md': warned('starq', ['tools-word']),
  'alltools.md': warned('alltools', ['tools-word']),
  'allword.md': warned('allword', ['tools-word']),
  'inheritword.md': warned('inheritword', ['tools-word']),
  'toolsempty.md': loaded('toolsempty', [], { codes: ['tools-none'] }),
  'toolsemptystr.md': loaded('toolsemptystr', [], { codes: ['tools-none'] }),
  'toolslist0.md': loaded('toolslist0', [], { codes: ['tools-none'] }),
  'toolslist.md': loaded('toolslist', ['Read', 'Grep']),
  'toolsblock.md': loaded('toolsblock', ['Read', 'Bash']),
  'toolsmap.md': loaded('toolsmap', ['Read'], { denied: ['Bash'], codes: ['tools-only'] }),
  'toolslower.md': loaded('toolslower', ['Read', 'Grep', 'Bash']),
  'toolsspace.md': loaded('toolsspace', ['Read', 'Grep', 'Bash']),
  'toolsunknown.md': warned('toolsunknown', ['tools-unknown'], ['Read', 'NoSuchTool']),
  'toolsallunknown.md': quarantined('tools-all-unknown', 'it could do nothing it was written for', 'toolsallunknown'),
  'bashpat.md': loaded('bashpat', ['Read', 'Bash(git:*)', 'Bash(npm run test, x)']),
  'mcp1.md': loaded('mcp1', ['Read', 'mcp__github__get_file']),
  'mcpstar.md': loaded('mcpstar', ['Read', 'mcp__github__*', 'mcp__ctx__*']),
  'taskpat.md': loaded('taskpat', ['Task', 'Read']),
  'denyonly.md': loaded('denyonly', 'all', { denied: ['Write', 'Edit'] }),
  'denypat.md': loaded('denypat', ['Bash', 'Read'], { denied: ['Bash(git *)'] }),
  'allowedtools.md': warned('allowedtools', ['tools-key'], ['Read']),
  // Names and descriptions
  'nodesc.md': warned('nodesc', ['description-missing']),
  'emptydesc.md': warned('emptydesc', ['description-missing']),
  'noname.md': warned('noname', ['name-missing']),
  'nobody.md': warned('nobody', ['prompt-missing']),
  'Upper.md': loaded('Upper-Case'),
  'spacename.md': loaded('Space Name Here'),
  'undername.md': loaded('under_name'),
  'uniname.md': loaded('代码审查'),
  'longname.md': loaded('n'.repeat(100)),
  'colonname.md': quarantined('name-colon', 'only plugin agents have ":" in their names'),
  'slashname.md': quarantined('name-invalid', 'a name with a path separator is never used (security case B01)'),
  'numname.md': warned('123', ['name-converted']),
  'boolname.md': warned('true', ['name-converted']),
  'desclist.md': warned('desclist', ['description-converted']),
  'descnum.md': warned('descnum', ['description-converted']),
  'descfold.md': loaded('descfold'),
  'desclong.md': loaded('desclong', 'all', { codes: ['description-cut'] }),
  // Other fields
  'modelbad.md': warned('modelbad', ['model-unknown']),
  'modelnull.md': loaded('modelnull'),
  'modellist.md': loaded('modellist'),
  'colorbad.md': loaded('colorbad'),
  'colorhashbare.md': warned('colorhashbare', ['value-comment']),
  'permbad.md': warned('permbad', ['mode-ignored']),
  'hooksarr.md': warned('hooksarr', ['hooks-dropped']),
  'hooksmap.md': loaded('hooksmap'),
  'hooksstr.md': warned('hooksstr', ['hooks-dropped']),
  'hooksbadev.md': warned('hooksbadev', ['hooks-dropped']),
  'maxturnsbad.md': quarantined('security-value-unclear', 'a bound that cannot be read is no bound', 'maxturnsbad'),
  'isobad.md': quarantined('security-value-unclear', 'running without the isolation it asks for would widen', 'isobad'),
  'skillsstr.md': loaded('skillsstr'),
  'mcpsrvbad.md': loaded('mcpsrvbad'),
  'bgbad.md': warned('bgbad', ['value-invalid']),
  'membad.md': warned('membad', ['value-invalid']),
  'effortbad.md': warned('effortbad', ['value-invalid']),
  // Places
  'sub/deeper/nested.md': loaded('nested'),
  '.hid/hiddendir.md': loaded('hiddendir'),
  '_shared/undirs.md': loaded('undirs'),
  'mdx.mdx': noAgent('other-extension'),
  'markdown.markdown': noAgent('other-extension'),
  'MDup.MD': loaded('MDup'),
  'foo.agent.md': loaded('agentmd'),
  'README.md': loaded('readme-as-agent'),
  'builtin.md': loaded('Explore'),
  'gp.md': loaded('general-purpose'),
  'a/dupA.md': loaded('dupname'),
  'b/dupB.md': loaded('dupname'),
}
