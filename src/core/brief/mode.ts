/**
 * Permission modes in order, strictest first. Each one allows at most what the next one does:
 * plan reads only; dontAsk does what needs no asking; default asks; acceptEdits edits inside the roots unasked;
 * bypassPermissions does whatever no deny forbids.
 */
import type { PermissionMode } from '../agent-definition.js'
import { looseKey } from '../text/nearest.js'

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

/** What other products call a mode that asks for nothing. Left out, a mode of that name loses no limit. */
export const asksForNothing = (word: string): boolean => looseWords.has(looseKey(word))

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
  'autoaccept',
  'full',
  'fullaccess',
  'unrestricted',
])
