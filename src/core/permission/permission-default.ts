/**
 * What becomes of a part that no rule speaks about: by effect and mode.
 * Reading inside the roots is allowed, writing and running ask, the network asks, delegation and talking are allowed.
 */

import type { PermissionMode } from '../agent-definition.js'
import { whyUnproven } from '../shell/why-unproven.js'
import { anyText, isCertain } from '../text/glob.js'
import type { ToolEffect, ToolSpec } from '../types.js'
import type { CommandPart, Part, PathPart } from './part.js'
import type { PathFacts } from './path-policy.js'

export interface Finding {
  readonly decision: 'allow' | 'ask' | 'deny'
  readonly rule: string
  /** The file or agent a written rule comes from. */
  readonly origin?: string
  readonly reason: string
  /** An ask that no mode and no allow rule lifts. */
  readonly isFirm?: boolean
}

export interface DefaultContext {
  readonly spec: ToolSpec
  readonly effect: ToolEffect
  readonly mode: PermissionMode
  /** Whether starting a child asks. */
  readonly delegate: 'allow' | 'ask'
}

export const protectedPath = 'protected-path'

export const outsideRoots = 'outside-roots'

/** The rule of a word that might be a path and that nothing forbids. */
export const mereWord = 'named-only'

/** Denied in every mode, whatever the rules say. */
export function builtInRefusal(part: Part): Finding | undefined {
  if (part.kind === 'refused') return { decision: 'deny', rule: part.rule, reason: part.reason }
  if (part.kind !== 'path') return undefined
  const { facts, access } = part
  if (facts.fault !== undefined) return deny('path-invalid', `${facts.fault}.`)
  if (facts.inState === 'yes') return deny('own-state', 'Offshoot’s own state and configuration are closed to tools.')
  if (access === 'write' && facts.sealed === 'yes')
    return deny(protectedPath, `${couldChange(part)}it decides what runs later or what is allowed.`)
  return undefined
}

function couldChange({ from, isStoodIn }: PathPart): string {
  if (isStoodIn) return 'a command that stands in it could change it without naming it, and '
  return from === 'word' ? 'a command that names it could change it, and ' : ''
}

/** A wildcard or a variable could come to something that is denied: a person has to look, whatever the mode allows. */
export function builtInConcern(part: Part): Finding | undefined {
  if (part.kind === 'doubt' && part.guards !== undefined) return ask(part.guards, `${part.sentence}.`)
  if (part.kind !== 'path') return undefined
  const { facts, access, from } = part
  if (facts.holdsState && from === 'command' && access !== 'list')
    return ask('own-state', 'Offshoot’s own state lies below it.')
  if (facts.inState === 'maybe') return ask('own-state', 'the wildcard may pick Offshoot’s own state.')
  if (access !== 'write') return undefined
  if (facts.sealed === 'maybe')
    return ask(
      protectedPath,
      part.isStoodIn ? 'it could change a protected file there.' : 'it may turn out to be a protected file.',
    )
  if (part.isLaidOver && facts.surroundsDecisive)
    return ask(protectedPath, 'what is laid there may replace files that run later, as you; look at what it holds.')
  if (!part.isRun && (facts.decisive !== 'no' || (part.isMoved && facts.holdsDecisive)))
    return ask(
      protectedPath,
      `${from === 'word' ? 'a command that names it could change it, and a' : 'a'} hook, a plugin or your shell runs it later, as you, or agents, git or other programs of yours go by it; look at the change.`,
    )
  if (facts.isProgram && (part.isWritten || from !== 'word'))
    return ask(protectedPath, 'your shell starts it by its name from then on, as you; look at what it does.')
  return undefined
}

/** Nothing but looking is left in plan mode and to agents of a read-only source. */
export function isOnlyLooking(part: Part, { spec, effect }: Pick<DefaultContext, 'spec' | 'effect'>): boolean {
  switch (part.kind) {
    case 'command':
      return part.command.role !== 'plain' || part.proof !== undefined
    case 'path':
      return part.access !== 'write' || part.from === 'word' || part.facts.isPlanFile
    case 'agent':
      return true
    case 'tool':
    case 'skill':
      return [spec.effect, effect].every(one => one === 'read' || one === 'interactive' || one === 'delegate')
    default:
      return false
  }
}

export function defaultFor(part: Part, context: DefaultContext): Finding {
  switch (part.kind) {
    case 'path':
      return forPath(part, context)
    case 'command':
      if (part.command.role !== 'plain') return allow('launcher', 'it only runs what is judged for itself.')
      if (part.proof) return allow('read-only-command', 'it is known to only look.')
      return ask('execute-asks', whyAsked(part))
    case 'doubt':
      return ask('shell-doubt', `${part.sentence}.`)
    case 'agent':
      return context.delegate === 'allow'
        ? allow('delegate-allowed', 'handing on work is allowed.')
        : ask('delegate-asks', 'handing on work asks here.')
    case 'url':
      return ask('network-asks', 'the network asks by default.')
    default:
      return forTool(context)
  }
}

/** What was not understood of a command, where that can be said. */
export function whyNotLooking({ command, heldUpBy }: CommandPart): string | undefined {
  if (heldUpBy === undefined) return whyUnproven(command)
  return `git is only known to look where the whole line is, and this is not: ${heldUpBy}`
}

function whyAsked(part: CommandPart): string {
  const { program, altering } = { ...part, ...part.spellings }
  if (program) return `it is ${program}, a program of the workspace, so nobody knows what it does.`
  if (altering.length === 0) return whyNotLooking(part) ?? 'running a command asks by default.'
  return `${altering.join(', ')} may change what it does, so only a rule that spells it out allows it.`
}

function forPath(part: PathPart, { mode }: DefaultContext): Finding {
  const { access, facts, from, below, isMoving } = part
  if (from === 'word') return allow(mereWord, 'no rule forbids what the command names.')
  if (from === 'command' && isNoFile(part)) return allow('no-file', 'it is no file: a device, or a part of a pattern.')
  if (access === 'write') {
    if (facts.isPlanFile) return allow('plan-file', 'it is this run’s plan file.')
    if (facts.isWritable) return allow('own-place', 'it lies in this run’s own directory.')
    if (!facts.isInside) return ask(outsideRoots, whyOutside(facts, isMoving))
    if (facts.isDelicate) return ask('delicate-file', 'it changes how tools and shells behave.')
    if (facts.isSecret) return ask('secret-file', whySecret(facts))
    return mode === 'acceptEdits'
      ? allow('edits-accepted', 'edits inside the workspace are accepted.')
      : ask('write-asks', 'writing asks by default.')
  }
  if (facts.isReadable || facts.isWritable || facts.isPlanFile) return allow('own-place', 'it is open to this run.')
  // Said as the secret it is: a yes to the directory above it is none to this file.
  if (access === 'read' && facts.isSecret && !facts.isInside && isCertain(facts.asked))
    return ask('secret-file', `${whyOutside(facts, isMoving)} Also, ${whySecret(facts)}`)
  if (!facts.isInside)
    return ask(
      outsideRoots,
      `${whyOutside(facts, isMoving)}${below?.isPast && !below.isNarrowed ? ` ${namePaths}` : ''}`,
    )
  if (access === 'read' && facts.isSecret) return ask('secret-file', whySecret(facts))
  if (below?.outside) return ask(outsideRoots, `it would follow ${below.outside} out of the workspace. ${useGrep}`)
  if (below?.isCut) return ask('secret-file', `what lies below it is too much to look through for secrets. ${useGrep}`)
  if (below?.secret)
    return ask(
      'secret-file',
      `it would show ${below.secret} as well. ${below.isPast && !below.isNarrowed ? namePaths : useGrep}`,
    )
  return allow('read-inside', 'reading inside the workspace is allowed.')
}

/** How a call gets out of the workspace, or might. */
export interface WayOut {
  readonly reason: string
  readonly isCertain: boolean
}

/** Undefined for what stays in the roots, or is open to the run although it lies elsewhere. */
export function wayOut(part: Part): WayOut | undefined {
  if (part.kind !== 'path' || isNoFile(part)) return undefined
  const { access, facts, from, below, isMoving } = part
  if (facts.isPlanFile || facts.isWritable || (access !== 'write' && facts.isReadable)) return undefined
  const isWord = from === 'word'
  if (!facts.isInside) {
    if (isWord && isMereGuess(part)) return undefined
    const reason = part.wayOut ?? whyOutside(facts, isMoving)
    return { reason, isCertain: !isWord && !isMoving && isCertain(facts.asked) }
  }
  if (below?.outside !== undefined && (isWord || access !== 'write'))
    return { reason: `it would follow ${below.outside} out of it.`, isCertain: !isWord }
  return isWord && below?.isCut
    ? { reason: 'it would follow links that may lead out of it.', isCertain: false }
    : undefined
}

/** A word of which nothing says that it is a path, or that names a program of the system without writing it. */
function isMereGuess({ facts, isSettled, isWritten, isGiven, isToldPath, isInText }: PathPart): boolean {
  if (isSettled) return true
  const isUnknown = isGiven ? facts.asked.startsWith(anyText) : [...facts.asked].every(letter => letter === anyText)
  if (isUnknown) return !isWritten && !isToldPath
  // What is not there may still be made there; what stands in a pattern is mostly no path.
  if (!facts.isLikely) return !isWritten || isInText === true
  return !isWritten && facts.spellings.every(isSystemProgram)
}

/** What stands in a pattern or in code (`/x/d`, `10 / 3`), and devices that hold nothing. */
function isNoFile({ facts, isInText }: PathPart): boolean {
  if (isInText && !facts.isInside && (!facts.isLikely || /^\/+$/.test(facts.asked))) return true
  return facts.spellings.every(path => emptyDevices.test(path))
}

const emptyDevices = /^\/dev\/(?:null|zero|full|u?random)$/

/** To name one is to run it, or to have it run. */
const isSystemProgram = (path: string): boolean => /^(?:\/usr)?(?:\/local)?\/s?bin\/[^/]+$/.test(path)

/** A wildcard, a variable: what it stands for is known when it runs. */
function whyOutside({ asked }: PathFacts, isMoving = false): string {
  if (isMoving && isCertain(asked) && !asked.startsWith('/'))
    return 'the line moves about, and counted from one of the places it may stand in by then it lies outside the workspace. Join its commands with `&&`.'
  if (isCertain(asked)) return 'it lies outside the workspace.'
  return 'which files that is, is only known when it runs, and they may lie outside the workspace. Name them, or use Grep or Glob.'
}

function whySecret({ asked }: PathFacts): string {
  return isCertain(asked) ? 'it may hold secrets.' : 'among the files that it picks may be some with secrets.'
}

/** What to do about a git command that shows more than it should. */
export const namePaths = 'Name the paths you want to see after `--`.'

const useGrep = 'Grep searches without asking: it leaves such files out.'

function forTool({ spec, effect, delegate }: DefaultContext): Finding {
  const strictest = [spec.effect, effect]
  if (spec.origin === 'mcp') return ask('foreign-tool', 'a tool of an MCP server asks until a rule allows it.')
  for (const one of ['execute', 'write', 'network'] as const)
    if (strictest.includes(one)) return ask(`${one}-asks`, `${words[one]} asks by default.`)
  if (strictest.includes('delegate') && delegate === 'ask') return ask('delegate-asks', 'handing on work asks here.')
  return allow(`${effect}-allowed`, 'it changes nothing outside the conversation.')
}

const words = { execute: 'running something', write: 'writing', network: 'the network' } as const

function allow(rule: string, reason: string): Finding {
  return { decision: 'allow', rule, reason }
}

function ask(rule: string, reason: string): Finding {
  return { decision: 'ask', rule, reason }
}

function deny(rule: string, reason: string): Finding {
  return { decision: 'deny', rule, reason }
}
