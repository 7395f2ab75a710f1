/**
 * Limits inside a table that is not ours: `metadata: {tools: Read}`, `claude: {permissionMode: plan}`. No product reads them
 * there, and collections describe their agents so, with every tool: the agent runs as its product runs it, and says so.
 */
import { fieldOf } from '../field-table.js'
import { isRecord } from '../fields/field-reader.js'
import { couldBeValue } from './limit-words.js'
import type { IsAbsent } from './near-limits.js'

/** The first limit in it that the file does not have otherwise. Few keys deep: further in stand other systems' settings. */
export function nestedLimit(value: unknown, isAbsent: IsAbsent): string | undefined {
  return firstLimit(value, isAbsent, LIMITS, MAX_DEPTH)
}

/** In a table of ours it can only be a slip: in TOML whatever stands below `[mcp_servers.x]` is a part of that. */
export function misplacedLimit(field: string, value: unknown, isAbsent: IsAbsent): string | undefined {
  return HOLD_TABLES.has(field) ? firstLimit(value, isAbsent, NOBODYS, MAX_DEPTH) : undefined
}

const HOLD_TABLES: ReadonlySet<string> = new Set(['mcpServers', 'skills', 'inputs', 'output', 'outputSchema'])

function firstLimit(
  value: unknown,
  isAbsent: IsAbsent,
  limits: ReadonlySet<string>,
  depth: number,
): string | undefined {
  if (!isRecord(value) || depth === 0) return undefined
  for (const [key, each] of Object.entries(value).slice(0, MAX_KEYS)) {
    const field = fieldOf(key)
    if (field !== undefined && limits.has(field) && isAbsent(field) && couldBeValue(field, each)) return key
    const inner = key === 'properties' ? undefined : firstLimit(each, isAbsent, limits, depth - 1)
    if (inner !== undefined) return inner
  }
  return undefined
}

const MAX_DEPTH = 3
const MAX_KEYS = 40

/** Those that nobody has another use for: a `timeout` or `enabled` is anybody's. */
const LIMITS: ReadonlySet<string> = new Set([
  ...['tools', 'disallowedTools', 'permissionMode', 'maxTurns', 'sandboxMode', 'readOnly', 'approvalMode', 'canSpawn'],
  ...['disabledFeatures', 'baseDir'],
])
/** Not even servers and inputs have these. */
const NOBODYS: ReadonlySet<string> = new Set([
  ...['permissionMode', 'maxTurns', 'sandboxMode', 'approvalMode', 'canSpawn', 'disabledFeatures'],
])
