/**
 * Who a message or an answer comes from stands in one field with the names of runs, and what comes from the user is read as
 * the user's own words. So a run is never called there what stands for somebody else.
 */
const reserved: ReadonlySet<string> = new Set(['user', 'default', 'runtime'])

export const isReservedName = (name: string): boolean => reserved.has(name.trim().toLowerCase())

/** A run as a sender, by its nickname or its agent. */
export const runAsSender = (name: string): string => (isReservedName(name) ? `the run "${name.trim()}"` : name)
