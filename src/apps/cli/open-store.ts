/** The store alone, for commands that only look or leave a note: no model, no tool, no agent is loaded. */
import { join } from 'node:path'
import { offshootDirectories } from '../../adapters/os/directories.js'
import type { MeasuredStore } from '../../adapters/stores/prune.js'

export async function openRunStore(env: Readonly<Record<string, string | undefined>>): Promise<MeasuredStore> {
  const { sqliteStore } = await import('../../adapters/stores/sqlite.js')
  return sqliteStore({ path: join(offshootDirectories(env).data, 'runs.db') })
}
