/** Front matter without its end: nobody knows where the body begins, so a limit counts wherever it stands. */
import { describe, expect, test } from 'vitest'
import { agentIn, codesOf, readAs } from './read-as.js'
import { shownIn } from './shown-tools.js'

const head = '---\nname: a\ndescription: x\n'

describe('a limit below a blank line was lost with the fence', () => {
  test.each([
    [
      'behind a text with blank lines',
      '---\ndescription: x\nmode: subagent\nprompt: |\n  You do.\n\n  One:\n\n  two\ntools:\n  write: true\n  bash: false\n',
    ],
    ['far below a title', `${head}\n# Work\n\nYou do it.\n\ntools: Read\n`],
    ['another product’s', `${head}\n# Work\n\nYou do it.\n\nsandbox_mode: read-only\n`],
    ['with a slip in it', `${head}\n# Work\n\nYou do it.\n\ndisalowedTools: Bash\n`],
    ['behind a hundred lines', `${head}\n# Work\n${'\nYou do it.\n'.repeat(60)}\ntools: Read\n`],
    ['behind code', `${head}\nYou do it.\n\n\`\`\`sh\nls\n\`\`\`\n\ntools: Read\n`],
    ['behind code that does not end', `${head}\nYou do it.\n\n\`\`\`sh\nls\n\ntools: Read\n`],
    [
      'behind code in a text, cut by a blank line',
      '---\ndescription: x\nprompt: |\n  ```\n  a\n\n  b\n  ```\ntools:\n  bash: false\n',
    ],
    ['moved in with all the others', '---\n name: a\n description: x\n\n more.\n\n tools: Read\n'],
    [
      'behind dashes in a text, which were taken for the fence',
      '---\ndescription: x\nmode: subagent\nprompt: |\n  You do.\n\n  ---\n\n  More.\n\ntools:\n  bash: false\n',
    ],
  ])('%s', (_, text) => {
    expect(shownIn(readAs('.opencode/agents/a.md', text))).toBe('quarantined')
    expect(codesOf(readAs('.opencode/agents/a.md', text)).join()).toMatch(/security-key-damaged|front-matter-torn/)
  })

  test.each([
    ['in code', `${head}tools: Read\n\nWrite it so:\n\n\`\`\`yaml\npermissionMode: plan\n\`\`\`\n`],
    ['which the file has', `${head}tools: Read\n\nYou do it.\n\ntools: Read\n`],
    ['in a sentence', `${head}tools: Read\n\ntimeouts: look into each of them before you go on with it.\n`],
  ])('a limit %s is none', (_, text) => {
    expect(shownIn(readAs('a.md', text))).toBe('Read')
    expect(codesOf(readAs('a.md', text))).toContain('front-matter-unclosed')
  })
})

describe('a rule across the body was taken for the end of the front matter', () => {
  const body = '# Work\n\nYou review what has changed here.\n\n1. a\n2. b\n\n---\n\nSay it in few words.'

  test('and what stood above it for damaged keys', () => {
    const text = `${head}tools: Read\n\n${body}\n`
    expect(shownIn(readAs('a.md', text))).toBe('Read')
    expect(codesOf(readAs('a.md', text))).toEqual(['front-matter-unclosed'])
    expect(agentIn('a.md', text).systemPrompt).toBe(body)
  })

  test('and half of the prompt for its description', () => {
    expect(agentIn('a.md', `${head}\n${body}\n`)).toMatchObject({ description: 'x', systemPrompt: body })
  })

  test.each([
    [
      'a limit stands above the rule',
      `${head}\n# Work\n\nYou review what has changed here.\n\ntools: Read\n\n---\nx\n`,
    ],
    ['with a capital', `${head}\n# What it has\n\nYou review what has changed.\nTools: Read\n\n---\n\nYou help.\n`],
    ['a limit stands below it', `${head}\n${body}\n\npermissionMode: plan\n`],
    ['a comment stands above a limit', `${head}\n# What it has\n\ntools: Read\n\n---\n\nYou help.\n`],
    ['a limit lost its colon', `${head}\n# What it has\n\ntools Read\n\n---\n\nYou help.\n`],
  ])('%s: it is not lost', (_, text) => {
    expect(shownIn(readAs('a.md', text))).toMatch(/^(?:quarantined|Read)$/)
  })

  test('a title inside a text that is quoted or a block ends nothing', () => {
    const text = '---\nname: a\ndescription: |\n  One.\n\n  # Two\n\n  Three is said here, too.\n---\n\nYou help.\n'
    expect(agentIn('a.md', text)).toMatchObject({ systemPrompt: 'You help.' })
  })
})
