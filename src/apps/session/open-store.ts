/** The store alone, for commands that only look or leave a note: no model, no tool, no agent is loaded. */
import { join } from 'node:path'
import { offshootDirectories } from '../../adapters/os/directories.js'
import type { MeasuredStore } from '../../adapters/stores/prune.js'
import type { CommandDeps } from '../cli/command-deps.js'

type Environment = Readonly<Record<string, string | undefined>>

export async function openRunStore(env: Environment): Promise<MeasuredStore> {
  const { sqliteStore } = await import('../../adapters/stores/sqlite.js')
  return sqliteStore({ path: pathIn(env) })
}

/** To look, where nothing can be written, too: `warn` hears why. */
export async function openToLook({ env, warn }: Pick<CommandDeps, 'env' | 'warn'>): Promise<MeasuredStore> {
  const { sqliteStore } = await import('../../adapters/stores/sqlite.js')
  const onReadOnly = ({ message }: Error) => warn(`offshoot: what is stored can only be read now. ${message}\n`)
  return sqliteStore({ path: pathIn(env), onReadOnly })
}

/** Does something with a store, whatever comes of it closes it, and gives its exit code. */
export async function withStore(
  opening: Promise<MeasuredStore>,
  { setExitCode }: Pick<CommandDeps, 'setExitCode'>,
  act: (store: MeasuredStore) => Promise<number>,
): Promise<void> {
  const store = await opening
  try {
    setExitCode(await act(store))
  } finally {
    await store.close()
  }
}

const pathIn = (env: Environment): string => join(offshootDirectories(env).data, 'runs.db')
