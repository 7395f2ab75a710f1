/** What one word of a list of tools stands for, and when a list is in Copilot's words. */
import type { ToolGrant } from '../../agent-definition.js'
import {
  canonicalToolName,
  copilotTools,
  isCopilotTool,
  isCopilotWord,
  isEveryServer,
  searchTools,
} from '../../tools/tool-names.js'
import type { Dialect } from '../dialect.js'
import { isServerPattern, serverNames } from './denied-words.js'
import { serverNamed, serverToolIn } from './server-words.js'

export interface ToolWord {
  /** As it is written. */
  readonly word: string
  readonly tool: string
  readonly pattern: string | undefined
}

/**
 * Whether `search` and `web` are sets in this list: they are in Copilot's files, and elsewhere beside a word that nobody else
 * has (`codebase`, `editFiles`), or in a list that is in its words from end to end, two of which hardly anybody else has
 * (`execute`, `agent`). Otherwise they may be what is left of `web_search`.
 */
export function ofCopilot(words: readonly string[], dialect: Dialect): boolean {
  return dialect === 'copilot' || words.some(isCopilotWord) || (borrowing.has(dialect) && areItsWords(words))
}

const borrowing: ReadonlySet<Dialect> = new Set(['claude', 'offshoot'])

function areItsWords(words: readonly string[]): boolean {
  const isWord = (word: string) =>
    !/[A-Z]/.test(word) && (isCopilotTool(word) || rarer.has(word) || copilotTools(word) !== undefined)
  return words.filter(word => rarer.has(word)).length > 1 && words.includes('search') && words.every(isWord)
}

const rarer: ReadonlySet<string> = new Set(['execute', 'agent', 'todo', 'web', 'vscode'])

/**
 * Its sets for searching show what files hold, and its files edit without naming a tool that reads: here an edit is preceded
 * by a read. To read is no more than to search is, so it comes with them where they are granted, and goes with none of them.
 */
export function readingOf(words: readonly string[], sets: boolean): readonly ToolGrant[] {
  return sets && words.some(word => /^(?:search(?:\/codebase)?|codebase)$/i.test(word.trim())) ? [{ name: 'Read' }] : []
}

/** What is unknown goes into `unknown`, and is kept: a host may bring it. */
export function grantsOf(
  { word, tool, pattern }: ToolWord,
  dialect: Dialect,
  sets: boolean,
  unknown: string[],
): readonly ToolGrant[] {
  const name = (word.includes('(') ? word.slice(0, word.indexOf('(')) : word).trim()
  // Elsewhere `edit` is the tool of that name: it may be what is left of `editFiles`.
  const isOurs = dialect !== 'copilot' && canonicalToolName(name) !== undefined
  const isSet = (sets && !isOurs) || isCopilotTool(name)
  const set = pattern === undefined ? ((isSet ? copilotTools(name) : undefined) ?? searchTools(name)) : undefined
  if (set) return set.map(each => ({ name: each }))
  if (isEveryServer(name)) return [{ name: 'mcp__*' }]
  if (tool === 'Task') return [{ name: tool }]
  if (canonicalToolName(name) === undefined && !tool.startsWith('mcp__')) {
    const servers = serversIn(name, dialect)
    if (servers.length > 0) return servers.map(each => ({ name: each }))
    unknown.push(name)
    const named = dialect === 'copilot' ? serverNamed(name) : undefined
    if (named !== undefined) return [{ name: named }]
  }
  return [pattern === undefined ? { name: tool } : { name: tool, pattern }]
}

/** Each may be where the server ends. */
const maxParts = 10

/** Of `grep_app_search` and `state_db*` the server may end at any of the signs: in opencode's files all of them are meant. */
function serversIn(name: string, dialect: Dialect): readonly string[] {
  const server = serverToolIn(name, dialect)
  const isBoth = dialect === 'opencode' && !/^[^_]+_\*$/.test(name) && name.split('_').length <= maxParts
  if (isBoth && (server !== undefined || isServerPattern(name))) return serverNames(name)
  return server === undefined ? [] : [server]
}
