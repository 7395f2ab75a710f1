/** What only a host can mistake is heard at once, and names the key. */

import type { ModelInfo } from './core/ports.js'
import type { RunQuery } from './core/run-store.js'
import { policyFaults } from './core/settings/policy-faults.js'
import {
  anything,
  atLeast,
  faultsOf,
  listOf,
  listOrWork,
  objectOf,
  oneOf,
  port,
  type Shape,
  shown,
  text,
  word,
  work,
  yesOrNo,
} from './core/shape.js'
import type { OffshootOptions } from './offshoot.js'
import type { EventFilter } from './runtime/logs/bus.js'

/** Throws for options a house cannot be made of. */
export function checkOptions(options: OffshootOptions): void {
  refuseFaults('createOffshoot', faultsOf(options, table, ['model']), options?.policy)
}

/** Throws, naming every option at fault. */
export function refuseFaults(door: string, faults: readonly string[], policy: unknown): void {
  const inPolicy = policy === undefined ? [] : policyFaults(policy)
  const all = [...faults, ...inPolicy.map(fault => `policy: ${fault}`)]
  if (all.length > 0) throw new Error(`${door}: ${all.join('; ')}.`)
}

export function checkSubscription(filter: unknown, hear: unknown): void {
  const faults = faultsOf({ filter, hear }, { filter: objectOf(filterTable), hear: work }, ['filter', 'hear'])
  if (faults.length > 0) throw new Error(`subscribe: ${faults.join('; ')}.`)
}
const filterTable = { runId: text, rootId: text } satisfies Record<keyof EventFilter, Shape>

/** Throws for a query that would find other runs than were meant. */
export function checkQuery(query: unknown): void {
  const faults = faultsOf(query, queryTable)
  if (faults.length > 0) throw new Error(`list: ${faults.join('; ')}.`)
}
const aNumber: Shape = value => (typeof value === 'number' && !Number.isNaN(value) ? undefined : 'must be a number')
const queryTable = {
  ...{ rootId: text, parentId: text, agent: text },
  ...{ isEnded: yesOrNo, since: aNumber, limit: aNumber },
} satisfies Record<keyof RunQuery, Shape>

export function checkClose(how: unknown): void {
  const fault = how === undefined ? undefined : closings(how)
  if (fault) throw new Error(`what is said to close ${fault}, not ${shown(how)}.`)
}
const closings = oneOf('stop', 'leave')

/** All that a store cannot be without: one that lacks a method would be found out in the middle of a run. */
export const aStore = port(
  ...['create', 'append', 'read', 'summary', 'list', 'claim', 'release', 'post', 'inbox', 'unread', 'watch'],
  ...['keep', 'fetch', 'remove', 'close'],
)

const infoTable = {
  ...{ id: word, aliases: listOf(word), tier: text, unavailable: text },
  ...{ contextWindow: atLeast(1), maxOutputTokens: atLeast(1), usesNoTokens: yesOrNo },
} satisfies Record<keyof ModelInfo, Shape>

const table = {
  model: port('ask'),
  agents: listOrWork,
  tools: listOrWork,
  models: listOf(objectOf(infoTable, ['id'])),
  policy: anything,
  store: aStore,
  clock: port('now', 'after', 'sleep', 'id', 'random'),
  judge: port('judge'),
  approver: port('isListening', 'present'),
  hooks: port('wants', 'fire'),
  sandbox: port('enter'),
  promptParts: work,
  agentTools: port('open', 'of', 'enter', 'leave'),
  overflow: port('keep'),
  check: work,
  owner: anything,
  estimateCost: work,
  fileExists: work,
  processes: port('close'),
  onError: work,
} satisfies Record<keyof OffshootOptions, Shape>
