/**
 * What agent files were found to say, kept from one start of the program to the next: most have not changed since.
 *
 * K1 A help, never the truth. A reading is found again by what the file holds, where it lies and which build read it;
 *    whatever is missing, torn or too much is read anew. Whether a file is trusted is never kept.
 * K2 The file is the user's alone: one that others own or could write is not read.
 * K3 Only a reading that JSON gives back exactly is kept.
 */
import { isDeepStrictEqual } from 'node:util'
import type { AgentSource } from '../../core/agent-definition.js'
import type { FileReading } from '../../core/agent-file/read-agent-file.js'
import { isOursAlone, replacePrivately } from '../os/private-file.js'
import { readBounded } from './read-bounded.js'

/** A file as it was read: the same three give the same reading. */
export interface FileAsRead {
  readonly path: string
  readonly hash: string
  readonly prefix?: string | undefined
}

export interface KeptReadings {
  find(file: FileAsRead, source: AgentSource): FileReading | undefined
  /** Tells what a file says, also one that was found here: those are kept longest. */
  note(file: FileAsRead, reading: FileReading): void
  /** Writes news down once the start is over. What cannot be written, or was not in time, is read anew next time. */
  save(): void
}

/** `build` names the code that reads: a kept reading of other code is none. */
export function openKeptReadings(path: string, build: string, later = soon): KeptReadings {
  let kept: ReadonlyMap<string, FileReading> | undefined
  let noted = new Map<string, FileReading>()
  const load = () => (kept ??= readKept(path, build))
  return {
    find(file, source) {
      const reading = load().get(keyOf(file))
      return isReading(reading) ? withSource(reading, source) : undefined
    },
    note(file, reading) {
      noted.set(keyOf(file), reading)
    },
    save() {
      const [before, now] = [load(), noted]
      noted = new Map()
      const news = [...now].filter(([key]) => !isReading(before.get(key)))
      if (news.length === 0) return
      later(() => {
        const fresh = news.map(([key, reading]) => [key, withoutSource(reading)] as const).filter(isExact)
        if (fresh.length === 0) return
        const again = [...before].filter(([key]) => now.has(key))
        const rest = [...before].filter(([key]) => !now.has(key))
        kept = new Map([...again, ...fresh, ...rest])
        write(path, build, kept)
      })
    },
  }
}

/** The first request goes out before that; a program that ends sooner does it at its end. */
function soon(run: () => void): void {
  const act = () => {
    clearTimeout(timer)
    process.off('exit', act)
    run()
  }
  const timer = setTimeout(act, 250).unref()
  process.once('exit', act)
}

const keyOf = ({ path, hash, prefix = '' }: FileAsRead): string => `${hash} ${prefix} ${path}`

/** Some thousand files; what is past it is read as ever. */
const maxBytes = 16 << 20

function readKept(path: string, build: string): ReadonlyMap<string, FileReading> {
  const read = readBounded(path, undefined, maxBytes)
  if ('fault' in read || !isOursAlone(read.stat)) return new Map()
  try {
    const held: { readonly build?: unknown; readonly readings: readonly [string, FileReading][] } = JSON.parse(
      Buffer.from(read.bytes).toString('utf8'),
    )
    return new Map(held.build === build ? held.readings : [])
  } catch {
    return new Map()
  }
}

function write(path: string, build: string, readings: ReadonlyMap<string, FileReading>): void {
  const texts: string[] = []
  let left = maxBytes - 1024
  for (const entry of readings) {
    const text = JSON.stringify(entry)
    left -= Buffer.byteLength(text) + 1
    if (left < 0) break
    texts.push(text)
  }
  try {
    replacePrivately(path, `{"build":${JSON.stringify(build)},"readings":[${texts.join(',')}]}`)
  } catch {
    // A full disk, a folder that is closed: nothing was promised.
  }
}

/** As far as it is used here: what a person wrote into the file must not keep the program from starting. */
function isReading(held: Partial<FileReading> | undefined | null): held is FileReading {
  return Array.isArray(held?.agents) && Array.isArray(held.diagnostics) && typeof held.state === 'string'
}

/** K3. */
function isExact([, reading]: readonly [string, FileReading]): boolean {
  return isDeepStrictEqual(JSON.parse(JSON.stringify(reading)), reading)
}

function withSource(reading: FileReading, source: AgentSource): FileReading {
  const agents = reading.agents.map(each => (each.agent ? { ...each, agent: { ...each.agent, source } } : each))
  return { ...reading, agents }
}

/** The one of nobody, in its place: the order of an agent's fields stays. */
function withoutSource(reading: FileReading): FileReading {
  return withSource(reading, { scope: 'user', isTrusted: false })
}
