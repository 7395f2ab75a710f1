/** What bound a tree beside files when it was begun, or when it was gone on with: no file shows it. */

import { readHookConfig } from '../../../core/hooks/hook-config.js'
import type { Json } from '../../../core/message.js'
import type { GivenBounds, GivenSandbox } from '../../../core/permission/given-bounds.js'
import { canonicalJson } from '../../../core/text/text.js'
import type { PermissionLink } from '../../../core/types.js'
import { concealSetting } from '../commands/conceal-settings.js'

/** As JSON shows it: rules as they were written, and no key. */
export interface ShownBounds {
  readonly origin: string
  readonly deny: readonly string[]
  readonly ask: readonly string[]
  readonly guards?: Json
  readonly sandbox?: GivenSandbox
}

/** Each once, in the order in which they came. */
export function boundsIn(chain: readonly Pick<PermissionLink, 'given'>[]): readonly ShownBounds[] {
  const all = chain.flatMap(({ given }) => (given ? [shown(given)] : []))
  return all.filter((bounds, at) => all.findIndex(other => canonicalJson(other) === canonicalJson(bounds)) === at)
}

function shown({ origin, deny, ask, guards, sandbox }: GivenBounds): ShownBounds {
  const texts = (rules: GivenBounds['deny']) => rules.map(({ text }) => text)
  return {
    origin,
    deny: texts(deny),
    ask: texts(ask),
    ...(guards !== undefined && { guards: concealSetting('hooks', guards) }),
    ...(sandbox && { sandbox }),
  }
}

/** One line for each. */
export function boundsWords({ origin, deny, ask, guards, sandbox }: ShownBounds): string {
  const words = [
    ...(deny.length > 0 ? [`denies ${deny.join(', ')}`] : []),
    ...(ask.length > 0 ? [`asks for ${ask.join(', ')}`] : []),
    ...(guards === undefined ? [] : [guardWords(guards)]),
    ...(sandbox ? [sandboxWords(sandbox)] : []),
  ]
  return `${words.join('; ')} (${origin}, for as long as it lives)`
}

function guardWords(guards: Json): string {
  const { entries } = readHookConfig(guards)
  const named = entries.map(({ event, matcher, command }) => `${event}${matcher ? ` ${matcher}` : ''}: ${command}`)
  return `guards ${named.join(', ') || 'that cannot be read, so every call is denied'}`
}

function sandboxWords({ kind, network, writable = [] }: GivenSandbox): string {
  const open = [...(network ? ['the network'] : []), ...writable]
  return `commands in ${kind}${open.length > 0 ? `, which leaves open ${open.join(', ')}` : ''}`
}
