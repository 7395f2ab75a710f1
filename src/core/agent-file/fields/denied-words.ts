/**
 * Words that take something away: what they stand for when they are no tool of ours, and whether they may be a slip for
 * one, which would then stay allowed. A set holds every tool whose name may have become the word by losing a piece:
 * `search` was perhaps `WebSearch`.
 */

import { serverName } from '../../mcp/mcp-config.js'
import { once } from '../../once.js'
import { isMadeOfCommonWords } from '../../text/common-words.js'
import {
  countBits,
  isAroundNoise,
  isOddWord,
  isSayable,
  isWithin,
  lettersUsed,
  looseKey,
  pieceOf,
  sharedLetters,
  tearOf,
} from '../../text/nearest.js'
import { outsideInOpencode } from '../../tools/outside-roots.js'
import { deniedMeantBy } from '../../tools/tool-guess.js'
import {
  canonicalToolName,
  copilotTools,
  editingTools,
  isCopilotTool,
  isForeignTool,
  searchingTools,
  searchTools,
  toolNames,
  toolsByKey,
  withoutPattern,
} from '../../tools/tool-names.js'
import { isBeginningOfTool, isNearlyTool, isNoToolName, slipForTool } from '../../tools/tool-slips.js'
import { isTornServer } from './server-words.js'
import { delegationTools, shellTools, webTools } from './tool-sets.js'

const fileTools = ['Read', ...editingTools, ...searchingTools]

/** `NotebookEdit` and `NotebookRead`, which is `Read` here. */
const notebookTools = ['NotebookEdit', 'Read']

const denied: Readonly<Record<string, readonly string[]>> = {
  web: webTools,
  network: webTools,
  internet: webTools,
  search: [...searchingTools, 'WebSearch'],
  command: shellTools,
  commands: shellTools,
  file: fileTools,
  files: fileTools,
  filesystem: fileTools,
  editor: editingTools,
  agents: delegationTools,
  subagents: delegationTools,
  delegation: delegationTools,
  mcp: ['mcp__*'],
  notebook: notebookTools,
  notebooks: notebookTools,
  everything: ['*'],
}

/** opencode's, of the tools by which it takes up and leaves a plan: who is denied them has no other way to. */
const plans: Readonly<Record<string, readonly string[]>> = {
  plan_enter: ['EnterPlanMode'],
  plan_exit: ['ExitPlanMode'],
}

/** `shell_commands`, `network_access`: what kind of tools is meant, and a word that adds nothing to it. */
const heads: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    ['shell', 'bash', 'terminal', 'console', 'command', 'cmd', 'exec', 'execute', 'code'].map(word => [
      word,
      shellTools,
    ]),
  ),
  ...Object.fromEntries(['web', 'network', 'internet', 'http'].map(word => [word, webTools])),
  ...Object.fromEntries(['write', 'edit', 'modify'].map(word => [word, editingTools])),
  ...Object.fromEntries(['agent', 'subagent'].map(word => [word, delegationTools])),
  file: fileTools,
  filesystem: fileTools,
  mcp: ['mcp__*'],
  notebook: ['NotebookEdit'],
}
const wordTail =
  /^(?:commands?|cmds?|access|tools?|operations?|ops|execution|exec|interpreter|line|writes?|writing|edit(?:s|ing)?|changes|files?|requests?|usage|use|dispatch)$/
const maxWord = 60

/**
 * What opencode calls `server_tool` and Copilot `server/tool` is `mcp__server__tool` here. Where the server ends cannot be seen: both `amap` and
 * `amap_gis` may have `amap_gis_search`.
 */
export function serverNames(written: string): readonly string[] {
  const [, server, tool] = isCopilotTool(written)
    ? []
    : (/^([\w.-]{1,60}(?:\/[\w.-]{1,60})?)\/([\w.*-]{1,100})$/.exec(written) ?? [])
  if (server !== undefined) return [`mcp__${serverName(server)}__${tool}`]
  if (!/^[\w-]{1,100}\*?$/.test(written)) return []
  const names = [...written.matchAll(/_/g)]
    .filter(({ index }) => index > 0 && index < written.length - 1)
    .map(({ index }) => `mcp__${written.slice(0, index)}__${written.slice(index + 1)}`)
  // `amap_*` is about the server `amap_gis` as well.
  return written.endsWith('*') ? [...names, `mcp__${written}`] : names
}

/**
 * A word that takes something away and is no tool: opencode's guide switches a server off by its bare name. `beside` are
 * the names that are left: where some are tools of that server, the word is another's.
 */
export function serverSwitchedOff(written: string, beside: readonly string[]): readonly string[] {
  if (!/^[\w-]{1,100}$/.test(written) || written.startsWith('mcp__') || deniedTools(written) !== undefined) return []
  if (canonicalToolName(written) !== undefined || isForeignTool(written)) return []
  return beside.some(name => name.startsWith(`${written}_`)) ? [] : [`mcp__${serverName(written)}__*`]
}

/** Whether the word may be a server's tool; `fs_write` is one of ours elsewhere, and a server is often called `fs`. */
export function isServersToo(written: string): boolean {
  if (written === outsideInOpencode || written === 'doom_loop' || Object.hasOwn(plans, written)) return false
  return canonicalToolName(written) === undefined || written.startsWith('fs_')
}

/** Undefined for the name of a tool, and for what is no word of these. `websearch_*` may be a server's tools or ours. */
export function deniedSet(written: string): readonly string[] | undefined {
  if (written.length > maxWord || canonicalToolName(written) !== undefined) return undefined
  const key = looseKey(written)
  if (Object.hasOwn(denied, key)) return denied[key]
  if (Object.hasOwn(plans, written)) return plans[written]
  const named = written.endsWith('_*') ? canonicalToolName(written.slice(0, -2)) : undefined
  if (named !== undefined) return editingTools.includes(named) ? editingTools : [named]
  const [head = '', ...tails] = written.split(/[\s_-]|(?<=[a-z])(?=[A-Z])/).map(word => word.toLowerCase())
  if (tails.length === 0 || tails.length > 2 || !Object.hasOwn(heads, head)) return undefined
  // `Bash Write` were two, unless the first holds the second anyway.
  const isOne = (tail: string) =>
    wordTail.test(tail) && (heads[head] === fileTools || canonicalToolName(tail) === undefined)
  return tails.every(isOne) ? heads[head] : undefined
}

/** A word that takes something away, as tools of ours: a set, or what Copilot calls one or some of them. */
export function deniedTools(written: string): readonly string[] | undefined {
  return (
    deniedSet(written) ??
    (isCopilotTool(written) ? copilotTools(written) : undefined) ??
    searchTools(written) ??
    deniedEditing(written)
  )
}

/** `fs_write`, `fs_write(/etc/**)`: who is given it can write here, and who is denied it had no other way to edit there. */
export function deniedEditing(written: string): readonly string[] | undefined {
  const [, name, pattern = ''] = (/fs/i.test(written) ? fileWriting.exec(written) : null) ?? []
  return name === undefined ? undefined : editingTools.map(tool => `${tool}${pattern}`)
}

const fileWriting = /^\s*(fs[_-]?(?:write|append))\s*(\(.*\)\s*)?$/is

/** `exa_*`, `agentmemory*`: tools of a server. No tool of ours is written so, but for a slip: `Edt*`, `write_fil*`. */
export function isServerPattern(written: string): boolean {
  const [, server = '', sign] = /^([\w-]+?)(_?)\*$/.exec(written) ?? []
  if (
    server === '' ||
    written.includes('mcp__') ||
    isTornServer(written) ||
    isNearlyTool(server, 1) ||
    isBeginningOfTool(server)
  )
    return false
  if (isTornTool(server) || (sign === '' && slipForSet(server) !== undefined)) return false
  return sign === '_' || (server.length > 5 && slipForTool(server) === undefined)
}

/** `bsearch_*`, `webwebsearch_*`; of a word that may be a server's more than half. */
function isTornTool(server: string): boolean {
  const word = looseKey(server)
  return toolNames.some(tool => {
    const { kind, kept = 0, lost = 0 } = pieceOf(word, looseKey(tool)) ?? {}
    // `research_*` and `webresearch_*` are words as near as that.
    if (tool.length > 8 && !word.endsWith('research') && isWithin(2, word, looseKey(tool))) return true
    if (tool.length > 5 && isAroundNoise(server, looseKey(tool), tearOf(word, looseKey(tool)))) return true
    if (kind === 'noise') return kept > 2 && !isSayable(server)
    return kind === 'doubled' || (kind === 'lost' && (2 * kept > kept + lost || !isSayable(server)))
  })
}

/**
 * Of a denied word that is whole words, the tools of which one slip or one lost piece would leave it: none of `create_plan` and
 * `Figma`, which are somebody's own, `AskUser` of `user_question`. Undefined where it is no such word.
 */
export function toolsNearWords(written: string): readonly string[] | undefined {
  if (!isMadeOfCommonWords(written) || canonicalToolName(written) !== undefined || isForeignTool(written))
    return undefined
  if (deniedTools(written) !== undefined || isOfTools(written)) return undefined
  // `external_director` is no tool, and a slip for what is none.
  if (slipForTool(written) === outsideInOpencode) return undefined
  const word = looseKey(written)
  const isNear = (name: string) => {
    const { kind, kept = 0 } = pieceOf(word, name) ?? {}
    return isWithin(1, word, name) || kind === 'doubled' || (kind === 'lost' && 2 * kept >= name.length)
  }
  const sets = setWords().flatMap(({ word: set, said }) => (isNear(set) ? (denied[said] ?? heads[said] ?? []) : []))
  return [...new Set([...sets, ...[...toolsByKey].flatMap(([name, tool]) => (isNear(name) ? [tool] : []))])]
}

/** `EditBash`: the comma between two of them is gone. */
function isOfTools(written: string): boolean {
  const words = written.split(/[_-]|(?<=[a-z])(?=[A-Z])/)
  return words.some(word => toolNames.includes(word)) || words.filter(canonicalToolName).length > 1
}

/** A word that takes something away and is no tool: it may be a slip for one, which would then stay allowed. */
export function firstSlip(words: readonly string[]): string | undefined {
  for (const word of words) {
    if (toolsNearWords(word.trim())?.length === 0) continue
    const name = withoutPattern(word).trim()
    if (name.startsWith('re:')) return `which tools "${word.slice(0, 60)}" is about cannot be told`
    if (isTornServer(name)) return `which server's tools "${name.slice(0, 60)}" is about cannot be told`
    if (name.indexOf('mcp__') > 0) return `two names ran together in "${word.slice(0, 60)}"`
    if (name !== word.trim() && deniedSet(name) !== undefined) return `"${name}" stands for several tools; name them`
    const meant = name.startsWith('mcp__') ? undefined : slipForTool(name)
    if (meant !== undefined) return noTool(name)
    const held = name.startsWith('mcp__') ? undefined : toolInside(name)
    if (held !== undefined) return noTool(name, held)
    const set = name.startsWith('mcp__') ? undefined : slipForSet(name)
    if (set !== undefined) return noTool(name, set)
    if (!name.startsWith('mcp__') && (isNoToolName(name) || hasOddPart(name)))
      return `"${name.slice(0, 60)}" is no tool, and no name for one`
    const isTwo =
      ranTogether
        .exec(word)
        ?.slice(1)
        .some(second => canonicalToolName(second ?? '') !== undefined) === true
    const first = /^(.+?)[\s_]-[\s_]/.exec(name)?.[1]
    const isList = first !== undefined && canonicalToolName(first) !== undefined
    if (isTwo || isList || ranOn.test(word)) return `two rules ran together in "${word}"`
  }
  return undefined
}

/** What a word is near to is often too far off for a hint: of `jira` half is left of `ls`. */
export const noTool = (name: string, meant = deniedMeantBy(name)): string =>
  `"${name.slice(0, 60)}" is no tool${meant === undefined ? ', and may have been one' : `; "${meant}" may be meant`}`

/** `Npnibook`, `NotrZpok`, `shell_commandsZod`: a part with a capital that no word begins like, or behind a whole word. */
function hasOddPart(name: string): boolean {
  if (name.length > maxWord || !/[A-Z]/.test(name)) return false
  const capitals = name.match(/[A-Z][a-z]{2,}/g) ?? []
  const behind = /^([a-z]+(?:_[a-z]+)+?)[A-Za-z]?[A-Z]\w*$/.exec(name)?.[1]
  const isWhole = behind !== undefined && (isForeignTool(behind) || deniedTools(behind) !== undefined)
  if (!isWhole && !capitals.some(isOddWord)) return false
  return canonicalToolName(name) === undefined && !isForeignTool(name) && deniedTools(name) === undefined
}

/** `netwrk`, `shell_comamds`: a word that stands for several tools, with a slip in it, or two where it is long. */
function slipForSet(name: string): string | undefined {
  const letters = name
    .slice(0, maxWord)
    .toLowerCase()
    .replace(/[^a-z]/g, '')
  if (letters.length < leastOfTorn || canonicalToolName(name) !== undefined || isForeignTool(name)) return undefined
  if (deniedTools(name) !== undefined) return undefined
  const used = lettersUsed(letters)
  // `net_o*k`
  const isSigned = /\w[^\w\s-]\w/.test(name)
  // Cheap first: hostile files deny many words.
  const isMeant = ({ word, used: wanted, slips }: SetWord) =>
    Math.abs(word.length - letters.length) <= slips &&
    countBits(wanted ^ used) <= 2 * slips &&
    isWithin(slips, letters, word) &&
    (letters.length >= leastOfSet || isSigned || sharedLetters(letters, word) === letters.length)
  return (
    (setWords().find(isMeant) ?? setWords().find(({ word }) => isTorn(name, letters, word)))?.said ?? firstOfTwo(name)
  )
}

/** `netwshell_commands`, `Noteboash`: the comma between two of them is gone, and some of their letters. */
function firstOfTwo(name: string): string | undefined {
  const word = looseKey(name.slice(0, maxWord)).split(/[_-]/, 1)[0]!
  const isTwo = (first: string) => {
    const { head } = tearOf(word, first)
    const rest = word.slice(head)
    return (
      head > 2 && rest.length > 2 && lastWords().some(last => last.length - rest.length <= 3 && last.endsWith(rest))
    )
  }
  return firstWords().find(isTwo)
}

/** `netnetwork`, `shemmands`: a piece of it is lost, or stands twice. */
function isTorn(name: string, letters: string, word: string): boolean {
  const { kind, head = 0, tail = 0, kept = 0, lost } = pieceOf(letters, word) ?? {}
  // `SGKwork`
  if (kind === 'noise' && /^[A-Z]{3,}[a-z]+$/.test(name) && 2 * kept > word.length) return true
  if (kind === 'noise')
    return Math.min(head, tail) > 1 && (lost === 0 || !isSayable(name)) && /[a-z][A-Z]|\d/.test(name)
  return kind === 'doubled' || (kind === 'lost' && kept > leastOfTorn && 2 * kept > word.length)
}

const leastOfTorn = 4

const leastOfSet = 6
const tailWords =
  'command commands cmds access tool tools operations ops execution exec interpreter line writes writing edits editing changes files requests usage use'.split(
    ' ',
  )
/** What is said of a compound is what kind of tools it is about. */
const setWords = once((): readonly SetWord[] =>
  [
    ...Object.keys(denied).map(word => ({ word, said: word, isLong: word.length > 6 })),
    ...Object.keys(heads).flatMap(head =>
      tailWords.map(tail => ({ word: head + tail, said: head, isLong: head.length + tail.length > 9 })),
    ),
  ]
    .filter(({ word }) => word.length >= leastOfSet)
    .map(({ word, said, isLong }) => ({ word, said, used: lettersUsed(word), slips: isLong ? 2 : 1 })),
)

interface SetWord {
  readonly word: string
  readonly said: string
  readonly used: number
  readonly slips: number
}

const firstWords = once(() => Object.keys(denied).filter(word => word.length > 5))
const lastWords = once(() =>
  [...toolNames.map(looseKey), ...setWords().map(({ word }) => word)].filter(word => word.length > 3),
)

/** `BashVhoX`, `LaotBash`, `BashTool`: one of ours with something on it. Other products have names that begin so. */
function toolInside(name: string): string | undefined {
  if (canonicalToolName(name) !== undefined || isForeignTool(name) || deniedSet(name) !== undefined) return undefined
  return toolNames.find(tool => tool.length > 3 && tool !== 'Task' && (name.startsWith(tool) || name.endsWith(tool)))
}

/** `Bash(, Edit(/src/**)`, `Bash(hO6Edit(/src/**)`: a quote and a bracket were lost between them. */
const ranTogether = /\(.{0,200}?(?:,\s*["']?([A-Za-z]\w{2,30})|([A-Z][a-z]{2,30}))\(/

/** `Bash(rm *) - WebFetch`: the second was an item of its own. So was that of `shell - writ/e_file`. */
const ranOn = /\)\s+-\s+\S/
