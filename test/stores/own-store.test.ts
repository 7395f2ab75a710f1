/** A store written from the public names alone: what it takes is exported, and the suite that is shipped runs over it. */
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { StoredEvent } from '../../src/index.js'
import {
  createOffshoot,
  type InboxItem,
  type Owner,
  type RunId,
  type RunStore,
  type RunSummary,
} from '../../src/index.js'
import { StoreError, selectRuns, summarise } from '../../src/stores.js'
import { describeRunStore, modelOf } from '../../src/testing/testing.js'

interface Row {
  readonly events: StoredEvent[]
  summary: RunSummary
  epoch: number
  owner?: Owner | undefined
  inbox: InboxItem[]
}
const keyOf = ({ id, host, pid, startedAt }: Owner) => JSON.stringify([id, host, pid, startedAt])
const quietly = (call: () => void) => {
  try {
    call()
  } catch {
    // Whoever watches harms nobody.
  }
}

function ownStore(): RunStore {
  const rows = new Map<RunId, Row>()
  const texts = new Map<string, string>()
  const watchers = new Set<(runId: RunId) => void>()
  let isClosed = false
  const open = () => {
    if (isClosed) throw new StoreError('closed', 'The store is closed.')
    return rows
  }
  const rowOf = (runId: RunId): Row => {
    const row = open().get(runId)
    if (!row) throw new StoreError('unknown-run', `There is no run ${runId}.`)
    return row
  }
  return {
    async create(first) {
      const summary = summarise(undefined, first)
      if (!summary) throw new Error('no first event')
      if (open().has(first.runId)) return 'exists'
      rows.set(first.runId, { events: [first], summary, epoch: 0, inbox: [] })
      return 'created'
    },
    async append(runId, epoch, expectedSeq, events, consumed = []) {
      const row = open().get(runId)
      if (events.some((event, at) => event.runId !== runId || event.seq !== expectedSeq + at + 1))
        throw new Error('not consecutive')
      if (!row?.owner || row.epoch !== epoch || row.events.length < expectedSeq) return 'lost'
      if (
        row.events.length > expectedSeq &&
        events.some(({ seq, eventId }) => row.events[seq - 1]?.eventId !== eventId)
      )
        return 'lost'
      for (const event of events.filter(({ seq }) => seq > row.events.length)) {
        row.events.push(event)
        row.summary = summarise(row.summary, event) ?? row.summary
      }
      row.inbox = row.inbox.filter(({ id }) => !consumed.includes(id))
      return 'ok'
    },
    async *read(runId, fromSeq = 1) {
      const events = open().get(runId)?.events ?? []
      for (let at = Math.max(1, fromSeq); at <= events.length; at += 1) yield events[at - 1]!
    },
    summary: async runId => open().get(runId)?.summary,
    list: async query =>
      selectRuns(
        Array.from(open().values(), row => row.summary),
        query,
      ),
    async claim(runId, owner) {
      const row = rowOf(runId)
      if (row.owner && keyOf(row.owner) !== keyOf(owner)) return { heldBy: row.owner }
      row.owner = owner
      row.epoch += 1
      return { epoch: row.epoch }
    },
    async release(runId, epoch) {
      const row = open().get(runId)
      if (row?.epoch === epoch) row.owner = undefined
    },
    async post(runId, item) {
      const { inbox } = rowOf(runId)
      if (!inbox.some(({ id }) => id === item.id)) inbox.push(item)
      for (const watcher of watchers) quietly(() => watcher(runId))
    },
    inbox: async runId => [...(open().get(runId)?.inbox ?? [])],
    unread: async () => [...open()].flatMap(([runId, row]) => (row.inbox.length > 0 ? [runId] : [])),
    watch(onPost) {
      watchers.add(onPost)
      return () => void watchers.delete(onPost)
    },
    async keep(content) {
      open()
      const address = createHash('sha256').update(Buffer.from(content, 'utf16le')).digest('hex')
      texts.set(address, content)
      return address
    },
    fetch: async address => open() && texts.get(address),
    async remove(rootId) {
      const tree = [...open()].filter(([, { summary }]) => summary.rootId === rootId)
      if (tree.length === 0) return 'unknown'
      if (tree.some(([, { owner }]) => owner)) return 'held'
      for (const [runId] of tree) rows.delete(runId)
      return 'removed'
    },
    async close() {
      isClosed = true
    },
  }
}

describe('a store of your own', () => describeRunStore({ test }, async () => ownStore()))

test('no public name made the summary of a log: a store of your own could list nothing', async () => {
  const store = ownStore()
  const house = createOffshoot({ model: modelOf(() => 'done'), store, policy: { defaultModel: 'a/b' } })
  const run = await house.start({ prompt: 'go', description: 'a go' })
  if ('refused' in run) throw new Error(run.refused)
  await run.result
  expect(await house.list({ isEnded: true })).toMatchObject([{ runId: run.id, outcome: 'completed', turns: 1 }])
  await house.close()
})
