/** The cases of a StoreError. Callers tell them apart by this; the message is for a person. */
export type StoreErrorCode =
  /** The file is damaged, or no store of ours. */
  | 'corrupt'
  /** Written by a newer Offshoot than this one. */
  | 'newer-version'
  /** The medium takes no writes. */
  | 'read-only'
  /** No space left (or a quota or file-size limit reached). Nothing of the write is stored; it can be tried again. */
  | 'full'
  /** Somebody else held the lock for longer than the store waits. */
  | 'busy'
  /** The medium failed in another way. */
  | 'io'
  /** Past events were changed by somebody else. */
  | 'tampered'
  | 'unknown-run'
  | 'closed'

/** A store could not do what was asked; `code` says which case it is, the message what a person can do. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  readonly code: StoreErrorCode
  /** The file or directory it is about. */
  readonly path: string | undefined

  constructor(code: StoreErrorCode, message: string, about: { readonly path?: string; readonly cause?: unknown } = {}) {
    super(message, about.cause === undefined ? undefined : { cause: about.cause })
    this.code = code
    this.path = about.path
  }
}

export const unknownRun = (runId: string): StoreError =>
  new StoreError('unknown-run', `There is no run ${runId} in this store; \`list\` gives what there is.`)

export const heldBy = (path: string, who: string): StoreError =>
  new StoreError('busy', `${path} is held by ${who}. Wait for it to finish or end it, then try again.`, { path })

export const closedStore = (): StoreError => new StoreError('closed', 'The store is closed.')
