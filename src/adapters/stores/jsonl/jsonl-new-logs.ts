/**
 * New logs. A log is written beside its place and put there by one rename, so there is all of its beginning or none of it:
 * killed in between, a process leaves nothing but a draft, which is swept away. Called under the run's lock.
 */
import { rm, stat } from 'node:fs/promises'
import type { StoredEvent } from '../../../core/events.js'
import type { Owner } from '../../../core/run-store.js'
import { addressesIn } from '../content-address.js'
import { link } from '../hash-chain.js'
import { fromSystemError } from '../private-files.js'
import type { JsonlClaims } from './jsonl-claims.js'
import type { JsonlFiles } from './jsonl-files.js'
import type { JsonlKept } from './jsonl-kept.js'
import { formatRecord } from './jsonl-lines.js'

export class JsonlNewLogs {
  readonly #files: JsonlFiles
  readonly #claims: JsonlClaims
  readonly #kept: JsonlKept

  constructor(files: JsonlFiles, claims: JsonlClaims, kept: JsonlKept) {
    this.#files = files
    this.#claims = claims
    this.#kept = kept
  }

  async create(first: StoredEvent): Promise<'created' | 'exists'> {
    if (await this.#isThere(first)) return 'exists'
    await this.#write([[first]])
    return 'created'
  }

  /** Killed before its claim is there it is a run that was begun and that nobody drives any more; refused, it is none. */
  async begin(first: StoredEvent, owner: Owner, entry: readonly StoredEvent[]): Promise<'begun' | 'exists'> {
    const { runId } = first
    if ((await this.#isThere(first)) || (await this.#claims.isHeld(runId))) return 'exists'
    try {
      await this.#write(entry.length > 0 ? [[first], entry] : [[first]])
      await this.#claims.claimFirst(runId, owner)
    } catch (error) {
      await rm(this.#files.log(runId), { force: true }).catch(() => {})
      // It may be there all the same; then it would stand for a run that is none, and nobody could begin it again.
      await this.#claims.remove(runId).catch(() => {})
      throw error
    }
    return 'begun'
  }

  async #isThere({ runId }: StoredEvent): Promise<boolean> {
    const path = this.#files.log(runId)
    try {
      await stat(path)
      return true
    } catch (error) {
      // What cannot be looked at may be there, and the rename would put the new log in its place.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
      throw fromSystemError(error, path)
    }
  }

  /** One line for each entry. */
  async #write(entries: readonly (readonly StoredEvent[])[]): Promise<void> {
    const [first] = entries.flat()
    let hash: string | undefined
    const addresses = new Set<string>()
    const lines = entries.map(events => {
      const links = events.map(event => {
        const linked = link(event, hash)
        hash = linked.hash
        for (const address of addressesIn(linked.text)) addresses.add(address)
        return linked
      })
      return formatRecord(links, [], hash ?? '')
    })
    await this.#files.writeWhole(this.#files.log(first!.runId), lines.join(''))
    await this.#kept.noteUses([...addresses])
  }
}
