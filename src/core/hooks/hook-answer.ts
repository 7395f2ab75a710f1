/**
 * What a hook of the host's own program answered, which no schema has looked at.
 *
 * 1. Each point has its own words. `undefined` is no word: it lets go on.
 * 2. Whatever else a guard says is a no, because it did not say yes. Any other hook is then passed over, with a note.
 * 3. So does a guard that says more than it can be understood to say: a change it wanted would be lost, and the call run as
 *    it was. A no stays a no.
 * 4. `deny`, the judge's word, means what it says wherever a hook may refuse.
 */
import { isRecord } from '../record.js'
import { didYouMean, looseKey } from '../text/nearest.js'
import type { HookPoint, HookVerdict } from './hooks.js'

const words = {
  start: ['go', 'refuse'],
  stop: ['go', 'send-back'],
  prompt: ['go', 'refuse'],
  'pre-tool': ['go', 'refuse', 'ask'],
  'post-tool': ['go'],
  permission: ['go', 'refuse', 'ask'],
  'pre-compact': ['go', 'refuse'],
  'session-end': ['go'],
} as const satisfies Record<HookPoint, readonly HookVerdict['verdict'][]>

/** What may be said at one point. */
export type VerdictAt<P extends HookPoint> = Extract<HookVerdict, { readonly verdict: (typeof words)[P][number] }>

export function readHookAnswer(point: HookPoint, answer: unknown): HookVerdict {
  if (answer === undefined) return { verdict: 'go' }
  if (!isRecord(answer)) return failedHook(point, `answered ${shown(answer)}, which is no verdict`)
  const known: readonly string[] = words[point]
  const isDenial = answer.verdict === 'deny' && known.includes('refuse')
  const verdict = isDenial ? 'refuse' : answer.verdict
  if (typeof verdict !== 'string' || !known.includes(verdict))
    return failedHook(point, `gave the verdict ${shown(answer.verdict)}; it can say ${known.join(', ')}`)
  const fault = fields.find(([name, isFit]) => answer[name] !== undefined && !isFit(answer[name]))
  if (fault) return failedHook(point, `gave ${fault[0]}: ${shown(answer[fault[0]])}, which is no ${fault[2]}`)
  const reason = answer.reason ?? `the ${point} hook gave no reason`
  const said = { ...answer, verdict, ...(verdict !== 'go' && { reason }) } as HookVerdict
  const unknown = Object.keys(answer).filter(key => answer[key] !== undefined && !keys.includes(key))
  return unknown.length > 0 ? withUnknown(point, said, unknown) : said
}

function withUnknown(point: HookPoint, said: HookVerdict, unknown: readonly string[]): HookVerdict {
  const fault = `gave ${unknown.map(meant).join(', ')}, which no verdict has`
  const failed = failedHook(point, fault)
  if (failed.verdict === 'refuse' && said.verdict !== 'refuse') return failed
  // Without them, so that whoever reads it once more does not say so again.
  const known = Object.entries(said).filter(([key]) => !unknown.includes(key))
  return {
    ...Object.fromEntries(known),
    notes: [...(said.notes ?? []), ...(failed.notes ?? [])],
  } as unknown as HookVerdict
}

function meant(key: string): string {
  const loose = looseKey(key)
  const other = Object.hasOwn(commandNames, loose) ? commandNames[loose] : didYouMean(key, keys)
  return `${JSON.stringify(key)}${other ? ` (did you mean ${other}?)` : ''}`
}

/** What commands call them. */
const commandNames: Readonly<Record<string, string>> = {
  updatedinput: 'input',
  additionalcontext: 'context',
  permissiondecision: 'verdict',
  permissiondecisionreason: 'reason',
  decision: 'verdict',
  systemmessage: 'notes',
  stopreason: 'reason',
  message: 'reason',
}

/** A hook that could not give its word, and what that means where it stands. */
export function failedHook(point: HookPoint, fault: string): HookVerdict {
  const note = `the ${point} hook ${fault}`
  if (point !== 'pre-tool' && point !== 'permission') return { verdict: 'go', notes: [note] }
  const reason = `Denied: ${note}. A guard that cannot answer counts as a no. Go on without this call, and report it.`
  return { verdict: 'refuse', reason, notes: [note] }
}

const isText = (value: unknown): boolean => typeof value === 'string'

const fields: readonly (readonly [name: string, isFit: (value: unknown) => boolean, kind: string])[] = [
  ['reason', isText, 'text'],
  ['rule', isText, 'text'],
  ['changedBy', isText, 'text'],
  ['context', isText, 'text'],
  ['prompt', isText, 'text'],
  ['maxTurns', value => typeof value === 'number', 'number'],
  ['approves', value => typeof value === 'boolean', 'yes or no (true, false)'],
  ['notes', value => Array.isArray(value) && value.every(isText), 'list of texts'],
]

const keys: readonly string[] = ['verdict', 'input', ...fields.map(([name]) => name)]

function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 60))
  if (typeof value === 'number' || typeof value === 'boolean' || value === null || value === undefined)
    return String(value)
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`
}
