/** What people's editors do to a file must not change what it says. */
import { expect, test } from 'vitest'
import { codesOf, readAs } from './read-as.js'

const head = '---\nname: scout\ndescription: Looks around.\ntools: Read, Grep\n---\n'
const body = 'First look.\n\n---\n\nThen think.\n\n---\nname: not-this\ntools: Bash\n---\n\nThen report.'
const plain = readAs('scout.md', head + body)

test('P34 rules in a body, and what looks like a second head, are text of the prompt', () => {
  expect(plain.state).toBe('loaded')
  expect(plain.agents[0]?.agent).toMatchObject({
    name: 'scout',
    tools: [{ name: 'Read' }, { name: 'Grep' }],
    systemPrompt: body,
  })
})

test.each<[string, (text: string) => string]>([
  ['a byte order mark', text => `\ufeff${text}`],
  ['Windows line ends', text => text.replaceAll('\n', '\r\n')],
  ['both', text => `\ufeff${text.replaceAll('\n', '\r\n')}`],
  ['line ends of either kind', text => text.replace(/\n/g, (_, at: number) => (at % 2 ? '\n' : '\r\n'))],
  ['spaces behind the rules of its head', text => text.replace('---\nname', '---  \nname')],
])('P34 B03 a file with %s says the same as without', (_, written) => {
  const reading = readAs('scout.md', written(head + body))
  expect(['loaded', 'warned']).toContain(reading.state)
  const { systemPrompt, ...said } = reading.agents[0]!.agent!
  const { systemPrompt: prompt, ...meant } = plain.agents[0]!.agent!
  expect(said).toEqual(meant)
  expect(systemPrompt?.replaceAll('\r\n', '\n')).toBe(prompt)
})

test('B03 tools named twice are nobody’s guess: quarantined; a head without its end and a tab are mended, and said', () => {
  const read = (text: string) => readAs('scout.md', `---\nname: scout\ndescription: d\n${text}`)
  const twice = read('tools: Read\ntools: Bash\n---\nx')
  expect(twice.state).toBe('quarantined')
  expect(twice.diagnostics[0]).toMatchObject({ code: 'security-value-unclear', line: 5 })
  const open = read('tools: Read\n\nLook around.')
  expect(open.agents[0]?.agent?.tools).toEqual([{ name: 'Read' }])
  expect(codesOf(open)).toContain('front-matter-unclosed')
  // With nothing behind it the file may have been cut off anywhere: the next line may have been a limit, so the warning
  // that an unclosed head gets otherwise is not enough.
  expect(codesOf(read('tools: Read'))).toContain('front-matter-torn')
  const tabbed = read('\ttools: Read\n---\nx')
  expect(tabbed.agents[0]?.agent?.tools).toEqual([{ name: 'Read' }])
  expect(codesOf(tabbed)).toEqual(['syntax-repaired'])
})

test('twenty keys that stand twice and limit nothing hid a list of tools that does, too', () => {
  const harmless = Array.from({ length: 25 }, (_, i) => `"note${i}": "a", "note${i}": "b",`).join('\n')
  const written = `{"name": "a", "description": "x", ${harmless} "disallowedTools": ["Bash"], "disallowedTools": []}`
  const reading = readAs('a.json', written)
  expect(reading.state).toBe('quarantined')
  expect(codesOf(reading)).toContain('security-value-unclear')
})
