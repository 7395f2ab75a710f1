/**
 * Words of Kiro's files that nobody else has.
 * K1 `@server` is all of a server's tools, `@server/tool` one of them, `@mcp` every server's. K2 `@builtin` is every tool that
 * is no server's, `@builtin/tool` one of them; delegation is never among them, since it is never inherited: who may delegate
 * is told so by name. K3 one tool does all the editing there, and one reads, lists and searches: who is denied it has no other.
 */
import { serverName } from '../../mcp/mcp-config.js'
import { serverToolName } from '../../mcp/mcp-tool.js'
import { looseKey } from '../../text/nearest.js'
import { canonicalToolName, editingTools, searchingTools, toolNames } from '../../tools/tool-names.js'
import type { Dialect } from '../dialect.js'
import { delegationTools, shellTools, webTools } from './tool-sets.js'

/** The words of a list of tools, in ours where they are Kiro's. What is left as it is stays unclear where it has an `@`. */
export function kiroWords(words: readonly string[], dialect: Dialect): readonly string[] {
  if (dialect !== 'kiro') return words
  return words.map(builtIn).flatMap(word => sets.get(word) ?? serverWord(word) ?? word)
}

/** `shell` of `@builtin/shell`. */
export function builtIn(word: string): string {
  const name = word.startsWith(`${builtInSet}/`) ? word.slice(builtInSet.length + 1) : word
  return name === '*' && name !== word ? builtInSet : name
}

/** What a word takes away in a list of what an agent may not use. Nothing: a tool that is none here. */
export function deniedInKiro(written: string, dialect: Dialect): readonly string[] | undefined {
  if (dialect !== 'kiro') return undefined
  const word = builtIn(written)
  const tools = denied.get(word) ?? (word === written ? undefined : canonicalToolName(word))
  if (tools !== undefined) return typeof tools === 'string' ? [tools] : tools
  return isKiroTool(word, dialect) && canonicalToolName(word) === undefined ? [word] : undefined
}

/** `mcp__server__tool` of `@server/tool`. A star inside a name cannot be said. */
export function serverWord(word: string): string | undefined {
  const [, written, tool = '*'] = /^@([\w.-]{1,60})(?:\/([\w.-]{1,100}\*?|\*))?$/.exec(word) ?? []
  const server = serverName(written ?? '')
  if (server === '') return undefined
  return tool.endsWith('*') ? `mcp__${server}__${tool}` : serverToolName(server, tool)
}

export const builtInSet = '@builtin'
/** Bundles that are not to be had here: no server. */
export const powers = '@powers'

const sets: ReadonlyMap<string, readonly string[]> = new Map([
  [builtInSet, toolNames.filter(name => !delegationTools.includes(name))],
  ['@mcp', ['mcp__*']],
  [powers, ['powers']],
  ['web', webTools],
])

const reading = ['Read', ...searchingTools]
const denied: ReadonlyMap<string, readonly string[]> = new Map([
  [builtInSet, toolNames],
  ['read', reading],
  ['fs_read', reading],
  ['write', editingTools],
  ['fs_write', editingTools],
  ['execute_pwsh', shellTools],
  ['web', webTools],
])

/** Tools of Kiro's that have no counterpart here. Some are words, so they count in its files only. */
export function isKiroTool(name: string, dialect: Dialect): boolean {
  return dialect === 'kiro' && names.has(looseKey(name))
}

const names: ReadonlySet<string> = new Set(
  [
    ...['aws', 'code', 'context', 'crew', 'delete_file', 'edit_code', 'execute_pwsh', 'get_diagnostics', 'gh_issue'],
    ...['goal', 'introspect', 'knowledge', 'powers', 'read_code', 'report_issue', 'semantic_rename', 'session'],
    ...['smart_relocate', 'spec', 'summary', 'thinking', 'tool_search', 'use_aws'],
  ].map(looseKey),
)
