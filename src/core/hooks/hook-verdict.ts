/**
 * What the end of a command hook means, by event.
 *
 * | event             | exit 0                        | exit 2                       | any other exit |
 * | SubagentStart     | stdout goes to the child      | stderr to people, it goes on | stderr to people |
 * | SubagentStop, Stop| hidden                        | stderr sends the run back    | stderr to people |
 * | PreToolUse        | JSON decides, else no word    | stderr denies the call       | stderr to people |
 * | UserPromptSubmit  | stdout is added to the prompt | stderr refuses the prompt    | stderr to people |
 * | PreCompact        | stdout is minded in the summary | stderr: nothing is summed up | stderr to people |
 * H1 No hook beats a deny: the strictest word of all hooks and rules counts. H2 A guard that could not give its word
 * (missing, hanging, flooding, killed) denies; one that spoke garbled JSON asks. Every other hook then counts as silent.
 */

import { isRecord } from '../record.js'
import { cutCharacters } from '../text/text.js'
import { failsClosed, type HookEntry, type HookEventName, isGuardEvent } from './hook-config.js'
import { decidesUnheard, hidesDecision } from './hook-words.js'
import type { HookVerdict } from './hooks.js'

/** How a hook's process ended. `fault`: it never came to say anything of its own accord. */
export interface HookEnd {
  readonly code?: number
  readonly signal?: string
  readonly stdout: string
  readonly stderr: string
  readonly fault?: string
  /** Of stdout only the beginning is here. */
  readonly isCut?: boolean
  /** Something it left behind still holds stdout: an answer may have been on its way. */
  readonly isHeld?: boolean
}

/** Every text a hook hands on is at most this long. */
export const maxHookText = 10_000

export function readHookEnd(entry: HookEntry, end: HookEnd): HookVerdict {
  const fault = faultOf(end)
  if (fault !== undefined) return brokenHook(entry, fault)
  const stderr = bounded(end.stderr)
  if (end.code === 2) return blocked(entry.event, stderr || `${label(entry)} said no without a reason`)
  if (end.code !== 0)
    return {
      verdict: 'go',
      notes: [`${label(entry)} ended with ${end.code}${undecided(entry)}${stderr ? `: ${stderr}` : ''}`],
    }
  const output = readJson(end.stdout)
  if (output === 'garbled') return garbledHook(entry)
  if (!output && end.isHeld && failsClosed(entry)) return heldHook(entry)
  if (!output) return hidesAnswer(entry, end) ? garbledHook(entry) : plainOutput(entry.event, bounded(end.stdout))
  const verdict = named(entry, readOutput(entry, output))
  const isUnheard = verdict.verdict === 'go' && failsClosed(entry) && decidesUnheard(entry.event, output)
  return isUnheard ? garbledHook(entry, verdict.notes) : verdict
}

/** Whether a hook that ended well has given an answer, or may still be about to. */
export const isAnswer = (stdout: string): boolean => typeof readJson(stdout) === 'object'

/** The shell says 126 and 127 for a program it cannot run, and more than 128 for one that a signal ended. */
function faultOf({ code, signal, fault, stderr }: HookEnd): string | undefined {
  if (fault !== undefined) return fault
  if (signal !== undefined) return `was ended by ${signal}`
  if (code === undefined) return 'ended without a word'
  if (code === 127) return `was not found${stderr.trim() ? ` (${bounded(stderr)})` : ''}`
  if (code === 126) return `cannot be executed${stderr.trim() ? ` (${bounded(stderr)})` : ''}`
  return code > 128 ? `was ended by signal ${code - 128}` : undefined
}

/** Other codes decide nothing, so whoever wrote a guard hears what came of one that broke. */
function undecided({ event }: HookEntry): string {
  if (!isGuardEvent(event)) return ''
  return `, which is no "no" (2 is), so it ${event === 'PreToolUse' ? 'let the call through' : 'decided nothing'}`
}

function brokenHook(entry: HookEntry, fault: string): HookVerdict {
  const note = `${label(entry)} ${fault}`
  if (!failsClosed(entry)) return { verdict: 'go', notes: [note] }
  return {
    verdict: 'refuse',
    reason: `Denied: the guard "${short(entry.command)}" ${fault}, and a guard that cannot answer counts as a no. Go on without this call, and report it.`,
    notes: [note],
  }
}

function heldHook(entry: HookEntry): HookVerdict {
  const fault = 'ended without an answer while something it started still held its stdout (give that ">/dev/null &")'
  return { verdict: 'ask', reason: `the guard "${short(entry.command)}" ${fault}`, notes: [`${label(entry)} ${fault}`] }
}

function garbledHook(entry: HookEntry, said: readonly string[] = []): HookVerdict {
  const notes = [...said, `${label(entry)} gave an answer that cannot be read`]
  return failsClosed(entry)
    ? { verdict: 'ask', reason: `the guard "${short(entry.command)}" gave an answer that cannot be read`, notes }
    : { verdict: 'go', notes }
}

function blocked(event: HookEventName, reason: string): HookVerdict {
  switch (event) {
    case 'PreToolUse':
    case 'PermissionRequest':
    case 'UserPromptSubmit':
    case 'PreCompact':
      return { verdict: 'refuse', reason }
    case 'Stop':
    case 'SubagentStop':
      return { verdict: 'send-back', reason }
    case 'PostToolUse':
      return { verdict: 'go', context: reason }
    default:
      return { verdict: 'go', notes: [reason] }
  }
}

function plainOutput(event: HookEventName, stdout: string): HookVerdict {
  return forTheModel.has(event) && stdout ? { verdict: 'go', context: stdout } : { verdict: 'go' }
}

const forTheModel: ReadonlySet<HookEventName> = new Set([
  'SubagentStart',
  'SessionStart',
  'UserPromptSubmit',
  'PreCompact',
])

type Output = Readonly<Record<string, unknown>>

/** A single object, nothing (plain text), or something that began as JSON and is none. */
function readJson(stdout: string): Output | 'garbled' | undefined {
  const text = stdout.trim()
  if (!text.startsWith('{')) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Output) : 'garbled'
  } catch {
    return 'garbled'
  }
}

/** A guard that printed something around its answer, or so much that the answer is lost, is not to be taken for silent. */
const hidesAnswer = (entry: HookEntry, { stdout, isCut }: HookEnd): boolean =>
  failsClosed(entry) && (isCut === true || hidesDecision(entry.event, stdout))

function readOutput(entry: HookEntry, output: Output): HookVerdict {
  const { event } = entry
  const inner = isRecord(output.hookSpecificOutput) ? output.hookSpecificOutput : {}
  const notes = textOf(output.systemMessage)
  const noted = notes ? { notes: [notes] } : {}
  if (output.continue === false) return withNotes(stopped(entry, textOf(output.stopReason)), noted)
  const reason = textOf(output.reason) || textOf(inner.reason) || `${label(entry)} gave no reason`
  const context = textOf(inner.additionalContext)
  if (output.decision === 'block' || output.decision === 'deny')
    return withNotes(withContext(jsonBlock(event, reason), context), noted)
  if (event === 'PreToolUse') return withNotes(toolDecision(entry, inner, output, context), noted)
  if (event === 'PermissionRequest') return withNotes(requestDecision(entry, inner), noted)
  const isHeard = forTheModel.has(event) || event === 'PostToolUse'
  return { verdict: 'go', ...(context && isHeard && { context }), ...noted }
}

/** `decision: block` refuses a spawn; elsewhere it is what exit 2 is. */
function jsonBlock(event: HookEventName, reason: string): HookVerdict {
  return event === 'SubagentStart' || event === 'SessionStart' ? { verdict: 'refuse', reason } : blocked(event, reason)
}

/** What a hook adds to a remark of its own on what is done. */
const withContext = (verdict: HookVerdict, context: string): HookVerdict =>
  verdict.verdict === 'go' && verdict.context && context
    ? { ...verdict, context: bounded(`${verdict.context}\n${context}`) }
    : verdict

/**
 * `continue: false` lets nothing begin; what has ended stays ended. A call is not the run: that the run goes on without it,
 * or after it, is said.
 */
function stopped(entry: HookEntry, stopReason: string): HookVerdict {
  const reason = stopReason || 'a hook said not to go on'
  const said = `${label(entry)} said not to go on${stopReason ? ` (${stopReason})` : ''}`
  switch (entry.event) {
    case 'Stop':
    case 'SubagentStop':
    case 'SessionEnd':
      return { verdict: 'go', notes: [reason] }
    case 'PostToolUse':
      return { verdict: 'go', context: reason, notes: [`${said}: the model is told, and the run goes on`] }
    case 'PreToolUse':
      return { verdict: 'refuse', reason, notes: [`${said}: the call is denied, and the run goes on`] }
    default:
      return { verdict: 'refuse', reason }
  }
}

const withNotes = (verdict: HookVerdict, { notes = [] }: Pick<HookVerdict, 'notes'>): HookVerdict =>
  notes.length > 0 ? { ...verdict, notes: [...(verdict.notes ?? []), ...notes] } : verdict

/** A hook that wanted another input did not mean this one: what it says beside that counts only where it narrows. */
function isUnusable(input: unknown): boolean {
  return input !== undefined && !isRecord(input)
}

function toolDecision(entry: HookEntry, inner: Output, output: Output, context: string): HookVerdict {
  const decision = inner.permissionDecision ?? (output.decision === 'approve' ? 'allow' : undefined)
  const reason = textOf(inner.permissionDecisionReason) || textOf(output.reason)
  const beside = {
    ...(isRecord(inner.updatedInput) && { input: inner.updatedInput }),
    ...(context && { context }),
  }
  if (decision === 'deny') return { verdict: 'refuse', reason: reason || 'a hook denied this call' }
  if (decision === 'ask') return { verdict: 'ask', reason: reason || 'a hook wants this call approved', ...beside }
  if (decision !== undefined && decision !== 'allow')
    return { verdict: 'ask', reason: `a hook gave the unknown decision ${JSON.stringify(decision)}`, ...beside }
  if (isUnusable(inner.updatedInput)) return garbledHook(entry)
  return { verdict: 'go', ...(decision === 'allow' && { approves: true }), ...beside }
}

function requestDecision(entry: HookEntry, inner: Output): HookVerdict {
  const decision = isRecord(inner.decision) ? inner.decision : {}
  if (decision.behavior === 'deny')
    return { verdict: 'refuse', reason: textOf(decision.message) || 'a hook denied this request' }
  if (decision.behavior !== 'allow') return { verdict: 'go' }
  if (isUnusable(decision.updatedInput)) return garbledHook(entry)
  return { verdict: 'go', approves: true, ...(isRecord(decision.updatedInput) && { input: decision.updatedInput }) }
}

/**
 * All hooks of one point heard: refuse > ask > send-back > go; contexts in order, the last changed input counts, and an
 * approval given before that change does not.
 */
export function combineVerdicts(verdicts: readonly HookVerdict[]): HookVerdict {
  const notes = verdicts.flatMap(verdict => verdict.notes ?? [])
  const noted = notes.length > 0 ? { notes } : {}
  const refusal = verdicts.find(verdict => verdict.verdict === 'refuse')
  if (refusal) return { ...refusal, ...noted }
  const changer = verdicts.findLastIndex(each => 'input' in each && each.input !== undefined)
  const changed = changer < 0 ? {} : changeOf(verdicts[changer]!)
  const question = verdicts.find(verdict => verdict.verdict === 'ask')
  const context = verdicts.flatMap(each => ('context' in each ? (each.context ?? []) : [])).join('\n')
  const added = context ? { context } : {}
  if (question?.verdict === 'ask') return { ...question, ...added, ...changed, ...noted }
  const back = verdicts.flatMap(verdict => (verdict.verdict === 'send-back' ? [verdict.reason] : []))
  if (back.length > 0) return { verdict: 'send-back', reason: bounded(back.join('\n')), ...noted }
  const going = verdicts.filter(verdict => verdict.verdict === 'go')
  const prompt = going.findLast(verdict => verdict.prompt !== undefined)?.prompt
  const caps = going.flatMap(verdict => verdict.maxTurns ?? [])
  return {
    verdict: 'go',
    ...added,
    ...(prompt !== undefined && { prompt }),
    ...(caps.length > 0 && { maxTurns: Math.min(...caps) }),
    ...(verdicts.some((each, at) => at >= changer && each.verdict === 'go' && each.approves) && { approves: true }),
    ...changed,
    ...noted,
  }
}

function changeOf(verdict: HookVerdict): { readonly input?: unknown; readonly changedBy?: string } {
  const { input, changedBy } = verdict as { input?: unknown; changedBy?: string }
  return { input, ...(changedBy !== undefined && { changedBy }) }
}

const named = (entry: HookEntry, verdict: HookVerdict): HookVerdict =>
  'input' in verdict ? { ...verdict, changedBy: label(entry) } : verdict

const textOf = (value: unknown): string => (typeof value === 'string' ? bounded(value) : '')
const bounded = (text: string): string => cutCharacters(text.trim(), maxHookText)
const short = (command: string): string => cutCharacters(command, 60)
const label = (entry: HookEntry): string => `the ${entry.event} hook "${short(entry.command)}"`
