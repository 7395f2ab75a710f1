/**
 * Kiro's permissions: `[{capability, effect, match?, exclude?}]`, or the same under `rules`. Deny comes before ask, and ask
 * before allow, as here.
 * C1 what cannot be said in our words is read more strictly: a denial or a question about the whole tool, an allowance not at
 * all. C2 a capability nobody knows is unclear where it takes something away. C3 leave for everything is never taken.
 */

import { parsePermissionRules } from '../../permission/permission-rule.js'
import { isRecord } from '../../record.js'
import { looseKey } from '../../text/nearest.js'
import { editingTools, searchingTools, toolNames } from '../../tools/tool-names.js'
import { type Given, refuse } from './field-reader.js'
import { addRules, maxRules } from './foreign-permissions.js'
import { isKiroTool, serverWord } from './kiro-words.js'

type Effect = 'allow' | 'ask' | 'deny'
type Item = Readonly<Record<string, unknown>>

/** Undefined for permissions in another shape. One item of the shape is enough: the others lost it, or have no place there. */
export function capabilityItems(value: unknown): readonly Item[] | undefined {
  const isHeld = isRecord(value) && Object.keys(value).length === 1 && Array.isArray(value.rules)
  const items = isHeld ? (value.rules as readonly unknown[]) : value
  if (!Array.isArray(items) || !items.every(isRecord)) return undefined
  return isHeld || items.some(item => 'capability' in item) ? items : undefined
}

export function readCapabilities(items: readonly Item[], given: Given) {
  const rules: Record<Effect, string[]> = { allow: [], ask: [], deny: [] }
  const notes = new Set<string>()
  if (items.length === 0) return given.note('value-converted', 'an empty list limits nothing')
  if (items.length > maxRules) return refuse(given, `more than ${maxRules} rules`)
  for (const item of items) {
    const read = readItem(item, given)
    if ('fault' in read) return refuse(given, read.fault)
    rules[read.effect].push(...read.rules)
    if (read.note !== undefined) notes.add(read.note)
    if (rules[read.effect].length > maxRules) return refuse(given, `more than ${maxRules} rules`)
  }
  const { rules: parsed, faults } = parsePermissionRules(rules)
  const serious = faults.find(fault => !fault.startsWith('allow:'))
  if (serious !== undefined) return refuse(given, serious)
  for (const note of [...notes, ...faults].slice(0, maxNotes)) given.note('permission-narrowed', note)
  addRules(parsed, given)
}

const maxNotes = 20

type Read =
  | { readonly effect: Effect; readonly rules: readonly string[]; readonly note?: string | undefined }
  | { readonly fault: string }

function readItem(item: Item, given: Given): Read {
  const odd = Object.keys(item).find(key => !keys.has(key))
  if (odd !== undefined) return { fault: `"${odd.slice(0, 60)}" is nothing that a rule has` }
  const { capability: name, effect } = item
  if (typeof name !== 'string' || name.length > maxPattern) return { fault: 'a rule names a capability' }
  if (effect !== 'allow' && effect !== 'ask' && effect !== 'deny')
    return { fault: `the effect of "${name.slice(0, 60)}" must be allow, ask or deny` }
  const [match, exclude] = [patternsOf(item.match), patternsOf(item.exclude)]
  if (match === null || exclude === null)
    return { fault: `"match" and "exclude" of "${name.slice(0, 60)}" must be patterns` }
  const capability = capabilities.get(looseKey(name))
  if (capability === undefined) return withoutCounterpart(name, effect, given)
  const said = `${effect} ${name}`
  if (effect !== 'allow') return strictly(capability, effect, match, exclude, said)
  if (capability.isEverything)
    return { effect, rules: [], note: `${said}: leave for everything is not taken from a file` }
  if (exclude !== undefined && exclude.length > 0)
    return { effect, rules: [], note: `${said}: left out, since what it excludes cannot be told` }
  return leniently(capability, match, said)
}

const keys: ReadonlySet<string> = new Set(['capability', 'effect', 'match', 'exclude'])

/** Null for what is none. */
function patternsOf(value: unknown): readonly string[] | undefined | null {
  if (value === undefined) return undefined
  const items: readonly unknown[] = Array.isArray(value) ? value : [value]
  const texts = items.filter(item => typeof item === 'string').map(item => item.trim())
  const isWhole = texts.length === items.length && texts.every(text => text !== '' && text.length <= maxPattern)
  return isWhole && texts.length <= maxRules ? texts : null
}

const maxPattern = 400

function withoutCounterpart(name: string, effect: Effect, given: Given): Read {
  if (effect !== 'allow' && !isKiroTool(name, given.dialect))
    return { fault: `"${name.slice(0, 60)}" is no capability that is known` }
  return { effect, rules: [], note: `${effect} ${name.slice(0, 60)}: nothing here has that name` }
}

function strictly(
  { whole, only }: Capability,
  effect: Effect,
  match: readonly string[] | undefined,
  exclude: readonly string[] | undefined,
  said: string,
): Read {
  const parts = match?.map(pattern => (isAll(pattern) ? undefined : only(pattern, true)))
  const isSaid = parts !== undefined && parts.length > 0 && parts.every(part => part !== undefined)
  const isNarrowed = (match !== undefined && !isSaid && !match.some(isAll)) || (exclude?.length ?? 0) > 0
  return {
    effect,
    rules: isSaid ? parts.flat() : whole,
    note: isNarrowed ? `${said}: more is meant by it here than what it matches` : undefined,
  }
}

function leniently({ whole, only }: Capability, match: readonly string[] | undefined, said: string): Read {
  if (match === undefined || match.some(isAll)) return { effect: 'allow', rules: whole }
  const parts = match.map(pattern => only(pattern, false))
  const lost = match.filter((_, at) => parts[at] === undefined).join(', ')
  return {
    effect: 'allow',
    rules: parts.flatMap(part => part ?? []),
    note: lost === '' ? undefined : `${said}: left out, since it cannot be told here: ${lost.slice(0, 200)}`,
  }
}

const isAll = (pattern: string) => pattern === '*' || pattern === '**'

interface Capability {
  readonly whole: readonly string[]
  /** The rules for a pattern; undefined where ours would fit less (of what forbids) or more (of what allows). */
  readonly only: (pattern: string, forbids: boolean) => readonly string[] | undefined
  readonly isEverything?: true
}

const reading: Capability = {
  whole: ['Read', ...searchingTools],
  // One rule for whatever reads files.
  only: (pattern, forbids) => pathRules(['Read'], pattern, forbids),
}
const writing: Capability = {
  whole: editingTools,
  only: (pattern, forbids) => pathRules(['Edit', 'Write'], pattern, forbids),
}
const commands: Capability = {
  whole: ['Bash'],
  // `git:*` has another meaning here; the other signs none.
  only: pattern => (/[?[\]{}\\!]|:\*$/.test(pattern) ? undefined : [`Bash(${pattern})`]),
}
const servers: Capability = { whole: ['mcp__*'], only: serverRules }
const agents: Capability = {
  whole: ['Task'],
  // Names are compared without their separators, so that a star would allow more.
  only: (pattern, forbids) => ((forbids ? /^[\w* -]+$/ : /^[\w -]+$/).test(pattern) ? [`Task(${pattern})`] : undefined),
}
const wholeTools = (...whole: string[]): Capability => ({ whole, only: () => undefined })

const capabilities: ReadonlyMap<string, Capability> = new Map<string, Capability>([
  ['fsread', reading],
  ['fswrite', writing],
  ['filesystem', both(reading, writing)],
  ['shell', commands],
  ['executepwsh', commands],
  ...['deletefile', 'editcode', 'semanticrename', 'smartrelocate'].map(name => [name, writing] as const),
  ...['readcode', 'getdiagnostics'].map(name => [name, reading] as const),
  ['code', both(reading, writing)],
  ['webfetch', wholeTools('WebFetch')],
  ['websearch', wholeTools('WebSearch')],
  ['web', wholeTools('WebSearch', 'WebFetch')],
  ['mcp', servers],
  ['subagent', agents],
  ['builtin', { ...wholeTools(...toolNames), isEverything: true }],
  ['all', { ...wholeTools('*'), isEverything: true }],
  ['*', { ...wholeTools('*'), isEverything: true }],
])

function both(first: Capability, second: Capability): Capability {
  return {
    whole: [...first.whole, ...second.whole],
    only: (pattern, forbids) => {
      const [one, other] = [first.only(pattern, forbids), second.only(pattern, forbids)]
      return one && other && [...one, ...other]
    },
  }
}

/**
 * Whether a star of theirs stops at a slash is not told: what forbids is read as if it did not. A name without a slash is
 * one anywhere here, and `/x` starts at the project, which is more leave than is written.
 */
function pathRules(tools: readonly string[], pattern: string, forbids: boolean): readonly string[] | undefined {
  if (/^!|[\\$%"'[\]]|[@?!+*]\(/.test(pattern) || (!forbids && pattern.endsWith('/'))) return undefined
  const read = forbids ? pattern.replace(/\*+/g, '**') : pattern.replace(/^\/(?!\/)/, '//').replace(/^[^/~]+$/, './$&')
  return tools.map(tool => `${tool}(${read})`)
}

/** `server/tool`, `server/*`, with an `@` before it or without. */
function serverRules(pattern: string, forbids: boolean): readonly string[] | undefined {
  // With two underscores it may be a whole name; and a part of one that has other signs, or is cut, is no part of ours.
  if (pattern.includes('__')) return undefined
  const [server, part = ''] = pattern.split('/', 2) as [string, string?]
  if (part.length > 1 && part.endsWith('*') && !/^[\w-]{1,24}\*$/.test(part))
    return forbids ? serverRules(`${server}/*`, forbids) : undefined
  const word = serverWord(pattern.startsWith('@') ? pattern : `@${pattern}`)
  return word === undefined ? undefined : [word]
}
