/** Files whose writers type in another script: names, signs and whom they call. */
import { describe, expect, test } from 'vitest'
import { mentionOf, mentionsIn } from '../../src/apps/session/mention-words.js'
import { createCatalog } from '../../src/core/catalog/catalog.js'
import type { Place } from '../../src/core/permission/path-policy.js'
import { covers, readyRule } from '../../src/core/permission/permission-match.js'
import { parsePermissionRules } from '../../src/core/permission/permission-rule.js'
import { visible } from '../../src/core/text/shell-word.js'
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
    ['canSpawn: [代码审查，测试专家]', ['代码审查', '测试专家']],
    ['tools: Read, Task(代码审查、测试专家)', ['代码审查', '测试专家']],
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

describe('one name in two spellings', () => {
  const [composed, apart] = ['Pr\u00fcfer', 'Pru\u0308fer']
  const ground = { place: {} as Place, start: undefined, count: { rules: 0 } }
  const judge = (text: string, name: string) => {
    const [rule] = parsePermissionRules({ deny: [text] }).rules.deny
    return covers(readyRule(rule!, 'x', true, ground), { kind: 'agent', subject: name, names: [name] }, 'Task')
  }
  test.each([
    [`Task(${apart})`, composed],
    [`Task(${composed})`, apart],
    ['Agent(\u0130NCELEY\u0130C\u0130)', '\u0130nceleyici'],
    ['Agent(STRASSE)', 'stra\u00dfe'],
    ['Agent(\uff21\uff29助手)', 'AI助手'],
    ['Task(发布，部署)', '部署'],
    ['Task(发布、部署)', '发布'],
  ])('a denial by one was none for the other: %s', (rule, name) => expect(judge(rule, name)).toBe('yes'))
  test('is found by either', () => {
    const agent = readAs(file, `---\nname: ${apart}\ndescription: x\n---\n\nYou check.\n`).agents[0]!.agent!
    expect(createCatalog([agent]).lookup(apart)?.agent.name).toBe(composed)
  })
})

describe('a denied file', () => {
  test.each([
    'Документы — копия/**',
    '报告（终稿）/**',
    '《合同》/**',
    '“机密”/**',
    'سند\u200cها/**',
    'отчётQ3/**',
    '\u03bcservice/**',
  ])('may be called so: %s', path => expect(read(`disallowedTools: Read(${path})`).state).toBe('loaded'))
  test.each(['./.\u0435nv', '\uff0fsrc/\u0251.ts', './.env\u2044x'])('is no plain one in disguise: %s', path =>
    expect(read(`disallowedTools: Read(${path})`).state).toBe('quarantined'),
  )
})

describe('a denial of everything', () => {
  test.each(['Bash(任何命令)', 'Bash(любые команды)', 'Bash(any command)', 'Write(all files)', 'Write(所有文件)'])(
    'in words denied nothing: %s',
    rule => {
      const denied = read(`disallowedTools: ${rule}`).agents[0]?.agent?.disallowedTools
      expect(denied).toContainEqual({ name: rule.slice(0, rule.indexOf('(')) })
    },
  )
  test.each(['Bash(all-checks *)', 'Write(机密/**)', 'Read(all/**)', 'Bash(./проверка.sh)'])('is not %s', rule => {
    const denied = read(`disallowedTools: ${rule}`).agents[0]?.agent?.disallowedTools
    expect(denied?.every(({ pattern }) => pattern !== undefined)).toBe(true)
  })
})

describe('keys in another language', () => {
  test.each(['禁止: [Bash]', 'запрещено: Bash', '工具: [fs_read]', '工具：Read', 'ツール: Read, Grep'])(
    'that hold tools limit what nobody can tell: %s',
    key => expect(read(key).state).toBe('quarantined'),
  )
  test.each(['标签: [a, b]', 'версия: 2', '作者: 王', 'Категория: Web', 'Stand: 2025-01-01', '语言: Python'])(
    'are somebody’s own: %s',
    key => expect(read(key).state).toBe('loaded'),
  )
  test('below the fence a wide colon is one, too', () => {
    const text = '---\nname: a\ndescription: x\n---\ndisallowedTools：Bash\n\n你审查代码。\n'
    expect(readAs(file, text).state).toBe('quarantined')
  })
  test('with the blanks of French before their colons', () => {
    const text = '---\nname\u00a0: a\ndescription\u00a0: Relit : vite\ntools\u00a0: Read, Grep\n---\n\nTu relis.\n'
    expect(readAs(file, text).agents[0]?.agent?.tools).toEqual([{ name: 'Read' }, { name: 'Grep' }])
  })
})

describe('names', () => {
  const nameIn = (name: string) =>
    readAs(file, `---\nname: ${name}\ndescription: x\n---\n\nYou look.\n`).agents[0]?.agent?.name
  test.each(['بازبین\u200cکد', 'क्\u200dष', '👩\u200d💻 开发者'])('with the joiners they need: %s', name =>
    expect(nameIn(name)).toBe(name),
  )
  test('with a stroke between words', () => expect(nameIn('UI/UX 设计师')).toBe('UI-UX 设计师'))
  test.each(['a\u200db', 'a\u200f', '\ufffd\ufffd'])('with what nobody sees name it: %s', name => {
    const reading = readAs(file, `---\nname: "${name}"\ndescription: x\n---\n\nYou look.\n`)
    expect(reading.diagnostics.map(({ message }) => message).join()).toMatch(/U\+(?:200D|200F|FFFD)/)
  })
  test('are mentioned with their marks', () => {
    expect([...mentionsIn('@ผู้ตรวจโค้ด ดู').keys()]).toEqual(['ผู้ตรวจโค้ด'])
    expect(mentionOf('ผู้ตรวจโค้ด')).toBe('@ผู้ตรวจโค้ด')
  })
  test('are drawn with their joiners, and nothing else that nobody sees', () => {
    expect(visible('می\u200cکند 👩\u200d💻 ⚙\ufe0f')).toBe('می\u200cکند 👩\u200d💻 ⚙\ufe0f')
    expect(visible('a\u200db\u202ec')).toBe('a\\u{200d}b\\u{202e}c')
  })
})
