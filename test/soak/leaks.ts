/** What a host has taken from the machine: to be held against what it had before. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Living processes with this text in their environment or command line, ourselves left out. */
export const processesMarked = (mark: string): readonly string[] => livingMarked(mark).map(({ line }) => line)

/** The same, with their ids. */
export function livingMarked(mark: string): readonly { readonly pid: number; readonly line: string }[] {
  return readdirSync('/proc').flatMap(pid => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return []
    try {
      const isOurs = readFileSync(`/proc/${pid}/environ`, 'latin1').includes(mark)
      const isDead = /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
      const line = readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ')
      return isOurs && !isDead ? [{ pid: Number(pid), line }] : []
    } catch {
      return []
    }
  })
}

/** Children of ours that ended and were not collected. */
export function zombies(): readonly string[] {
  return readdirSync('/proc').flatMap(pid => {
    if (!/^\d+$/.test(pid)) return []
    try {
      const [, state, parent] = /\) (\w) (\d+) /.exec(readFileSync(`/proc/${pid}/stat`, 'latin1')) ?? []
      return state === 'Z' && Number(parent) === process.pid ? [pid] : []
    } catch {
      return []
    }
  })
}

/**
 * Open files by what they lead to, sockets and pipes by kind. Libsql lets go of a database when what was prepared for it is
 * collected, so that is done first.
 */
export function openFiles(): readonly string[] {
  collect()
  return readdirSync('/proc/self/fd').flatMap(fd => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`).replace(/:\[\d+\]$/, '')]
    } catch {
      return []
    }
  })
}

/** What keeps the event loop alive, less what comes and goes with any test. */
export const activeResources = (): readonly string[] =>
  process
    .getActiveResourcesInfo()
    .filter(kind => !/^(Immediate|FSReqCallback|FSReqPromise)$/.test(kind))
    .sort()

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Bytes that survive a collection. */
export async function heapAfterCollection(): Promise<number> {
  for (let i = 0; i < 3; i++) {
    collect()
    await new Promise(done => setTimeout(done, 20))
  }
  return process.memoryUsage().heapUsed
}
