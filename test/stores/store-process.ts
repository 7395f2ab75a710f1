/** One more process on a store, driven over IPC by the tests: `store-process sqlite|jsonl <path> [options as JSON]`. */
import { jsonlStore } from '../../src/adapters/stores/jsonl.js'
import { defaultDriver } from '../../src/adapters/stores/sqlite/sqlite-driver.js'
import { sqliteStore } from '../../src/adapters/stores/sqlite.js'
import type { RunId } from '../../src/core/message.js'
import type { RunStore } from '../../src/core/run-store.js'
import { sampleEvent } from '../../src/testing/sample-log.js'

const [kind, path, options] = process.argv.slice(2)
if (!path) throw new Error('store-process needs a kind and a path')
if (process.env.STORE_UMASK !== undefined) process.umask(Number(process.env.STORE_UMASK))
const settings = JSON.parse(options ?? '{}')
const store: RunStore =
  kind === 'sqlite' ? await sqliteStore({ path, ...settings }) : await jsonlStore({ directory: path, ...settings })

const extra = {
  /** With `failing-files.mjs` loaded: at which change of a file from now on. */
  failAt(change: number) {
    Object.assign(process, { failAt: change })
  },
  async readAll(runId: RunId) {
    const events = []
    for await (const event of store.read(runId)) events.push(event)
    return events
  },
  /** Appends one event after the other and tells of each that is stored. */
  async appendForever(runId: RunId, epoch: number) {
    for (let seq = 2; ; seq += 1) {
      await store.append(runId, epoch, seq - 1, [sampleEvent({ runId }, seq, { type: 'run.started' })])
      process.send?.({ stored: seq })
    }
  },
  /** Takes the database's write lock past any store, for a while. */
  async holdLock(milliseconds: number) {
    const database = (await defaultDriver()).open(path)
    database.exec('BEGIN IMMEDIATE')
    setTimeout(() => {
      database.exec('ROLLBACK')
      database.close()
    }, milliseconds)
  },
}

process.on('message', async ({ id, method, args }: { id: number; method: string; args: unknown[] }) => {
  const target = (method in extra ? extra : store) as unknown as Record<string, (...values: unknown[]) => unknown>
  try {
    process.send?.({ id, value: await target[method]!(...args) })
  } catch (error) {
    const { code, message, path: about } = error as { code?: string; message: string; path?: string }
    process.send?.({ id, error: { code, message, path: about } })
  }
})
process.on('disconnect', () => process.exit(0))
process.send?.({ isReady: true })
