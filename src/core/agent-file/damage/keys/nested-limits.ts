/**
 * Limits inside a table that is not ours: `metadata: {tools: Read}`, `claude: {permissionMode: plan}`. No product reads them
 * there, and collections describe their agents so, with every tool: the agent runs as its product runs it, and says so.
 */
import { isRecord } from '../../../record.js'
import { looseKey } from '../../../text/nearest.js'
import { fieldOf } from '../../field-table.js'
import { couldBeValue } from '../words/limit-words.js'
import type { IsAbsent } from './near-limits.js'

/** The first limit in it that the file does not have otherwise. Few keys deep: further in stand other systems' settings. */
export function nestedLimit(value: unknown, isAbsent: IsAbsent): string | undefined {
  return firstLimit(value, isAbsent, nestedKeys, maxDepth)
}

/** In a table of ours it can only be a slip: in TOML whatever stands below `[mcp_servers.x]` is a part of that. */
export function misplacedLimit(field: string, value: unknown, isAbsent: IsAbsent): string | undefined {
  if (!holdTables.has(field)) return undefined
  return firstLimit(value, isAbsent, field === 'mcpServers' ? noServers : nobodys, maxDepth)
}

const holdTables: ReadonlySet<string> = new Set(['mcpServers', 'skills', 'inputs', 'output'])

/** In a table of TOML that is not ours, where a header above it may have swallowed it. `isMeant`: for agents, as defaults are. */
export function swallowedLimit(value: unknown, isAbsent: IsAbsent, isMeant: boolean): string | undefined {
  return firstLimit(value, isAbsent, isMeant ? nestedKeys : nobodys, maxDepth, isMeant ? noWords : words)
}

function firstLimit(
  value: unknown,
  isAbsent: IsAbsent,
  limits: ReadonlySet<string>,
  depth: number,
  others: ReadonlySet<string> = noWords,
): string | undefined {
  if (depth === 0) return undefined
  if (Array.isArray(value)) return firstOf(value, each => firstLimit(each, isAbsent, limits, depth - 1, others))
  if (!isRecord(value)) return undefined
  return firstOf(Object.entries(value), ([key, each]) => {
    const field = isVariable(key) || others.has(key) ? undefined : fieldOf(key)
    if (
      field !== undefined &&
      limits.has(field) &&
      !ofServer.test(looseKey(key)) &&
      isAbsent(field) &&
      couldBeValue(field, each)
    )
      return key
    if (key === 'properties') return undefined
    const inner = headerKeys.has(looseKey(key)) && isRecord(each) ? withoutDashes(each) : each
    return firstLimit(inner, isAbsent, limits, depth - 1, others)
  })
}

function firstOf<Item>(items: readonly Item[], find: (item: Item) => string | undefined): string | undefined {
  for (const item of items.slice(0, maxKeys)) {
    const found = find(item)
    if (found !== undefined) return found
  }
  return undefined
}

const maxDepth = 3
const maxKeys = 40

/** `MAX_TURNS` is a variable of somebody's environment; a `max_turns` in there slipped below its header. */
function isVariable(key: string): boolean {
  return /^[A-Z][A-Z\d_]{0,80}$/.test(key)
}

const headerKeys: ReadonlySet<string> = new Set(['headers', 'httpheaders', 'envhttpheaders'])

/** Headers of HTTP are written with them. */
function withoutDashes(headers: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(headers).filter(([key]) => !key.includes('-')))
}

/** Limits whose key is a word: `[team] agents`, `[sampling] steps`. */
const words: ReadonlySet<string> = new Set(['agents', 'steps'])
const noWords: ReadonlySet<string> = new Set()

/** Those that nobody has another use for: a `timeout` or `enabled` is anybody's. */
const nestedKeys: ReadonlySet<string> = new Set([
  ...['tools', 'disallowedTools', 'permissionMode', 'maxTurns', 'sandboxMode', 'readOnly', 'approvalMode', 'canSpawn'],
  ...['disabledFeatures', 'baseDir', 'permissions'],
])
/** Not even servers and inputs have these. */
const nobodys: ReadonlySet<string> = new Set([
  ...['permissionMode', 'maxTurns', 'sandboxMode', 'approvalMode', 'canSpawn', 'disabledFeatures'],
])
/** A server's own lists. */
const ofServer = /^(?:(?:dis|en)abled|(?:in|ex)clude)tools$/
/** Nor has a server these. */
const noServers: ReadonlySet<string> = new Set([...nobodys, 'disallowedTools', 'permissions', 'isolation', 'extends'])
