/**
 * What a command line would do, read from its syntax tree and never from its text alone.
 * S1 every simple command counts, wherever it stands: lists, pipes, substitutions, here-documents, functions, `sh -c`.
 * S2 what a launcher runs is looked at as well as the launcher (launchers.ts).
 * S3 every redirection is a read or a write of its target.
 * S4 what only a running shell could tell is a doubt, and a doubt is never allowed by a pattern.
 * S5 past the limits the line is refused, so that length can hide nothing and costs nothing.
 */

import { noBindings } from '../shell/bindings.js'
import { addGivenFiles } from '../shell/given-files.js'
import type { ShellGrammar } from '../shell/grammar.js'
import { type Proof, proveReadOnly } from '../shell/read-only.js'
import { Collector, LimitPassed, type ShellCommand, type ShellReading, shellLimits } from '../shell/reading.js'
import { type ProgramsAt, type Walk, walkScript } from '../shell/walk.js'
import type { WordContext } from '../shell/words.js'
import { nameOf, resolvePath } from '../text/path-text.js'

export interface ShellContext {
  readonly grammar: ShellGrammar
  readonly cwd: string
  readonly home?: string
  readonly programsAt?: ProgramsAt
}

/** Never throws: a parser that does leaves a doubt. */
export function readCommandLine(text: string, context: ShellContext): ShellReading {
  const limit = limitPassed(text)
  if (limit) return refuse(limit)
  const reading = walkOnce(text, { ...context, here: context.cwd, stepsFrom: context.cwd })
  const isMoving = reading.directories.length > 1
  if (!isMoving && !reading.changesWildcards) return reading
  // Where the line may move, its `$PWD` is wherever it stands by then.
  const here = isMoving ? '.' : context.cwd
  return walkOnce(text, { ...context, here, stepsFrom: context.cwd, hasLooseWildcards: reading.changesWildcards })
}

function walkOnce(text: string, context: ShellContext & WordContext & Pick<Walk, 'stepsFrom'>): ShellReading {
  const reading = new Collector(context.cwd)
  if (oddLetters.test(text)) reading.doubts.add('the line holds control characters or blanks that a reader cannot see')
  try {
    walkScript(text, {
      ...context,
      reading,
      depth: 0,
      around: [],
      isRepeated: false,
      role: 'plain',
      bindings: noBindings,
    })
    addGivenFiles(reading)
  } catch (error) {
    if (error instanceof LimitPassed) return refuse(error.message)
    reading.doubts.add('the line could not be parsed')
  }
  return reading.isOutOfOrder ? walkOnce(text, { ...context, stepsFrom: undefined }) : reading.finish()
}

/** Every command of the line is known to only look. Which files it looks at, and where its output goes, are other questions. */
export function onlyLooks(reading: ShellReading): boolean {
  const known = lookingLines.get(reading)
  if (known !== undefined) return known
  const isLooking = !reading.refused && reading.doubts.length === 0 && reading.commands.every(isKnown)
  lookingLines.set(reading, isLooking)
  return isLooking
}

const isKnown = (command: ShellCommand): boolean =>
  command.role === 'transparent' || proveReadOnly(command) !== undefined

/** The first command of the line that keeps one, which its own words prove, from being known to only look. */
export function heldUpBy(reading: ShellReading, command: ShellCommand): string | undefined {
  return isKnown(command) ? reading.commands.find(other => !isKnown(other))?.source : undefined
}

const lookingLines = new WeakMap<ShellReading, boolean>()

/** The proof that this command of the line only looks, with the files it looks at. */
export function proofIn(reading: ShellReading, command: ShellCommand): Proof | undefined {
  const proof = proveReadOnly(command)
  if (!proof || nameOf(command.words[0]?.shape ?? '') !== 'git') return proof
  // A directory from a repository may itself be a bare repository, whose configuration git would obey. And beside
  // commands that do more, git keeps the programs its repository names (looking-git.ts), so nothing is proven of it.
  const [start] = reading.directories
  const isElsewhere = command.at === undefined ? reading.directories.length > 1 : resolvePath('/', command.at) !== start
  return isElsewhere || !onlyLooks(reading) ? undefined : proof
}

/**
 * Where the words of the line may start from: anywhere it may go, in whatever order. A line that is one `cd` and nothing
 * else has gone nowhere yet.
 */
export function startingPoints({ commands, targets, directories }: ShellReading, line: string): readonly string[] {
  const [only, ...others] = commands
  const isAlone = others.length === 0 && targets.length === 0 && only?.source === line.trim()
  return isAlone && only.words[0]?.shape === 'cd' ? directories.slice(0, 1) : directories
}

/** Everything but newline and tab below the blank, and the blanks, marks and joiners that look like nothing. */
const oddLetters = /[\0-\x08\x0b-\x1f\x7f-\xa0\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]/

function limitPassed(text: string): string | undefined {
  if (text.length > shellLimits.characters) return `longer than ${shellLimits.characters} characters`
  let openers = 0
  let braces = 0
  for (let index = 0; index < text.length; index++) {
    const letter = text[index]
    if (letter === '{') braces++
    else if (letter === '`' || (letter === '(' && /[$<>=(]/.test(text[index - 1] ?? ''))) openers++
    if (letter === '{' && text[index - 1] === '$') openers++
  }
  if (openers > shellLimits.openers) return `more than ${shellLimits.openers} substitutions`
  return braces > shellLimits.braces ? `more than ${shellLimits.braces} braces` : undefined
}

/** Why a line is not judged at all. */
export function pastLimit(what: string): { readonly rule: string; readonly reason: string } {
  const reason = `the command line is ${what.startsWith('longer') ? what : `too large to judge: ${what}`}. Split it, or put text into a file with Write.`
  return { rule: 'shell-limit', reason }
}

function refuse(what: string): ShellReading {
  return {
    commands: [],
    targets: [],
    doubts: [],
    exported: [],
    unplain: [],
    directories: [],
    changesWildcards: false,
    hasPlainDescriptors: true,
    refused: pastLimit(what),
  }
}
