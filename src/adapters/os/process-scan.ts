/**
 * Looks for processes the way only Linux can tell: by group, and by a mark in their environment. Elsewhere: nobody.
 * Rejects when there is no descriptor left to look with: who could not be seen is not gone.
 */
import { readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { codeOf } from './real-file.js'

export interface FoundProcess {
  readonly pid: number
  readonly name: string
}

/** The living members of a group; those that ended and wait to be collected do not count. */
export async function groupMembers(group: number): Promise<readonly FoundProcess[]> {
  return scan(async pid => {
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1')
    const end = stat.lastIndexOf(')')
    const [state, , processGroup] = stat.slice(end + 2).split(' ')
    return Number(processGroup) === group && state !== 'Z' && state !== 'X'
      ? { pid, name: stat.slice(stat.indexOf('(') + 1, end) }
      : undefined
  })
}

/**
 * Processes with `NAME=value` in their environment: also those that left their group or lost their parent. With `since`
 * only those that began after that process, which is a look at few of them.
 */
export async function markedProcesses(mark: string, since?: number): Promise<readonly number[]> {
  const wanted = `\0${mark}\0`
  const found = await scan(
    async pid => {
      const environment = await readFile(`/proc/${pid}/environ`, 'latin1')
      return `\0${environment}`.includes(wanted) ? { pid, name: '' } : undefined
    },
    await lowestSince(since),
  )
  return found.map(({ pid }) => pid).filter(pid => pid !== process.pid)
}

/**
 * What a variable held when one of the processes above this one began, the nearest first: a command can be started without
 * it, and whoever started the command still has it.
 */
export function inheritedFrom(name: string, start = process.ppid): string | undefined {
  if (process.platform !== 'linux') return undefined
  let pid = start
  for (let step = 0; step < maxAncestors && pid > 0; step++) {
    try {
      const environment = `\0${readWhereAllowed(`/proc/${pid}/environ`)}`
      const at = environment.indexOf(`\0${name}=`)
      if (at >= 0) return environment.slice(at + name.length + 2).split('\0', 1)[0]
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
      pid = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
    } catch {
      return undefined
    }
  }
  return undefined
}

const maxAncestors = 64

/** Nothing of a process of somebody else: above it there may be one of ours again. */
function readWhereAllowed(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

/** Numbers are given out upwards, until they begin anew: then every process is looked at. */
async function lowestSince(since: number | undefined): Promise<number> {
  if (since === undefined) return 0
  const load = await readFile('/proc/loadavg', 'latin1').catch(() => '')
  return Number(load.trim().split(' ').at(-1)) >= since ? since : 0
}

async function scan(look: (pid: number) => Promise<FoundProcess | undefined>, lowest = 0): Promise<FoundProcess[]> {
  if (process.platform !== 'linux') return []
  const found: FoundProcess[] = []
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name) || Number(name) < lowest) continue
    // A process may end, or belong to somebody else, while we look.
    const match = await look(Number(name)).catch(unlessBlind)
    if (match) found.push(match)
  }
  return found
}

function unlessBlind(error: unknown): undefined {
  if (['EMFILE', 'ENFILE'].includes(codeOf(error) ?? '')) throw error
}
