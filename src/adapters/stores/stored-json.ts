import { StoreError } from './store-error.js'

/** Reads what a row of a database holds. Damage is told with the file, the row and what to do. */
export class StoredJson {
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  /** `what`: which row it is. `isSound`: whether it can be what it should be. */
  read<T>(text: unknown, what: string, isSound: (value: T) => boolean = () => true): T {
    let value: T
    try {
      value = JSON.parse(String(text))
    } catch (error) {
      throw this.#damaged(`${what} is damaged (${(error as Error).message})`, error)
    }
    if (typeof value !== 'object' || value === null || !isSound(value))
      throw this.#damaged(`${what} is damaged (not what it should be)`)
    return value
  }

  /** A row that should be there. */
  missing(what: string): StoreError {
    return this.#damaged(`${what} is missing, though more was stored`)
  }

  #damaged(fault: string, cause?: unknown): StoreError {
    const path = this.#path
    return new StoreError(
      'corrupt',
      `${path}: ${fault}. Nothing was changed, and other runs are not concerned. ` +
        'Put a copy of the file back, or begin this run anew.',
      { path, cause },
    )
  }
}
