/**
 * Hooks as settings and agent files write them:
 * `{ EVENT: [{ matcher?, hooks: [{ type: 'command', command, args?, timeout? }] }] }`.
 *
 * 1. What cannot be read is a fault that names its place; a fault in a guard is marked, because it leaves a hole.
 * 2. A matcher is empty or `*` (all), a list of exact names, or else an unanchored regular expression;
 *    a tool of ours is meant by its name in Claude Code as well, and where that fits none by those of other products.
 * 3. A guard whose matcher cannot be read guards everything.
 */

import { isRecord } from '../record.js'
import { didYouMean } from '../text/nearest.js'
import { quoteWord } from '../text/shell-word.js'
import { canonicalToolName, namesThere } from '../tools/tool-names.js'
import { bareMatcher, coversElsewhere, fitsNoTool, matcherSlip } from './hook-matcher.js'

export const hookEventNames = [
  'SessionStart',
  'SessionEnd',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PermissionRequest',
  'PreCompact',
  'Stop',
  'SubagentStart',
  'SubagentStop',
] as const
export type HookEventName = (typeof hookEventNames)[number]

export interface HookEntry {
  readonly event: HookEventName
  readonly matcher?: string
  readonly command: string
  readonly timeoutMs?: number
  /** What a hook that could not give its word means; the event's class decides when absent. */
  readonly failClosed?: boolean
}
export interface HookFault {
  readonly message: string
  readonly isGuard: boolean
  /** Another product's, and right there: nobody has to mend it, and nothing that decides is missing. */
  readonly isElsewhere?: boolean
}

/** Guards decide whether something happens; all other hooks only watch, add or send back. */
const guards: ReadonlySet<HookEventName> = new Set(['PreToolUse', 'PermissionRequest'])

export const failsClosed = ({ event, failClosed }: Pick<HookEntry, 'event' | 'failClosed'>): boolean =>
  guards.has(event) && failClosed !== false

export function readHookConfig(config: unknown): {
  readonly entries: readonly HookEntry[]
  readonly faults: readonly HookFault[]
} {
  const entries: HookEntry[] = []
  const faults: HookFault[] = []
  if (config === undefined || config === null) return { entries, faults }
  if (!isRecord(config)) return { entries, faults: [{ message: 'hooks must be an object by event', isGuard: true }] }
  for (const [event, groups] of Object.entries(config)) {
    if (!isEventName(event)) faults.push(unknownEvent(event))
    else if (!Array.isArray(groups)) faults.push(faultIn(event, 'must be a list of { matcher, hooks }'))
    else for (const group of groups) readGroup(event, group, entries, faults)
  }
  if (entries.length > maxEntries)
    faults.push({ message: `hooks: more than ${maxEntries}; the rest is not run`, isGuard: true })
  return { entries: entries.slice(0, maxEntries), faults }
}

/** Events of Claude Code that do not occur here, and whose hooks only hear of something. */
const elsewhere: ReadonlySet<string> = new Set(['Notification'])

/** A guard under a name nobody reads guards nothing. */
export function unknownEvent(event: string): HookFault {
  if (elsewhere.has(event))
    return {
      message: `hooks: "${event}" does not occur here, so its hooks do not run`,
      isGuard: false,
      isElsewhere: true,
    }
  const meant = didYouMean(event, hookEventNames) as HookEventName | undefined
  const hint = meant ? `: did you mean "${meant}"?` : ''
  return { message: `hooks: there is no event "${event}"${hint}`, isGuard: meant !== undefined && isGuardEvent(meant) }
}

export const isGuardEvent = (event: string): boolean => (guards as ReadonlySet<string>).has(event)

/** Whether anything in it decides about calls, read or not. */
export function guardsCalls(config: unknown): boolean {
  const { entries, faults } = readHookConfig(config)
  return entries.some(({ event }) => guards.has(event)) || faults.some(({ isGuard }) => isGuard)
}

const maxEntries = 500
const longestTimeoutSeconds = 600

function readGroup(event: HookEventName, group: unknown, entries: HookEntry[], faults: HookFault[]): void {
  if (!isRecord(group) || !Array.isArray(group.hooks)) {
    faults.push(faultIn(event, 'each entry needs a list "hooks"'))
    return
  }
  const matcher = readMatcher(event, group.matcher, faults)
  if (matcher === null) return
  for (const hook of group.hooks) {
    if (!isRecord(hook)) {
      faults.push(faultIn(event, 'a hook must be an object'))
      continue
    }
    // Whoever lets a guard fail open can do without it.
    const say = (message: string) =>
      void faults.push({ ...faultIn(event, message), ...(hook.failClosed === false && { isGuard: false }) })
    if (hook.type !== undefined && hook.type !== 'command')
      say(
        `hooks of type ${JSON.stringify(hook.type)} are not run; only "command" is ("failClosed": false does without)`,
      )
    else if (typeof hook.command !== 'string' || hook.command.trim() === '') say('a hook needs a "command"')
    else if (hook.args !== undefined && !isWords(hook.args)) say('"args" must be a list of words')
    else if (hook.args?.some(word => anyVariable.test(word.replaceAll(projectVariable, ''))))
      say('"args" may name no variable but CLAUDE_PROJECT_DIR')
    else {
      const timeoutMs = readTimeout(event, hook.timeout, faults)
      entries.push({
        event,
        ...(matcher !== undefined && { matcher }),
        command: hook.args === undefined ? hook.command : [hook.command, ...hook.args].map(quoted).join(' '),
        ...(timeoutMs !== undefined && { timeoutMs }),
        ...(typeof hook.failClosed === 'boolean' && { failClosed: hook.failClosed }),
      })
    }
  }
}

function isWords(args: unknown): args is readonly string[] {
  return Array.isArray(args) && args.every(each => typeof each === 'string')
}

/** With `args` nothing of it is the shell's to read, but for where the project lies. */
function quoted(word: string): string {
  if (!word.match(projectVariable)) return quoteWord(word)
  const parts = word.split(projectVariable).map(part => part.replace(/[\\"$`]/g, '\\$&'))
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell's to expand
  return `"${parts.join('${CLAUDE_PROJECT_DIR}')}"`
}

const projectVariable = /\$\{(?:CLAUDE|OFFSHOOT)_PROJECT_DIR\}/g
const anyVariable = /\$\{\w+\}/

/** Null: the group cannot be used. */
function readMatcher(event: HookEventName, matcher: unknown, faults: HookFault[]): string | undefined | null {
  if (matcher === undefined || matcher === null || matcher === '' || matcher === '*') return undefined
  if (typeof matcher === 'string' && matcher.trim() === '') return undefined
  const isReadable = typeof matcher === 'string' && (isNameList(matcher) || regularExpression(matcher) !== undefined)
  if (isReadable) {
    const slip = guards.has(event) ? (matcherSlip(matcher) ?? fitsNothing(matcher)) : undefined
    if (slip !== undefined) faults.push({ message: `hooks.${event}: ${slip}`, isGuard: false })
    return matcher
  }
  faults.push(faultIn(event, `the matcher ${JSON.stringify(matcher)} is no list of names and no regular expression`))
  return guards.has(event) ? undefined : null
}

const fitsNothing = (matcher: string): string | undefined =>
  !isNameList(bareMatcher(matcher)) && fitsNoTool(bareMatcher(matcher))
    ? `the matcher "${matcher}" fits no tool that is known here`
    : undefined

function readTimeout(event: HookEventName, seconds: unknown, faults: HookFault[]): number | undefined {
  if (seconds === undefined) return undefined
  if (typeof seconds === 'number' && seconds > 0) return Math.min(seconds, longestTimeoutSeconds) * 1000
  faults.push({ message: `hooks.${event}: "timeout" must be a number of seconds; the default counts`, isGuard: false })
  return undefined
}

export function matcherCovers(written: string | undefined, subject: string): boolean {
  const matcher = bareMatcher(written ?? '')
  return coversByName(matcher, subject) || (!isNameList(matcher) && coversElsewhere(matcher, subject))
}

/** Without what an expression may mean by other products' names: whoever means others by it approves nothing of ours. */
export function coversByName(written: string | undefined, subject: string): boolean {
  const matcher = bareMatcher(written ?? '')
  if (matcher.trim() === '' || matcher === '*') return true
  if (isNameList(matcher))
    return matcher
      .split(/[,|]/)
      .map(name => name.trim())
      .some(name => name === subject || canonicalToolName(name) === subject)
  const expression = regularExpression(matcher)
  return expression !== undefined && [subject, ...namesThere(subject)].some(name => expression.test(name))
}

const isNameList = (matcher: string): boolean => /^[A-Za-z0-9_\- ,|]+$/.test(matcher)

function regularExpression(text: string): RegExp | undefined {
  if (text.length > 1000) return undefined
  try {
    return new RegExp(text)
  } catch {
    return undefined
  }
}

const faultIn = (event: HookEventName, message: string): HookFault => ({
  message: `hooks.${event}: ${message}`,
  isGuard: guards.has(event),
})

export const isEventName = (name: string): name is HookEventName => (hookEventNames as readonly string[]).includes(name)
