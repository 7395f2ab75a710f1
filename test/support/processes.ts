import { execFileSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'

/** Command lines of the living processes that contain `text`. */
export function processesWith(text: string): string[] {
  const all = execFileSync('ps', ['-eo', 'pid=,stat=,args='], { encoding: 'utf8' }).split('\n')
  return all.filter(line => line.includes(text) && !/^\s*\d+\s+Z/.test(line) && !line.includes('ps -eo'))
}

/** Children of a process that ended and were not collected. */
export function zombiesOf(parent: number): string[] {
  const all = execFileSync('ps', ['-eo', 'ppid=,stat=,args='], { encoding: 'utf8' }).split('\n')
  return all.filter(line => new RegExp(`^\\s*${parent}\\s+Z`).test(line))
}

/** Looks again until it holds. What never does fails the test here: as a mere condition of what follows nobody would see it. */
export async function eventually<T>(look: () => T, isGood: (value: T) => boolean, withinMs = 10_000): Promise<T> {
  for (const end = Date.now() + withinMs; ; ) {
    const value = look()
    if (isGood(value)) return value
    if (Date.now() > end) throw new Error(`not within ${withinMs} ms; at last it was ${JSON.stringify(value)}`)
    await sleep(20)
  }
}
