import { describe, expect, test } from 'vitest'
import { readText } from '../fuzz/widened.js'

function markdown(lines: string): string {
  return `---\nname: a\ndescription: x\n${lines}\nmodel: haiku\n---\nYou are a probe.\n`
}

function broken(line: string): string {
  return markdown(line).replace('description: x', 'description: Use it: when a script fails')
}

describe('two slips in another product’s limit, and it bound nothing', () => {
  test.each([
    'sbagenst: [b, c]',
    'suabgnets:\n  - worker',
    'tool_policy: { alow: [Read], dny: [Bash] }',
    'mode: lna',
    'mode: p@a',
    'mode: plaejY+|',
    'meo: plan',
    'cces: read-only',
    'grus: [read, mcp]',
    'nrkdbox: read-only',
    'sbuagents:\n   -worker',
    'grJQ😀rGgoups: [read, mcp]',
    'web_search: dis OzX,',
    'web_search: disallowed',
    'QBrn@ox: read-only',
    'tool_access: read-onlymodel haiku',
    'tools:\n  "rVx8earch_*": false',
    'skilxs:\n  deploy:false',
    'skills:\n  deploy: fls',
    'skills: { deploy false, read true }',
    'tool_access: R[ead, Gr!ep]',
    'tool_access: [ReadETGrep]',
    'tool_surface:\n  requi(ed: [Read]\n  opti,nal: [Grep]',
    'tools:\n  "websecrh_*": false',
    'maoe: plan',
    'aget: [b]',
    'tools_alowed: [R,ad]',
    'a\ncess read-only',
    'mo\ndea plan',
    'g=oups: [read, mcpx',
    '[oups: [read, mcp]',
    'gro=ps: [read, mcp]\n>olor: red',
    'subagents\ufeff: [b, c',
    'kills: W{ deploy: false, read: true }',
    '&skills:\n  deplo y: false',
    'skills:\n~ deploy: falsecolor: red',
    'tools:\n  bash: false\n  \ntask:\n    "*":. deny\n    helper: allow',
    'hook:\n  -,event: PreToolUse\n    command: guard.sh',
  ])('%s', line => {
    expect(readText(markdown(line), 'a.md').state).toBe('quarantined')
  })

  test('of Mistral: permissin = "never"', () => {
    const text = 'display_name = "A"\ndescription = "x"\nagent_type = "subagent"\n[toolsbash]\npermissin = "never"\n'
    expect(readText(text, '.vibe/agents/a.toml').state).toBe('quarantined')
  })

  const hung = (line: string) => markdown('color: red').replace('description: x', `description: ${line}`)

  test.each([
    'xsanbdox: read-only',
    'xmoed: plan',
    'xtool_restritions: read-only',
    'xmod: plan',
    'xmode: planmodel: haiku',
    'xsandbox@: read-only',
    'x)tool_ac[ess: read-only',
    "x acces's: read-only",
    'xenable_write_toosl: false',
    'x4A^J~3s: { deploy: false, read: true }',
    'x]eM;is:\n  tickets: false',
    'xskills\n  deploy: false',
  ])('hung on a text: %s', line => {
    expect(readText(hung(line), 'a.md').state).toBe('quarantined')
  })

  test.each([
    'acce:s read-only',
    'mode:1pla:n',
    'web_s[arch:.disabled',
    'subagents@: [b, c]model: haiku',
    's bagents  [b, c]',
    'subgents:  - worker',
    'gro>ps: [\nead, mcp]',
    'gHB n<e [read, mcp]',
    'groups: [reaT[Z4cp]',
    'groups: re\nad, mcp]',
    'web_s$Y(\n5earch: disabled',
    'subagents:4\tUgQ [b, c]',
    'requires?_approval> [Write, Bash]',
    'skills, R{ deploy: false, read: true }',
    'skil@ls:x\n  deploy: false',
    'skill(:\n  deploy: falsemodel: haiku',
  ])('in a line of a broken block: %s', line => {
    expect(readText(broken(line), 'a.md').state).toBe('quarantined')
  })

  test.each([
    'A word on the code: plan',
    'For the process: read-only',
    'First (as in the process): read-only',
    'For R&D: plan',
    'What it is, a <b>word</b> first: then plan',
    'Use it: for the code (plan)',
  ])('a sentence is one: %s', line => {
    expect(readText(hung(line), 'a.md').state).toBe('warned')
  })

  test.each([
    'code (plan)',
    'Sub-agents [see the list] are for others',
    'The agents [b, c] are for others',
    'Groups of people [who read] may ask',
    'c++:\n  lint: false',
    'Its words, [read, edit]!',
  ])('a line of a broken description is one: %s', line => {
    expect(readText(broken(line), 'a.md').state).toBe('warned')
  })

  test.each(['access: read-write', 'access: read-often', 'k8s: plan', 'phase_2: plan', 'tools:\n  "arch_*": false'])(
    'somebody’s own loads: %s',
    line => {
      expect(readText(markdown(line), 'a.md').state).not.toBe('quarantined')
    },
  )
})
