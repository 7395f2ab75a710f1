/** opencode's rules one by one, and what is told of them where they count otherwise here. */
import { isRecord } from '../../record.js'
import { isWithin, pieceOf } from '../../text/nearest.js'
import { canonicalToolName, editingTools, toolNames } from '../../tools/tool-names.js'
import type { Given } from './field-reader.js'
import { everyTool } from './tool-sets.js'

export type Action = 'allow' | 'ask' | 'deny'

export interface ForeignRule {
  readonly tool: string
  /** As it is written there. */
  readonly name: string
  readonly pattern?: string
  readonly action: Action
  /** Its word is no tool there, and stands for several here. */
  readonly isSet?: boolean
}

export type Line = readonly [name: string, pattern: string, action: unknown]

export function isAction(value: unknown): value is Action {
  return value === 'allow' || value === 'ask' || value === 'deny'
}

/**
 * `{edit: false}` is `{edit: deny}`, and what is on beside it is the caller's to allow. What is on among rules may be what is
 * left of a list of tools that lost its key, which would have granted nothing else: then it is all the agent has. With nothing
 * off, or with a star, it stays, and cannot be read.
 */
export function withoutSwitches(value: Readonly<Record<string, unknown>>, given: Given) {
  const { note, entry } = given
  const pairs = Object.entries(value)
  const off = pairs.filter(([, each]) => each === false)
  const areSwitches = pairs.every(([name, each]) => typeof each === 'boolean' && name !== '*')
  const isKept = !areSwitches && keepSwitchedOn(pairs, given)
  if (off.length === 0) return isKept ? Object.fromEntries(pairs.filter(([, each]) => each !== true)) : value
  const kept = areSwitches ? off : isKept ? pairs.filter(([, each]) => each !== true) : pairs
  note('value-converted', `the switches of "${entry.key}" were read as denials`, 'write allow, ask or deny')
  const isRead = (name: string, each: unknown) => each === false && !isNearlyCan(name)
  return Object.fromEntries(kept.map(([name, each]) => (isRead(name, each) ? [deniedBy(name), 'deny'] : [name, each])))
}

/** Whether anything is on, and each of it is a tool: these are left of what the agent has. */
function keepSwitchedOn(pairs: readonly (readonly [string, unknown])[], { draft, note, entry }: Given): boolean {
  const on = pairs.filter(([, each]) => each === true).map(([name]) => name)
  const tools = on.map(name => (name === 'edit' ? editingTools : [canonicalToolName(name)]))
  if (on.length === 0 || tools.flat().includes(undefined) || pairs.some(([name]) => name === '*')) return false
  draft.tools = everyTool(draft.tools).filter(({ name }) => tools.flat().includes(name))
  note(
    'permission-narrowed',
    `${on.join(', ').slice(0, 200)}: on among the rules of "${entry.key}", and read as all the tools it has`,
    'write allow, ask or deny',
  )
  return true
}

/** `cna_edit`, `canxedit`: no tool of a server. */
function isNearlyCan(name: string): boolean {
  const isCan = deniedBy(name) !== name && canonicalToolName(deniedBy(name)) !== undefined
  if (isCan || canonicalToolName(name) !== undefined || name.length > maxCan) return false
  const letters = name.toLowerCase().replace(/[^a-z]/g, '')
  const isTorn = (word: string) => 2 * (pieceOf(letters, word)?.kept ?? 0) >= word.length
  return canWords.some(word => isWithin(/[_-]/.test(name) && word.length > 6 ? 2 : 1, letters, word) || isTorn(word))
}

const maxCan = 24
const canWords = ['can', 'may', 'allow'].flatMap(can => toolNames.map(tool => can + tool.toLowerCase()))

/** As among tools that are off, `write` is all editing, and `can_edit` is `edit`. */
function deniedBy(name: string): string {
  const word = name.replace(/^(?:can|may|allow)(?:[_-]|(?=[A-Z]))/, '')
  const tool = canonicalToolName(word)
  return tool !== 'NotebookEdit' && editingTools.includes(tool ?? '') ? 'edit' : word
}

/** A rule that no longer counts, and the word behind it that took it away. */
export interface Overruled {
  readonly rule: ForeignRule
  readonly by: string
}

/**
 * The last rule that fits counts there: `"*"` behind the others leaves nothing of what they allow. What they deny or ask
 * for it does not lift here: who writes so hardly means to.
 */
export function overrule(
  rules: ForeignRule[],
  { name, tools, action }: { readonly name: string; readonly tools: readonly string[]; readonly action: Action },
  lines: readonly Line[],
  { note }: Given,
): readonly Overruled[] {
  const isAbout = (rule: ForeignRule) => tools.includes(rule.tool) || tools[0] === '*'
  if (action === 'allow') {
    const isRepeated = (rule: ForeignRule) =>
      rule.name !== name &&
      lines.some(([each, call, said]) => each === name && call === (rule.pattern ?? '*') && said === rule.action)
    const kept = rules.filter(rule => rule.action !== 'allow' && isAbout(rule) && !isRepeated(rule))
    if (kept.some(rule => rule.name === name || name === '*'))
      note('permission-narrowed', 'an allowance for all stands behind other rules, which count', starFirst)
    else if (kept[0]) note('permission-narrowed', countsToo(kept[0].name, name), oneWord)
    return []
  }
  const isLoose = (rule: ForeignRule) => rule.action === 'allow' || (action === 'deny' && rule.action === 'ask')
  const isOver = (rule: ForeignRule) => isLoose(rule) && isAbout(rule)
  const over = rules.filter(isOver)
  if (over.length > 0) rules.splice(0, rules.length, ...rules.filter(rule => !isOver(rule)))
  return over.map(rule => ({ rule, by: name }))
}

/** What is said again behind the rule for all, as where `edit` and `write` have the same patterns, is not lost. */
export function reportOverruled(overruled: readonly Overruled[], rules: readonly ForeignRule[], { note }: Given): void {
  const isSaid = ({ rule: lost }: Overruled) =>
    rules.some(({ tool, pattern, action }) => tool === lost.tool && pattern === lost.pattern && action === lost.action)
  const lost = overruled.filter(each => !isSaid(each))
  const isSame = ({ rule, by }: Overruled) => by === '*' || by === rule.name
  if (lost.some(isSame))
    note('permission-narrowed', 'a rule for all stands behind others, and counts for what they allow', starFirst)
  const other = lost.find(each => !isSame(each))
  if (other) note('permission-narrowed', countsToo(other.by, other.rule.name), oneWord)
}

const countsToo = (counts: string, other: string): string =>
  `"${counts.slice(0, 60)}" counts for what "${other.slice(0, 60)}" is about, too, and is stricter`
const oneWord = 'say it once, with "edit" for all editing'
const starFirst = 'write "*" first'

/**
 * `exa_*: deny, exa_search: allow`, `bash: {"git log *": deny, "git log --oneline *": allow}`: there the last one counts; here a
 * denial does, wherever it stands.
 */
export function reportBehind(lines: readonly Line[], { note }: Given): void {
  const stricter = lines.filter(([, , action]) => action !== 'allow')
  const holds = ([name, pattern]: Line, [later, call]: Line) =>
    pattern === '*' ? isPrefix(name, later) : name === later && call !== pattern && isPrefix(pattern, call)
  const isBehind = (line: Line, at: number) =>
    stricter.some(each => lines.indexOf(each) < at && strictness(line[2]) < strictness(each[2]) && holds(each, line))
  const shown = ([name, pattern]: Line) => (pattern === '*' ? name : `${name} ${pattern}`)
  const names = [...new Set(lines.filter(isBehind).map(shown))]
  if (names.length > 0)
    note(
      'permission-narrowed',
      `${names.join(', ').slice(0, 200)}: a pattern that denies or asks counts for what it fits, also before them`,
      'deny the others by their names',
    )
}

/** `exa_*`, `git log *`: a star alone is the rule for all, which may stand first. */
const isPrefix = (pattern: string, written: string): boolean =>
  /.\*$/.test(pattern) && written.startsWith(pattern.slice(0, -1))

/**
 * opencode has one permission for `write`, `patch` and `edit`, and knows it as `edit` only: who writes another one, and not that
 * one, means it. What allows gives no more than it names, but where it is left of such a denial.
 */
export function editingAtOnce(lines: readonly Line[]): readonly Line[] {
  if (lines.some(([name, , action]) => name === 'edit' || (name === '*' && action === 'deny'))) return lines
  const isEditing = (name: string) =>
    editingTools.includes(canonicalToolName(name) ?? '') && !/^(?:notebook|fs)/i.test(name)
  const held = (name: string, action: unknown) =>
    action !== 'allow' ||
    lines.some(([each, pattern, strict]) => each === name && pattern === '*' && strict !== 'allow')
  return lines.map(line => {
    const [name, pattern, action] = line
    const isAll = action === 'allow' && pattern === '*'
    return isEditing(name) && !isAll && held(name, action) ? ['edit', pattern, action] : line
  })
}

const strictness = (action: unknown): number => ['allow', 'ask', 'deny'].indexOf(String(action))

/** `tools: {webfetch: true}, permission: {bash: allow}`: there both are to be had; here the tools that are on are all. */
export function reportUngranted(rules: readonly ForeignRule[], { draft, dialect, note }: Given): void {
  const { tools } = draft
  if (dialect !== 'opencode' || !Array.isArray(tools)) return
  const granted = new Set(tools.map(({ name }) => name))
  const isGranted = (tool: string) =>
    granted.has(tool) || (editingTools.includes(tool) && editingTools.some(each => granted.has(each)))
  const isOpen = ({ tool, action }: ForeignRule) =>
    action === 'allow' && toolNames.includes(tool) && !tool.startsWith('Task')
  const left = [...new Set(rules.filter(isOpen).map(({ tool }) => tool))].filter(tool => !isGranted(tool))
  if (left.length > 0)
    note(
      'permission-narrowed',
      `${left.join(', ')}: allowed, and not among its tools`,
      'name them under tools, or leave tools out',
    )
}

/** What is said of one tool: an action, patterns with one each, or lists of patterns. */
export function linesOf(name: string, action: unknown, { note }: Given): readonly Line[] {
  if (!isRecord(action)) return [[name, '*', action]]
  const listed = linesOfLists(name, action)
  if (listed === undefined) return Object.entries(action).map(([pattern, each]) => [name, pattern, each])
  note('value-converted', `the lists under "${name}" were read as rules`, `write "${name}: {PATTERN: deny}"`)
  return listed
}

/** `bash: {allow: [git *], deny: [git push*]}`: what is denied counts before all else, and what is said of all leaves the others. */
function linesOfLists(name: string, lists: Readonly<Record<string, unknown>>): readonly Line[] | undefined {
  const isList = ([action, patterns]: readonly [string, unknown]) =>
    isAction(action) && Array.isArray(patterns) && patterns.every(each => typeof each === 'string')
  const pairs = Object.entries(lists)
  if (pairs.length === 0 || !pairs.every(isList)) return undefined
  const linesFor = (action: Action): Line[] =>
    ((lists[action] ?? []) as readonly string[]).map(pattern => [name, pattern, action])
  const lines = [...linesFor('allow'), ...linesFor('ask'), ...linesFor('deny')]
  const isForAll = ([, pattern]: Line) => pattern === '*'
  return [...lines.filter(isForAll), ...lines.filter(line => !isForAll(line))]
}
