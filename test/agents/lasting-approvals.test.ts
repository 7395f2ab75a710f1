import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { savedRules } from '../../src/adapters/ground/saved-rules.js'
import { functionHooks } from '../../src/adapters/hooks/function-hooks.js'
import type { ApprovalRequest } from '../../src/core/ports.js'
import { type NodeOffshoot, type NodeOptions, openOffshoot } from '../../src/node.js'
import { ScriptedModel } from '../../src/testing/scripted-model.js'

let home: string
let project: string
let house: NodeOffshoot | undefined
let shown: ApprovalRequest[]

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'offshoot-always-')))
  project = join(home, 'project')
  mkdirSync(join(project, '.git'), { recursive: true })
  shown = []
})
afterEach(async () => {
  await house?.close()
  house = undefined
  rmSync(home, { recursive: true, force: true })
})

const env = () => ({ HOME: home, OFFSHOOT_HOME: join(home, 'state'), PATH: process.env.PATH })
const bash = (command: string) => ({ calls: [{ name: 'Bash', input: { command } }] })

/** A person who says "always" to the first request and no to the others. */
async function open(options: Partial<NodeOptions>): Promise<NodeOffshoot> {
  const approver = {
    isListening: () => true,
    present(request: ApprovalRequest) {
      shown.push(request)
      const first = { verdict: 'allow', scope: 'always' } as const
      void house!.approvals.answer(request.approvalId, shown.length === 1 ? first : { verdict: 'deny' })
      return () => undefined
    },
  }
  house = await openOffshoot({ env: env(), cwd: project, store: 'memory', approver, ...options })
  return house
}

async function start(offshoot: NodeOffshoot) {
  const run = await offshoot.start({ agent: 'main', prompt: 'Go', description: 'x' }, { isConversation: true })
  if ('refused' in run) throw new Error(run.refused)
  await run.result
  return run
}

const saved = () =>
  savedRules({ cwd: project, env: env() })
    .layer()
    .rules.allow.map(({ text }) => text)

test('a person said "always" to one rule, and that of an input a hook had wished for was saved', async () => {
  let asked = 0
  const deny = [{ tool: 'Bash', pattern: 'curl:*', text: 'Bash(curl:*)' }]
  const changed = { verdict: 'go', approves: true, input: { command: 'eval "$X"' } } as const
  await start(
    await open({
      rules: () => [{ scope: 'user', origin: 'test', rules: { allow: [], ask: [], deny } }],
      hooks: functionHooks({ permission: () => (asked++ === 0 ? changed : undefined) }),
      model: new ScriptedModel({ main: [bash('npm test'), bash('eval "$X"'), 'done'] }),
    }),
  )
  expect(shown.map(({ lasting }) => lasting)[0]).toBe('Bash(npm test)')
  expect(saved()).toEqual(['Bash(npm test)'])
  expect(shown.map(({ input }) => input)).toEqual([{ command: 'npm test' }, { command: 'eval "$X"' }])
})

test('an "always" that was taken back went on in the session that gave it', async () => {
  const touch = bash('touch made')
  const offshoot = await open({ model: new ScriptedModel({ main: [touch, touch, 'one', touch, 'two'] }) })
  const run = await start(house!)
  expect(shown).toHaveLength(1)
  expect(savedRules({ cwd: project, env: env() }).revoke(shown[0]!.lasting as string)).toBe(true)
  const again = await offshoot.resume(run.id, 'again')
  if ('refused' in again) throw new Error(again.refused)
  await again.result
  expect(shown).toHaveLength(2)
})

test('an "always" that a host keeps itself holds for the session', async () => {
  const kept: string[] = []
  const touch = bash('touch made')
  const model = new ScriptedModel({ main: [touch, touch, 'one'] })
  await start(await open({ model, saveRule: ({ text }) => void kept.push(text) }))
  expect(kept).toHaveLength(1)
  expect(shown).toHaveLength(1)
  expect(saved()).toEqual([])
})
