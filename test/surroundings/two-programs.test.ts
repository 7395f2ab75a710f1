/** Of two programs that write one small file of the user's at once neither undoes what the other did. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextRound } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { savedRules } from '../../src/adapters/ground/saved-rules.js'
import { fileTrustStore } from '../../src/adapters/sources/trust.js'
import { bundleTo } from '../support/bundle.js'

let home: string
let program: string
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'two-programs-'))
  program = join(home, 'writer.mjs')
  await bundleTo(
    program,
    `import { savedRules } from './src/adapters/ground/saved-rules.js'
     import { fileTrustStore } from './src/adapters/sources/trust.js'
     const [, , what, name, home] = process.argv
     const saved = () => savedRules({ cwd: home, env: { HOME: home, OFFSHOOT_HOME: home } })
     const rule = text => ({ tool: 'Bash', pattern: text, text: 'Bash(' + text + ')' })
     const hash = i => String(i).padStart(64, '0')
     const acts = {
       rules: i => saved().save(rule(name + ' ' + i)),
       trust: i => fileTrustStore(home + '/trust.json').trust('/elsewhere/' + name + i, [hash(i)]),
     }
     process.stdout.write('ready')
     process.stdin.once('data', () => {
       for (let i = 0; i < 60; i++) acts[what](i)
       process.exit()
     })`,
  )
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

async function writers(what: string): Promise<{ readonly isOver: () => boolean; readonly ends: Promise<unknown> }> {
  const children = ['a', 'b'].map(name =>
    spawn(process.execPath, [program, what, name, home], { stdio: ['pipe', 'pipe', 'inherit'] }),
  )
  const heard = (child: ChildProcess, event: 'data' | 'exit') =>
    new Promise(resolve => (event === 'data' ? child.stdout : child)!.once(event, resolve))
  await Promise.all(children.map(child => heard(child, 'data')))
  let isOver = false
  const ends = Promise.all(children.map(child => heard(child, 'exit'))).finally(() => {
    isOver = true
  })
  for (const child of children) child.stdin!.write('go')
  return { isOver: () => isOver, ends }
}

test('of 120 rules that two programs saved as many were left as one saw, and one taken back was there again', async () => {
  const rules = () => savedRules({ cwd: home, env: { HOME: home, OFFSHOOT_HOME: home } })
  const { isOver, ends } = await writers('rules')
  const victim = { tool: 'Bash', pattern: 'victim', text: 'Bash(victim)' }
  let back = 0
  while (!isOver()) {
    rules().save(victim)
    expect(rules().revoke(victim.text)).toBe(true)
    await nextRound()
    if (
      rules()
        .layer()
        .rules.allow.some(({ text }) => text === victim.text)
    )
      back++
  }
  expect(await ends).toEqual([0, 0])
  expect(back).toBe(0)
  expect(rules().layer().rules.allow).toHaveLength(120)
})

test('a folder whose trust was taken back was trusted again by what another program wrote', async () => {
  const store = () => fileTrustStore(join(home, 'trust.json'))
  const hash = '7'.padStart(64, '0')
  const { isOver, ends } = await writers('trust')
  let back = 0
  while (!isOver()) {
    store().trust('/victim', [hash])
    store().revoke('/victim')
    await nextRound()
    if (store().isTrusted('/victim', hash)) back++
  }
  expect(await ends).toEqual([0, 0])
  expect(back).toBe(0)
  expect(store().folders()).toHaveLength(120)
})
