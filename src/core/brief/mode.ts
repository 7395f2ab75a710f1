/**
 * Permission modes in order, strictest first. Each one allows at most what the next one does:
 * plan reads only; dontAsk does what needs no asking; default asks; acceptEdits edits inside the roots unasked;
 * bypassPermissions does whatever no deny forbids.
 */
import type { PermissionMode } from '../agent-definition.js'
import { looseKey } from '../text/nearest.js'
import type { PermissionLink } from '../types.js'

/** The mode a child gets: its own wish, unless the caller's is stricter. */
export function strictestMode(caller: PermissionMode, own: PermissionMode | undefined): PermissionMode {
  if (own === undefined) return caller
  return modesStrictestFirst.indexOf(own) < modesStrictestFirst.indexOf(caller) ? own : caller
}

export const modesStrictestFirst: readonly PermissionMode[] = [
  'plan',
  'dontAsk',
  'default',
  'acceptEdits',
  'bypassPermissions',
]

/** What a person switched a conversation to. */
export interface SwitchedMode {
  readonly mode: PermissionMode
  /** By the person who talks to it now. What was switched in another session only takes away. */
  readonly isOfThisSession: boolean
}

type Moded = Pick<PermissionLink, 'mode' | 'ceiling'>

/** The loosest mode any switch can bring to the calls that pass this chain. */
export const ceilingOf = (chain: readonly Moded[]): PermissionMode =>
  chain.map(ownCeiling).reduce(strictestMode, 'bypassPermissions')

/** The mode a link is judged in: never looser than its ceiling, and than its mode only by a switch of this session. */
export function modeOfLink(link: Moded, switched: SwitchedMode | undefined): PermissionMode {
  if (!switched) return link.mode
  return strictestMode(switched.isOfThisSession ? ownCeiling(link) : link.mode, switched.mode)
}

/** The mode of a call that has to pass every link. */
export const modeInForce = (chain: readonly Moded[], switched: SwitchedMode | undefined): PermissionMode =>
  chain.map(link => modeOfLink(link, switched)).reduce(strictestMode, 'bypassPermissions')

/** The modes a person goes round, up to a ceiling. One that asks for nothing comes last. */
export const modesToSwitch = (ceiling: PermissionMode): readonly PermissionMode[] =>
  round.filter(mode => isAtMost(mode, ceiling))

export function modeAfter(mode: PermissionMode, ceiling: PermissionMode): PermissionMode {
  const modes = modesToSwitch(ceiling)
  return modes[(modes.indexOf(mode) + 1) % modes.length]!
}

export const isAtMost = (mode: PermissionMode, ceiling: PermissionMode): boolean =>
  strictestMode(ceiling, mode) === mode

const round: readonly PermissionMode[] = ['default', 'acceptEdits', 'plan', 'bypassPermissions']

const ownCeiling = ({ mode, ceiling = mode }: Moded): PermissionMode => ceiling

/** What other products call a mode that asks for nothing. Left out, a mode of that name loses no limit. */
export const asksForNothing = (word: string): boolean => looseWords.has(looseKey(word))

/** A mode that asks for less than `default` does, in anybody's words. */
export const isLooseMode = (word: string): boolean => asksForNothing(word) || looseModes.has(looseKey(word))

const looseModes = new Set(['acceptedits', 'autoedit', 'bypasspermissions'])

const looseWords = new Set([
  'yolo',
  'bypass',
  'auto',
  'autoapprove',
  'fullauto',
  'dangerous',
  'dangerouslyskippermissions',
  'acceptall',
  'allowall',
  'approveall',
  'autoaccept',
  'full',
  'fullaccess',
  'unrestricted',
])
