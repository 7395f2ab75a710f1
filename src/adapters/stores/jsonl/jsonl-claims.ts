/** Who drives which run, as small files. Claims are taken and given back under the run's lock. */
import { existsSync } from 'node:fs'
import { rm, stat, utimes } from 'node:fs/promises'
import type { RunId } from '../../../core/message.js'
import { firstEpoch, type Owner } from '../../../core/run-store.js'
import { parseJson } from '../../../core/text/parse-json.js'
import { type OwnerRecord, type OwnerWatch, ownerKey, recordOwner } from '../../os/process-owner.js'
import { StoreError } from '../store-error.js'
import { type JsonlFiles, readInPlace } from './jsonl-files.js'
import type { LogReporter } from './jsonl-warnings.js'

/** Nobody can say more of it than that. */
type Fault = 'missing' | 'damaged'

interface ClaimFile {
  readonly epoch: number
  readonly holder?: OwnerRecord
}

export class JsonlClaims {
  readonly #files: JsonlFiles
  readonly #watch: OwnerWatch
  readonly #now: () => number
  /** Keys of owners that claimed through this store: it speaks for them. */
  readonly #owners = new Map<string, Owner>()
  /** What they hold, by epoch. */
  readonly #held = new Map<RunId, number>()

  readonly #reporter: LogReporter

  constructor(files: JsonlFiles, watch: OwnerWatch, reporter: LogReporter, now: () => number) {
    this.#files = files
    this.#reporter = reporter
    this.#watch = watch
    this.#now = now
  }

  /** `lastEpoch`: the highest that the log tells of, below which no number may fall, whatever became of the file. */
  async claim(
    runId: RunId,
    owner: Owner,
    lastEpoch: number,
  ): Promise<{ readonly epoch: number } | { readonly heldBy: Owner }> {
    const { epoch: before, holder } = this.#read(runId)
    if (holder && ownerKey(holder.owner) !== ownerKey(owner) && (await this.#isAlive(holder))) {
      return { heldBy: holder.owner }
    }
    return this.#take(runId, owner, Math.max(before, lastEpoch) + 1)
  }

  /** Of a new log: what a file says of one that was there before counts for nothing. */
  async claimFirst(runId: RunId, owner: Owner): Promise<void> {
    await this.#take(runId, owner, firstEpoch)
  }

  async #take(runId: RunId, owner: Owner, epoch: number): Promise<{ readonly epoch: number }> {
    await this.#enter(owner)
    await this.#write(runId, { epoch, holder: recordOwner(owner, this.#now()) })
    this.#held.set(runId, epoch)
    return { epoch }
  }

  /** The epoch that may write; undefined when nobody holds the run. Throws where the file of a claim of ours is gone. */
  epochOf(runId: RunId): number | undefined {
    const path = this.#files.claim(runId)
    if (this.#held.has(runId) && this.#look(runId) === 'missing') throw claimGone(path)
    const claim = this.#read(runId)
    return claim.holder && claim.epoch
  }

  async release(runId: RunId, epoch: number): Promise<void> {
    const isOurs = this.#held.get(runId) === epoch
    if (isOurs) this.#held.delete(runId)
    const claim = this.#look(runId)
    // Who took it over would have left a sound file, so its number is still the newest.
    const isLost = typeof claim === 'string' && isOurs && existsSync(this.#files.log(runId))
    const isHeld = typeof claim === 'object' && claim.epoch === epoch && claim.holder !== undefined
    if (isLost || isHeld) await this.#write(runId, { epoch })
  }

  get held(): readonly (readonly [runId: RunId, epoch: number])[] {
    return [...this.#held]
  }

  /** Where it cannot be known somebody may. */
  async isHeld(runId: RunId): Promise<boolean> {
    const claim = this.#look(runId)
    if (claim === 'damaged') {
      const path = this.#files.claim(runId)
      this.#reporter.reportFile('damaged-claim', path, `${damageOf(path)} Until then it counts as driven.`)
      return true
    }
    return claim !== 'missing' && claim.holder !== undefined && (await this.#isAlive(claim.holder))
  }

  async isAbandoned(runId: RunId): Promise<boolean> {
    const claim = this.#look(runId)
    return typeof claim === 'object' && claim.holder !== undefined && !(await this.#isAlive(claim.holder))
  }

  async remove(runId: RunId): Promise<void> {
    this.#held.delete(runId)
    await rm(this.#files.claim(runId), { force: true })
  }

  /**
   * The time of an owner's file is its heartbeat; one that was cleaned away comes back.
   * Gives the runs that somebody else has taken since, as can happen after a sleep; each is named once.
   */
  async beat(): Promise<readonly RunId[]> {
    for (const [key, owner] of this.#owners) await this.#sayAlive(key, owner).catch(() => {})
    const lost = [...this.#held].filter(([runId, epoch]) => this.#isTaken(runId, epoch)).map(([runId]) => runId)
    for (const runId of lost) this.#held.delete(runId)
    return lost
  }

  async leave(): Promise<void> {
    for (const key of this.#owners.keys()) await rm(this.#files.owner(key), { force: true })
    this.#owners.clear()
  }

  async #enter(owner: Owner): Promise<void> {
    const key = ownerKey(owner)
    await this.#sayAlive(key, owner)
    if (this.#owners.has(key)) return
    this.#owners.set(key, owner)
    await this.beat()
  }

  async #sayAlive(key: string, owner: Owner): Promise<void> {
    const path = this.#files.owner(key)
    const seconds = this.#now() / 1_000
    const say = () => utimes(path, seconds, seconds)
    await say().catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') return
      await this.#files.writeWhole(path, JSON.stringify(owner))
      await say()
    })
  }

  /** A file that is gone or damaged was taken by nobody: the next append tells of it. */
  #isTaken(runId: RunId, epoch: number): boolean {
    const claim = this.#look(runId)
    return typeof claim === 'object' && (claim.epoch !== epoch || claim.holder === undefined)
  }

  async #isAlive(holder: OwnerRecord): Promise<boolean> {
    const file = await stat(this.#files.owner(ownerKey(holder.owner))).catch(() => undefined)
    return this.#watch.isAlive({ ...holder, heartbeat: file?.mtimeMs ?? holder.heartbeat }, this.#now())
  }

  #read(runId: RunId): ClaimFile {
    const claim = this.#look(runId)
    const path = this.#files.claim(runId)
    if (claim === 'damaged') throw new StoreError('corrupt', damageOf(path), { path })
    return claim === 'missing' ? { epoch: 0 } : claim
  }

  #look(runId: RunId): ClaimFile | Fault {
    const text = readInPlace(this.#files.claim(runId))
    if (text === undefined) return 'missing'
    const claim = parseJson(text)
    return isClaim(claim) ? claim : 'damaged'
  }

  #write(runId: RunId, claim: ClaimFile): Promise<void> {
    return this.#files.writeWhole(this.#files.claim(runId), JSON.stringify(claim))
  }
}

function isClaim(value: unknown): value is ClaimFile {
  const { epoch, holder } = (value ?? {}) as Partial<ClaimFile>
  const isSound =
    holder === undefined || (typeof holder?.owner?.id === 'string' && typeof holder.owner.pid === 'number')
  return Number.isSafeInteger(epoch) && epoch! >= 0 && isSound
}

const damageOf = (path: string): string =>
  `${path} is damaged: it said who drives the run. When no process does, delete it, and the run can be taken up.`

function claimGone(path: string): StoreError {
  const reason = `${path} was moved or deleted while the run was driven, so nobody can say whether it still is by us.`
  return new StoreError('io', `${reason} Resume the run to go on.`, { path })
}
