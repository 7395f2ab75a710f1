import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ApprovalMode, PermissionMode } from '../../src/core/agent-definition.js'
import { strictestMode } from '../../src/core/brief/mode.js'
import { plainReading } from '../../src/core/permission/plain-reading.js'
import type { PermissionLink } from '../../src/core/types.js'
import {
  callOf,
  decide,
  grant,
  judge,
  layer,
  link,
  place,
  rulesOf,
  type Setting,
  type Written,
} from '../support/judging.js'
import { runs } from '../support/properties.js'

const ruleTexts = [
  ...[
    'Bash',
    'Bash(*)',
    'Bash(git *)',
    'Bash(git:*)',
    'Bash(git status)',
    'Bash(git push:*)',
    'Bash(curl:*)',
    'Bash(npm run *)',
    'Bash(* --force)',
    'Bash(echo:*)',
    'Bash(grep -rn x src)',
    'bash(CURL *)',
    'Bash(rm \\*)',
  ],
  ...[
    'Read',
    'Read(./.env)',
    'Read(src/**)',
    'Read(//etc/**)',
    'Read(~/.ssh/**)',
    'Edit',
    'Edit(src/**)',
    'Edit(*.md)',
    'Write',
    'Write(./docs/**)',
    'Read(.env)',
    'Read(/src/**)',
    'Edit(docs/)',
    'Grep(src/**)',
    'Glob',
    'NotebookEdit(**/*.ipynb)',
    'Edit({src,docs}/[a-m]*)',
  ],
  ...[
    'WebFetch',
    'WebFetch(domain:example.com)',
    'WebFetch(domain:*)',
    'Task',
    'Agent(Explore)',
    'Task(Plan)',
    'Skill(deploy)',
    'mcp__srv',
    'mcp__srv__*',
    'mcp__srv__read',
    'mcp__*',
    'WebFetch(domain:*.example.com)',
    'WebFetch(domain:127.0.0.1)',
    'WebFetch(https://example.com/*)',
    'Agent(Expl*)',
    'Skill(dep*)',
    'AskUser',
    '*',
  ],
]
const calls: readonly (readonly [string, object])[] = [
  ...[
    'git status',
    'git push --force',
    'git $X',
    'curl https://example.com',
    'cd src && git log',
    'npm run build && curl x',
    'echo $(git push)',
    'echo hi > src/a.md',
    'echo hi > /etc/x',
    'cat .env',
    'cat ~/.ssh/id_rsa',
    'sudo git push',
    'xargs curl < list',
    'eval "$X"',
    'ls -la',
    'rm -rf src',
    'tee .git/config',
    'grep -rn x .',
    'cd docs && ls',
    'python -c "open(1)"',
  ].map(command => ['Bash', { command }] as const),
  ...['src/a.ts', 'docs/a.md', '.env', '/etc/passwd', '~/.ssh/id_rsa', '.git/config', 'link/x'].flatMap(file_path =>
    ['Read', 'Write', 'Edit'].map(tool => [tool, { file_path }] as const),
  ),
  ['Grep', { pattern: 'x', path: 'src' }],
  ['Grep', { pattern: 'x', glob: '.env' }],
  ['Glob', { pattern: '../*' }],
  ['NotebookEdit', { notebook_path: 'docs/a.ipynb' }],
  ['WebFetch', { url: 'https://example.com/' }],
  ['WebFetch', { url: 'https://docs.example.com/' }],
  ['WebFetch', { url: 'http://127.0.0.1/' }],
  ['Task', { subagent_type: 'Explore' }],
  ['Task', { subagent_type: 'Plan' }],
  ['Task', { resume: 'x' }],
  ['Skill', { skill: 'deploy' }],
  ['mcp__srv__read', {}],
  ['AskUser', {}],
]

const texts = fc.subarray(ruleTexts, { maxLength: 5 })
const written: fc.Arbitrary<Written> = fc.record({ allow: texts, ask: texts, deny: texts })
const mode = fc.constantFrom<PermissionMode>('default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions')
const approvalMode = fc.constantFrom<ApprovalMode>('caller', 'suppress', 'sandbox')
const someLink: fc.Arbitrary<PermissionLink> = fc
  .record({
    agent: fc.constantFrom('a', 'b', 'c'),
    mode,
    approvalMode,
    written,
    grants: fc.subarray(ruleTexts, { maxLength: 2 }),
    refusals: fc.subarray(ruleTexts, { maxLength: 2 }),
  })
  .map(({ written: own, grants, refusals, ...rest }) =>
    link({ ...rest, rules: rulesOf(own), grants: grants.map(grant), refusals: refusals.map(grant) }),
  )
/** A chain as briefs make it: no mode looser than the one above. */
const someChain = fc.array(someLink, { minLength: 1, maxLength: 4 }).map(links => {
  let caller: PermissionMode = 'bypassPermissions'
  return links.map(one => {
    caller = strictestMode(caller, one.mode)
    return { ...one, mode: caller }
  })
})
const someCall = fc.constantFrom(...calls)
const rank = { allow: 0, ask: 1, deny: 2 } as const
const sandboxed: Setting = { call: { workspace: { cwd: '/w/app', roots: ['/w/app'], wrap: command => command } } }

test('what a child may do, its caller may do: for every tree of agents, rules and modes', () => {
  fc.assert(
    fc.property(someChain, written, someCall, fc.boolean(), (chain, rules, [tool, input], hasSandbox) => {
      const setting = { ...(hasSandbox ? sandboxed : {}), rules }
      let before = 0
      for (let depth = 1; depth <= chain.length; depth++) {
        const now = rank[decide(tool, input, { ...setting, chain: chain.slice(0, depth) })]
        expect(now).toBeGreaterThanOrEqual(before)
        before = now
      }
    }),
    runs(300),
  )
})

test('a stricter mode anywhere on the chain never allows more', () => {
  fc.assert(
    fc.property(someChain, written, someCall, mode, fc.nat(3), (chain, rules, [tool, input], other, at) => {
      const index = at % chain.length
      const stricter = chain.map((one, position) =>
        position === index ? { ...one, mode: strictestMode(one.mode, other) } : one,
      )
      const [loose, strict] = [chain, stricter].map(one => decide(tool, input, { chain: one, rules }))
      if (loose !== 'allow') expect(strict).not.toBe('allow')
      if (loose === 'deny' && stricter[index]!.mode !== 'plan') expect(strict).toBe('deny')
    }),
    runs(125),
  )
})

test('the verdict does not depend on the order of rules within a class', () => {
  const shuffled = <T>(list: readonly T[] = []) => fc.shuffledSubarray([...list], { minLength: list.length })
  fc.assert(
    fc.property(
      written.chain(rules =>
        fc.tuple(
          fc.constant(rules),
          fc.record({ allow: shuffled(rules.allow), ask: shuffled(rules.ask), deny: shuffled(rules.deny) }),
        ),
      ),
      someChain,
      someCall,
      ([rules, other], chain, [tool, input]) => {
        const own = (written: Written) => [...chain.slice(0, -1), { ...chain.at(-1)!, rules: rulesOf(written) }]
        expect(judge(tool, input, { chain: own(other), rules: other })).toEqual(
          judge(tool, input, { chain: own(rules), rules }),
        )
      },
    ),
    runs(150),
  )
})

test('adding a deny or an ask, or taking an allow away, never widens', () => {
  fc.assert(
    fc.property(
      written,
      someChain,
      someCall,
      fc.constantFrom(...ruleTexts),
      fc.nat(),
      (rules, chain, [tool, input], extra, at) => {
        const before = rank[decide(tool, input, { chain, rules })]
        const allow = (rules.allow ?? []).filter((_, index) => index !== at % Math.max(1, rules.allow?.length ?? 0))
        for (const changed of [
          { ...rules, deny: [...(rules.deny ?? []), extra] },
          { ...rules, allow },
        ])
          expect(rank[decide(tool, input, { chain, rules: changed })]).toBeGreaterThanOrEqual(before)
        const asking = rank[decide(tool, input, { chain, rules: { ...rules, ask: [...(rules.ask ?? []), extra] } })]
        expect(asking).toBeGreaterThanOrEqual(before)
      },
    ),
    runs(150),
  )
})

test('adding a refusal or a grant with a pattern to an agent never widens it', () => {
  fc.assert(
    fc.property(
      written,
      someChain,
      someCall,
      fc.constantFrom(...ruleTexts.filter(text => text.includes('('))),
      (rules, chain, [tool, input], extra) => {
        const last = chain.at(-1)!
        const before = rank[decide(tool, input, { chain, rules })]
        const refused = [...chain.slice(0, -1), { ...last, refusals: [...last.refusals, grant(extra)] }]
        expect(rank[decide(tool, input, { chain: refused, rules })]).toBeGreaterThanOrEqual(before)
        const hasGrant = last.grants.length > 0
        const granted = [...chain.slice(0, -1), { ...last, grants: [grant(extra)] }]
        if (!hasGrant) expect(rank[decide(tool, input, { chain: granted, rules })]).toBeGreaterThanOrEqual(before)
      },
    ),
    runs(125),
  )
})

test('a deny rule that covers the whole tool holds in every setting', () => {
  fc.assert(
    fc.property(written, someChain, someCall, (rules, chain, [tool, input]) => {
      expect(decide(tool, input, { chain, rules: { ...rules, deny: [tool] } })).toBe('deny')
    }),
    runs(150),
  )
})

test('the quick yes of a search is given only where judging says allow', () => {
  const names = ['src/a.ts', 'docs/a.md', '.env', 'keys/x.pem', 'src/.ENV', 'private/a', 'docs/deep/b.ipynb']
  const paths = [...names.map(name => `/w/app/${name}`), '/etc/passwd', '/home/u/.config/offshoot/x', '/w/app-secret/x']
  let quick = 0
  fc.assert(
    fc.property(written, someChain, fc.constantFrom('Grep', 'Glob', 'Read', 'LS'), (rules, chain, tool) => {
      const isPlain = plainReading(callOf(tool, {}, { chain }), { layers: [layer(rules)], place })
      for (const path of paths.filter(isPlain)) {
        quick++
        expect(decide(tool, { [tool === 'Read' ? 'file_path' : 'path']: path }, { chain, rules })).toBe('allow')
      }
    }),
    runs(200),
  )
  expect(quick).toBeGreaterThan(50)
})

test('any input at all gets a verdict', () => {
  const tools = ['Bash', 'Read', 'Write', 'Grep', 'Glob', 'WebFetch', 'Task', 'Skill', 'mcp__srv__x', 'Other']
  const fields = ['command', 'file_path', 'path', 'pattern', 'glob', 'url', 'subagent_type', 'resume', 'skill', 'cwd']
  const input = fc.oneof(fc.dictionary(fc.constantFrom(...fields), fc.oneof(fc.string(), fc.anything())), fc.anything())
  fc.assert(
    fc.property(fc.constantFrom(...tools), input, (tool, value) => {
      expect(callOf(tool, value).input).toBe(value)
      expect(['allow', 'ask', 'deny']).toContain(decide(tool, value))
    }),
    runs(250),
  )
})
