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
    'tool_policy: { alow: [Read], dny: [Bash] }',
    'nrkdbox: read-only',
    'sbuagents:\n   -worker',
    'web_search: disallowed',
    'tools:\n  "rVx8earch_*": false',
    'skilxs:\n  deploy:false',
    'skills:\n  deploy: fls',
    'skills: { deploy false, read true }',
    'tool_surface:\n  requi(ed: [Read]\n  opti,nal: [Grep]',
    'tools:\n  "websecrh_*": false',
    'a\ncess read-only',
    'mo\ndea plan',
    'g=oups: [read, mcpx',
    '[oups: [read, mcp]',
    'gro=ps: [read, mcp]\n>olor: red',
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
    'acce:s read-only',
    'web_s[arch:.disabled',
    'gro>ps: [\nead, mcp]',
    'groups: re\nad, mcp]',
    'web_s$Y(\n5earch: disabled',
    'subagents:4\tUgQ [b, c]',
    'requires?_approval> [Write, Bash]',
    'skills, R{ deploy: false, read: true }',
    'skil@ls:x\n  deploy: false',
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
