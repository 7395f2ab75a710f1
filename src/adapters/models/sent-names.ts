/**
 * Names and ids of calls as a provider takes them. A model makes up names, and a server ids, that the provider itself
 * refuses when they come back, and with them the whole conversation, for good. What is stored stays as it was said.
 *
 * R1 Whatever fits is sent as it is, and so is the name of a tool that is declared: it went out like that. R2 Whatever is
 * changed carries a mark of the whole, so that two names stay two; the same name becomes the same, for a call and its
 * result.
 */
import { fingerprint } from '../../core/text/text.js'
import type { ProviderKind } from './providers/provider-kind.js'

/** The strictest of all providers. */
const longest = 64

export const sentName = (name: string, isDeclared: boolean): string =>
  isDeclared || (name.length <= longest && /^[a-zA-Z_][\w-]*$/.test(name)) ? name : marked(name, 'tool')

/** A conversation forked from another vendor may carry ids that this one refuses. */
export function sentCallId(id: string, kind: ProviderKind): string {
  if (id === '') return marked(id, 'call')
  const isStrict = kind === 'anthropic' || kind === 'bedrock'
  return isStrict && /[^\w-]/.test(id) ? marked(id, 'call') : id
}

/** R2. */
function marked(word: string, first: string): string {
  const safe = word.replace(/[^\w-]/g, '_')
  const tail = `_${fingerprint(word).slice(0, 8)}`
  return `${(/^[a-zA-Z_]/.test(safe) ? safe : `${first}_${safe}`).slice(0, longest - tail.length)}${tail}`
}
