/**
 * Whether a rule is about a part of a call.
 * M1 A rule that forbids (deny, ask) and might be about the part says so (`maybe`); one that allows must be certain.
 * M2 `Edit(…)` covers every tool that writes files, `Read(…)` every tool that reads them, commands included.
 * M3 A forbidding command rule sees through paths (`/usr/bin/curl`), case and options between the words it names
 *    (`git -C x push`); an allowing one takes the command as called.
 * M4 A pattern that makes no sense for its tool forbids everything and allows nothing.
 */

import { programsAskedFor } from '../shell/repository-programs.js'
import { wordsInOrder } from '../shell/words-in-order.js'
import { anyComma, foldLetters } from '../text/fold-letters.js'
import { anyText, commandGlob, type Glob, globMatches, isCertain, withUnknownsFixed } from '../text/glob.js'
import { looseKey } from '../text/nearest.js'
import { foldedText, foldPath, nameOf, resolvePath } from '../text/path-text.js'
import { isDelegation } from './call-parts.js'
import { domainCovers, forbidsHost, hostAndPort } from './network-policy.js'
import type { AgentPart, CommandPart, Part, PathPart } from './part.js'
import type { Likelihood, Place } from './path-policy.js'
import {
  allowedPaths,
  type CommandPattern,
  commandPattern,
  forbiddenPaths,
  serverPattern,
} from './permission-pattern.js'
import type { RuleStart } from './standpoint.js'
import { forbidsTool, isServerOf } from './tool-cover.js'

/** A rule made ready for one call. Its pattern is read when it is first needed. */
export interface ReadyRule {
  /** Its own among all that are held against one call. */
  readonly number: number
  readonly text: string
  /** The file or the agent it comes from. */
  readonly origin: string
  readonly tool: string
  readonly pattern: string | undefined
  readonly forbids: boolean
  /** From a list of tools: `Edit` there is that tool, and not all that writes. */
  readonly isOneTool: boolean
  /** Whether this is the directory from which it counts where it allows. */
  startsAt(directory: string): boolean
  readonly command: CommandPattern
  /** For one of several spellings of `/x`: see permission-pattern. */
  readonly paths: readonly Glob[]
}

export interface WrittenRule {
  readonly tool: string
  readonly pattern?: string | undefined
  readonly text: string
  readonly isOneTool?: boolean
}

/** Where rules of one origin are read. */
export interface RuleGround {
  readonly place: Place
  readonly start: RuleStart | undefined
  /** What `/x` starts from, where that is not the root of `start`. */
  readonly projectRoot?: string | undefined
  /** How many rules were made ready for the call. */
  readonly count: { rules: number }
}

export function readyRule(rule: WrittenRule, origin: string, forbids: boolean, ground: RuleGround): ReadyRule {
  return new LazyRule(rule, origin, forbids, ground)
}

/** Hundreds are made for each call, and most are never read: a class, because it is the cheapest thing to make. */
class LazyRule implements ReadyRule {
  readonly number: number
  readonly text: string
  readonly tool: string
  readonly pattern: string | undefined
  readonly origin: string
  readonly forbids: boolean
  readonly isOneTool: boolean
  private readonly ground: RuleGround
  private readCommand: CommandPattern | undefined
  private readPaths: readonly Glob[] | undefined

  constructor(
    { tool, pattern, text, isOneTool = false }: WrittenRule,
    origin: string,
    forbids: boolean,
    ground: RuleGround,
  ) {
    this.number = ground.count.rules++
    this.text = text
    this.tool = tool
    this.pattern = pattern
    this.origin = origin
    this.forbids = forbids
    this.isOneTool = isOneTool
    this.ground = ground
    this.readCommand = undefined
    this.readPaths = undefined
  }

  startsAt(directory: string): boolean {
    const { place, start } = this.ground
    return start !== undefined && place.realPath(directory) === place.realPath(start.directory)
  }

  get command(): CommandPattern {
    this.readCommand ??= commandPattern(this.pattern ?? '*')
    return this.readCommand
  }

  get paths(): readonly Glob[] {
    this.readPaths ??= this.pattern === undefined ? [] : this.pathsOf(this.pattern)
    return this.readPaths
  }

  private pathsOf(pattern: string): readonly Glob[] {
    const { place, start, projectRoot } = this.ground
    return this.forbids ? forbiddenPaths(pattern, place, projectRoot) : allowedPaths(pattern, place, start, projectRoot)
  }
}

export function covers(rule: ReadyRule, part: Part, tool: string): Likelihood {
  if (part.kind === 'path') return coversPath(rule, part, tool)
  if (!isSameTool(rule, tool)) return 'no'
  if (rule.pattern === undefined) return 'yes'
  switch (part.kind) {
    case 'command':
      return coversCommand(rule, part)
    case 'doubt':
      return coversLine(rule, part.line)
    case 'url':
      return coversUrl(rule, part)
    case 'agent':
      return coversAgent(rule.pattern, rule.forbids, part)
    case 'skill':
      return coversSkill(rule, part.name) ? 'yes' : 'no'
    case 'tool':
      return rule.forbids || rule.command.isAll || rule.pattern === serverPattern(part.server) ? 'yes' : 'no'
    default:
      return rule.forbids || rule.command.isAll ? 'yes' : 'no'
  }
}

/** A rule without a wildcard that spells the whole line out: it covers everything in it. */
export function spellsOut(rule: ReadyRule, line: string, tool: string): boolean {
  return isExact(rule) && isSameTool(rule, tool) && rule.command.globs.some(glob => globMatches(glob, line.trim()))
}

export const isExact = (rule: ReadyRule): boolean => rule.pattern !== undefined && rule.command.isExact

/** The tool as a whole: `Bash`, `Bash(*)`. */
export function isWholesale(rule: ReadyRule, tool: string): boolean {
  return isSameTool(rule, tool) && (rule.pattern === undefined || rule.command.isAll)
}

const readers = new Set(['Read', 'Grep', 'Glob', 'LS', 'NotebookRead'])
const writers = new Set(['Edit', 'Write', 'MultiEdit', 'NotebookEdit'])

export function isSameTool(rule: ReadyRule, tool: string): boolean {
  if (rule.tool === tool || rule.tool === '*') return true
  // What forbids an agent forbids to write to it as well; leave to start one is no leave for more.
  if (rule.tool === 'Agent' || rule.tool === 'Task') return isDelegation(tool) || (rule.forbids && tool === 'TaskSend')
  if (rule.forbids) return forbidsTool(rule.tool, tool)
  return rule.tool.includes('*') ? globMatches(commandGlob(rule.tool), tool) : isServerOf(rule.tool, tool)
}

function coversPath(rule: ReadyRule, part: PathPart, tool: string): Likelihood {
  if (part.from === 'tool' && rule.pattern === undefined && isSameTool(rule, tool)) return 'yes'
  if (rule.isOneTool) return rule.forbids && isDoneInItsPlace(rule.tool, part) ? 'yes' : 'no'
  if (!isAboutAccess(rule, part, tool)) return 'no'
  if (rule.pattern === undefined) return part.from === 'word' ? 'no' : 'yes'
  const { spellings, ways = [], originals = [] } = part.facts
  if (!readers.has(rule.tool) && !writers.has(rule.tool)) return 'no'
  const fits = (path: string) => rule.paths.some(glob => globMatches(glob, path))
  if (!rule.forbids) return spellings.every(path => isCertain(path) && fits(path)) ? 'yes' : 'no'
  const { below } = part
  const folded = [...spellings, ...ways].map(foldPath).concat(originals)
  if (folded.some(path => fits(withUnknownsFixed(path)))) return 'yes'
  if ((below?.isCut || below?.isPast) && folded.some(path => fits(`${path}/${anyText}`))) return 'maybe'
  if (below && coversAny(rule, below.files, fits)) return 'maybe'
  const { asked } = part.facts
  const isOpen = asked.startsWith(anyText)
  if (part.from === 'word' && isOpen) return 'no'
  // What begins with an unknown need not lie where the shell stands: `cat $X`.
  const unknown = isOpen ? [...folded, foldPath(asked)] : folded
  return unknown.some(path => !isCertain(path) && fits(path)) ? 'maybe' : 'no'
}

/** What a command does to a file that a tool would do which was taken away. Names are not Read's to show. */
function isDoneInItsPlace(taken: string, { access, from }: PathPart): boolean {
  if (from !== 'command' || access === 'list') return false
  return access === 'write' ? taken === 'Edit' || taken === 'Write' : taken === 'Read'
}

/** Thousands of files may lie below: a rule whose letters occur in none of them needs no look at each. */
function coversAny(rule: ReadyRule, files: readonly string[], fits: (path: string) => boolean): boolean {
  const text = foldedText(files)
  if (!rule.paths.some(({ needle }) => text.includes(needle))) return false
  return files.some(path => (path.endsWith('/') ? mayHold(path, rule, fits) : fits(foldPath(path))))
}

/** Of a directory that was not looked into only what a rule names counts: one about `*.pem` would ask of each. */
function mayHold(unseen: string, rule: ReadyRule, fits: (path: string) => boolean): boolean {
  const directory = foldPath(unseen.slice(0, -1))
  if (fits(directory)) return true
  return foldPath(rule.pattern ?? '').includes(nameOf(directory)) && fits(`${directory}/${anyText}`)
}

function isAboutAccess(rule: ReadyRule, part: PathPart, tool: string): boolean {
  const { access, from } = part
  if (from === 'word') return rule.forbids && (readers.has(rule.tool) || writers.has(rule.tool))
  if (rule.tool === 'Edit') return access === 'write'
  if (rule.tool === 'Read') return access !== 'write' || (rule.forbids && showsWhatItEdits.has(tool))
  if (writers.has(rule.tool))
    return access === 'write' && (rule.tool === tool || (rule.forbids && rule.pattern !== undefined))
  return from === 'tool' && rule.tool === tool
}

/** An edit answers with the lines around it. */
const showsWhatItEdits = new Set(['Edit', 'MultiEdit', 'NotebookEdit'])

function coversCommand(rule: ReadyRule, part: CommandPart): Likelihood {
  const { spellings, command: called, directory } = part
  const { command, forbids, pattern } = rule
  const { words } = called
  if (command.isAll) return 'yes'
  const standing = part.isMoving ? undefined : resolvePath('/', called.at ?? directory)
  if (!forbids && climbsElsewhere(rule, standing)) return 'no'
  // `node scripts/*` is about what lies in scripts: a word that climbs out, or might, is not covered.
  if (!forbids && pattern?.includes('/') && words.some(word => mayClimb(word.shape) && !pattern.includes('..')))
    return 'no'
  const texts = forbids ? spellings.forbidding : spellings.allowing
  const globs = forbids ? command.forbidding : (command.allowing ?? command.globs)
  if (texts.some(text => globs.some(glob => globMatches(glob, withUnknownsFixed(text)))))
    return !forbids && programsAskedFor(called).some(option => !pattern?.includes(option)) ? 'no' : 'yes'
  if (!forbids) return 'no'
  const inOrder = command.inOrder.map(pattern => wordsInOrder(pattern, words, spellings.names))
  if (inOrder.includes('yes')) return 'yes'
  const isPossible = texts.some(text => !isCertain(text) && globs.some(glob => globMatches(glob, text)))
  return isPossible || inOrder.includes('maybe') ? 'maybe' : 'no'
}

/**
 * `rm -rf ../out` was allowed for what lies there, seen from where the rule starts: elsewhere it is another directory.
 * Undefined: nobody knows where.
 */
export function climbsElsewhere(rule: ReadyRule, directory: string | undefined): boolean {
  const climbs = /(^|[^.])\.\.(?=$|[\s/'",;:])/.test(rule.pattern ?? '')
  return climbs && (directory === undefined || !rule.startsAt(directory))
}

function mayClimb(shape: string): boolean {
  return /(^|\/)\.\.(\/|$)/.test(shape) || (shape.includes('/') && shape.includes(anyText))
}

/** Without a wildcard over the line nothing can be said about what is in doubt. */
function coversLine(rule: ReadyRule, line: string): Likelihood {
  if (rule.command.isAll) return 'yes'
  return rule.forbids && rule.command.forbidding.some(glob => globMatches(glob, line.trim())) ? 'yes' : 'no'
}

function coversUrl(rule: ReadyRule, part: Part & { kind: 'url' }): Likelihood {
  const pattern = rule.pattern!.trim()
  if (rule.command.isAll) return 'yes'
  if (rule.forbids) return forbidsHost(pattern, part.host, part.port) ? 'yes' : 'no'
  const wanted = pattern.slice(pattern.indexOf(':') + 1).trim()
  if (pattern.startsWith('host:')) return wanted.toLowerCase() === hostAndPort(part.host, part.port) ? 'yes' : 'no'
  return pattern.startsWith('domain:') && domainCovers(wanted, part.host, part.port) ? 'yes' : 'no'
}

/** What forbids one holds in any case, for a plugin's by its short name too, and `garden:*` for all that the plugin has. */
function coversSkill({ command, forbids, pattern = '' }: ReadyRule, name: string): boolean {
  if (!forbids) return command.globs.some(glob => globMatches(glob, name))
  const called = foldLetters(name)
  const names = [called, called.slice(called.lastIndexOf(':') + 1)]
  const globs = foldLetters(pattern)
    .split(',')
    .flatMap(text => {
      const wanted = text.trim()
      return [wanted, wanted.replace(/\s*[:\s]\*$/, '')].map(commandGlob)
    })
  return globs.some(glob => names.some(one => globMatches(glob, one)))
}

/** Agents are looked up without regard to case and separators. What forbids one holds under every name it goes by. */
function coversAgent(pattern: string, forbids: boolean, { names, isFoundBy }: AgentPart): Likelihood {
  if (!names) return pattern.trim() === '*' ? 'yes' : 'maybe'
  const fits = (wanted: string) => {
    if (!forbids && isFoundBy && !wanted.includes('*')) return isFoundBy(wanted.trim())
    const glob = commandGlob(looseKey(wanted))
    const counting = forbids || !isFoundBy ? names : names.filter(isFoundBy)
    return counting.some(name => globMatches(glob, looseKey(name)))
  }
  return [pattern, ...pattern.split(anyComma)].some(fits) ? 'yes' : 'no'
}
