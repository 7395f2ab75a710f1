import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openOffshoot } from '../../src/node.js'
import { modelOf } from '../../src/testing/scripted-model.js'

const home = mkdtempSync(join(tmpdir(), 'offshoot-money-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

async function startWith(model: string) {
  const house = await openOffshoot({
    env: { HOME: home, ANTHROPIC_API_KEY: 'none', ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' },
    cwd: home,
    store: 'memory',
    policy: { treeBudget: { usd: 0.05 } },
  })
  const run = await house.start({ prompt: 'hello', description: 'say hello', model }, { signal: AbortSignal.abort() })
  if ('id' in run) await run.result
  await house.close()
  return run
}

test('P45 a budget in money is taken for a model with a known price, and refused for one without', async () => {
  expect(await startWith('anthropic/claude-sonnet-4-5')).toHaveProperty('id')
  expect(await startWith('anthropic/nobody-knows-this-one')).toMatchObject({ rule: 'budget-unpriced' })
})

test('P45 a model of your own without a key went by the name of the one that costs nothing: a budget in money bound nothing', async () => {
  const model = modelOf(({ model }) => model)
  const house = await openOffshoot({ env: { HOME: home }, cwd: home, store: 'memory', isBare: true, model })
  const run = await house.start({ prompt: 'hello', description: 'say hello' })
  if ('refused' in run) throw new Error(run.refused)
  const result = await run.result
  expect(result.text).toBe('default')
  expect(result.cost).toBeUndefined()
  const bounded = await house.start({ prompt: 'hello', description: 'say hello', budget: { usd: 1 } })
  expect(bounded).toMatchObject({ rule: 'budget-unpriced' })
  await house.close()
})
