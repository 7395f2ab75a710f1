/** The keys whose loss would widen an agent, and what their values look like when all else is unclear. */
import { didYouMean, looseKey } from '../nearest.js'
import { canonicalToolName, TOOL_NAMES } from '../tool-names.js'
import { MODES } from './field-table.js'

export const LIMIT_KEYS = [
  'tools',
  'allowedTools',
  'disallowedTools',
  'delegateTools',
  'permissionMode',
  'permissions',
  'permission',
  'approvalMode',
  'disabledFeatures',
  'sandboxMode',
  'canSpawn',
  'hooks',
  'mcpServers',
  'isolation',
  'baseDir',
  'budget',
  'maxTurns',
  'timeout',
  'timeoutSeconds',
  'timeoutMins',
  'runConfig',
  'extends',
] as const satisfies readonly string[]

/** Whether a parsed value fits the limit so well that the key was surely meant. */
export function couldBeValue(limit: string, value: unknown): boolean {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    return couldFollow(limit, String(value).slice(0, 400), '', 'tight')
  }
  if (limit.endsWith('ools'))
    return Array.isArray(value) && value.length > 0 && value.every(word => isTool(String(word)))
  return false
}

/** `tight`: it starts like a value. `whole`: all of it is one. `loose`: something in it is, or is nearly. */
export type Fit = 'tight' | 'whole' | 'loose'

/** Whether a text could be the limit's value, rather than the rest of a sentence. `next` is the line below it. */
export function couldFollow(limit: string, rest: string, next: string, fit: Fit): boolean {
  const text = rest.trim()
  if (text === '') return next.trim() !== '' && couldStandBelow(limit, next, fit)
  if (limit.endsWith('ools')) return areTools(text, fit)
  const values = WORDS[limit]
  if (values) return values.some(value => looseKey(text).startsWith(value) || (fit === 'loose' && isNear(text, value)))
  if (NUMBERS.has(limit)) return /^["']?\$?\d/.test(text)
  return limit !== 'extends' && limit !== 'baseDir' && /^[[{]/.test(text)
}

function couldStandBelow(limit: string, next: string, fit: Fit): boolean {
  if (/^\s*-\s/.test(next)) return limit.endsWith('ools') ? areTools(next.replace(/^\s*-\s/, ''), fit) : true
  const isOpen = limit === 'hooks' || limit === 'permissions' || limit === 'mcpServers' || limit === 'runConfig'
  if (isOpen) return /^\s+[\w"']+\s*:/.test(next)
  return couldFollow(limit, next.trim(), '', fit)
}

function areTools(text: string, fit: Fit): boolean {
  const words = text
    .replace(/\([^)]*\)?/g, ' ')
    .split(/[\s,;[\]"']+/)
    .filter(word => word !== '')
    .slice(0, MAX_WORDS)
  if (text.startsWith('*')) return true
  if (fit === 'tight') return isTool(words[0] ?? '')
  return fit === 'whole'
    ? words.length > 0 && words.every(isTool)
    : words.some(word => isTool(word) || isNearTool(word))
}

const MAX_WORDS = 12

function isTool(word: string): boolean {
  return canonicalToolName(word.split('(')[0]!) !== undefined || word.startsWith('mcp__')
}

function isNearTool(word: string): boolean {
  return /^[A-Za-z]{3,}$/.test(word) && didYouMean(word, TOOL_NAMES) !== undefined
}

function isNear(text: string, value: string): boolean {
  return didYouMean(text.split(/\s/)[0]!, [value]) !== undefined
}

const WORDS: Readonly<Record<string, readonly string[]>> = {
  permissionMode: MODES.map(looseKey),
  approvalMode: ['caller', 'suppress', 'sandbox', 'routeto'],
  isolation: ['worktree', 'none', 'remote'],
  canSpawn: ['true', 'false', '['],
  sandboxMode: ['readonly', 'workspacewrite', 'dangerfull'],
}
const NUMBERS = new Set(['budget', 'maxTurns', 'timeout', 'timeoutSeconds', 'timeoutMins'])
