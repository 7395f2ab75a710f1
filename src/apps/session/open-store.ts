/** The store alone, for commands that only look or leave a note: no model, no tool, no agent is loaded. */
import { join } from 'node:path'
import { offshootDirectories } from '../../adapters/os/directories.js'
import type { MeasuredStore } from '../../adapters/stores/prune.js'
import { StoreError } from '../../adapters/stores/store-error.js'
import type { CommandDeps } from '../cli/command-deps.js'

type Environment = Readonly<Record<string, string | undefined>>

export async function openRunStore(env: Environment): Promise<MeasuredStore> {
  const { sqliteStore } = await import('../../adapters/stores/sqlite.js')
  return sqliteStore({ path: pathIn(env) }).catch(sayWhereElse)
}

/** To look, where nothing can be written, too: `warn` hears why. */
export async function openToLook({ env, warn }: Pick<CommandDeps, 'env' | 'warn'>): Promise<MeasuredStore> {
  const { sqliteStore } = await import('../../adapters/stores/sqlite.js')
  const onReadOnly = ({ message }: Error) => warn(`offshoot: what is stored can only be read now. ${message}\n`)
  return sqliteStore({ path: pathIn(env), onReadOnly }).catch(sayWhereElse)
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

/** The store knows its path, and not how a person chooses another one. */
function sayWhereElse(error: unknown): never {
  const isPlace = error instanceof StoreError && (error.code === 'read-only' || error.code === 'io')
  if (!isPlace) throw error
  const { code, message, path, cause } = error
  throw new StoreError(code, `${message} OFFSHOOT_HOME=FOLDER puts it elsewhere.`, { cause, ...(path && { path }) })
}

const pathIn = (env: Environment): string => join(offshootDirectories(env).data, 'runs.db')
