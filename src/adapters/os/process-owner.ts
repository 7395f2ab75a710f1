/**
 * Whether the process behind a claim still lives.
 *
 * H1 in the same place (host, boot, pid namespace) the process table decides, at once; the start time of the process,
 *    counted since boot, tells a reused pid apart whatever the clock does.
 * H2 elsewhere only the heartbeat speaks: too old by the clock, or unchanged for too long since we first looked, which
 *    also holds when the clock went back.
 */
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import type { Owner } from '../../core/run-store.js'
import { contentHash } from './content-hash.js'

/** What is stored of an owner beside its own words. */
export interface OwnerRecord {
  readonly owner: Owner
  readonly place?: string
  readonly ticks?: number
  /** Epoch milliseconds. */
  readonly heartbeat: number
}

/**
 * One for each process, whatever it calls itself: two that bear the same id are two, and the second is told that the
 * first holds the run.
 */
export const ownerKey = (owner: Owner): string => `${owner.id}${markOf(owner)}`

/** The id in a key, where the rest of the owner is known. */
export function idInKey(key: string, rest: Omit<Owner, 'id'>): string {
  const mark = markOf(rest)
  return key.endsWith(mark) ? key.slice(0, -mark.length) : key
}

const markOf = ({ host, pid, startedAt }: Omit<Owner, 'id'>): string => ` ${host} ${pid} ${startedAt}`

/** This process as an owner. */
export function currentOwner(id: string): Owner {
  return { id, host: hostname(), pid: process.pid, startedAt: Math.round(performance.timeOrigin) }
}

export function recordOwner(owner: Owner, now: number): OwnerRecord {
  if (owner.host !== hostname()) return { owner, heartbeat: now }
  const ticks = owner.pid === process.pid ? ownTicks() : processState(owner.pid)?.ticks
  return { owner, place: thisPlace(), ...(ticks !== undefined && { ticks }), heartbeat: now }
}

/** Asked once: it stays. */
function ownTicks(): number | undefined {
  own ??= { ticks: processState(process.pid)?.ticks }
  return own.ticks
}
let own: { readonly ticks: number | undefined } | undefined

export class OwnerWatch {
  readonly #expiryMs: number
  readonly #seen = new Map<string, { readonly heartbeat: number; readonly since: number }>()

  constructor(expiryMs: number) {
    this.#expiryMs = expiryMs
  }

  isAlive(record: OwnerRecord, now: number): boolean {
    if (record.place !== thisPlace()) return !this.#isSilent(record, now)
    if (!processExists(record.owner.pid)) return false
    const state = processState(record.owner.pid)
    if (!state || record.ticks === undefined) return !this.#isSilent(record, now)
    return !state.isDead && state.ticks === record.ticks
  }

  #isSilent({ owner, heartbeat }: OwnerRecord, now: number): boolean {
    if (now - heartbeat > this.#expiryMs) return true
    const seen = this.#seen.get(ownerKey(owner))
    if (seen?.heartbeat === heartbeat) return performance.now() - seen.since > this.#expiryMs
    this.#seen.set(ownerKey(owner), { heartbeat, since: performance.now() })
    return false
  }
}

/** `a person can act on this`: who holds a run, in words. */
export const describeOwner = (owner: Owner): string => `process ${owner.pid} on ${owner.host}`

/** The place of this process in a few letters, for the names of files. */
export const placeMark = (): string => contentHash(thisPlace()).slice(0, 12)

/** The name of a file that this process is writing and has not put in its place yet. */
export const draftName = (mark: string): string => `.${placeMark()}.${process.pid}.${mark}.tmp`

/** Whether a process of this place began to write it and is gone. Of other places nothing can be said. */
export function isDraftOfDead(name: string): boolean {
  const [, place, pid] = /^\.([0-9a-f]+)\.(\d+)\.[\w-]+\.tmp$/.exec(name) ?? []
  return place === placeMark() && !processExists(Number(pid))
}

function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Undefined where there is no /proc, or no such process. */
function processState(pid: number): { readonly ticks: number; readonly isDead: boolean } | undefined {
  const stat = readOrNothing(() => readFileSync(`/proc/${pid}/stat`, 'latin1'))
  if (stat === undefined) return undefined
  // The second field is the program's name in brackets and may hold anything, so count from the last bracket.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return { ticks: Number(fields[19]), isDead: fields[0] === 'Z' || fields[0] === 'X' }
}

let place: string | undefined
function thisPlace(): string {
  place ??= [
    hostname(),
    readOrNothing(() => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()),
    readOrNothing(() => readlinkSync('/proc/self/ns/pid')),
  ].join(' ')
  return place
}

function readOrNothing(read: () => string): string | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
