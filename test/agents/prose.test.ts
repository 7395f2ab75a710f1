/** Sentences end in anything. Where nothing is damaged, no end of one may be taken for what is left of a limit. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../support/properties.js'
import { readAs } from './read-as.js'

const styles: Readonly<Record<string, (text: string) => string>> = {
  plain: text => `description: ${text}`,
  quoted: text => `description: "${text}"`,
  folded: text => `description: >\n  ${text}`,
  'in several lines': text => `description: |\n  ${text.replaceAll(/((?:\S+ ){5})/g, '$1\n  ')}`,
  // A colon that needs quotes: the block is repaired line by line.
  broken: text => `description: Use it for: ${text}`,
}
const rests = ['model: sonnet', 'tools: Read, Grep\ncolor: red', 'tools: []', '']

function stateOf(style: string, text: string, rest = rests[0]!): string {
  const reading = readAs('.claude/agents/a.md', `---\nname: helper\n${styles[style]!(text)}\n${rest}\n---\nDo it.\n`)
  const fault = reading.diagnostics.find(each => each.severity === 'error')
  return fault === undefined ? reading.state : `${reading.state}: ${fault.message}`
}

const symptoms = [
  ...['Runs unit tests, e2e.', 'Playwright test E2E', 'Runs vitest, e2e', 'Looks into tests/e2e', 'Runs tests, 80%'],
  ...[
    'Uploads the latest S3',
    'Fixes bugs, ES6',
    'Writes what returns ES6',
    'Builds Rust systems, 30s',
    'It times out 30s',
  ],
  ...['Max turns 20', 'Looks after legacy 3D', 'Reads logs and stack traces, 5', 'What is maintainable, true.'],
  ...[
    'Builds web applications, REST',
    'Builds animations, push',
    'Deploys applications. test',
    'Plans what is based on Task',
  ],
  ...['Looks after access controls and Bash', 'Knows server actions, Bash.', 'Splits monolithic applications, Task'],
]
test.each(Object.keys(styles).flatMap(style => symptoms.map(text => [style, text] as const)))(
  'a sentence was taken for a limit (%s): %s',
  (style, text) => {
    expect(stateOf(style, text)).toMatch(/^(?:loaded|warned)$/)
  },
)

test.each(['tester-e2e', 'tester2', 'test-e2e', 'tester-3d'])(
  'a name was taken for a limit beside a broken description: %s',
  name => {
    const block = `name: ${name}\ndescription: Looks: reports, and changes nothing.\nmodel: sonnet`
    expect(readAs('.claude/agents/a.md', `---\n${block}\n---\nDo it.\n`).state).toBe('warned')
  },
)

test.each(['tools search the web for them', 'tools read', 'tools agent', 'tools write what others read, daily'])(
  'a line of a text that begins with "tools" was taken for a list of them: %s',
  words => {
    const texts = [`>\n  Helps to find the\n  ${words}`, `|\n  Helps with\n  ${words}\n  every day.`, `"${words}"`]
    for (const text of [...texts, `Helps with\n  ${words}`]) {
      const block = `name: helper\ndescription: ${text}\nmodel: sonnet`
      expect(readAs('.claude/agents/a.md', `---\n${block}\n---\nDo it.\n`).state).toBe('loaded')
    }
  },
)

test.each(['tools-agent', 'dev-tools-agent', 'my-tools-task', 'tools-bash', 'permissions-agent'])(
  'a name with "tools" before a tool was taken for a list of them: %s',
  name => {
    for (const description of ['Helps.', `Builds the ${name}`, `Builds ${name}.`]) {
      const block = `name: ${name}\ndescription: ${description}\nmodel: sonnet`
      expect(readAs('.claude/agents/a.md', `---\n${block}\n---\nDo it.\n`).state).toBe('loaded')
    }
  },
)

const anyWords =
  `a agent all and any api applications architecture are artifacts audits backend based build builds bugs by cases
  changes checks code codebase commits components controls conventions coverage creates data database debug deploys design
  docs documentation each edge errors every expert failures files fixes flows for frontend from functions gaps guides helps
  identify implements improve in integration into issues it its issues large latest legacy logs looks maintainable metrics
  migrations models modern modules monitors names needs new of on operations optimise or patterns performance plans pods
  production projects quality queries reads refactors regressions releases reports requests requirements resources results
  reviews risks root rules runs scalable schemas scripts security senior servers services sessions setup software solutions
  specialist stacks standards state steps stories strategies structure suites sustainable systems tasks teams terms tests
  the their them tickets times to traces types unit users uses vulnerabilities when where with workflows writes`
    .trim()
    .split(/\s+/)
const ends = [
  ...['S3', 'ES6', 'e2e', 'E2E', '80%', '30s', 'v2', '3D', 'P0', 'k8s', '24/7', '100k', '$5', 'CI/CD', 'I/O', 'A/B'],
  ...['HTML5', 'HTTP/2', 'OAuth2', 'EC2', '2FA', '10', '3.11', 'web3', 'i18n', 'B2B', 'GPT-4', 'Node 20', 'src/core'],
  ...['REST', 'push', 'web', 'shell', 'search', 'Kubernetes', 'SQL', 'React', 'GraphQL', 'MCP', 'agents', 'plans'],
]

test('prose stays prose, whatever it ends in', () => {
  const sentence = fc.tuple(
    fc.array(fc.constantFrom(...anyWords), { minLength: 2, maxLength: 14 }),
    fc.constantFrom(...ends),
  )
  const shape = [fc.constantFrom(' ', ', '), fc.constantFrom('', '.'), fc.constantFrom(...rests)] as const
  fc.assert(
    fc.property(fc.constantFrom(...Object.keys(styles)), sentence, ...shape, (style, [words, end], gap, stop, rest) => {
      expect(stateOf(style, `${words.join(' ')}${gap}${end}${stop}`, rest)).toMatch(/^(?:loaded|warned)$/)
    }),
    runs(800),
  )
})

test.each([
  'description: Looks after the folders: docs,\ntools/ and docs/ and the rest of the tree.',
  'description: |\n  Keeps order in these:\ntools/ or scripts/ as they grow, and what else is there.',
])('a folder tools/ at the start of a line of broken prose was taken for a damaged key: %j', block => {
  expect(readAs('.claude/agents/a.md', `---\nname: a\n${block}\n---\nYou help.\n`).state).toBe('warned')
})

test.each(['tools/ and Read/', 'tools/ Read, Grep', 'tools/ none', 'tools/ and hooks/'])(
  'a slip for the colon behind tools is still one: %s',
  line => {
    const text = `---\nname: a\ndescription: Keeps order: here,\n${line}\n---\nYou help.\n`
    expect(readAs('.claude/agents/a.md', text).state).toBe('quarantined')
  },
)

const said = ['tools', 'hooks', 'loops', 'permissions', 'timeouts', 'budget', 'isolation', 'tool', 'disabled']
const answers = [
  'assistant: "I will Read it, then use the Task tool."',
  '<commentary>',
  '**Then**: more',
  '2. Then: more',
]

test.each(said)('in a description that needs quotes, somebody who spoke of "%s" refused the file', word => {
  for (const end of ['."', '?"', ']"', '"', '.', "'", '!', ''])
    for (const answer of answers)
      for (const speaker of ['user: ', ''])
        expect(
          stateOf(
            'broken',
            `this:\n\n<example>\nContext: it is: odd\n${speaker}"Look at our ${word}${end}\n${answer}\n</example>\n`,
          ),
        ).toBe('warned')
})
