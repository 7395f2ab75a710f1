/**
 * The names of our tools, and the names other products give them. A name is looked up without regard to case and
 * separators. One foreign word may stand for several of our tools only in the dialect where it names a set.
 */
import { ALIASES, EXACT_ALIASES, FOREIGN_NAMES } from './foreign-tool-names.js'
import { editDistance, isMadeOfWords, isSayable, looseKey, tearOf } from './nearest.js'

/** Tools that exist in a full installation; a host may add its own. */
export const TOOL_NAMES: readonly string[] = [
  'Read',
  'Write',
  'Edit',
  'MultiEdit',
  'NotebookEdit',
  'Glob',
  'Grep',
  'LS',
  'Bash',
  'BashOutput',
  'KillShell',
  'WebFetch',
  'WebSearch',
  'Skill',
  'TodoWrite',
  'AskUser',
  'AskCaller',
  'EnterPlanMode',
  'ExitPlanMode',
  'Task',
  'TaskOutput',
  'TaskWait',
  'TaskSend',
  'TaskStop',
  'TaskList',
]

/** Our name for a tool however it is written, or undefined when no tool of ours is meant: `subagent-` is a scrap of another name. */
export function canonicalToolName(written: string): string | undefined {
  if (/^[-_]|[-_]$/.test(written)) return undefined
  const key = looseKey(written)
  return NAMES.get(key) ?? EXACT_NAMES.get(key)
}

/** Every tool of ours a word stands for in Copilot's files, where `search` and `edit` name sets. */
export function copilotTools(written: string): readonly string[] | undefined {
  // `Edit` is the tool of that name; Copilot writes its words small.
  if (TOOL_NAMES.includes(written)) return undefined
  const key = written.toLowerCase().trim()
  if (!isCopilotTool(key)) return COPILOT_SETS.get(key)
  // `read/edit`: what stands behind the slash is a part of the set before it, or nothing we know.
  const [set, name] = key.split('/')
  const tools = COPILOT_SETS.get(name!)
  const whole = [...(COPILOT_SETS.get(set!) ?? []), ...(set === 'execute' ? ['BashOutput', 'KillShell'] : [])]
  return tools?.every(tool => whole.includes(tool)) ? tools : undefined
}

/** `search/usages`: a tool of one of its sets. What stands before the slash is a server's name otherwise. */
export function isCopilotTool(written: string): boolean {
  return /^(?:search|edit|read|execute|web|agent|vscode|todo|runCommands|runTasks)\//i.test(written)
}

/**
 * The tool an unknown word may be a slip for: up to three slips, or a piece of a name. Asked where the word takes
 * something away, so it rather finds one too many; `server_tool` is left alone unless it comes closer than that.
 */
export function slipForTool(written: string): string | undefined {
  const key = looseKey(written).slice(0, MAX_SLIP)
  if (isForeignTool(written) || canonicalToolName(written) !== undefined) return undefined
  const scrap = NAMES.get(key)
  if (scrap !== undefined) return scrap
  if (key.length < 2) return TOOL_NAMES[0]
  const glued = TOOL_NAMES.find(name => written.startsWith(name))
  const rest = glued === undefined ? '' : written.slice(glued.length)
  if (rest !== '' && (/[^\w-]/.test(written) || /^[a-z]{1,2}[A-Z]/.test(rest) || isToolNearly(rest))) return glued
  return nearestTool(written, key) ?? twoTorn(written, key) ?? runIntoNext(written, key) ?? runIntoWhole(written, key)
}

/** By slips of letters, then by what else may have become of a name. */
function nearestTool(written: string, key: string): string | undefined {
  const isServerTool = SERVER_TOOL.test(written)
  let nearest: { tool: string; slips: number } | undefined
  for (const [known, tool] of NAMES) {
    const allowed = isServerTool && known.length < 7 ? 2 : 3
    // Two names that ran together, or a piece of one.
    const isTwo = key.startsWith(known) && NAMES.has(key.slice(known.length))
    const isPiece = isTwo || (known.length > 2 && (known.includes(key) || isTornFrom(written, key, known)))
    const isClose = known.length > 2 && Math.abs(known.length - key.length) <= allowed
    const slips = Math.min(
      isClose ? editDistance(key, known) : Number.POSITIVE_INFINITY,
      isPiece ? allowed : allowed + 1,
    )
    if (slips <= allowed && slips < (nearest?.slips ?? allowed + 1)) nearest = { tool, slips }
  }
  return nearest?.tool
}

/** `webfet`, of `webfet*`. */
export function isBeginningOfTool(written: string): boolean {
  const key = looseKey(written)
  return [...NAMES.keys()].some(known => known.startsWith(key))
}

/** Whether so many slips make one of our names of it, or a long one of elsewhere. */
export function isNearlyTool(written: string, slips: number): boolean {
  const key = looseKey(written)
  const isNear = (known: string) => Math.abs(known.length - key.length) <= slips && editDistance(key, known) <= slips
  return [...NAMES.keys()].some(
    known => (known.length > 4 || (known.length > 2 && OWN_KEYS.has(known))) && isNear(known),
  )
}

/** A word that takes something away, and is neither a tool nor a name that anybody would give one. */
export function isNoToolName(written: string): boolean {
  return canonicalToolName(written) === undefined && !isForeignTool(written) && !isSayable(written)
}

/** `shellrite_file`: the newline between two names was lost with the beginning of the second. */
function runIntoNext(written: string, key: string): string | undefined {
  for (const [known, tool] of NAMES) {
    if (known.length < 4 || !key.startsWith(known) || !/^[a-z]/.test(written.slice(known.length))) continue
    const rest = key.slice(known.length)
    if (rest.length > LEAST_END && [...NAMES.keys()].some(name => name.endsWith(rest))) return tool
  }
  return undefined
}

/** A piece was lost (`Multt`), written twice (`writwrite_file`), or stands there with signs (`bash:ash`). */
function isTornFrom(written: string, key: string, known: string): boolean {
  const { head, tail, kept, lost, added, isDoubled } = tearOf(key, known)
  if (known.length < 4 || added > MAX_PIECE) return false
  const isInside = head > 0 && tail > 0
  if (isDoubled || (added === 0 && kept > 2)) return true
  if (lost === 0 && isInside && OWN_KEYS.has(known)) return true
  if (lost > 0 && head > 2 && tail > 4 && 2 * kept >= known.length) return true
  if (written.split('/').every(isMadeOfWords)) return false
  return (lost === 0 && (isInside || /[^\w./-]/.test(written))) || (kept > 3 && 2 * kept >= known.length)
}

const MAX_PIECE = 8
const OWN_KEYS: ReadonlySet<string> = new Set(TOOL_NAMES.map(looseKey))

/**
 * `MultiEdiotebookEdit`: the comma between two names was lost with letters on both sides, and nothing else stands there;
 * or noise does, and one of the two is whole.
 */
function twoTorn(written: string, key: string): string | undefined {
  return TOOL_NAMES.find(first => {
    const { head } = tearOf(key, looseKey(first))
    const isSecond = (name: string) => {
      const { tail } = tearOf(key, looseKey(name))
      const isWhole =
        (tail > LONG_END && written.startsWith(first)) || (head >= first.length - 1 && written.endsWith(name))
      return name !== first && tail > LEAST_END && (isWhole || head + tail >= key.length)
    }
    return head > LEAST_END && TOOL_NAMES.some(isSecond)
  })
}

/** `shelTbgi2rwrite_file`: a long name is whole, and the other one has noise behind it. */
function runIntoWhole(written: string, key: string): string | undefined {
  const whole = LONG_KEYS.find(name => key.endsWith(name))
  if (whole === undefined || /[^\w-]/.test(written)) return undefined
  for (const [known, tool] of NAMES) {
    const { head } = tearOf(key, known)
    if (head > LEAST_END && known !== whole && !isMadeOfWords(key.slice(head, -whole.length))) return tool
  }
  return undefined
}

const LEAST_END = 3
/** As much of a name as no other one ends in. */
const LONG_END = 6

function isToolNearly(word: string): boolean {
  const key = looseKey(word)
  return key.length > 2 && TOOL_NAMES.some(name => name.length > 3 && editDistance(key, looseKey(name)) <= 2)
}

const MAX_SLIP = 32
const SERVER_TOOL = /^[a-z\d-]{3,}_[\w*-]{2,}$/i

/** Known elsewhere, and without a counterpart here: worth a better word than "unknown". */
export function isForeignTool(written: string): boolean {
  const isPart = (set: string, name: string | undefined) =>
    name !== undefined && isCopilotTool(`${set}/`) && FOREIGN.has(name)
  const key = looseKey(written)
  return FOREIGN.has(key) || (key.includes('/') && isPart(...(key.split('/', 2) as [string, string])))
}

/** Searches by meaning: they show what Grep and Glob would find, and no more. */
export function searchTools(written: string): readonly string[] | undefined {
  return SEARCHES.has(looseKey(written)) ? ['Grep', 'Glob'] : undefined
}

const SEARCHES: ReadonlySet<string> = new Set(['semanticsearch', 'codebaseretrieval', 'semsearch', 'fssearch'])

/** What stands for the tools of all servers. A bare `mcp` may be what is left of one server's name. */
export function isEveryServer(written: string): boolean {
  return /^(?:mcp_\*|use_mcp_tool)$/i.test(written)
}

const named = (aliases: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(aliases).flatMap(([name, words]) => words.map(word => [looseKey(word), name] as const))
const EXACT_NAMES: ReadonlyMap<string, string> = new Map(named(EXACT_ALIASES))
const NAMES: ReadonlyMap<string, string> = new Map([
  ...named(ALIASES),
  ...TOOL_NAMES.map(name => [looseKey(name), name] as const),
])

const LONG_KEYS: readonly string[] = [...NAMES.keys()].filter(name => name.length > LONG_END + 1)

const FOREIGN: ReadonlySet<string> = new Set(FOREIGN_NAMES.map(looseKey))

export const EDITING_TOOLS: readonly string[] = ['Edit', 'MultiEdit', 'Write', 'NotebookEdit']
export const SEARCHING_TOOLS: readonly string[] = ['Grep', 'Glob', 'LS']
const COPILOT_SETS: ReadonlyMap<string, readonly string[]> = new Map([
  ['edit', EDITING_TOOLS],
  ['editfiles', ['Edit', 'MultiEdit']],
  ['createfile', ['Write']],
  ['createdirectory', ['Write']],
  ['editnotebook', ['NotebookEdit']],
  ['createjupyternotebook', ['NotebookEdit']],
  ['search', SEARCHING_TOOLS],
  ['codebase', ['Grep', 'Glob']],
  ['searchresults', ['Grep']],
  ['textsearch', ['Grep']],
  ['usages', ['Grep']],
  ['filesearch', ['Glob']],
  ['listdirectory', ['LS']],
  ['read', ['Read']],
  ['readfile', ['Read']],
  ['readnotebookcelloutput', ['Read']],
  ['execute', ['Bash']],
  ['shell', ['Bash']],
  ['runcommands', ['Bash']],
  ['runinterminal', ['Bash']],
  ['getterminaloutput', ['BashOutput']],
  ['killterminal', ['KillShell']],
  ['web', ['WebFetch', 'WebSearch']],
  ['fetch', ['WebFetch']],
  ['agent', ['Task']],
  ['runsubagent', ['Task']],
  ['custom-agent', ['Task']],
  ['todo', ['TodoWrite']],
  ['todos', ['TodoWrite']],
])
