/**
 * A real process that runs a tree on a real store and may kill itself, as the process test tells it:
 * `worker STORE DIRECTORY begin|recover [APPEND before|after]`. Side effects leave a line in a file.
 */
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { currentOwner } from '../../src/adapters/os/process-owner.js'
import { jsonlStore } from '../../src/adapters/stores/jsonl.js'
import { sqliteStore } from '../../src/adapters/stores/sqlite.js'
import type { RunStore } from '../../src/core/run-store.js'
import { createOffshoot } from '../../src/offshoot.js'
import { planAgents, planJudge, planModel, planTools } from './plan.js'
import { tree } from './process-tree.js'

const [kind, directory, action, append, when] = process.argv.slice(2) as [string, string, string, string?, string?]
const store =
  kind === 'jsonl'
    ? await jsonlStore({ directory: join(directory, 'runs') })
    : await sqliteStore({ path: join(directory, 'runs.db') })
const offshoot = createOffshoot({
  store: append ? dying(store, Number(append), when === 'before') : store,
  owner: currentOwner(crypto.randomUUID()),
  model: planModel,
  agents: planAgents,
  tools: planTools({ isDead: () => false, mark: key => appendFileSync(join(directory, 'marks'), `${key}\n`) }),
  judge: planJudge,
  policy: { cwd: directory, defaultModel: 'm/m' },
})

process.send?.('ready')
if (action === 'begin') {
  const run = await offshoot.start({ agent: 'main', prompt: JSON.stringify(tree), description: 'plan' })
  if ('refused' in run) throw new Error(run.refused)
  await run.result
} else {
  await offshoot.recover()
  const open = await offshoot.list({ isEnded: false })
  await Promise.all(open.map(({ runId }) => offshoot.run(runId).result))
}
await offshoot.close('leave')
await store.close()

type Begin = NonNullable<RunStore['begin']>

/** Kills this very process at an append: nothing is flushed, nothing is tidied. */
function dying(inner: RunStore, at: number, isBefore: boolean): RunStore {
  let count = 0
  const around = async <T>(write: () => Promise<T>): Promise<T> => {
    count += 1
    const isPoint = count === at
    if (isPoint && isBefore) process.kill(process.pid, 'SIGKILL')
    const value = await write()
    if (isPoint) process.kill(process.pid, 'SIGKILL')
    return value
  }
  return new Proxy(inner, {
    get: (target, name: keyof RunStore) => {
      if (name === 'create') return (...args: Parameters<RunStore['create']>) => around(() => target.create(...args))
      if (name === 'begin') return (...args: Parameters<Begin>) => around(() => target.begin!(...args))
      if (name === 'append') return (...args: Parameters<RunStore['append']>) => around(() => target.append(...args))
      const value = target[name]
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
