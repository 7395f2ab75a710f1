/**
 * What a person switched a conversation to, kept as a file before it counts.
 * 1. Only the session that switched may have a looser mode by it, and no looser one than the ceiling in the brief. For
 *    any other process, and after a restart, it only takes away.
 * 2. It holds for the whole tree, in every process that drives it. What cannot be read counts as the strictest.
 */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { PermissionMode } from '../../core/agent-definition.js'
import { modesStrictestFirst, type SwitchedMode } from '../../core/brief/mode.js'
import { ensurePrivateDir } from '../os/private-dir.js'
import { readPrivateJson, writePrivateJson } from '../os/private-json.js'
import { rootFile } from './root-file.js'

/** Where the switched modes of the houses of a state directory lie: closed to tools. */
export const switchedModesIn = (data: string): string => join(data, 'modes')

/** Of this process: nobody else knows it. */
const thisSession: string = randomUUID()

/** Undefined: the mode of a root was never switched. */
export function switchedMode(directory: string, rootId: string, session = thisSession): SwitchedMode | undefined {
  try {
    const kept = readPrivateJson(rootFile(directory, rootId))
    if (kept === undefined) return undefined
    const mode = modesStrictestFirst.find(known => known === kept.mode)
    return mode ? { mode, isOfThisSession: kept.session === session } : unreadable
  } catch {
    return unreadable
  }
}

/** Stored when it resolves. Whoever asks has seen to it that a person wants it. */
export async function switchMode(
  directory: string,
  rootId: string,
  mode: PermissionMode,
  session = thisSession,
): Promise<void> {
  await ensurePrivateDir(directory)
  writePrivateJson(rootFile(directory, rootId), { mode, session })
}

/** A copy of a conversation has at most the mode it had. */
export async function copySwitchedMode(directory: string, from: string, to: string): Promise<void> {
  const switched = switchedMode(directory, from)
  if (switched) await switchMode(directory, to, switched.mode, 'that of another conversation')
}

const unreadable: SwitchedMode = { mode: 'plan', isOfThisSession: false }
