/**
 * Permission modes in order, strictest first. Each one allows at most what the next one does:
 * plan reads only; dontAsk does what needs no asking; default asks; acceptEdits edits inside the roots unasked;
 * bypassPermissions does whatever no deny forbids.
 */
import type { PermissionMode } from './agent-definition.js'

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
