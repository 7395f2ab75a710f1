/** What the checks of the store suites share. */
import assert from 'node:assert/strict'
import type { StoredEvent } from '../core/events.js'
import type { RunId } from '../core/message.js'
import type { InboxItem, RunStore } from '../core/run-store.js'
import { runId, sampleOwner, sampleQueued } from './sample-log.js'

/** One thing a store must do, by its sentence. */
export type Check = readonly [name: string, body: (store: RunStore) => Promise<void>]

export const run = { runId: runId('run-a') }
export const owner = sampleOwner('owner-1')
export const other = sampleOwner('owner-2')

/** A store with `run` in it, claimed by `owner`; gives the epoch. */
export async function opened(store: RunStore): Promise<number> {
  await store.create(sampleQueued(run))
  const claim = await store.claim(run.runId, owner)
  assert.ok('epoch' in claim)
  return claim.epoch
}

export async function readAll(
  store: RunStore,
  id: RunId = run.runId,
  fromSeq?: number,
): Promise<readonly StoredEvent[]> {
  const events: StoredEvent[] = []
  for await (const event of store.read(id, fromSeq)) events.push(event)
  return events
}

export async function idsOf(store: RunStore, id: RunId = run.runId, fromSeq?: number): Promise<readonly string[]> {
  return (await readAll(store, id, fromSeq)).map(event => event.eventId)
}

export const message = (id: string, text = 'hello'): InboxItem => ({ id, kind: 'message', from: 'main', text })
