/** What only a host can mistake in the options of a whole house: a guard under a name nobody reads would be none. */
import { isRecord } from '../core/record.js'
import {
  anything,
  faultsOf,
  listOf,
  listOrWork,
  objectOf,
  oneOf,
  port,
  type Shape,
  text,
  word,
  work,
  yesOrNo,
} from '../core/shape.js'
import { aStore, refuseFaults } from '../house-options.js'
import type { NodeOptions, SandboxWish } from './options.js'

/** Throws, naming every option at fault. */
export function checkNodeOptions(options: NodeOptions): void {
  refuseFaults('openOffshoot', faultsOf(options, table), options?.policy)
  const { store } = options
  if (typeof store === 'string' && !stores.includes(store))
    throw new Error(`openOffshoot: there is no store "${store}". Known: ${stores.join(', ')}, or a RunStore.`)
}

const stores: readonly string[] = ['sqlite', 'jsonl', 'memory']
const store: Shape = value =>
  typeof value === 'string' || aStore(value) === undefined
    ? undefined
    : `must be a RunStore or one of ${stores.join(', ')}`

const anObject: Shape = value => (isRecord(value) ? undefined : 'must be an object')

const sandbox = {
  kind: oneOf('none', 'bubblewrap'),
  network: yesOrNo,
  writable: listOf(text),
} satisfies Record<keyof SandboxWish, Shape>

const table = {
  cwd: word,
  addedDirectories: listOf(text),
  env: anObject,
  agents: listOrWork,
  settings: anObject,
  isBare: yesOrNo,
  trustsProject: yesOrNo,
  rules: work,
  saveRule: work,
  model: port('ask'),
  policy: anything,
  store,
  approver: port('isListening', 'present'),
  askUser: work,
  showTodos: work,
  hooks: port('wants', 'fire'),
  tools: listOf(anything),
  sandbox: objectOf(sandbox, ['kind']),
  onBlockedLoop: work,
  onError: work,
} satisfies Record<keyof NodeOptions, Shape>
