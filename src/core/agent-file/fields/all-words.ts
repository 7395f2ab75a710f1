/** Words that stand for every tool, and for all but some. */
import { editDistance, looseKey } from '../../text/nearest.js'
import { isReachingOut } from '../../tools/outside-roots.js'
import { canonicalToolName, isForeignTool } from '../../tools/tool-names.js'

const allWords = new Set([
  ...['*', 'all', 'alltools', 'allavailable', 'allavailabletools', 'alltoolsavailable', 'alltools(inherited)'],
  ...['inherit', 'inherited', 'inheritall', 'inheritalltools'],
])

export function isAllWord(word: string): boolean {
  return word.length < 24 && allWords.has(looseKey(word))
}

/** What stands behind `All tools except`. Undefined where that is no list of whole tools. */
export function exceptedTools(text: string): readonly string[] | undefined {
  const [, rest] = text.length > maxExcept ? [] : (exceptWord.exec(text) ?? [])
  const words = rest?.split(/\s*,\s*(?:and\s+)?|\s+and\s+/) ?? []
  const areTools = words.every(
    word =>
      /^\w+$/.test(word) && !isReachingOut(word) && (canonicalToolName(word) !== undefined || isForeignTool(word)),
  )
  return words.length > 0 && areTools ? words : undefined
}

const exceptWord = /^(?:\*|all(?: available)?(?: tools)?),? (?:except|excluding):? (.+)$/i
const maxExcept = 400

/** `Al tools excpet Edit`: what stands behind it was taken away, and nobody may read it as what is granted. */
export function isNearlyExcept(text: string): boolean {
  const first = /^\W*(\w*)/.exec(text)?.[1] ?? ''
  if (canonicalToolName(first) !== undefined) return false
  const letters = text
    .slice(0, maxHead)
    .toLowerCase()
    .replace(/[^a-z]/g, '')
    .slice(0, longest)
  return exceptHeads.some(head => {
    const slips = Math.floor(head.length / 4)
    for (let end = head.length - slips; end <= Math.min(letters.length, head.length + slips); end++)
      if (editDistance(letters.slice(0, end), head) <= slips) return true
    return false
  })
}

const maxHead = 60
const longest = 24
const exceptHeads = ['alltoolsexcept', 'alltoolsexcluding', 'allexcept']
