/** Words of a list of tools that may have been something else: then the list is unclear. */

import { once } from '../../once.js'
import { didYouMean, editDistance, isSayable, looseKey, tearOf } from '../../text/nearest.js'
import { foreignNames } from '../../tools/foreign-tool-names.js'
import { canonicalToolName, copilotTools, isForeignTool, toolNames } from '../../tools/tool-names.js'
import { meantLimit } from '../damage/keys/near-limits.js'
import { allLimitKeys } from '../damage/words/limit-words.js'
import { isTool } from '../damage/words/tool-words.js'
import { isSecurityKey } from '../field-table.js'

export function whyUnclear(words: readonly string[]): string | undefined {
  // Most lists are like that: no two of our names make a third, and none is a word with a meaning.
  if (words.every(word => ourNames.has(word))) return undefined
  const shown = (word: string) => `"${word.slice(0, 60)}"`
  const glued = words.find(isGluedToLimit)
  if (glued !== undefined) return `${shown(glued)} is no tool, and ends like another key`
  const parted = partedTool(words)
  if (parted !== undefined) return `${shown(parted)} may be the beginning of the tool behind it`
  const moved = words.find((word, at) => isMovedBracket(words[at - 1], word))
  if (moved !== undefined) return `${shown(moved)} is no tool, and may be the pattern of the one before it`
  const negation = words.find(word => negations.has(word.toLowerCase()))
  if (negation !== undefined) return `${shown(negation)} is no tool, and may take away what stands behind it`
  const bound = words.find((word, at) => conditions.has(word.toLowerCase()) && isMoreThanReading(words[at - 1]))
  if (bound !== undefined) return `${shown(bound)} is no tool, and may bind the one before it`
  const blank = words.find(word => placeholders.has(word))
  if (blank !== undefined) return `${shown(blank)} is still to be filled in`
  const tail = words.find(word => word.startsWith('__'))
  if (tail !== undefined) return `${shown(tail)} may be the end of the name before it`
  const switched = words.find(isSwitch)
  return switched === undefined ? undefined : `${shown(switched)} is no tool; a map of switches may be meant`
}

const ourNames: ReadonlySet<string> = new Set(toolNames)

/** In capitals: `todo` is a tool of Copilot’s. */
const placeholders: ReadonlySet<string> = new Set(['TODO', 'TBD', 'FIXME'])

const negations: ReadonlySet<string> = new Set(
  `no not non never none without w/o except excepting exclude excludes excluding but minus sans deny denied disallow
  disallowed forbid forbidden cannot don't dont`.split(/\s+/),
)

/** `Bash only for git`; `Bash for git` says what it is good for. */
const conditions: ReadonlySet<string> = new Set(['only', 'unless', 'limited', 'restricted'])

function isMoreThanReading(word: string | undefined): boolean {
  const tool = word === undefined ? undefined : canonicalToolName(word)
  return tool !== undefined && tool !== 'Read'
}

/** `Read file` is a way to say it; `Todo Write` and `subagent catalog:fetch` were one name each. */
export function isMixed(piece: string): boolean {
  if (!/\S\s+[^\s(]/.test(piece)) return false
  if (twice.test(piece) || isWholeBeside(piece)) return true
  if (/[()]/.test(piece)) return false
  const words = piece.trim().split(/\s+/)
  const known = words.flatMap(word => canonicalToolName(word) ?? [])
  if (known.length === 0) return false
  const whole = canonicalToolName(words.join(''))
  if (whole !== undefined) return known.some(name => name !== whole)
  const unknown = words.filter(word => canonicalToolName(word) === undefined)
  const isPulledApart = unknown.length > 0 && longNames().some(name => isSlipFor(words.join(''), name))
  // `Task i`, `TFw Create`: what is left of a longer name.
  const isNoise = unknown.some(word => /^[A-Za-z]+$/.test(word) && !isSayable(word))
  return isPulledApart || isNoise || /\s\W*\w\W*$/.test(piece.trim()) || unknown.some(word => /\w[:/_-]\w/.test(word))
}

/** `Task Agent(x)`: the same tool, whole and for some calls, and what stood between them is gone. */
function isWholeBeside(piece: string): boolean {
  const [, whole = '', bound = ''] = /(\S+)\s+([^\s(]+)\(/.exec(piece) ?? []
  return canonicalToolName(whole) !== undefined && canonicalToolName(whole) === canonicalToolName(bound)
}

/** `Agent Agent(x)`, `Bash BashOutput`: a piece was written twice. */
const twice = /(\b\w{3,})\s+\1(?:\(|[A-Z])/
/** `Tod, Write`, `Bash,Output`: two words that a slip may have made of one tool, so that one of them would be granted. */
function partedTool(words: readonly string[]): string | undefined {
  return words.find((word, at) => {
    const next = words[at + 1]
    if (next !== undefined && isHalfOfAnother(word, next, words)) return true
    if (next === undefined || /\W/.test(word + next)) return false
    const [isKnown, isNextKnown] = [word, next].map(
      each => (canonicalToolName(each) ?? copilotTools(each)) !== undefined,
    )
    if (!isKnown && !isNextKnown) return false
    if (isForeignTool(word) || isForeignTool(next)) return false
    // Nobody writes `Todo` and `Write` for two tools; `todo, write` are two.
    return (
      longNames().includes(word + next) ||
      (!(isKnown && isNextKnown) &&
        longNames().some(
          name =>
            (isSlipFor(word + next, name) && isPartOf(name, isKnown ? word : next)) || isTornInTwo(word, next, name),
        ))
    )
  })
}

/** Of a tool that is none here nothing but a whole name of ours could be granted: `github, read` was never `githubRepo`. */
function isPartOf(name: string, known: string): boolean {
  if (toolNames.includes(name)) return true
  const [whole, part] = [looseKey(name), looseKey(known)]
  return whole.startsWith(part) || whole.endsWith(part)
}

/** `subagent, catalog:fetch` where `subagent-catalog:search` stands in the list, too. */
function isHalfOfAnother(word: string, next: string, words: readonly string[]): boolean {
  if (canonicalToolName(word) === undefined || canonicalToolName(next) !== undefined) return false
  const name = next.split(':')[0]!
  return words.some(other => ['-', '_'].some(sign => other.startsWith(`${word}${sign}${name}`)))
}

/** `Todob7z5, Write` was `TodoWrite`. */
function isTornInTwo(word: string, next: string, name: string): boolean {
  if (/[_-]/.test(word)) return false
  const { head, tail, lost } = tearOf(looseKey(word + next), looseKey(name))
  return lost === 0 && head > 2 && tail >= next.length
}

function isSlipFor(word: string, name: string): boolean {
  return Math.abs(word.length - name.length) < 3 && editDistance(looseKey(word), looseKey(name)) <= 2
}

const longNames = once(() => [...toolNames, ...foreignNames].filter(name => name.length > 6))

/** `Bashextends reviewer`: the newline behind a tool is gone. */
function isGluedToLimit(word: string): boolean {
  if (canonicalToolName(word) !== undefined || remark.test(word)) return false
  if (gluedLimit().test(word) || (looseKey(word).length > 6 && isLimitOrNearly(word))) return true
  // Nothing but its first letter is gone: a blank stands there.
  const cut = looseKey(word.replace(/\W.*|\d$/, ''))
  if (cutLimits().has(cut) || cutLimits().has(cut.slice(0, -1))) return true
  const tool = toolNames.find(name => word.startsWith(name))
  const rest = tool === undefined ? '' : word.slice(tool.length).replace(/^[\W\d_]+/, '')
  if (longLimits().some(key => rest.includes(key))) return true
  return rest.length > 3 && [rest, rest.split(/[:=]/)[0]!].some(isLimitOrNearly)
}

/** `Bash(read-only)`: in its brackets it hangs on nothing, and as a pattern it grants next to nothing. */
const remark = /^[A-Z][A-Za-z]+\(read-?only\)$/

const gluedLimit = once(() => new RegExp(`[a-z](?:${allLimitKeys.filter(key => key.length > 5).join('|')})$`))

const longLimits = once(() => allLimitKeys.filter(key => key.length > 6))
const cutLimits = once((): ReadonlySet<string> => new Set(longLimits().map(key => looseKey(key).slice(1))))

function isLimitOrNearly(word: string): boolean {
  return isSecurityKey(word) || meantLimit(word, undefined) !== undefined
}

/** `Bash g(it log:*)`: the bracket moved, and left the tool before it without its pattern. `PowerShell(dir)` is a tool. */
function isMovedBracket(before: string | undefined, word: string): boolean {
  const name = word.slice(0, Math.max(0, word.indexOf('(')))
  // `Bash it l(og:*)`: wherever it stands, no tool has a name of one letter.
  if (name.length === 1) return true
  return (
    /^(?:[a-z\d]{1,8}:?|[A-Z][A-Za-z\d]?)$/.test(name) &&
    before !== undefined &&
    canonicalToolName(before) !== undefined &&
    !isTool(name) &&
    !isForeignTool(name)
  )
}

/** What is left of `bash: false` when its line was damaged. */
function isSwitch(word: string): boolean {
  if (canonicalToolName(word) !== undefined) return false
  return /(?:^|:)\W?(?:true|false)\W?$/i.test(word) || didYouMean(word, switchWords) !== undefined
}

const switchWords = ['false']
