/** Which process a pid means: a number is used again, a number with its start time is not. */
import { readFileSync } from 'node:fs'

export interface ProcessIdentity {
  readonly pid: number
  /** Clock ticks since boot; absent where the system does not say. */
  readonly startedAt?: string
}

export function ownIdentity(): ProcessIdentity {
  const startedAt = startOf(process.pid)
  return { pid: process.pid, ...(startedAt !== undefined && { startedAt }) }
}

/** Whether that very process still runs. In doubt it does: taking over from the living is the worse mistake. */
export function isRunning({ pid, startedAt }: ProcessIdentity): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
  const found = startOf(pid)
  return startedAt === undefined || found === undefined || found === startedAt
}

function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The program's name stands in brackets and may hold anything; fields are counted after it.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  } catch {
    return undefined
  }
}
