/**
 * Lists of tools, in every form they are written in.
 * T1 nothing written and nothing granted are different things. T2 an unreadable word makes the list unreadable: half
 * of `Bash(git *)` must not become Bash. T3 a map is opencode's: what is true is granted, what is false is taken away;
 * a map that only takes away leaves the rest.
 */

import type { ToolGrant } from '../../agent-definition.js'
import { serverName } from '../../mcp/mcp-config.js'
import { parsePermissionRule, splitOutsideBrackets } from '../../permission/permission-rule.js'
import { isRecord } from '../../record.js'
import { anyComma } from '../../text/fold-letters.js'
import { looseKey } from '../../text/nearest.js'
import {
  canonicalToolName,
  copilotTools,
  editingTools,
  isEveryServer,
  isForeignTool,
  withoutPattern,
} from '../../tools/tool-names.js'
import { slipForTool } from '../../tools/tool-slips.js'
import { holdsLimit } from '../damage/words/limit-words.js'
import type { Dialect } from '../dialect.js'
import { exceptedTools, isAllWord, isNearlyExcept } from './all-words.js'
import {
  deniedEditing,
  deniedSet,
  firstSlip,
  isServerPattern,
  isServersToo,
  serverNames,
  serverSwitchedOff,
} from './denied-words.js'
import { kiroWords } from './kiro-words.js'
import { listItems } from './list-items.js'
import { readOnce } from './read-once.js'
import { serverToolIn } from './server-words.js'
import { grantsOf, ofCopilot, readingOf } from './tool-grants.js'
import { type ToolLists, toolLists } from './tool-tables.js'
import { isMixed, whyUnclear } from './unclear-tools.js'

export type ToolList =
  | { readonly kind: 'all'; readonly word: string }
  | {
      readonly kind: 'list'
      readonly grants: readonly ToolGrant[]
      readonly denied: readonly ToolGrant[]
      /** A map without a single `true`: everything but what is denied. */
      readonly isOnlyDenials: boolean
      readonly unknown: readonly string[]
      /** From `Task(a, b)`: names, or true for a plain `Task`. */
      readonly spawns: true | readonly string[] | undefined
      readonly written: readonly string[]
    }
  | { readonly kind: 'unclear'; readonly reason: string }

export const readToolList = readOnce(readAnew)

function readAnew(value: unknown, dialect: Dialect): ToolList {
  if (value === null || value === undefined) return listOf([], [], dialect)
  if (typeof value === 'string') return value.length > maxListText ? unclear(tooLong) : readPieces(value, dialect)
  if (Array.isArray(value)) return readItems(value, dialect)
  if (typeof value === 'object') {
    const lists = toolLists(value)
    if (lists) return readLists(lists, dialect)
    const pairs = Object.entries(value)
    return pairs.length > maxList ? unclear(tooLong) : readMap(pairs, dialect)
  }
  return unclear(`${JSON.stringify(value)} is no list of tools`)
}

function readItems(written: readonly unknown[], dialect: Dialect): ToolList {
  const items = written.length > maxList ? [] : listItems(written)
  if (written.length > maxList || (items?.length ?? 0) > maxList) return unclear(tooLong)
  if (!items) return unclear('a list may hold only names')
  if (items.some(item => item.trim().includes('\ufeff'))) return unclear('a byte order mark stands in it')
  if (items.some(item => /\S,\s*\*|^mcp\*\s+\S/.test(item))) return unclear('a star stands beside a name')
  if (items.length > 1 && items.some(item => item.includes(';'))) return unclear('a semicolon stands in an item')
  const mixed = items.flatMap(item => piecesOf(item)).find(piece => serverItem(piece) === undefined && isMixed(piece))
  if (mixed !== undefined) return unclearMix(mixed)
  const whole = dialect === 'copilot' ? 'phrases' : 'servers'
  return readWords(
    items.flatMap(item => splitWords(item, whole)),
    dialect,
  )
}

/** `{allowed: [Read], disallowed: [Bash]}`: what is denied is taken out of what is allowed. */
function readLists({ granted, denied }: ToolLists, dialect: Dialect): ToolList {
  if (denied === undefined) return readItems(granted ?? [], dialect)
  if (!denied.every(word => typeof word === 'string')) return unclear('a list may hold only names')
  if ((granted?.length ?? 0) + denied.length > maxList) return unclear(tooLong)
  const off = listOf([], denied, dialect)
  if (off.kind !== 'list') return off
  if (granted === undefined) return { ...off, isOnlyDenials: true }
  const on = readItems(granted, dialect)
  if (on.kind === 'list') return { ...on, denied: off.denied, unknown: [...on.unknown, ...off.unknown] }
  return on.kind === 'all' && denied.length > 0 ? { ...off, isOnlyDenials: true } : on
}

/** Between commas stands one tool, or several without a comma; half a name beside a tool is neither. */
function readPieces(text: string, dialect: Dialect): ToolList {
  // Nobody can see it, and it may stand for a letter of a longer name.
  if (text.trim().includes('\ufeff')) return unclear('a byte order mark stands in it')
  // `mcp__github,*`: a comma that was another sign.
  if (text.includes(',*') && /\S,\*/.test(text) && /,\s/.test(text))
    return unclear('a star stands right behind a comma')
  // One of them slipped in, and may have made two names of one.
  if (text.includes(',') && splitOutsideBrackets(text, /;/).length > 1)
    return unclear('commas and semicolons both stand between its tools')
  const but = allBut(text.trim(), dialect)
  if (but) return but
  if (isNearlyExcept(text)) return unclear('it may say "all tools except …"')
  const mixed = text.includes(',') ? piecesOf(text).find(isMixed) : undefined
  return mixed === undefined ? readWords(splitWords(text), dialect) : unclearMix(mixed)
}

function unclearMix(piece: string): ToolList {
  return unclear(`"${piece.trim().slice(0, 60)}" is no tool, and has one in it`)
}

const pieceEnd = /[,\n;]/

/** What stands in the brackets of a command grants nothing of its own: `Bash(git log, gh pr create, ls)`. */
const piecesOf = (text: string): readonly string[] =>
  (text.includes('(') ? text.replace(/\bBash ?\([^()\n]*\)/g, 'Bash()') : text).split(pieceEnd)

const maxList = 400
const maxListText = 64 * 1024
const tooLong = `more than ${maxList} tools`

/** `All tools except Edit and Write`: what stands behind it is taken away. */
function allBut(text: string, dialect: Dialect): ToolList | undefined {
  // In others `edit` is all editing.
  const tools = dialect === 'claude' || dialect === 'offshoot' ? exceptedTools(text) : undefined
  const list = tools && listOf([], tools, dialect)
  return list?.kind === 'list' ? { ...list, isOnlyDenials: true, written: [text] } : undefined
}

/**
 * By commas and newlines; by spaces only where a piece is no single rule. `Bash (git *)` is one. An item of a list may be
 * a server's tool with blanks in its name, and in Copilot's lists a server: what is not made of tools is whole there.
 */
function splitWords(text: string, whole?: 'servers' | 'phrases'): readonly string[] {
  const joined = text.replace(/[ \t]+/g, ' ').replaceAll(' (', '(')
  if (isAllWord(joined)) return [joined.trim()]
  const pieces = splitOutsideBrackets(joined, pieceEnd)
  return pieces.flatMap(piece => {
    if (isAllWord(piece)) return [piece]
    const words = splitOutsideBrackets(piece, /\s/)
    if (words.length === 1) return words
    // A star between words without a comma is no word of its own: an item of a list slipped onto this line.
    if (words.includes('*')) return [piece]
    const item = whole && serverItem(piece)
    if (item !== undefined) return [item]
    if (isOneTool(words)) return [words.join('')]
    const isPhrase = whole === 'phrases' || words.some(isEveryServer)
    return isPhrase && !words.every(isKnownWord) ? [serverName(piece)] : words
  })
}

/** `Some Server/tool`, without its blanks. */
function serverItem(piece: string): string | undefined {
  if (piece.length > maxServerItem) return undefined
  const at = piece.lastIndexOf('/')
  const [server, tool] = [piece.slice(0, Math.max(at, 0)).trim(), piece.slice(at + 1).trimEnd()]
  return /\s/.test(server) && !/[()*]/.test(server) && /^[\w.*-]+$/.test(tool)
    ? `${serverName(server)}/${tool}`
    : undefined
}

const maxServerItem = 200

/** `Web Search`; of `Todo Write` either word may be meant. */
function isOneTool(words: readonly string[]): boolean {
  return (
    words.length < 4 &&
    canonicalToolName(words.join('')) !== undefined &&
    !words.some(word => canonicalToolName(word) !== undefined)
  )
}

function isKnownWord(word: string): boolean {
  const name = withoutPattern(word)
  return (
    (canonicalToolName(name) ?? copilotTools(name)) !== undefined || isEveryServer(name) || name.startsWith('mcp__')
  )
}

function readWords(written: readonly string[], dialect: Dialect): ToolList {
  const words = kiroWords(written, dialect)
  if (words.length < 3 && nothing.has(looseKey(words.join('').slice(0, 16)))) return listOf([], [], dialect)
  if (words.length > 0 && words.every(word => Object.hasOwn(droidSets, word))) {
    const tools = words.flatMap(word => droidSets[word]!)
    const list = listOf(tools, [], dialect)
    return list.kind === 'list' ? { ...list, written: words } : list
  }
  const reason = whyUnclear(words)
  if (reason !== undefined) return unclear(reason)
  const everything = words.find(isAllWord)
  if (everything !== undefined) {
    if (words.length > 1 && everything !== '*') return unclear(`"${everything}" beside other tools`)
    // `*, !Bash`, `*, Bash(git *)`: what stands beside the star may take away from it.
    const odd = words.find(word => !isAllWord(word) && (word.includes('(') || !isToolAnywhere(word, dialect)))
    return odd === undefined
      ? { kind: 'all', word: everything }
      : unclear(`"${odd.slice(0, 60)}" beside "*" is no tool, and may take something away`)
  }
  return listOf(words, [], dialect)
}

const nothing: ReadonlySet<string> = new Set(['none', 'notools'])

/** The words of Factory's droids for kinds of tools. Beside names of tools they may be what is left of one. */
const droidSets: Readonly<Record<string, readonly string[]>> = {
  'read-only': ['Read', 'Grep', 'Glob', 'LS'],
  edit: ['edit'],
  execute: ['execute'],
  web: ['WebSearch', 'WebFetch'],
  mcp: ['mcp__*'],
}

function isToolAnywhere(word: string, dialect: Dialect): boolean {
  return isKnownWord(word) || isForeignTool(word) || serverToolIn(word, dialect) !== undefined
}

function readMap(pairs: readonly (readonly [string, unknown])[], dialect: Dialect): ToolList {
  const odd = pairs.find(([, on]) => typeof on !== 'boolean')
  if (odd) return unclear(`"${odd[0]}" must be true or false`)
  // `edit` and `EDIT`.
  const spelt = new Map(pairs.map(([name, isOn]) => [name.toLowerCase(), isOn]))
  const both = pairs.find(([name, isOn]) => spelt.get(name.toLowerCase()) !== isOn)
  if (both) return unclear(`"${both[0].slice(0, 60)}" is both on and off`)
  const torn = pairs.find(([name, value]) => value === false && /^[^*]*[\s.].*\*/.test(name))
  if (torn) return unclear(`"${torn[0].slice(0, 60)}" is no name`)
  const on = pairs.filter(([, value]) => value === true).map(([name]) => name)
  const off = [...pairs.filter(([, value]) => value === false).map(([name]) => name), ...editingTakenAway(pairs)]
  if (off.some(isAllWord)) return listOf(on, leftOff(off, on), dialect)
  const named = on.filter(name => !isAllWord(name))
  // `cortex_*: false, cortex_search: true`: the one that is named stays, and the others are not granted anyway.
  const isBehind = (name: string) =>
    !on.some(isAllWord) && name.endsWith('*') && named.some(each => each.startsWith(name.slice(0, -1)))
  const taken = off.filter(name => !isBehind(name))
  const list = listOf(on.some(isAllWord) ? [] : named, taken, dialect === 'claude' ? 'opencode' : dialect)
  if (list.kind !== 'list') return list
  // `write: true, edit: false`: of what is on the last switch for editing may leave nothing, and then only takes away.
  const isEditing = (name: string) => editingTools.includes(canonicalToolName(name) ?? '')
  const isUndone = named.length > 0 && named.every(isEditing) && editingTakenAway(pairs).length > 0
  return { ...list, isOnlyDenials: pairs.length > 0 && (named.length === 0 || isUndone || on.some(isAllWord)) }
}

/** Where all is off, a slip in a word that switches off can only hurt when it hides a tool that is on. */
function leftOff(off: readonly string[], on: readonly string[]): readonly string[] {
  const open = new Set(on.map(name => canonicalToolName(name)))
  return off.filter(name => {
    if (isAllWord(name)) return false
    const meant = deniedSet(name) === undefined && !isServerPattern(name) ? slipForTool(name) : undefined
    return meant === undefined || open.has(meant)
  })
}

/** opencode has one permission for `write`, `edit`, `patch` and `multiedit`: the last of them in the map is its value. */
function editingTakenAway(pairs: readonly (readonly [string, unknown])[]): readonly string[] {
  const last = pairs.findLast(([name]) => editingTools.includes(canonicalToolName(name) ?? ''))
  // The other two go with Edit.
  return last?.[1] === false && canonicalToolName(last[0]) !== 'NotebookEdit' ? ['Write', 'Edit'] : []
}

function listOf(words: readonly string[], deniedWords: readonly string[], dialect: Dialect): ToolList {
  const faults: string[] = []
  const unknown: string[] = []
  let spawns: true | readonly string[] | undefined
  let sets = false
  const read = (written: string): readonly ToolGrant[] => {
    // `@scope/server/tool`: the sign is no part of a server's name here.
    const word = written.startsWith('@') ? written.replace(/^@(?=[\w.-]+\/)/, '') : written
    const rule = parsePermissionRule(word)
    if ('fault' in rule) {
      faults.push(rule.fault)
      return []
    }
    if (/[:=]/.test(rule.tool) && !rule.tool.startsWith('mcp__') && holdsLimit(rule.tool))
      faults.push(`"${word.slice(0, 60)}" is no tool, and has the name of a limit in it`)
    const found = grantsOf({ word, tool: rule.tool, pattern: rule.pattern }, dialect, sets, unknown)
    if (found.some(({ name }) => name === 'Task')) spawns = joinSpawns(spawns, rule.pattern)
    return found
  }
  sets = ofCopilot(words, dialect)
  const grants = [...words.flatMap(read), ...readingOf(words, sets)]
  const granted = spawns
  sets = dialect === 'copilot'
  const denied = deniedWords.flatMap(word => [
    ...(setGrants(word) ?? (deniedEditing(word) ?? [word]).flatMap(read)),
    ...serverGrants(word),
    ...grantsFor(serverSwitchedOff(word, words)),
  ])
  const slip = firstSlip(deniedWords.filter(word => deniedSet(word) === undefined && !isServerPattern(word)))
  if (slip !== undefined) faults.push(slip)
  if (faults[0] !== undefined) return unclear(faults[0])
  return {
    kind: 'list',
    grants: distinct(grants),
    denied: distinct(denied),
    isOnlyDenials: false,
    unknown,
    spawns: granted,
    written: words,
  }
}

const grantsFor = (names: readonly string[]): readonly ToolGrant[] => names.map(name => ({ name }))
const setGrants = (word: string) => (deniedSet(word) ? grantsFor(deniedSet(word)!) : undefined)
const serverGrants = (word: string) => grantsFor(isServersToo(word) ? serverNames(word) : [])

function joinSpawns(
  before: true | readonly string[] | undefined,
  pattern: string | undefined,
): true | readonly string[] {
  if (before === true || pattern === undefined) return true
  return [...(before ?? []), ...splitOutsideBrackets(pattern, anyComma)]
}

/** A tool granted whole needs no pattern beside it. */
function distinct(grants: readonly ToolGrant[]): readonly ToolGrant[] {
  const whole = new Set(grants.filter(grant => grant.pattern === undefined).map(grant => grant.name))
  const kept = grants.filter(grant => grant.pattern === undefined || !whole.has(grant.name))
  return [...new Map(kept.map(grant => [`${grant.name}(${grant.pattern ?? ''}`, grant])).values()]
}

function unclear(reason: string): ToolList {
  return { kind: 'unclear', reason }
}

/** `{write: false, bash: true}`: of tools of ours some are on, and others off. */
export function areMixed(value: unknown, { grants, denied, isOnlyDenials }: Mixed): boolean {
  const switches = isRecord(value) ? Object.entries(value) : []
  const isMixed = [true, false].every(word => switches.some(([name, isOn]) => isOn === word && name !== '*'))
  const hasStar = switches.some(([name]) => name === '*')
  const isOff = (name: string) => denied.some(each => each.name === name)
  // Of the others something else is said.
  const hasOwn = grants.some(({ name }) => !name.startsWith('mcp__') && !isOff(name))
  return isMixed && !hasStar && hasOwn && !isOnlyDenials
}

type Mixed = Pick<Extract<ToolList, { kind: 'list' }>, 'grants' | 'denied' | 'isOnlyDenials'>

export const onlyWhatIsOn = (key: string): string => `what is on in "${key}" is all it has`
