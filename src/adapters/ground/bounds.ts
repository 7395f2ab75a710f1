/** What is given for one start, beside files, and has to bind what is begun then wherever it goes on. */
import { resolve } from 'node:path'
import { isGuardEvent } from '../../core/hooks/hook-config.js'
import { joinHooks } from '../../core/hooks/join-hooks.js'
import type { Json } from '../../core/message.js'
import type { GivenBounds, GivenSandbox } from '../../core/permission/given-bounds.js'
import { isRecord } from '../../core/record.js'
import { findSetting, type Settings } from '../../core/settings/settings.js'

/**
 * `brought`: the sandbox of whoever opens the house, whose folders count from `cwd`. Undefined where nothing is given that
 * binds.
 */
export function boundsOf(settings: Settings, brought: SandboxGiven | undefined, cwd: string): GivenBounds | undefined {
  const isGiven = ({ scope }: { readonly scope: string }) => scope === 'command-line'
  const rules = settings.rules.filter(isGiven)
  const deny = rules.flatMap(layer => layer.rules.deny)
  const ask = rules.flatMap(layer => layer.rules.ask)
  const hooks = settings.hooks.filter(isGiven)
  const guards = hooks.map(each => guardsIn(each.hooks)).reduce<Json | undefined>(joinHooks, undefined)
  const set = findSetting(settings, 'sandbox')
  const sandbox = held(
    brought ?? (set && isGiven(set) ? (set.value as SandboxGiven | SandboxGiven['kind']) : undefined),
  )
  if (deny.length + ask.length === 0 && guards === undefined && !sandbox) return undefined
  const origin = [...rules, ...hooks].map(each => each.origin).at(0) ?? 'what was given'
  return {
    origin,
    deny,
    ask,
    ...(guards !== undefined && { guards }),
    ...(sandbox && { sandbox: settledIn(cwd, sandbox) }),
  }
}

type SandboxGiven = Omit<GivenSandbox, 'kind'> & { readonly kind: 'none' | 'bubblewrap' }

/** With the folders it leaves open as absolute paths: a relative one is another folder for whoever goes on elsewhere. */
export function settledIn<T extends Pick<GivenSandbox, 'writable'> | undefined>(cwd: string, sandbox: T): T {
  const writable = sandbox?.writable?.map(path => resolve(cwd, path))
  return writable ? { ...sandbox, writable } : sandbox
}

function held(given: SandboxGiven | SandboxGiven['kind'] | undefined): GivenSandbox | undefined {
  const wish = typeof given === 'string' ? { kind: given } : given
  return wish?.kind === 'bubblewrap' ? { ...wish, kind: 'bubblewrap' } : undefined
}

/** Of hooks those that decide about calls: the others belong to a session, and not to a run. */
function guardsIn(hooks: Json): Json | undefined {
  if (!isRecord(hooks)) return undefined
  const guards = Object.entries(hooks).filter(([event]) => isGuardEvent(event))
  return guards.length > 0 ? Object.fromEntries(guards) : undefined
}
