/** Files whose writers type in another script: names, signs and whom they call. */
import { describe, expect, test } from 'vitest'
import { codesOf, readAs } from './read-as.js'

const file = '.claude/agents/a.md'
const read = (keys: string) =>
  readAs(file, `---\nname: reviewer\ndescription: 审查代码\n${keys}\n---\n\n你审查代码。\n`)

describe('whom an agent may call', () => {
  test.each([
    ['canSpawn: [検索係, reviewer]', ['検索係', 'reviewer']],
    ['canSpawn: 検索se', ['検索se']],
    ['canSpawn: [yardımcı, 係]', ['yardımcı', '係']],
    ['tools: Task\nsubagents: 検索係', ['検索係']],
    ['permission:\n  task: {"*": deny, 検索係: allow}', ['検索係']],
    ['permission:\n  task: {"*": deny, "über-*": allow}', ['über-*']],
  ])('was unclear, or nobody, where its name is in another script: %s', (keys, names) => {
    expect(read(keys).agents[0]?.agent?.canSpawn).toEqual(names)
  })
  test.each(['fälse', 'f\u0430lse', 'fal,sé', '中 false', '中false'])('is no damaged "false": %s', word =>
    expect(read(`canSpawn: ${word}`).state).toBe('quarantined'),
  )
})

describe('signs as wide as a picture', () => {
  test('a file with no other colon was no list of keys', () => {
    const reading = readAs(file, '---\nname：审查员\ndescription：审查代码\ntools：Read, Grep\n---\n\n你审查代码。\n')
    expect(reading.agents[0]?.agent).toMatchObject({ name: '审查员', tools: [{ name: 'Read' }, { name: 'Grep' }] })
    expect(codesOf(reading)).toEqual(['value-converted', 'value-converted', 'value-converted'])
    expect(reading.diagnostics.map(({ line }) => line)).toEqual([2, 3, 4])
  })
  test.each([
    ['tools: Read，Grep', ['Read', 'Grep']],
    ['tools：[Read、"Grep"]', ['Read', 'Grep']],
    ['tools: Read，Bash(git log:*)', ['Read', 'Bash']],
  ])('between tools are commas: %s', (keys, names) => {
    const tools = read(keys).agents[0]?.agent?.tools
    expect(Array.isArray(tools) && tools.map(({ name }) => name)).toEqual(names)
  })
  test('deny what they stand between', () => {
    expect(read('disallowedTools：Write，Edit').agents[0]?.agent?.disallowedTools).toEqual([
      { name: 'Write' },
      { name: 'Edit' },
    ])
    expect(read('permission：\n  edit: deny').agents[0]?.agent?.permissions?.deny.map(({ tool }) => tool)).toContain(
      'Edit',
    )
  })
  test.each(['disallowedTools: Write，', 'disallowedTools: Wri，te', 'tools: Read，Bash(git，x)', 'tools: “Read”'])(
    'are not read where something else may be meant: %s',
    keys => expect(read(keys).state).toBe('quarantined'),
  )
  test('stay in a text', () => {
    const reading = readAs(
      file,
      '---\nname: a\ndescription: |\n  审查：安全，性能\n  使用工具：Read，Grep\n---\n\n你审查代码。\n',
    )
    expect(reading.state).toBe('loaded')
    expect(reading.agents[0]?.agent).toMatchObject({
      description: '审查：安全，性能\n使用工具：Read，Grep',
      tools: 'all',
    })
  })
  test('are named where they are in the way', () => {
    const [fault] = read('disallowedTools: Bash(git\u00a0push)').diagnostics
    expect(fault?.message).toContain('U+00A0')
    expect(read('tools: “Read”').diagnostics[0]?.message).toContain('"“" (U+201C)')
  })
})
