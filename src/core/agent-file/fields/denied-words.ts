/**
 * Words that take something away: what they stand for when they are no tool of ours, and whether they may be a slip for
 * one, which would then stay allowed. A set holds every tool whose name may have become the word by losing a piece:
 * `search` was perhaps `WebSearch`.
 */
import { looseKey } from '../../nearest.js'
import { canonicalToolName, EDITING_TOOLS, SEARCHING_TOOLS } from '../../tool-names.js'
import { isBeginningOfTool, isNearlyTool, isNoToolName, slipForTool } from '../../tool-slips.js'
import { DELEGATION, SHELL, WEB } from './tool-sets.js'

const FILES = ['Read', ...EDITING_TOOLS, ...SEARCHING_TOOLS]

const DENIED: Readonly<Record<string, readonly string[]>> = {
  web: WEB,
  network: WEB,
  internet: WEB,
  search: [...SEARCHING_TOOLS, 'WebSearch'],
  command: SHELL,
  commands: SHELL,
  exec: SHELL,
  file: FILES,
  files: FILES,
  filesystem: FILES,
  editor: EDITING_TOOLS,
  agents: DELEGATION,
  subagents: DELEGATION,
  delegation: DELEGATION,
  mcp: ['mcp__*'],
}

/**
 * What opencode calls `server_tool` is `mcp__server__tool` here. Where the server ends cannot be seen: both `amap` and
 * `amap_gis` may have `amap_gis_search`.
 */
export function serverNames(written: string): readonly string[] {
  if (!/^[\w-]{1,100}\*?$/.test(written)) return []
  const names = [...written.matchAll(/_/g)]
    .filter(({ index }) => index > 0 && index < written.length - 1)
    .map(({ index }) => `mcp__${written.slice(0, index)}__${written.slice(index + 1)}`)
  // `amap_*` is about the server `amap_gis` as well.
  return written.endsWith('*') ? [...names, `mcp__${written}`] : names
}

/** Undefined for the name of a tool, and for what is no word of these. */
export function deniedSet(written: string): readonly string[] | undefined {
  const key = looseKey(written)
  return Object.hasOwn(DENIED, key) && canonicalToolName(written) === undefined ? DENIED[key] : undefined
}

/** `exa_*`, `agentmemory*`: tools of a server. No tool of ours is written so, but for a slip: `Edt*`, `write_fil*`. */
export function isServerPattern(written: string): boolean {
  const [, server = '', sign] = /^([\w-]+?)(_?)\*$/.exec(written) ?? []
  if (server === '' || written.includes('mcp__') || isNearlyTool(server, 1) || isBeginningOfTool(server)) return false
  return sign === '_' || (server.length > 5 && slipForTool(server) === undefined)
}

/** A word that takes something away and is no tool: it may be a slip for one, which would then stay allowed. */
export function firstSlip(words: readonly string[]): string | undefined {
  for (const word of words) {
    const name = word.split('(')[0]!.trim()
    if (name.indexOf('mcp__') > 0) return `two names ran together in "${word.slice(0, 60)}"`
    const meant = name.startsWith('mcp__') ? undefined : slipForTool(name)
    if (meant !== undefined) return `"${name}" is no tool; "${meant}" may be meant`
    if (!name.startsWith('mcp__') && isNoToolName(name)) return `"${name.slice(0, 60)}" is no tool, and no name for one`
    const second = RAN_TOGETHER.exec(word)?.[1]
    const isTwo = second !== undefined && canonicalToolName(second) !== undefined
    if (isTwo || RAN_ON.test(word)) return `two rules ran together in "${word}"`
  }
  return undefined
}

/** `Bash(, Edit(/src/**)`: a quote and a bracket were lost between them. */
const RAN_TOGETHER = /\(.{0,200}?,\s*["']?([A-Za-z]\w{2,30})\(/

/** `Bash(rm *) - WebFetch`: the second was an item of its own. */
const RAN_ON = /\)\s+-\s+\S/
