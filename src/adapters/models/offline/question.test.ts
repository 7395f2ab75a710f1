import { expect, test } from 'vitest'
import { isEnglish, isSmallTalk, readQuestion, termLabels } from './question.js'
import { stemOf } from './stem.js'

test.each([
  ['Where is the decision made that a child may not use a tool?', ['decision', 'child', 'tool', 'deny']],
  ['what handles retries with backoff?', ['retries', 'backoff']],
  ['which file parses the agent front matter', ['parses', 'agent', 'front', 'matter', 'frontmatter']],
  ['Where are slots released?', ['slots', 'released']],
  ['what happens when the output is too long', ['output', 'truncate']],
  ['who calls prepareBrief', ['prepareBrief']],
  ['is there a test for grace period', ['grace', 'period']],
])('the terms of: %s', (text, labels) => {
  expect(termLabels(readQuestion(text))).toEqual(expect.arrayContaining(labels))
  expect(termLabels(readQuestion(text))).not.toContain('where')
})

test.each([
  ['Where are slots released?', 'locate'],
  ['who calls prepareBrief', 'callers'],
  ['where is parse_feed used', 'callers'],
  ['what happens when the model calls a tool that does not exist', 'locate'],
  ['is there a test for grace period', 'tests'],
  ['where is this documented in the docs', 'docs'],
  ['how do I add a new tool', 'plan'],
  ['plan a migration to another store', 'plan'],
  ['what is this project?', 'overview'],
  ['what does drive.ts do', 'file'],
  ['hello', 'chat'],
] as const)('%s asks for: %s', (text, intent) => {
  expect(readQuestion(text).intent).toBe(intent)
})

test('names, paths and quoted text are taken as they stand', () => {
  const question = readQuestion('Why does `readAll` in src/core/run.ts say "no such run"?')
  expect(question.terms[0]).toMatchObject({ label: 'readAll', name: 'readAll' })
  expect(question.paths).toContain('src/core/run.ts')
  expect(question.quotes).toEqual(['no such run'])
})

test('a name counts whole, its parts count less, and plain words bring synonyms that count less', () => {
  const [name] = readQuestion('who calls sendLetter').terms
  expect(name!.stems.get(stemOf('letter'))).toBeLessThan(1)
  const [word] = readQuestion('where is it deleted').terms
  expect(word!.stems.get(stemOf('deleted'))).toBe(1)
  expect(word!.stems.get(stemOf('remove'))).toBeLessThan(1)
})

test('neighbouring words may be one name; a hyphen joins any two', () => {
  expect(readQuestion('where is front matter read').pairs).toContainEqual(['front', stemOf('matter')])
  expect(readQuestion('which commands are read-only').pairs).toContainEqual(['read', stemOf('only')])
})

test('words that occur everywhere in code weigh less than others', () => {
  const { terms } = readQuestion('which function handles invoices')
  const weight = (label: string) => terms.find(term => term.label === label)!.weight
  expect(weight('invoices')).toBeGreaterThan(weight('function'))
})

test('earlier terms come along, and weigh less than what is asked now', () => {
  const { terms } = readQuestion('where is it tested', ['voucher'])
  expect(terms.map(({ label }) => label)).toContain('voucher')
})

test.each(['hi', 'Thanks!', '', 'what is it?', '???'])('"%s" gives nothing to look for', text => {
  expect(isSmallTalk(readQuestion(text))).toBe(true)
})

test('a long text is cut down to its strongest terms', () => {
  const words = Array.from({ length: 60 }, (_, i) => `word${String.fromCharCode(97 + (i % 26))}${i} and `).join('')
  expect(readQuestion(`${words} fooBarBaz`).terms.length).toBeLessThanOrEqual(8)
  expect(readQuestion(`${words} fooBarBaz`).terms[0]!.name).toBe('fooBarBaz')
})

test.each([
  ['How long does it wait before trying a failed request again?', ['retry', 'delay']],
  ['How is cross-site request forgery prevented?', ['csrf']],
  ['What happens if no connection becomes free in time?', ['timeout']],
  ['How are bundles broken into chunks?', ['split']],
  ['Where are errors reported that nobody handles?', ['unhandled']],
])('a turn of phrase is looked for by the words that code uses: %s', (text, labels) => {
  expect(termLabels(readQuestion(text))).toEqual(expect.arrayContaining(labels))
})

test('a question in another language is told from one in English and from a few names', () => {
  expect(isEnglish('Wo wird entschieden, dass ein Kind ein Werkzeug nicht benutzen darf?')).toBe(false)
  expect(isEnglish('Où sont gérées les nouvelles tentatives après un échec ?')).toBe(false)
  expect(isEnglish('Where is the decision made that a child may not use a tool?')).toBe(true)
  expect(isEnglish('zxqv blorptang frumious')).toBe(true)
})
