/** By this variable the program knows that a run had it started, and does nothing that is for people. */
export const runMark = 'OFFSHOOT_RUN'

/** What a server does it does for runs, though it belongs to none. */
export const serverMark = (server: string): string => `mcp:${server}`

/** Whose command it is, said to whoever may not do that. */
export function ownerBy(mark: string): string {
  return mark.startsWith('mcp:') ? `the MCP server ${mark.slice(4)}` : `run ${mark}`
}
