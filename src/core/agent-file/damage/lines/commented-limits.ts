/**
 * Limits that are comments. A person who takes a line out writes a sign before it, and means it; a slip leaves other traces.
 * O1 the sign stands for a letter: `#ools: Read`, `  #ash: deny`. O2 it took away all that an empty limit has, or the key of
 * what still stands further in below it. O3 all else limits nothing, as it is written, and is told.
 */
import { once } from '../../../once.js'
import { looseKey } from '../../../text/nearest.js'
import { canonicalToolName, toolNames } from '../../../tools/tool-names.js'
import type { Entry, Problem } from '../../block.js'
import { fieldOf, isSecurityKey } from '../../field-table.js'
import { isTelltaleLimit, toldKeys } from '../../fields/foreign-limits.js'
import { indentOf } from '../../text/front-matter.js'
import { goesOn } from '../../text/goes-on.js'
import { foreignBelow, isForeign } from '../keys/foreign-words.js'
import { allLimitKeys, couldFollow, isNoWord, listedActions } from '../words/limit-words.js'

export function commentedLimits(
  lines: readonly string[],
  firstLine: number,
  entries: readonly Entry[],
): readonly Problem[] {
  if (!lines.some(line => comment.test(line))) return []
  const starts = [...entries].sort((a, b) => a.line - b.line)
  const present = new Set(entries.map(({ key }) => fieldOf(key) ?? looseKey(key)))
  const isAbsent = (limit: string) => !present.has(fieldOf(limit) ?? looseKey(limit))
  const problems: Problem[] = []
  let passed = 0
  for (const [at, line] of lines.entries()) {
    while (starts[passed] && starts[passed]!.line - firstLine <= at) passed++
    const owner = starts[passed - 1]
    const [, space = '', blank = '', text = ''] = comment.exec(line) ?? []
    if (text === '' || problems.length >= maxProblems) continue
    if (owner && holdsText(lines[owner.line - firstLine] ?? '', space === '')) continue
    const place: Commented = { text, space, blank, lines, at, owner, isAbsent }
    const isFirst = owner !== undefined && at === owner.line - firstLine + 1
    const found = overwritten(place) ?? (isFirst ? gone({ ...place, owner }) : undefined) ?? gonePart(place)
    if (found !== undefined) problems.push({ ...found, line: firstLine + at })
  }
  return problems
}

interface Commented {
  /** What would stand there, but for the sign. */
  readonly text: string
  /** Before the sign, and behind it. */
  readonly space: string
  readonly blank: string
  readonly lines: readonly string[]
  readonly at: number
  /** What stands above it: it may be a part of that. */
  readonly owner: Entry | undefined
  readonly isAbsent: (limit: string) => boolean
}

type Found = Omit<Problem, 'line'>

const comment = /^(\s*)#+(\s*)(\S.*)$/
const maxProblems = 3
/** Quotes, or a block, whose lines stand further in: there the sign makes a heading. */
function holdsText(line: string, isEdge: boolean): boolean {
  const start = /^\s*[\w"'-]+\s*[:=]\s*([|>]|"""|'''|"[^"]*$|'[^']*$)/.exec(line)?.[1]
  return start !== undefined && !(isEdge && /^[|>]/.test(start))
}
const pair = /^["']?([\w*-]{1,40})["']?\s*[:=](?:\s+(.*)|$)/

/** O1: `isallowedTools: Bash` right behind the sign. */
function overwritten({ text, blank, lines, at, owner, isAbsent }: Commented): Found | undefined {
  const [, word, rest = ''] = blank === '' ? (pair.exec(text) ?? []) : []
  if (word === undefined) return undefined
  const meant = tails().get(looseKey(word))
  const next = lines[at + 1] ?? ''
  const isMeant = (limit: string) =>
    isAbsent(limit) && (isOthers(limit, rest, next) || couldFollow(limit, rest, next, 'loose'))
  const isPart = owner !== undefined && isSecurityKey(owner.key) && isSwitchOf(word, rest)
  const limit = meant?.find(isMeant) ?? (isPart ? owner.key : undefined)
  return limit === undefined
    ? undefined
    : { code: 'security-key-damaged', message: `a comment that may have been a part of "${limit}"` }
}

/** Another product's. */
const isOthers = (key: string, rest: string, next: string): boolean =>
  isForeign(key, rest, next) || isTelltaleLimit(key, rest, next)

/** What is left of each limit without its first letter; of `grace` a word is. */
const tails = once(() => {
  const known = new Map<string, string[]>()
  for (const limit of [...allLimitKeys, ...toldKeys(), 'agents', 'subagents']) {
    const tail = looseKey(limit).slice(1)
    if (tail.length > 2 && tail !== 'race') known.set(tail, [...(known.get(tail) ?? []), limit])
  }
  return known
})

/** `rite: false`, `sk: [Write]`: a tool or an action without its first letter. */
function isSwitchOf(word: string, rest: string): boolean {
  const isAction = listedActions.some(action => action.slice(1) === word)
  return isAction || (switched.test(`: ${rest}`) && toolTails().has(word.toLowerCase()))
}

const toolTails = once(() => {
  const names = [...toolNames, 'shell', 'command', 'fetch', 'search', 'list', 'agent'].filter(canonicalToolName)
  return new Set(names.map(name => name.toLowerCase().slice(1)).filter(tail => tail.length > 1))
})

/** O2: a comment right below an empty limit, which would be its value; or `# skill:`, then `    deploy: deny`. */
function gone({ text, space, blank, lines, at, owner }: Commented & { readonly owner: Entry }): Found | undefined {
  const isGone = owner.value === null && (isGoneLimit(owner, text) || foreignBelow(owner.key, text))
  const edge = space.length + 1 + blank.length
  const isOwner = isSecurityKey(owner.key) && ownerKey.test(text) && indentOf(lines[at + 1] ?? '') > edge
  const message = `the value of "${owner.key}", or a part of it, is a comment`
  return isGone || isOwner ? { code: 'security-value-unclear', message } : undefined
}

const switched = /:\s*(?:allow|ask|deny|true|false)\s*$/
const ownerKey = /^["']?[\w*-]+["']?:\s*$/

/** Of tools nothing is left then. */
function isGoneLimit(entry: Entry, text: string): boolean {
  return (
    isSecurityKey(entry.key) && fieldOf(entry.key) !== 'tools' && (goesOn(`  ${text}`, entry) || switched.test(text))
  )
}

/** O2: `#skills:`, then `  deploy: false`. O3: a limit that the file does not have otherwise, or a line of one. */
function gonePart({ text, space, blank, lines, at, owner, isAbsent }: Commented): Found | undefined {
  const [, key = '', rest = ''] = pair.exec(text) ?? []
  const next = lines[at + 1] ?? ''
  const isEdge = space === '' && blank.length < 2 && key.length > 2
  if (isEdge && rest === '' && /^\s+\S/.test(next) && (isSecurityKey(key) || foreignBelow(key, next.trim())))
    return { code: 'security-key-damaged', message: 'a comment, and what would be its value below it' }
  const below = next.replace(comment, '$1 $2$3')
  const value = rest.replace(/^(["'])(.*)\1$/, '$2')
  const isNone =
    fieldOf(key) === 'tools' && isEdge && /^(?:none|\[\s*\]|""|'')?$/.test(rest) && !/^\s*-?\s*#/.test(next)
  const isLimit = isSecurityKey(key)
    ? isNone || (isEdge && isNoWord(key)) || couldFollow(fieldOf(key) ?? key, value, below, 'tight')
    : isOthers(key, rest, below)
  if (isLimit && isAbsent(key))
    return { code: 'limit-commented', message: `"${key}" stands in a comment, and limits nothing` }
  const isPart = owner !== undefined && isSecurityKey(owner.key) && (goesOn(`  ${text}`, owner) || switched.test(text))
  return isPart
    ? { code: 'limit-commented', message: `a line of "${owner.key}" is a comment, and is not read` }
    : undefined
}
