import { describe, expect, test } from 'vitest'
import { readText } from '../fuzz/widened.js'

function markdown(lines: string): string {
  return `---\nname: a\ndescription: x\n${lines}\nmodel: haiku\n---\nYou are a probe.\n`
}

const hung = (line: string) => markdown('color: red').replace('description: x', `description: ${line}`)
const state = (text: string, path = 'a.md') => readText(text, path).state

describe('noise was put into a limit, and it bound nothing', () => {
  test.each([
    'tooUnols:\n  exclude: [Bash, Write]',
    'uxtools:\n  required: [Read]\n  optional: [Grep]',
    'xtool:\n  required: [Read]\n  optional: [Grep]',
    'tnbj\u0301POool_restrictions:\n  allowed: [Read]\n  forbidden: [Bash]',
    'tools:\n  "websYwtWearch_*": false',
    'tools:\n  "ewsearch_*": false',
    'permission:\n  taskkKph2: deny',
    'permission:\n  editmnvf: deny\n  bash: ask',
    'permissions: { deny: ["Bash(hO6Edit(/src/**)"] }',
    'permissions:\n  deny: [net_o*k, shell_commands]',
    'permissions:\n  cna_eidt: false\n  read: true',
    'features:\n  shell_tool: fal1\nemodel: haiku',
    'features:\n  shell_tool: "false\u0007;%O"',
    'excludeToolsW: [B,sh]',
    'tools:\n  "websearcogh_*": false',
    'tools: [Read, Bash;git:(*)]',
    'acces: &read-only',
    'suagents:\n  ? worker',
    'suWbagents:\n b - worker',
    'mode: plan\nmode: haiku',
    'access: read-only\naccess: all',
    'mode: paln\nmode: haiku',
    'skills:\n  deploy: faTe',
    'disallowe28jDls: [Notebook, Bash]',
    'disallowedToolFfZ7xIs: [Agent(b, c), Bash]',
    'disallowedTools: [Npnibook, Bash]',
    'disallowedTools: [Noteoo*, Bash]',
    'permissions:\n  deny: [SGKwork, shell_commands]',
    'permission:\n  bashRzp8: ask',
    'tool_restrictions:\n  allowed: R[ead]\n  forbidden: [B,sh]',
  ])('%s', line => {
    expect(state(markdown(line))).toBe('quarantined')
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
    'tool\n%nLvead]',
    'exclS!\nTools: [Bash]',
    'tools: [Read, Task]\n subagents: [b, c]model: haiku',
    'tools: [Read, Task]\nsubag,ents: [b, c]\ncolor: red',
    'pe"\nu0\u202eions: read',
    'permivM\n/ns: read',
    'permisw\u{1f600}wXx] read',
    'skills\n  de\ufeffloy: false',
    'skills\n d eploy: false',
    '[kills:\n d eploy: false',
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
    'skill}s: { deplo{y: false, read: true }',
    'sk:ills: / deploy: false, read: true }',
    'sk:lls:  deploy: false',
    'skillvai\n\u0301deploy: false',
    'skil EDu\nsls: { deploy: false, read: true }',
    'skil\nB\u0007 { deploy: false, read: true }',
    'skills:\n  deplo:y fals\nemodel: haiku',
    'skills:\n  deploy% fals\nemodel: haiku',
    'subagets:\n % - worker',
    'subagen s:\n  \ufeff- worker',
    'permissu:\u00e9Dlf - permission: bash\n    pattern: "*"\n    action: deny',
  ])('a line that is none any more: %s', line => {
    expect(state(markdown(line))).toBe('quarantined')
  })

  const role = (table: string) => `name = "a"\ndescription = "x"\ndeveloper_instructions = "y"\n${table}\n`

  test.each(['[featurelt]\nshell_tool = false', 'default_permssions = "r:ead-only"'])('in TOML: %s', table => {
    expect(state(role(table), '.codex/agents/a.toml')).toBe('quarantined')
  })

  test.each(['"toolsSettings": { "shell": { "de>7\u4e2d|!ffault": true } }'])('in JSON: %s', line => {
    const text = `{ "name": "a", "description": "x", "prompt": "y", ${line} }`
    expect(state(text, '.kiro/agents/a.json')).toBe('quarantined')
  })
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
