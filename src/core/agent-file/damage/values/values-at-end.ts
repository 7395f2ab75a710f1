/** What the end of a line could be the value of: tools, numbers, paths, words, lists, and what stands in the line below. */
import { once } from '../../../once.js'
import { didYouMean, isWithin, looseKey } from '../../../text/nearest.js'
import { isForeignTool, toolNames } from '../../../tools/tool-names.js'
import { slipForTool } from '../../../tools/tool-slips.js'
import { wordsOfLimit } from '../../field-table.js'
import { allLimits, type Limit } from '../keys/near-limits.js'
import { holdsList, holdsMap, isNumber, isSwitch, isToolLimit } from '../words/limit-words.js'
import { isNearTool, isTool } from '../words/tool-words.js'

interface ValueAtEnd {
  readonly from: number
  /** Those it could be the value of. */
  readonly limits: readonly Limit[]
  /** Tools, or nearly: enough for a key that hangs on nothing. */
  readonly isTelling?: boolean
}

export function valuesAtEnd(text: string, next: string): readonly ValueAtEnd[] {
  const values: ValueAtEnd[] = []
  const below = limitsOfBelow(next)
  if (below.length > 0) values.push({ from: text.length, limits: below })
  // No value that is told by its last word is longer than this; the patterns below are asked of every line of every file.
  const skipped = Math.max(0, text.length - maxValue)
  const end = text.slice(skipped)
  const shapes = [...(/\d/.test(end) ? numberShapes : []), ...(end.includes('/') ? pathShapes : [])]
  for (const [shape, limits] of shapes) {
    const found = shape.exec(end)
    if (found) values.push({ from: skipped + found.index + found[0].lastIndexOf(':') + 1, limits })
  }
  if (/[\]}]\W?$/.test(end)) values.push(...listsAtEnd(text))
  const tools = text.includes(',') ? startOfMostlyTools(text) : undefined
  if (tools !== undefined) values.push({ from: tools, limits: toolLists, isTelling: true })
  const hasColon = end.includes(': ') || end.includes('= ')
  for (const word of [lastWord.exec(end), hasColon ? afterColon.exec(end) : null]) {
    if (!word) continue
    const from = skipped + word.index
    const { limits, isToolish: isTools, isTelling } = meaningOf(word[0])
    if (limits.length > 0) values.push({ from, limits })
    const glued = isTools ? undefined : gluedTool(word[0])
    if (glued !== undefined) values.push({ from: from + glued, limits: toolLists })
    if (isTools) values.push({ from: startOfTools(text, from), limits: toolLists, isTelling })
  }
  return values
}

interface Meaning {
  readonly limits: readonly Limit[]
  readonly isToolish: boolean
  readonly isTelling: boolean
}

/** The files of a collection end their sentences with the same words: each is looked at once. */
function meaningOf(word: string): Meaning {
  const known = meanings.get(word)
  if (known) return known
  const isTelling = isNearTool(word.replace(/[^A-Za-z]/g, ''))
  const meaning = { limits: limitsOfWord(word), isToolish: isToolish(word), isTelling }
  if (meanings.size < maxMeanings) meanings.set(word, meaning)
  return meaning
}

const meanings = new Map<string, Meaning>()
const maxMeanings = 5000
const maxValue = 60

const ownTools: ReadonlySet<string> = new Set(toolNames)

/** Where a list begins that is tools but for a word or two, whatever has become of these. */
function startOfMostlyTools(text: string): number | undefined {
  const words = [...text.matchAll(/[^\s,]+/g)]
  const first = words.findIndex(([word]) => ownTools.has(word))
  const rest = first < 0 ? [] : words.slice(first)
  const count = rest.filter(([word]) => isTool(word)).length
  return count > 1 && count * 3 >= rest.length * 2 ? rest[0]!.index : undefined
}

/** Brackets stand in prose, too: `[beta]` is no list of tools. */
function listsAtEnd(text: string): readonly ValueAtEnd[] {
  const places = [text.search(/[[{]/), text.search(/[[{][^[{]*$/)].filter(from => from > 0)
  return places.map(from => {
    const hasTools = text
      .slice(from)
      .split(/[\s,]+/)
      .some(isToolish)
    const lists = hasTools ? [...toolLists, ...listLimits] : listLimits
    return { from, limits: /^\{.*:/.test(text.slice(from)) ? [...lists, ...mapLimits] : lists }
  })
}

/** Whether the line below could be the value of a key this one ends in: a text that goes on is none. */
export const isValueBelow = (next: string): boolean => limitsOfBelow(next).length > 0

function limitsOfBelow(next: string): readonly Limit[] {
  if (!/^[ [{\t]/.test(next)) return []
  const item = /^\s+-\s+(.{2,80})$/.exec(next)?.[1]
  if (item !== undefined) return isToolItem(item) ? [...toolLists, ...listLimits] : listLimits
  if (next.includes(':') && mapLine.test(next)) return mapLimits
  return /^\s*[[{]/.test(next) ? [...listLimits, ...mapLimits] : []
}

const mapLine = /^\s+["']?[\w*]+["']?\s*:\s*(?:allow|ask|deny|true|false|\[.*)?\s*$/
const lastWord = /[^\s:=;,]{2,40}$/
const afterColon = /(?<=[:=] )[^\s,]{2,40}$/
const of = (...keys: readonly string[]) => allLimits.filter(({ limit }) => keys.includes(limit))
const toolLists = allLimits.filter(({ limit }) => isToolLimit(limit))
const numbered = allLimits.filter(({ limit }) => isNumber(limit))
const flags = allLimits.filter(({ limit }) => isSwitch(limit) || limit === 'canSpawn')
const paths = of('baseDir')
const budget = of('budget')
/** Sentences end so, too. */
export const inSentences: ReadonlySet<Limit> = new Set([...numbered, ...flags, ...paths, ...budget, ...toolLists])
/** Their values cannot be mistaken: `step 3` may end a sentence, `tols: Read` hardly. */
export const holdsTools: ReadonlySet<Limit> = new Set([...toolLists, ...of('permissions', 'permission', 'hooks')])
type Shapes = readonly (readonly [RegExp, readonly Limit[]])[]
const numberShapes: Shapes = [
  [/\$?\d[^\sA-Za-z:]{0,9}(?:[kms]|ms|mins?|usd)?(?: ?\S{0,8})?$/i, numbered],
  [/[^\s:]{0,8}\d\S{0,8} ?tokens?$/, budget],
]
const pathShapes: Shapes = [
  [/[^\s/]{0,40}\/\S*$/, paths],
  [/[\w.-]+(?:\/[\w.-]*)+$/, paths],
]
const mapLimits = allLimits.filter(({ limit }) => holdsMap(limit) || limit === 'tools')
const listLimits = allLimits.filter(({ limit }) => holdsList(limit))

function isToolItem(item: string): boolean {
  return isToolish(item) || (/^\S+$/.test(item) && slipForTool(item) !== undefined)
}

function limitsOfWord(word: string): readonly Limit[] {
  const letters = lettersIn(word)
  if (letters.length < 3) return []
  if (didYouMean(letters, truths) !== undefined) return flags
  return worded()
    .filter(({ values }) => didYouMean(letters, values) !== undefined)
    .map(({ limit }) => limit)
}

const truths = ['true', 'false']
const worded = once(() =>
  allLimits.flatMap(limit => {
    const values = wordsOfLimit(limit.limit)?.filter(value => /^[a-z]{3,}$/.test(value))
    return values ? [{ limit, values }] : []
  }),
)

/** A tool, or nearly, whatever signs have slipped into it. */
function isToolish(word: string): boolean {
  const letters = word.replace(/[^A-Za-z_]/g, '')
  return isTool(letters) || isForeignTool(letters) || isNearTool(letters) || isScrapOfTool(letters)
}

/** Two slips leave half of a short name. */
function isScrapOfTool(letters: string): boolean {
  if (letters.length < 3 || letters.length > 7) return false
  const key = letters.toLowerCase()
  return shortTools().some(tool => isWithin(2, key, tool))
}

const shortTools = once(() => toolNames.filter(name => name.length === 4 || name.length === 5).map(looseKey))

/** Where the run of tools begins that ends with the word at `last`; the first may hang on the key (`toolsRead, Grep`). */
function startOfTools(text: string, last: number): number {
  // What stands before a colon is a key, even `to=ls:`.
  const colon = Math.max(text.lastIndexOf(':', last), 0)
  const words = [...text.slice(0, last).matchAll(/[^\s:=;,]+/g)].filter(({ index }) => index >= colon)
  const before = words.findLastIndex(([word]) => !meaningOf(word).isToolish)
  const start = words[before + 1]?.index ?? last
  const first = words[before]
  const glued = first && gluedTool(first[0])
  return glued !== undefined && text.slice(0, start).trimEnd().endsWith(',') ? first!.index + glued : start
}

/** Where a tool begins that hangs on the end of a word. */
function gluedTool(word: string): number | undefined {
  const starts = toolNames.filter(name => word.endsWith(name)).map(name => word.length - name.length)
  const hung = starts.filter(start => /[A-Za-z\d_]/.test(word[start - 1] ?? ''))
  return hung.length === 0 ? undefined : Math.min(...hung)
}

/** Without what is no letter: signs that slipped in. */
const lettersIn = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, '')
