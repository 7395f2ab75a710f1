/**
 * What agent files were found to say, kept from one start of the program to the next: most have not changed since.
 *
 * K1 A help, never the truth. A reading is found again by what the file holds, where it lies, in which scope, and which
 *    build read it; whatever is missing, torn or too much is read anew. Whether a file is trusted is never kept.
 * K2 The file is the user's alone: one that others own or could write is not read, nor one in which a byte has changed
 *    since: a limit may be gone with it.
 * K3 Only a reading that JSON gives back exactly is kept.
 */
import { isDeepStrictEqual } from 'node:util'
import type { AgentScope, AgentSource } from '../../core/agent-definition.js'
import type { FileReading } from '../../core/agent-file/read-agent-file.js'
import { contentHash } from '../os/content-hash.js'
import { isOursAlone, replacePrivately } from '../os/private-file.js'
import { readBounded } from './read-bounded.js'

/** A file as it was read: the same four give the same reading. */
export interface FileAsRead {
  readonly path: string
  readonly hash: string
  /** A project's file may not say all that the user's own may. */
  readonly scope: AgentScope
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
      return reading && withSource(reading, source)
    },
    note(file, reading) {
      noted.set(keyOf(file), reading)
    },
    save() {
      if (noted.size === 0) return
      const [before, now] = [load(), noted]
      noted = new Map()
      const news = [...now].filter(([key]) => !before.has(key))
      if (news.length === 0) return
      later(() => {
        const fresh = news.map(([key, reading]) => [key, withoutSource(reading)] as const).filter(isExact)
        if (fresh.length === 0) return
        const own = [...[...before].filter(([key]) => now.has(key)), ...fresh]
        const rest = [...before].filter(([key]) => !now.has(key))
        kept = new Map([...own, ...rest])
        write(path, build, [...within(own, maxBytes - maxRest - 1024), ...within(rest, maxRest)])
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

const keyOf = ({ path, hash, scope, prefix = '' }: FileAsRead): string => `${hash} ${scope} ${prefix} ${path}`

/** Some thousand files; what is past it is read as ever. */
const maxBytes = 16 << 20
/** Of other projects, and of what files held before. Every start reads it along with its own: more would cost than it saves. */
const maxRest = 2 << 20

function readKept(path: string, build: string): ReadonlyMap<string, FileReading> {
  const read = readBounded(path, undefined, maxBytes)
  if ('fault' in read || !isOursAlone(read.stat)) return new Map()
  const text = Buffer.from(read.bytes).toString('utf8')
  if (!text.startsWith(headOf(text.slice(headLength)))) return new Map()
  try {
    const held: { readonly build: string; readonly readings: readonly [string, FileReading][] } = JSON.parse(text)
    return new Map(held.build === build ? held.readings : [])
  } catch {
    return new Map()
  }
}

/** K2: what stands before all the rest. */
const headOf = (rest: string): string => `{"hash":"${contentHash(rest)}",`
const headLength = headOf('').length

function write(path: string, build: string, readings: readonly string[]): void {
  const rest = `"build":${JSON.stringify(build)},"readings":[${readings.join(',')}]}`
  try {
    replacePrivately(path, headOf(rest) + rest)
  } catch {
    // A full disk, a folder that is closed: nothing was promised.
  }
}

function within(readings: readonly (readonly [string, FileReading])[], bytes: number): readonly string[] {
  const texts: string[] = []
  let left = bytes
  for (const entry of readings) {
    const text = JSON.stringify(entry)
    left -= Buffer.byteLength(text) + 1
    if (left < 0) break
    texts.push(text)
  }
  return texts
}

/** K3. What is nested too deeply has no text at all. */
function isExact([, reading]: readonly [string, FileReading]): boolean {
  try {
    return isDeepStrictEqual(JSON.parse(JSON.stringify(reading)), reading)
  } catch {
    return false
  }
}

function withSource(reading: FileReading, source: AgentSource): FileReading {
  const agents = reading.agents.map(each => (each.agent ? { ...each, agent: { ...each.agent, source } } : each))
  return { ...reading, agents }
}

/** The one of nobody, in its place: the order of an agent's fields stays. */
function withoutSource(reading: FileReading): FileReading {
  return withSource(reading, { scope: 'user', isTrusted: false })
}
