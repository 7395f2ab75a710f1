import { describe, expect, test } from 'vitest'
import { readText } from '../fuzz/widened.js'

function markdown(lines: string): string {
  return `---\nname: a\ndescription: x\n${lines}\nmodel: haiku\n---\nYou are a probe.\n`
}

const hung = (line: string) => markdown('color: red').replace('description: x', `description: ${line}`)
const state = (text: string, path = 'a.md') => readText(text, path).state

describe('noise was put into a limit, and it bound nothing', () => {
  test.each([
    'disaCWLble: true',
    'steUiYps: 4',
    'sanyoz6-Bdbox: read-only',
    'permissikhesNons: read',
    'tooUnols:\n  exclude: [Bash, Write]',
    'uxtools:\n  required: [Read]\n  optional: [Grep]',
    'xtool:\n  required: [Read]\n  optional: [Grep]',
    'tnbj\u0301POool_restrictions:\n  allowed: [Read]\n  forbidden: [Bash]',
    'web_sezYBDarch: disabled',
    'subagelYdnts: [b, c]',
    'subamTtgents: [b, c]',
    'permissiEmfypons:\n  can_edit: false',
    'commandExecutionPolicybuk: off',
    'approvaEd\u0301DF: plan',
    'Igtmode: plan',
    'tim-gct: 90',
    'tools:\n  "websYwtWearch_*": false',
    'tools:\n  "ewsearch_*": false',
    'permission:\n  taskkKph2: deny',
    'permission:\n  editmnvf: deny\n  bash: ask',
    'mode: planWqo',
    'mode: planIzu',
    'mode: bplaa',
    'mode: bpla_',
    'mode: panm\nodel: haiku',
    'mode: plan@model:@haiku',
    'tool_access: [ReawcfGrep]',
    'requires_approval: [Writerilash]',
    'permissions: { deny: ["Bash(hO6Edit(/src/**)"] }',
    'permissions:\n  deny: [net_o*k, shell_commands]',
    'permissions:\n  cna_eidt: false\n  read: true',
    'features:\n  shell_tool: fal1\nemodel: haiku',
    'features:\n  shell_tool: "false\u0007;%O"',
    'excludeToolsW: [B,sh]',
    'TFWyskills: { deploy: false, read: true }',
    'toolqOygs:\n  tickets: false',
    'Tmod-: plan',
    'approowPugde: plan',
    'bC0vsir: packages/web',
    'mode: \ufefflanW',
    'mode: xplanm',
    'mode: psilan',
    'tools:\n  "websearcogh_*": false',
    'tools: [Read, Bash;git:(*)]',
    'tqzckimeout_mins: 3',
    'xmde: plan',
    'mWod: plan',
    'mode: Rlanx',
    'mode: xpln',
    'mode: plaNI n',
    'mode: eDplan',
    'mode: planmode:l haiku',
    'acces: &read-only',
    'sandbox: read-ohEWCnly',
    'tool_restrictions: read-only2\u{1f600}x0r',
    'suagents:\n  ? worker',
    'suWbagents:\n b - worker',
    'enabwrxmCvagent_tools: false',
    'inhnljoMcp: false',
    'toolsnbba: [read, agent]',
    'mode: plan\nmode: haiku',
    'access: read-only\naccess: all',
    'mode: paln\nmode: haiku',
    'peqJEV\u00dfwonMode: read-only',
    'yeYwpermissionMode: plan',
    'skills:\n  deploy: faTe',
    'requires_approval: [BasZXOah]',
    'disallowe28jDls: [Notebook, Bash]',
    'subdjsnts: [b, c]',
    'disallowedToolFfZ7xIs: [Agent(b, c), Bash]',
    'disallowedTools: [Npnibook, Bash]',
    'disallowedTools: [Noteoo*, Bash]',
    'permissions:\n  deny: [SGKwork, shell_commands]',
    'permission:\n  bashRzp8: ask',
    'requires_approval: [jPZBash]',
    'tool_restrictions:\n  allowed: R[ead]\n  forbidden: [B,sh]',
    'features:\n  shell_tool: fls\nemodel: haiku',
    'mode: !lanm\nodel: haiku',
  ])('%s', line => {
    expect(state(markdown(line))).toBe('quarantined')
  })

  test.each([
    'x*xccess: read-only',
    'xfsM6sbox: read-only',
    'xsandbox: read-onlybmodel: haiku',
    'x@skills: { deploy? false, read: true }',
    'xskills:\n  \neploy: false',
    'x_groups:\t[read, mcp]',
    'axccess: read-only',
    'x access: read-on=y',
    'xbskills { deploy: false, read: true }',
    'x&skills:\n  de\nloy: false',
    'x|skills:{  deploy: false, read: true }',
    'xm\nod: plan',
    'xm\noe: plan',
    'xm\nodae: plan',
  ])('hung on the text before it: %s', line => {
    expect(state(hung(line))).toBe('quarantined')
  })

  test.each([
    'commandExecutoi\nPolicy: ask',
    'commandExecuo\nAHPolicy: off',
    'commandExecuBu]Wo\nlicy: off',
    'cx\nW=9dExecutionPolicy: off',
    'sandboxGWkead-only',
    'mo\nde plan',
    'm,de plan',
    'a ccess read-only',
    'moed: p\nlan',
    'mode:Wpln',
    'skTlls:\n  deploy: |alse',
    'siklls:\nb deploy: false',
    'skills:\nT deploy: false-model: haiku',
    'subage 1}qU  - worker',
    'tool\n%nLvead]',
    'exclS!\nTools: [Bash]',
    'tools: [Read, Task]\n subagents: [b, c]model: haiku',
    'tools: [Read, Task]\nsubag,ents: [b, c]\ncolor: red',
    'pe"\nu0\u202eions: read',
    'base.w\n\u0301wsDir: packages/web',
    'permivM\n/ns: read',
    'permisw\u{1f600}wXx] read',
    'skills\n  de\ufeffloy: false',
    'skills\n d eploy: false',
    '[kills:\n d eploy: false',
    '&kills:\n  depl oy: false',
    'skill\ns.Js: { deploy: false, read: true }',
    'disab&tq\nale: true',
    'disa\n@Xc true',
    'disallowed2HL!u\nTools: Write, Edit, Bash',
    'excludeToos(\u0301W\n\u0007ash]',
    'mcpServers:\n  docs:\n    command: c\n\t   includeTools :[find]',
    'modepY\n an',
    'py%\nassions: read',
    'approvaU7F=\nT suppress',
    'approvalx\nW=9 suppress',
    '"tZ|;!t: 90',
    'skill}s: { deplo{y: false, read: true }',
    'sk:ills: / deploy: false, read: true }',
    'sk:lls:  deploy: false',
    'skill03gL deploy: false',
    'skillvai\n\u0301deploy: false',
    'skil EDu\nsls: { deploy: false, read: true }',
    'skil\nB\u0007 { deploy: false, read: true }',
    'skills:\n  deplo:y fals\nemodel: haiku',
    'skills:\n  deploy% fals\nemodel: haiku',
    'subagets:\n % - worker',
    'subagen s:\n  \ufeff- worker',
    'subagenats:\n | - worker',
    ' ubagents: [b, c]Tmodel: haiku',
    'permissu:\u00e9Dlf - permission: bash\n    pattern: "*"\n    action: deny',
  ])('a line that is none any more: %s', line => {
    expect(state(markdown(line))).toBe('quarantined')
  })

  const role = (table: string) => `name = "a"\ndescription = "x"\ndeveloper_instructions = "y"\n${table}\n`

  test.each([
    '[aglmeJents]\nenabled = false',
    '[G.e2Mmagents]\nmax_depth = 0',
    '[q.1tures.multi_agent_v2]\nenabled = false',
    '[faturesmulti_agent_v2]\nenabled = false',
    '[featurelt]\nshell_tool = false',
    '[t0ool]\nweb_search = { enabled = false }',
    '[permissionsWbash]\n"*" = "den%y"',
    '[permissionsbash]\n"*" = "?deny"',
    'default_permssions = "r:ead-only"',
    'enabKZbN.led_tools = ["read_file", "grep"]',
  ])('in TOML: %s', table => {
    expect(state(role(table), '.codex/agents/a.toml')).toBe('quarantined')
  })

  test.each(['"toFnDnols": ["@git", "@db/query"]', '"toolsSettings": { "shell": { "de>7\u4e2d|!ffault": true } }'])(
    'in JSON: %s',
    line => {
      const text = `{ "name": "a", "description": "x", "prompt": "y", ${line} }`
      expect(state(text, '.kiro/agents/a.json')).toBe('quarantined')
    },
  )
})

describe('a key of somebody’s own is no limit with noise in it', () => {
  test.each([
    'toolkits: [docker, helm]',
    'stage: plan',
    'darkmode: true',
    'mode: planning',
    'mode: planner',
    'mode: clean',
    'mode: lean',
    'mode: playwright',
    'k8s_apply: true',
    'oauth2: true',
    'maxItems: 4',
    'parseJSONFile: true',
    'skills: [deploy]',
    'web: disabled',
    'mode: primary\nmode: subagent',
    'strengths: [b, c]',
    'contexts: [b, c]',
    'sub: [b, c]',
    'box: read-only',
    'sdk: read-only',
    'cwd: read-only',
    'readme:\n  dark: false',
    'restriction: [b, c]',
    'research_agents: [b, c]',
    'discoverable: true',
    'accessories: [lamp]',
    'steppers: 4',
    'timekeeper: 90',
  ])('%s', line => {
    expect(state(markdown(line))).not.toBe('quarantined')
  })

  test.each([
    'Use it: when a script fails\n  and the skills: of others are false friends',
    'Use it: for C++ and R&D\n  **Note**: skills matter',
  ])('in broken prose: %s', text => {
    expect(state(hung(text))).not.toBe('quarantined')
  })
})
