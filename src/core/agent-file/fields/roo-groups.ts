/**
 * `groups` of Roo's modes and of Bob's: kinds of tools. One bound to some files is left out where a rule of ours cannot say
 * which.
 */
import type { ToolGrant } from '../../agent-definition.js'
import { isRecord } from '../../record.js'
import { didYouMean } from '../../text/nearest.js'
import { editingTools, searchingTools } from '../../tools/tool-names.js'
import { type FieldReader, type Given, refuse } from './field-reader.js'
import { everyTool, shellTools } from './tool-sets.js'

export function areNearlyGroups(value: unknown): boolean {
  // `r[ead mcp]`: a bracket slipped into it.
  if (typeof value === 'string' && value.length < 100 && /\w\[\w/.test(value) && value.split(/\W+/).some(isGroup))
    return true
  const items = Array.isArray(value) ? value.slice(0, maxItems) : [value]
  const words = items.flatMap(item => (isRecord(item) ? wordsIn(item) : [wordOf(item)]))
  const said = words.flatMap(word => word.slice(0, 100).split(',')).filter(word => /\w/.test(word))
  return said.length > 0 && (said.every(isNearGroup) || isCutByComma(said))
}

const isNear = (word: string): boolean => didYouMean(word, names) !== undefined

function isNearGroup(word: string): boolean {
  const parts = word.split(/\W+/).filter(part => part !== '')
  return isNear(word.replace(/[^A-Za-z]/g, '')) || parts.every(isNear)
}

/** `[re,ad, mcp]`: a comma slipped into one of them. */
const isCutByComma = (words: readonly string[]): boolean =>
  words.some((word, at) => {
    const next = words[at + 1]
    return next !== undefined && words.toSpliced(at, 2, word.trim() + next.trim()).every(isNearGroup)
  })

const maxItems = 20

/** `[read: mcp]`, where a comma was meant. */
function wordsIn(item: Readonly<Record<string, unknown>>): readonly string[] {
  const pairs = Object.entries(item).slice(0, maxItems)
  return pairs.flatMap(([key, value]) => [key, ...(typeof value === 'string' ? [value] : [])])
}

/** In a mode of Roo's every value is read, and none at all grants nothing; elsewhere they are anybody's word. */
export const readGroups: FieldReader = (value, given) => {
  const { draft, dialect, entry } = given
  if (value === undefined) return refuse(given, `a mode has them; valid: ${names.join(', ')}`)
  const items: readonly unknown[] = Array.isArray(value) ? value.map(asPair) : []
  const isNone = dialect === 'roo' && Array.isArray(value) && items.length === 0
  const words = items.map(wordOf)
  const isGroup = (word: string) => groups.has(word) && (dialect === 'roo' || names.includes(word))
  if ((items.length === 0 && !isNone) || !words.every(isGroup)) return refuse(given, `valid: ${names.join(', ')}`)
  const twice = words.find((word, at) => words.indexOf(word) < at)
  if (twice !== undefined) return refuse(given, `"${twice}" stands in it twice`)
  const whole = items.filter(item => typeof item === 'string')
  const tools = [...always, ...whole.flatMap(item => groups.get(item) ?? [])]
  const isLeft = (name: string) => tools.includes(name) || (name.startsWith('mcp__') && whole.includes('mcp'))
  const before = everyTool(draft.tools)
  const bound = items.filter(item => typeof item !== 'string')
  const isWhole = draft.tools === undefined || draft.tools === 'all'
  draft.tools = [...before.filter(({ name }) => isLeft(name)), ...bound.flatMap(item => boundGrants(item, before))]
  // Never among all tools: it is granted by its name.
  if (isWhole && whole.includes('subagent')) {
    draft.tools = [...draft.tools, { name: 'Task' }]
    draft.canSpawn ??= true
  }
  report(bound.filter(item => patternsIn(item) === undefined).map(wordOf), whole, given)
  if (isNone) given.note('tools-none', `"${entry.key}" is empty: it has what every mode has`)
}

function report(lost: readonly string[], whole: readonly string[], { dialect, entry, note }: Given): void {
  const without = lost.length === 0 ? '' : `; without ${lost.join(', ')}, which it has for some files only`
  if (without !== '' || dialect !== 'roo')
    note('permission-narrowed', `"${entry.key}" was read as the tools it has${without}`, 'name them in tools')
  const empty = whole.filter(word => groups.get(word)?.length === 0 && word !== 'subagent')
  if (empty.length > 0 && dialect === 'roo')
    note('tools-elsewhere', `nothing here is what Roo’s group is: ${empty.join(', ')}`)
}

/** `[edit, {fileRegex: \.md$}]`: editing of the files it matches, where a pattern of ours says the same. */
function boundGrants(item: unknown, before: readonly ToolGrant[]): readonly ToolGrant[] {
  const isWhole = (name: string) => before.some(grant => grant.name === name && grant.pattern === undefined)
  return ['Edit', 'Write']
    .filter(isWhole)
    .flatMap(name => (patternsIn(item) ?? []).map((pattern): ToolGrant => ({ name, pattern })))
}

function patternsIn(item: unknown): readonly string[] | undefined {
  const [word, options] = item as readonly [string, Readonly<Record<string, unknown>>]
  const isPlain = Object.keys(options).every(key => key === 'fileRegex' || key === 'description')
  const regex = word === 'edit' && isPlain && typeof options.fileRegex === 'string' ? options.fileRegex : ''
  const found = alternatives(regex).map(endsOf)
  const patterns = found.flatMap(each => each ?? [])
  return found.includes(undefined) || patterns.length > maxEnds ? undefined : patterns
}

/** Those of `\.(test|spec)\.ts$|\.md$`, and of `(\.md|\.txt)$`. */
function alternatives(regex: string): readonly string[] {
  const inner = /^\(((?:\\\.[A-Za-z\d]{1,20}\|?){1,20})\)\$$/.exec(regex)?.[1]
  return inner === undefined ? regex.split(/(?<=\$)\|/) : inner.split('|').map(each => `${each}$`)
}

function endsOf(regex: string): readonly string[] | undefined {
  const [, folders = '', end = ''] = endsIn.exec(regex) ?? []
  const ends = end
    .split('\\.')
    .slice(1)
    .map(part =>
      part
        .replace(/^\((?:\?:)?|\)$/g, '')
        .split('|')
        .flatMap(withAndWithout),
    )
  const whole = ends.reduce((heads, part) => heads.flatMap(head => part.map(each => `${head}.${each}`)), [''])
  return ends.length === 0 || whole.length > maxEnds ? undefined : whole.map(each => `${folders}**/*${each}`)
}

const maxEnds = 60

/** `tsx?` is `tsx` and `ts`. */
function withAndWithout(word: string): readonly string[] {
  return word.includes('?') ? [word.replace('?', ''), word.replace(/.\?/, '')] : [word]
}

/** `\.md$`, `.*\\.(md|txt)$`, `^src/.*\.test\.tsx?$`: files by how their names end, which is what nearly all of them are. */
const endsIn =
  /^(?:\^((?:[A-Za-z\d_-]{1,60}\/){1,8})\.[*+]|\^?\.\*)?((?:\\\.(?:[A-Za-z\d]{1,20}(?:[A-Za-z\d]\?[A-Za-z\d]{0,9})?|\((?:\?:)?[A-Za-z\d]{1,20}\??(?:\|[A-Za-z\d]{1,20}\??){0,40}\))){1,3})\$$/

/** `edit: {fileRegex}` in the list says what the pair does. */
function asPair(item: unknown): unknown {
  const pairs = isRecord(item) ? Object.entries(item) : []
  return pairs.length === 1 && isRecord(pairs[0]![1]) ? pairs[0] : item
}

/** `edit`, or `[edit, {fileRegex}]`. */
function wordOf(item: unknown): string {
  if (typeof item === 'string') return item
  const isBound = Array.isArray(item) && item.length === 2 && isRecord(item[1])
  return isBound && typeof item[0] === 'string' ? item[0] : ''
}

/** Every mode has these. */
const always = ['AskUser', 'AskCaller', 'TodoWrite']
const groups: ReadonlyMap<string, readonly string[]> = new Map([
  ['read', ['Read', ...searchingTools]],
  ['edit', editingTools],
  ['command', shellTools],
  ['browser', []],
  ['mcp', ['mcp__*']],
  ['modes', []],
  // Bob's, beside Roo's.
  ['execute', shellTools],
  ['skill', ['Skill']],
  ['todo', ['TodoWrite']],
  ['subagent', []],
  ['mode', []],
  ['subtask', []],
])
export const isGroup = (word: string): boolean => names.includes(word)

const names = ['read', 'edit', 'command', 'browser', 'mcp', 'modes']
