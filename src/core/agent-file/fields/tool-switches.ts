/** Maps of tools in opencode's way: what their switches may be but true and false, and what one for a server alone says. */
import type { ToolGrant } from '../../agent-definition.js'
import { isRecord } from '../../record.js'
import { canonicalToolName, isForeignTool } from '../../tools/tool-names.js'
import { isBeginningOfTool, slipForTool } from '../../tools/tool-slips.js'
import { isAllWord } from './all-words.js'
import { deniedSet, deniedTools, isServerPattern } from './denied-words.js'
import type { Given } from './field-reader.js'
import { areMixed, onlyWhatIsOn, type ToolList } from './tool-list.js'
import { everyTool } from './tool-sets.js'
import { toolLists } from './tool-tables.js'

/** `{enabled: false}` is `false`. Settings of something that is no tool grant nothing, and are left out. */
export function plainSwitches(written: unknown, { note }: Given): unknown {
  if (!isRecord(written) || !Object.values(written).some(isRecord) || toolLists(written)) return written
  const pairs = Object.entries(written).map(([name, value]) => [name, isSwitch(value) ? value.enabled : value] as const)
  const unread = new Set(pairs.filter(([name, value]) => isNoTool(name) && areSettings(value)).map(([name]) => name))
  if (unread.size > 0) {
    const names = [...unread].join(', ').slice(0, 200)
    note('tools-unknown', `no tools, and no switches: ${names}; they grant nothing`, 'write true or false')
  }
  return Object.fromEntries(pairs.filter(([name]) => !unread.has(name)))
}

function isSwitch(value: unknown): value is { readonly enabled: boolean } {
  return isRecord(value) && Object.keys(value).join() === 'enabled' && typeof value.enabled === 'boolean'
}

/** By itself, and not by a slip; what is written as a server's may be meant to be off. */
function isNoTool(name: string): boolean {
  const isKnown = (canonicalToolName(name) ?? deniedTools(name)) !== undefined || isForeignTool(name)
  return !isKnown && /^[A-Za-z][A-Za-z\d]{3,40}$/.test(name) && slipForTool(name) === undefined
}

function areSettings(value: unknown): boolean {
  return isRecord(value) && Object.keys(value).length > 0 && !takesAway.test(JSON.stringify(value))
}

const takesAway = /false|\b(?:allow|ask|deny|never|off|no|none|block)/i

/** `{tracker_*: true}` and nothing else: there it adds a server’s tools to all that is no server’s. */
export function withBuiltIns(list: Extract<ToolList, { kind: 'list' }>, given: Given): readonly ToolGrant[] {
  const { dialect, entry, note } = given
  const switches = isRecord(entry.value) ? Object.entries(entry.value) : []
  const areServers = list.grants.length > 0 && list.grants.every(({ name }) => /^mcp__.*\*$/.test(name))
  if (dialect !== 'opencode' || switches.length === 0 || !areServers) return list.grants
  const isClear = ([name, isOn]: readonly [string, unknown]) => (isOn === true ? isServers(name) : !isAllWord(name))
  if (!switches.every(isClear)) {
    const message = `only servers’ tools are on in "${entry.key}", and are all it has`
    note('permission-narrowed', message, 'switch others on, too')
    return list.grants
  }
  note('value-converted', `only servers’ tools are on in "${entry.key}": with them it has all that is no server’s`)
  return [...everyTool('all').filter(({ name }) => !name.startsWith('mcp__')), ...list.grants]
}

/** `tracker_*`, `tracker*`. A star for the end of a tool’s name is a slip: of ours, or of a server’s, which has a `_` in it. */
function isServers(name: string): boolean {
  if (!isServerPattern(name) || deniedSet(name)) return false
  if (/(?:_|[_-]mcp)\*$/.test(name)) return true
  const [whole] = /^[a-z][a-z\d-]{4,}(?=\*$)/i.exec(name) ?? []
  return whole !== undefined && !isBeginningOfTool(whole) && slipForTool(whole) === undefined
}

/** `{write: false, bash: true}`: whoever switches off thinks of the rest as on, as it is there. */
export function reportOnly(list: Extract<ToolList, { kind: 'list' }>, { dialect, entry, note }: Given): void {
  const isOff = (name: string) => list.denied.some(each => each.name === name && each.pattern === undefined)
  const undone = Object.entries(isRecord(entry.value) ? entry.value : {}).find(
    ([name, isOn]) => isOn === true && isOff(canonicalToolName(name) ?? ''),
  )
  if (undone) note('permission-narrowed', `"${undone[0]}" is on in "${entry.key}", and goes with what is off below it`)
  if (dialect === 'opencode' && areMixed(entry.value, list)) note('tools-only', onlyWhatIsOn(entry.key))
}
