/** `groups` of Roo's modes: the kinds of tools a mode has. What binds one to some files cannot be said here, and leaves it out. */
import { isRecord } from '../../record.js'
import { didYouMean } from '../../text/nearest.js'
import { editingTools, searchingTools } from '../../tools/tool-names.js'
import { type FieldReader, refuse } from './field-reader.js'
import { everyTool, shellTools } from './tool-sets.js'

export function areNearlyGroups(value: unknown): boolean {
  const items = Array.isArray(value) ? value.slice(0, maxItems) : [value]
  const said = items.flatMap(item => wordOf(item).slice(0, 100).split(',')).filter(word => /\w/.test(word))
  const isNear = (word: string) => didYouMean(word, names) !== undefined
  return (
    said.length > 0 &&
    said.every(
      word =>
        isNear(word.replace(/[^A-Za-z]/g, '')) ||
        word
          .split(/\W+/)
          .filter(each => each !== '')
          .every(isNear),
    )
  )
}

const maxItems = 20

export const readGroups: FieldReader = (value, given) => {
  const { draft, note, entry } = given
  const items: readonly unknown[] = Array.isArray(value) ? value : []
  if (items.length === 0 || !items.every(item => groups.has(wordOf(item))))
    return refuse(given, `valid: ${names.join(', ')}`)
  const whole = items.filter(item => typeof item === 'string')
  const bound = items.filter(item => typeof item !== 'string').map(wordOf)
  const tools = [...always, ...whole.flatMap(item => groups.get(item) ?? [])]
  const isLeft = (name: string) => tools.includes(name) || (name.startsWith('mcp__') && whole.includes('mcp'))
  draft.tools = everyTool(draft.tools).filter(({ name }) => isLeft(name))
  const lost = bound.length === 0 ? '' : `; without ${bound.join(', ')}, which it has for some files only`
  note('permission-narrowed', `"${entry.key}" was read as the tools it has${lost}`, 'name them in tools')
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
])
const names = [...groups.keys()]
