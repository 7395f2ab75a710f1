/** What only a host can mistake is heard at once, and names the key. */
import { policyFaults } from './core/policy-faults.js'
import { anything, faultsOf, listOrWork, port, type Shape, work } from './core/shape.js'
import type { OffshootOptions } from './offshoot.js'

/** Throws for options a house cannot be made of. */
export function checkOptions(options: OffshootOptions): void {
  const faults = faultsOf(options, table, ['model'])
  const inPolicy = options?.policy === undefined ? [] : policyFaults(options.policy)
  const all = [...faults, ...inPolicy.map(fault => `policy: ${fault}`)]
  if (all.length > 0) throw new Error(`createOffshoot: ${all.join('; ')}.`)
}

const table = {
  model: port('ask'),
  agents: listOrWork,
  tools: listOrWork,
  models: value => (Array.isArray(value) ? undefined : 'must be a list'),
  policy: anything,
  store: port('append', 'read', 'close'),
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
