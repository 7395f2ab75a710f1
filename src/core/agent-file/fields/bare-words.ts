/**
 * Keys that say only that something is taken away (`denied: [Bash]`, `exclude: Write, Edit`), or that nothing else is given
 * (`limited_to: [Read]`). Anybody may have such a key (`exclude: [dist]`): it counts where tools stand behind it.
 */
import { withoutPattern } from '../../tools/tool-names.js'
import { isTool } from '../damage/tool-words.js'
import { type FieldReader, namesOf, refuse } from './field-reader.js'
import { readDisallowedTools, readTools } from './tool-fields.js'

/** So long that a slip in one is still told from another word. */
const longDenials: readonly string[] = [
  ...['disallow', 'disallowed', 'excluded', 'forbidden', 'prohibited', 'restricted'],
  ...['blacklist', 'blocklist'],
]
const shortDenials: readonly string[] = [
  ...['disallows', 'deny', 'denied', 'denies', 'exclude', 'excludes', 'except', 'without', 'forbid', 'forbids'],
  ...['block', 'blocked', 'blocks', 'prohibit', 'prohibits', 'restrict', 'restricts', 'ban', 'banned'],
]
/** They may be the rest of `disallowed`. */
const unclearGrants: readonly string[] = ['allow', 'allowed', 'allows']
const bareGrants: readonly string[] = [
  ...['permitted', 'authorized', 'authorised', 'granted', 'allowlist', 'whitelist', 'limitedto', 'limitto'],
  ...['toolset', 'toolkit', 'toolbox'],
]

/** Names and no sentences, and one of them at least is a tool's. */
export function nameSomeTool(value: unknown): boolean {
  const names = namesOf(value) ?? []
  const isName = (name: string) =>
    name.length <= maxName && (name.includes('(') || name.split(/\s+/).length <= maxWords)
  return names.length > 0 && names.every(isName) && names.some(name => isTool(withoutPattern(name).trim()))
}

const maxName = 100
const maxWords = 2

export const readDenied: FieldReader = (value, given) => {
  given.note('value-converted', `"${given.entry.key}" was read as "disallowedTools"`, 'call it so')
  readDisallowedTools(value, given)
}

const readUnclear: FieldReader = (_value, given) => {
  if (!Array.isArray(given.draft.tools)) refuse(given, 'are these its only tools, or those it may not use?')
}

/** Beside `tools` it gives nothing. */
const readGranted: FieldReader = (value, given) => {
  if (Array.isArray(given.draft.tools)) return
  given.note('tools-key', `"${given.entry.key}" was read as "tools"`)
  readTools(value, given)
}

export const bareWords: readonly (readonly [string, FieldReader])[] = [
  ...[...longDenials, ...shortDenials].map(key => [key, readDenied] as const),
  ...bareGrants.map(key => [key, readGranted] as const),
  ...unclearGrants.map(key => [key, readUnclear] as const),
]
/** Of which a slip makes other words. */
export const shortWords: readonly string[] = [...shortDenials, ...unclearGrants]
