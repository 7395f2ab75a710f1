/** Who drives which run, as small files. Claims are taken and given back under the run's lock. */
import { rm, stat, utimes } from 'node:fs/promises'
import type { RunId } from '../../../core/message.js'
import type { Owner } from '../../../core/run-store.js'
import { type OwnerRecord, type OwnerWatch, ownerKey, recordOwner } from '../../os/process-owner.js'
import { type JsonlFiles, parseJson, readInPlace } from './jsonl-files.js'

interface ClaimFile {
  readonly epoch: number
  readonly holder?: OwnerRecord
}

export class JsonlClaims {
  readonly #files: JsonlFiles
  readonly #watch: OwnerWatch
  readonly #now: () => number
  /** Keys of owners that claimed through this store: it speaks for them. */
  readonly #owners = new Set<string>()
  /** What they hold, by epoch. */
  readonly #held = new Map<RunId, number>()

  constructor(files: JsonlFiles, watch: OwnerWatch, now: () => number) {
    this.#files = files
    this.#watch = watch
    this.#now = now
  }

  async claim(runId: RunId, owner: Owner): Promise<{ readonly epoch: number } | { readonly heldBy: Owner }> {
    const claim = this.#read(runId)
    if (claim.holder && ownerKey(claim.holder.owner) !== ownerKey(owner) && (await this.#isAlive(claim.holder))) {
      return { heldBy: claim.holder.owner }
    }
    await this.#enter(owner)
    const epoch = claim.epoch + 1
    await this.#write(runId, { epoch, holder: recordOwner(owner, this.#now()) })
    this.#held.set(runId, epoch)
    return { epoch }
  }

  /** The epoch that may write; undefined when nobody holds the run. */
  epochOf(runId: RunId): number | undefined {
    const claim = this.#read(runId)
    return claim.holder && claim.epoch
  }

  async release(runId: RunId, epoch: number): Promise<void> {
    if (this.#held.get(runId) === epoch) this.#held.delete(runId)
    const claim = this.#read(runId)
    if (claim.epoch === epoch && claim.holder) await this.#write(runId, { epoch })
  }

  get held(): readonly (readonly [runId: RunId, epoch: number])[] {
    return [...this.#held]
  }

  async isHeld(runId: RunId): Promise<boolean> {
    const { holder } = this.#read(runId)
    return holder !== undefined && (await this.#isAlive(holder))
  }

  async isAbandoned(runId: RunId): Promise<boolean> {
    const { holder } = this.#read(runId)
    return holder !== undefined && !(await this.#isAlive(holder))
  }

  async remove(runId: RunId): Promise<void> {
    this.#held.delete(runId)
    await rm(this.#files.claim(runId), { force: true })
  }

  /**
   * The time of an owner's file is its heartbeat. One that was cleaned away meanwhile comes back with the next claim.
   * Gives the runs that somebody else has taken since, as can happen after a sleep; each is named once.
   */
  async beat(): Promise<readonly RunId[]> {
    const seconds = this.#now() / 1_000
    for (const key of this.#owners) await utimes(this.#files.owner(key), seconds, seconds).catch(() => {})
    const lost = [...this.#held].filter(([runId, epoch]) => this.epochOf(runId) !== epoch).map(([runId]) => runId)
    for (const runId of lost) this.#held.delete(runId)
    return lost
  }

  async leave(): Promise<void> {
    for (const key of this.#owners) await rm(this.#files.owner(key), { force: true })
    this.#owners.clear()
  }

  async #enter(owner: Owner): Promise<void> {
    const key = ownerKey(owner)
    if (this.#owners.has(key)) return
    await this.#files.writeWhole(this.#files.owner(key), JSON.stringify(owner))
    this.#owners.add(key)
    await this.beat()
  }

  async #isAlive(holder: OwnerRecord): Promise<boolean> {
    const file = await stat(this.#files.owner(ownerKey(holder.owner))).catch(() => undefined)
    return this.#watch.isAlive({ ...holder, heartbeat: file?.mtimeMs ?? holder.heartbeat }, this.#now())
  }

  #read(runId: RunId): ClaimFile {
    const text = readInPlace(this.#files.claim(runId))
    const claim = text === undefined ? undefined : (parseJson(text) as ClaimFile | undefined)
    return claim ?? { epoch: 0 }
  }

  #write(runId: RunId, claim: ClaimFile): Promise<void> {
    return this.#files.writeWhole(this.#files.claim(runId), JSON.stringify(claim))
  }
}
