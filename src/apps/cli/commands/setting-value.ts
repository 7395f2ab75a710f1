/** What `config set` is given: the value as it is written down, or what is wrong with it. */
import { readMcpServers, serverKeys } from '../../../core/mcp/mcp-config.js'
import type { Json } from '../../../core/message.js'
import { parsePermissionRules } from '../../../core/permission/permission-rule.js'
import { isRecord } from '../../../core/record.js'
import { knownSetting, readSetting } from '../../../core/settings/settings-table.js'
import { didYouMean } from '../../../core/text/nearest.js'

export interface SettingValue {
  readonly value: Json
  /** A single rule: it comes to those of its list. */
  readonly isAdded?: boolean
  /** What stands in it and does nothing. */
  readonly remarks?: readonly string[]
}
type Read = SettingValue | { readonly fault: string }

export const isRuleList = (key: string): boolean => /^permissions\.(allow|ask|deny)$/.test(key)

/** Undefined: there is no such setting. */
export function readValue(key: string, value: unknown): Read | undefined {
  if (isRuleList(key)) return readRules(value)
  const known = knownSetting(key)
  const read = known && readSetting(known.is, value)
  if (read && 'fault' in read) return { fault: `${read.fault}. (${known.about})` }
  return read && key.startsWith('mcpServers.') ? readServer(key.slice('mcpServers.'.length), read.value) : read
}

/** A rule that cannot be read is not written: a deny that nobody understands holds nothing. */
function readRules(value: unknown): Read {
  const isAdded = typeof value === 'string'
  const texts = isAdded ? [value] : value
  if (!isRuleTexts(texts)) return { fault: `must be a list of rules, such as '["Bash(rm:*)"]', or a single rule.` }
  const { faults } = parsePermissionRules({ allow: texts })
  return faults.length > 0
    ? { fault: `has a rule that cannot be read: ${faults.map(fault => fault.replace(/^allow: /, '')).join('; ')}.` }
    : { value: texts, isAdded }
}

const isRuleTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every(each => typeof each === 'string')

/** A server that would be left out at every start is not written. */
function readServer(name: string, value: Json): Read {
  const { diagnostics } = readMcpServers({ [name]: value }, { origin: '', isPersonal: true })
  const fault = diagnostics.find(({ code }) => code === 'mcp-server-invalid')
  if (fault) return { fault: `${fault.message.replace(/^.*?left out: /, '')}${slipsIn(value)}.` }
  return { value, remarks: diagnostics.map(({ message }) => message) }
}

function slipsIn(value: Json): string {
  const unknown = isRecord(value) ? Object.keys(value).filter(key => !serverKeys.has(key)) : []
  const slips = unknown.flatMap(key => {
    const meant = didYouMean(key, [...serverKeys])
    return meant === undefined ? [] : [`"${key}": did you mean "${meant}"?`]
  })
  return slips.length > 0 ? ` (${slips.join('; ')})` : ''
}

/** The list that a rule comes to. Throws where there is none. */
export function rulesWith(before: unknown, { value, isAdded }: SettingValue, key: string): readonly string[] {
  const rules = value as readonly string[]
  if (!isAdded) return rules
  const kept = typeof before === 'string' ? [before] : (before ?? [])
  if (!isRuleTexts(kept)) throw new Error(`"${key}" in it is no list of rules; mend that first.`)
  return [...new Set([...kept, ...rules])]
}

/** What became of a list of rules, in words. */
export function rulesChange(before: unknown, after: readonly string[], { value, isAdded }: SettingValue): string {
  const kept = [before].flat().filter(each => typeof each === 'string')
  const now = JSON.stringify(after)
  if (isAdded) return `: added ${(value as readonly string[]).join(', ')}; it is now ${now}`
  const gone = kept.filter(rule => !after.includes(rule))
  return ` = ${now}${gone.length > 0 ? `; taken away: ${gone.join(', ')}` : ''}`
}
