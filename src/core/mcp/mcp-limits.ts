/**
 * What limits a server's entry has, in a settings file, `.mcp.json` or an agent file: switched off, some tools alone, some
 * left out, some asked about each time. Names as Copilot, Codex and gemini-cli have them. One that cannot be read is a
 * fault: unread, it would leave open what it was to close.
 */
import { flagOf, namesOf } from '../agent-file/fields/field-reader.js'
import { isRecord } from '../record.js'
import { didYouMean, isTornWord, looseKey } from '../text/nearest.js'
import { serverToolName } from './mcp-tool.js'

export interface ServerLimits {
  readonly isOff: boolean
  /** Tools by their names here, or patterns of them; absent: all. */
  readonly only?: readonly string[]
  readonly denied: readonly string[]
  readonly asked: readonly string[]
}

/** `server` as it stands in tool names; `where` goes behind the key of a fault. */
export function readServerLimits(
  server: string,
  config: Readonly<Record<string, unknown>>,
  where = '',
): ServerLimits | { readonly fault: string } {
  const only: (readonly string[])[] = []
  const denied: string[] = []
  const asked: string[] = []
  let isOff = false
  for (const [key, value] of Object.entries(config)) {
    const loose = looseKey(key)
    const fault = (what: string) => ({ fault: `"${key.slice(0, 60)}"${where} ${what}` })
    if (loose === 'tools' && isToolTable(value)) {
      const read = readToolTable(server, value)
      if ('fault' in read) return read
      denied.push(...read.denied)
      asked.push(...read.asked)
    } else if (loose === 'disabled' || loose === 'enabled') {
      const isThisOff = isSwitchedOff(loose, value)
      if (isThisOff === undefined) return fault('must be true or false')
      isOff ||= isThisOff
    } else if (loose === 'defaulttoolsapprovalmode') {
      if (!approvalModes.has(value)) return fault('must be auto, prompt or approve')
      if (value === 'prompt') asked.push(`mcp__${server}__*`)
    } else if (onlyKeys.has(loose) || withoutKeys.has(loose)) {
      const tools = namesOf(value)
      if (!tools || tools.length > maxTools) return fault('must be a list of tools')
      if (tools.some(tool => noToolName.test(tool))) return fault('must name tools')
      if (tools.some(hasStarInside)) return fault('may have a * at the end of a name, and nowhere else')
      // All of the tool would be more than it says.
      if (onlyKeys.has(loose) && tools.some(tool => tool.includes('(')))
        return fault('must name tools, not calls of them')
      const names = tools.map(tool => nameHere(server, tool))
      if (withoutKeys.has(loose)) denied.push(...names)
      else if (!tools.includes('*')) only.push(names)
    } else if (Array.isArray(value) && (didYouMean(loose, filterKeys) !== undefined || isTornWord(key, filterKeys)))
      return fault('may be a list of tools')
  }
  return { isOff, denied, asked, ...(only.length > 0 && { only: inAll(only) }) }
}

/** Half a bracket, a quote or what no name has in it. */
const noToolName = /[[\]{}"'`:;,<>|\\]|[^\0-\x7f]|^[^(]*\)|\([^)]*$/

/** Whether a key of a server's entry is one of these. */
export const isLimitKey = (key: string): boolean => limitKeys.includes(looseKey(key))

/** The limit that a key may be a slip for. */
export const limitMeantBy = (key: string): string | undefined =>
  isLimitKey(key) ? undefined : didYouMean(looseKey(key), limitKeys)

/** Of two lists that say what is left, only what both have. */
function inAll(lists: readonly (readonly string[])[]): readonly string[] {
  return lists.reduce((left, list) => {
    const names = new Set(list)
    return left.filter(name => names.has(name))
  })
}

function isSwitchedOff(switched: 'disabled' | 'enabled', value: unknown): boolean | undefined {
  const flag = flagOf(value)
  return flag === undefined ? undefined : flag === (switched === 'disabled')
}

type ToolTable = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** Codex: `[mcp_servers.x.tools.y]` has settings of one tool, and not the only tools there are. */
function isToolTable(value: unknown): value is ToolTable {
  return isRecord(value) && Object.keys(value).length > 0 && Object.values(value).every(isRecord)
}

/** What is asked about each time, and what is switched off. A tool that is approved in advance there is not here. */
function readToolTable(
  server: string,
  table: ToolTable,
): { readonly denied: readonly string[]; readonly asked: readonly string[] } | { readonly fault: string } {
  const denied: string[] = []
  const asked: string[] = []
  if (Object.keys(table).length > maxTools) return { fault: `more than ${maxTools} tools of the server "${server}"` }
  for (const [tool, settings] of Object.entries(table)) {
    for (const [key, value] of Object.entries(settings)) {
      const loose = looseKey(key)
      const isOff = loose === 'enabled' || loose === 'disabled' ? isSwitchedOff(loose, value) : false
      const isRead = isOff === undefined ? false : loose !== 'approvalmode' || approvalModes.has(value)
      if (!isRead || !toolSettings.has(loose))
        return { fault: `"${key.slice(0, 60)}" of the tool "${tool.slice(0, 60)}" is not read` }
      if (isOff) denied.push(nameHere(server, tool))
      if (loose === 'approvalmode' && value === 'prompt') asked.push(nameHere(server, tool))
    }
  }
  return { denied, asked }
}

const toolSettings: ReadonlySet<string> = new Set(['approvalmode', 'enabled', 'disabled'])
const approvalModes: ReadonlySet<unknown> = new Set(['auto', 'prompt', 'approve'])
const onlyKeys: ReadonlySet<string> = new Set(['tools', 'enabledtools', 'includetools', 'allowedtools'])
const withoutKeys: ReadonlySet<string> = new Set(['disabledtools', 'excludetools', 'excludedtools', 'disallowedtools'])
const filterKeys: readonly string[] = [...onlyKeys, ...withoutKeys]
const limitKeys: readonly string[] = ['disabled', 'enabled', 'defaulttoolsapprovalmode', ...filterKeys]
const maxTools = 400

const hasStarInside = (tool: string): boolean => /\*(?=.)/.test(tool.split('(', 1)[0]!.trim())

function nameHere(server: string, tool: string): string {
  // gemini-cli writes arguments behind some: `run(ls)`. The tool is the least that is meant by a denial of it.
  const name = tool.split('(', 1)[0]!.trim()
  if (name.startsWith('mcp__')) return name
  return name.endsWith('*') ? `mcp__${server}__${name}` : serverToolName(server, name)
}
