/**
 * opencode's map of permissions: `{edit: ask, bash: {"*": deny, "git *": allow}}`.
 * O1 the last rule that fits counts there, so a rule for all overrides what stands before it. O2 a name nobody knows may
 * be a tool of the host or of a server, wherever the server's name ends. O3 where it cannot be said in our words exactly,
 * it is read more strictly.
 */
import type { PermissionRules, ToolGrant } from '../../agent-definition.js'
import { isAgentPattern } from '../../catalog/agent-pattern.js'
import { parsePermissionRules } from '../../permission/permission-rule.js'
import { isRecord } from '../../record.js'
import { looseKey } from '../../text/nearest.js'
import { outsideInOpencode } from '../../tools/outside-roots.js'
import {
  canonicalToolName,
  copilotTools,
  editingTools,
  isCopilotTool,
  isForeignTool,
  toolNames,
} from '../../tools/tool-names.js'
import { isNoToolName, slipForTool } from '../../tools/tool-slips.js'
import { isSecurityKey } from '../field-table.js'
import {
  deniedEditing,
  deniedSet,
  deniedTools,
  isServerPattern,
  isServersToo,
  noTool,
  serverNames,
  serverSwitchedOff,
} from './denied-words.js'
import { type Given, refuse } from './field-reader.js'
import { oddName, readElsewhere } from './foreign-directories.js'
import { endOfJoined, isPatternOf, isRuleOfItsOwn, joined, withPatterns } from './foreign-patterns.js'
import {
  type Action,
  editingAtOnce,
  type ForeignRule,
  isAction,
  type Line,
  linesOf,
  type Overruled,
  overrule,
  reportBehind,
  reportOverruled,
  reportUngranted,
  withoutSwitches,
} from './foreign-rule.js'
import { everyTool } from './tool-sets.js'

/** As many as nobody writes by hand. */
export const maxRules = 1000
/** Of a name: each may be where its server ends. */
const maxParts = 10
const maxName = 100

/** `[{action, resource, effect}]`, or `[{permission, pattern, action}]`: the same rules one by one. */
export function readForeignList(items: readonly Readonly<Record<string, unknown>>[], given: Given) {
  const lines: Line[] = []
  for (const item of items.slice(0, maxRules + 1)) {
    const [name, pattern, action] = 'effect' in item ? listKeys[0] : listKeys[1]
    const odd = Object.keys(item).find(key => key !== name && key !== pattern && key !== action)
    if (odd !== undefined) return refuse(given, `"${odd.slice(0, 60)}" is nothing that a rule has`)
    const about = item[pattern] ?? '*'
    if (typeof item[name] !== 'string' || typeof about !== 'string') return refuse(given, 'a rule names a tool')
    if (item[name] === '*' && about !== '*') return refuse(given, 'a rule for all tools must be about all calls')
    lines.push([item[name], about, item[action]])
  }
  readForeignRules(lines, given)
}

const listKeys = [
  ['action', 'resource', 'effect'],
  ['permission', 'pattern', 'action'],
] as const

export function readForeignMap(written: Readonly<Record<string, unknown>>, given: Given) {
  const lines: Line[] = []
  const value = withoutSwitches(written, given)
  for (const [name, action] of Object.entries(value)) {
    if (name === '*' && isRecord(action)) return refuse(given, '"*" must be allow, ask or deny')
    lines.push(...linesOf(name, action, given))
    if (lines.length > maxRules) break
  }
  readForeignRules(lines, given)
}

/** `bash:;  "*"`: the line between a tool and its patterns was lost, and a denial with it. */
const noName = /["';{}&]/

function readForeignRules(written: readonly Line[], given: Given) {
  const lines = editingAtOnce(withPatterns(written, given))
  const read = rulesIn(lines, given)
  if ('fault' in read) return refuse(given, read.fault)
  const { rules, ends, overruled } = read
  readElsewhere(lines, given)
  reportUnread(lines, given)
  reportOverruled(overruled, rules, given)
  reportBehind(lines, given)
  reportDelegation(rules, given)
  reportUngranted(rules, given)
  applyWildcard(rules, given)
  applyDenials(rules, given)
  const text = (rule: ForeignRule) => (rule.pattern === undefined ? rule.tool : `${rule.tool}(${rule.pattern})`)
  // Apart from the others: of a tool that is denied those that ask are what is left.
  const said = [...rules, ...ends].filter(({ tool }) => tool !== '*')
  const pick = (action: Action) => said.filter(rule => rule.action === action).map(text)
  const { rules: parsed, faults } = parsePermissionRules({ allow: pick('allow'), ask: pick('ask'), deny: pick('deny') })
  const serious = faults.find(fault => !fault.startsWith('allow:'))
  if (serious) return refuse(given, serious)
  addRules(parsed, given)
}

interface ReadRules {
  readonly rules: ForeignRule[]
  /** What is said of the last of joined commands. */
  readonly ends: readonly ForeignRule[]
  readonly overruled: readonly Overruled[]
}

function rulesIn(lines: readonly Line[], given: Given): ReadRules | { readonly fault: string } {
  const [rules, ends]: [ForeignRule[], ForeignRule[]] = [[], []]
  if (lines.length > maxRules) return { fault: `more than ${maxRules} rules` }
  const long = lines.find(([name]) => name.length > maxName)
  if (long) return { fault: `"${long[0].slice(0, 60)}…" is no tool` }
  const { isHarmless, isWhole } = lookAround(lines)
  const overruled: Overruled[] = []
  const left = lines.filter(([, , action]) => action !== 'deny').map(([name]) => name)
  for (const [name, pattern, action] of lines) {
    if (!isAction(action)) return { fault: `"${name}" must be allow, ask or deny` }
    if (isNoTool(name)) continue
    const odd = oddName(name)
    if (odd !== undefined) return { fault: odd }
    const tools = isSecurityKey(name) ? undefined : toolsOf(name, action, isHarmless)
    // What is not allowed after all is no loss.
    if (!tools && action === 'allow' && !isSecurityKey(name) && !noName.test(name)) continue
    if (!tools) return { fault: noTool(name) }
    if (!isPatternOf(name, pattern, isWhole.has(name))) return { fault: `"${pattern}" is no pattern` }
    if (tools.includes('Bash') && isRuleOfItsOwn(pattern)) return { fault: `"${pattern}" is no command, but a tool` }
    if (pattern === '*') overruled.push(...overrule(rules, { name, tools, action }, lines, given))
    // What is allowed may be a server's tool: `web_request`.
    const isSet = deniedSet(name) !== undefined && !(action === 'allow' && name.includes('_'))
    // What asks for `fs_write` asks for all editing, and leaves no more of it than what allows it does. Nor is a tool
    // of opencode's own a server's.
    const more = isForeignTool(name)
      ? serverNames(name)
      : deniedEditing(name)?.filter(tool => tool !== canonicalToolName(name))
    const server = action === 'deny' && pattern === '*' ? serverSwitchedOff(name, left) : []
    for (const tool of [...tools, ...server])
      rules.push({
        tool,
        action,
        name,
        isSet: isSet || more?.includes(tool) === true || server.includes(tool),
        // As agents in folders are called: finish.ts.
        ...(pattern === '*' ? {} : { pattern: tool === 'Task' ? pattern.replaceAll('/', '-') : pattern }),
      })
    const end = action === 'allow' || !tools.includes('Bash') ? undefined : endOfJoined(pattern)
    if (end !== undefined) {
      ends.push({ tool: 'Bash', name, action, pattern: end })
      given.note('permission-narrowed', `bash ${pattern}: joined commands are judged one by one, and so is "${end}"`)
    }
    if (rules.length > maxRules) return { fault: `more than ${maxRules} rules` }
  }
  return { rules, ends, overruled }
}

/** What the lines say of each other: whether a lost denial would leave anything open, and which tools have a rule for all. */
function lookAround(lines: readonly Line[]) {
  const isClosed = lines.some(([name, , action]) => name === '*' && action === 'deny')
  const open = new Set(
    lines.flatMap(([name, , action]) => (action === 'deny' ? [] : (toolsOf(name, 'allow', () => true) ?? []))),
  )
  const isWhole = new Set(lines.filter(([, pattern]) => pattern === '*').map(([name]) => name))
  return { isHarmless: (meant: string) => isClosed && !open.has(meant), isWhole }
}

/** Rules of opencode about no tool: where it may look, how often it may repeat itself. */
const isNoTool = (name: string): boolean => name === outsideInOpencode || name === loop
const loop = 'doom_loop'

function reportUnread(lines: readonly Line[], { note }: Given): void {
  const isLost = (name: string, action: unknown) =>
    action === 'allow' &&
    ((isForeignTool(name) && serverNames(name).length > 0) || toolsOf(name, 'allow', () => true) === undefined)
  const unread = lines.filter(
    ([name, , action]) => name !== outsideInOpencode && (isNoTool(name) || isLost(name, action)),
  )
  const names = [...new Set(unread.map(([name]) => name))].filter(name => name !== loop)
  if (unread.some(([name]) => name === loop))
    note('no-counterpart', `"${loop}" is not read: calls that repeat themselves are found here as well`)
  if (names.length > 0)
    note('tools-elsewhere', `rules of another product, not read here: ${names.join(', ').slice(0, 200)}`)
  if (lines.some(([, pattern]) => joined.test(pattern)))
    note(
      'value-converted',
      'commands that are joined are judged one by one: a rule about a sign between them, or one that writes to a file, has no say',
    )
}

/** `task: {"*": deny, reviewer: allow}` names whom it may call; what is allowed for every tool lets it call nobody. */
function reportDelegation(rules: readonly ForeignRule[], { draft, note }: Given): void {
  const isAllowed = rules.some(({ tool, action }) => tool === 'Task' && action !== 'deny')
  const named = rules.filter(({ tool, action, pattern }) => tool === 'Task' && action !== 'deny' && pattern)
  const isAgent = ({ action, pattern }: ForeignRule) =>
    action === 'allow' && (/^[\p{L}\p{N}_ .-]+$/u.test(pattern!) || isAgentPattern(pattern!))
  const agents = named.filter(isAgent).map(({ pattern }) => pattern!)
  const canDelegate = Array.isArray(draft.tools) && draft.tools.some(grant => grant.name === 'Task')
  const isOpen = canDelegate || !Array.isArray(draft.tools)
  const all = rules.filter(({ tool, pattern }) => tool === 'Task' && pattern === undefined)
  if (isOpen && all.some(({ action }) => action === 'allow') && !all.some(({ action }) => action === 'deny')) {
    draft.canSpawn ??= true
    return
  }
  if (isOpen && agents.length > 0 && draft.canSpawn === undefined) {
    draft.canSpawn = agents
    const others = named.filter(rule => !isAgent(rule)).map(({ pattern }) => pattern!)
    if (others.length > 0)
      note(
        'permission-narrowed',
        `task: it may call only ${listed(agents)}; ${listed(others)} let it call nobody else`,
        nameAgents,
      )
    return
  }
  // Left open it would be anybody where the agent is the one a person talks to.
  const last = rules.findLast(({ tool, pattern }) => (tool === 'Task' || tool === '*') && pattern === undefined)
  if (last?.action === 'deny' && !canDelegate) draft.canSpawn ??= false
  if (isAllowed && !canDelegate && !draft.canSpawn)
    note('permission-narrowed', 'task: an allowance does not let it delegate', nameAgents)
}

const listed = (names: readonly string[]): string => names.join(', ').slice(0, 200)
const nameAgents = 'name the agents: canSpawn: [a, b]'

/** Undefined when the word is a slip for a tool, unless it only allows. A word nobody knows may be a tool of the host. */
function toolsOf(name: string, action: Action, isHarmless: (meant: string) => boolean): readonly string[] | undefined {
  if (name === '*') return ['*']
  if (looseKey(name) === 'edit') return editingTools
  const tool = canonicalToolName(name)
  const editing = action === 'allow' ? undefined : deniedEditing(name)
  if (editing) return [...editing, ...serverNames(name)]
  if (tool) return [tool, ...(action !== 'allow' && isServersToo(name) ? serverNames(name) : [])]
  const isName = /^[\p{L}\p{N}_][\p{L}\p{N}_.:/*-]{0,99}$/u.test(name) && !/^.{0,1}\*/.test(name)
  if (!isName || name.split('_').length > maxParts || (action !== 'allow' && /\*./.test(name))) return undefined
  const set = action === 'allow' ? copilotSet(name) : deniedTools(name)
  if (set) return [...set, ...(action === 'allow' || isForeignTool(name) ? [] : serverNames(name))]
  if (action === 'allow' && isForeignTool(name)) return [name]
  if (action === 'allow' || isServerPattern(name)) return [name, ...serverNames(name)]
  const slip = slipForTool(name)
  const isMeant = slip === undefined ? !isNoToolName(name) : action === 'deny' && isHarmless(slip)
  return isMeant ? [name, ...serverNames(name)] : undefined
}

const copilotSet = (name: string) => (isCopilotTool(name) ? copilotTools(name) : undefined)

/** `*: deny` leaves the tools that are named; `*: ask` asks for every tool that is not. */
function applyWildcard(rules: ForeignRule[], given: Given) {
  const wildcard = rules.find(rule => rule.tool === '*')
  if (!wildcard || wildcard.action === 'allow') return
  if (wildcard.action === 'ask') {
    const isNamed = (tool: string) => rules.some(rule => rule.tool === tool && rule.pattern === undefined)
    for (const tool of [...toolNames, 'mcp__*']) if (!isNamed(tool)) rules.push({ tool, name: '*', action: 'ask' })
    return
  }
  // `"*": deny, mcp: ask`: there the word names no tool, and all is denied.
  rules.splice(0, rules.length, ...rules.filter(rule => !rule.isSet || rule.action === 'deny'))
  const named = new Set(rules.filter(rule => rule.tool !== '*' && !rule.isSet).map(rule => rule.tool))
  const servers = [...named].filter(name => name.startsWith('mcp__')).map((name): ToolGrant => ({ name }))
  const left = everyTool(given.draft.tools).filter(grant => named.has(grant.name))
  const lost = new Set<string>()
  given.draft.tools = [...left, ...(hasServers(given.draft.tools) ? servers : [])].flatMap(grant => {
    // Of a tool with patterns and no word for the rest, the rest is denied as well.
    const own = rules.filter(rule => rule.tool === grant.name)
    if (own.every(rule => rule.action === 'deny')) return []
    if (own.some(rule => rule.pattern === undefined)) return [grant]
    if (grant.pattern !== undefined) {
      lost.add(grant.name)
      return []
    }
    const open = own.filter(rule => rule.action !== 'deny')
    return open.map((rule): ToolGrant => ({ name: grant.name, pattern: rule.pattern! }))
  })
  reportLost(lost, given)
}

/** What two patterns have in common cannot be told. */
function reportLost(tools: ReadonlySet<string>, { note }: Given): void {
  const [names, hint] = [[...tools].join(', ').slice(0, 200), 'name the calls in one place']
  if (names !== '')
    note('permission-narrowed', `${names}: not granted, since two lists of calls say what is left`, hint)
}

const hasServers = (tools: 'all' | readonly ToolGrant[] | undefined): boolean =>
  tools === undefined || tools === 'all' || tools.some(({ name }) => name === 'mcp__*')

/** A tool denied but for some patterns is granted by these patterns, which says the same and is enforced at the call. */
function applyDenials(rules: ForeignRule[], given: Given) {
  const lost = new Set<string>()
  const asking: string[] = []
  for (const tool of new Set(rules.map(rule => rule.tool))) {
    const own = rules.filter(rule => rule.tool === tool)
    const isDenied = own.some(rule => rule.pattern === undefined && rule.action === 'deny')
    const open = own.filter(rule => rule.pattern !== undefined && rule.action !== 'deny')
    if (!isDenied || open.length === 0 || !toolNames.includes(tool)) {
      if (
        own.some(rule => rule.pattern === undefined && rule.action === 'ask') &&
        open.some(rule => rule.action === 'allow')
      )
        asking.push(tool)
      continue
    }
    const { canSpawn, tools: listed } = given.draft
    // Nobody has it by `all`, and whom it may call is said by their names: it has all the others.
    const isByName = tool === 'Task' && !Array.isArray(listed) && (canSpawn === false || Array.isArray(canSpawn))
    if (isByName) {
      if (canSpawn !== false) rules.splice(0, rules.length, ...rules.filter(rule => !isWholly(rule, tool)))
      continue
    }
    const others = everyTool(given.draft.tools).filter(grant => grant.name !== tool)
    const before = everyTool(given.draft.tools).filter(grant => grant.name === tool)
    const had = before.some(grant => grant.pattern === undefined)
    if (!had && before.length > 0) lost.add(tool)
    given.draft.tools = had
      ? [...others, ...open.map((rule): ToolGrant => ({ name: tool, pattern: rule.pattern! }))]
      : others
    // `edit` and `write` may both have one.
    rules.splice(0, rules.length, ...rules.filter(rule => !isWholly(rule, tool)))
  }
  if (asking.length > 0)
    given.note('permission-narrowed', `${asking.join(', ')}: "ask" for the rest means that every call asks`)
  reportLost(lost, given)
}

const isWholly = (rule: ForeignRule, tool: string): boolean =>
  rule.tool === tool && rule.pattern === undefined && rule.action === 'deny'

export function addRules(rules: PermissionRules, given: Given) {
  const before = given.draft.permissions
  given.draft.permissions = {
    allow: [...(before?.allow ?? []), ...rules.allow],
    ask: [...(before?.ask ?? []), ...rules.ask],
    deny: [...(before?.deny ?? []), ...rules.deny],
  }
}
