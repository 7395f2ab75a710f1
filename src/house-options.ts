/** What only a host can mistake is heard at once, and names the key. */
import { policyFaults } from './core/policy-faults.js'
import { anything, faultsOf, type Shape } from './core/shape.js'
import type { OffshootOptions } from './offshoot.js'

/** Throws for options a house cannot be made of. */
export function checkOptions(options: OffshootOptions): void {
  const faults = faultsOf(options, table, ['model'])
  const inPolicy = options?.policy === undefined ? [] : policyFaults(options.policy)
  const all = [...faults, ...inPolicy.map(fault => `policy: ${fault}`)]
  if (all.length > 0) throw new Error(`createOffshoot: ${all.join('; ')}.`)
}

const port =
  (...methods: readonly string[]): Shape =>
  value => {
    const given = (value ?? {}) as Readonly<Record<string, unknown>>
    return methods.every(method => typeof given[method] === 'function')
      ? undefined
      : `must be an object with ${methods.map(method => `${method}()`).join(' and ')}`
  }
const work: Shape = value => (typeof value === 'function' ? undefined : 'must be a function')
const listOrFunction: Shape = value =>
  Array.isArray(value) || typeof value === 'function' ? undefined : 'must be a list or a function'

const table = {
  model: port('ask'),
  agents: listOrFunction,
  tools: listOrFunction,
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
