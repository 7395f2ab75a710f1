/** What a call is taken apart into: the things rules are about. */

import type { Proof } from '../shell/read-only.js'
import type { ShellCommand } from '../shell/reading.js'
import type { Spellings } from '../shell/spelling.js'
import type { Likelihood, PathFacts } from './path-policy.js'

export type Part = { readonly subject: string } & (
  | { readonly kind: 'tool'; readonly server?: string }
  | PathPart
  | CommandPart
  | DoubtPart
  | { readonly kind: 'url'; readonly url: string; readonly host: string; readonly port: string }
  | AgentPart
  | { readonly kind: 'skill'; readonly name: string }
  | { readonly kind: 'refused'; readonly rule: string; readonly reason: string }
)

export interface AgentPart {
  readonly kind: 'agent'
  /** Every name it goes by; undefined when it cannot be told. */
  readonly names: readonly string[] | undefined
  /** Whether this name means the very agent, and not another that has it too. Absent: any of its names does. */
  readonly isFoundBy?: (name: string) => boolean
}

/** What only a running shell could tell. */
export interface DoubtPart {
  readonly kind: 'doubt'
  readonly sentence: string
  readonly line: string
  /** Where the shell stands. */
  readonly directory: string
  /** The built-in rule it could break: then only a person may let it pass. */
  readonly guards?: string
}

export interface PathPart {
  readonly kind: 'path'
  readonly access: 'read' | 'list' | 'write'
  readonly facts: PathFacts
  /** `tool`: what a tool was asked for. `command`: known to be used by a command. `word`: a word that may be a path. */
  readonly from: 'tool' | 'command' | 'word'
  /** The whole command line, when it comes from one, and where the shell stands. */
  readonly line?: string
  readonly directory?: string
  /** A program the line starts, by itself or as its interpreter's first word: running is not writing. */
  readonly isRun?: boolean
  /** What it names may be moved, or something laid in its place. */
  readonly isMoved?: boolean
  /** The command is known to write it, or to lay something there. */
  readonly isWritten?: boolean
  /** No more than the value of a variable that programs are given. */
  readonly isGiven?: boolean
  /** What it is given to says that it is a path, whatever it comes to. */
  readonly isToldPath?: boolean
  /** Files that nobody names are laid over what lies in it. */
  readonly isLaidOver?: boolean
  /** A command that may do more than look stands in it, and need not name what it writes there. */
  readonly isStoodIn?: boolean
  /** The line moves about, and nobody knows from where it counts by then. */
  readonly isMoving?: boolean
  /** How it leads out of the workspace, where its name does not say. */
  readonly wayOut?: string
  /** It may be a pattern, or stand in the code of a program, and be no path at all. */
  readonly isInText?: boolean
  /** Its beginning is known after all: what it only ends like it is not. What it comes to is another part. */
  readonly isSettled?: boolean
  /** What lies below, when a command looks at all of it. */
  readonly below?: FilesBelow
}

export interface FilesBelow {
  /** Absolute; a directory that was not looked into ends in a slash. */
  readonly files: readonly string[]
  /** A link that is followed out of the workspace. */
  readonly outside?: string
  /** The first of them that may hold secrets. */
  readonly secret?: string
  /** There are more than could be looked at. */
  readonly isCut: boolean
  /** Files that lay there once are shown as well. */
  readonly isPast?: boolean
  /** The line names the paths already that git is to keep to. */
  readonly isNarrowed?: boolean
}

export interface CommandPart {
  readonly kind: 'command'
  readonly command: ShellCommand
  readonly proof: Proof | undefined
  /** The program of the workspace that it is: of such a one nothing is known. */
  readonly program?: string | undefined
  readonly spellings: Spellings
  /** It would be known to only look, were it not for this command of the same line. */
  readonly heldUpBy?: string
  readonly line: string
  /** Where the shell stands. */
  readonly directory: string
  /** The line moves about, and nobody knows where this command stands by then. */
  readonly isMoving?: boolean
}

export function pathPart(
  facts: PathFacts,
  access: PathPart['access'],
  from: PathPart['from'],
  line?: string,
  below?: FilesBelow,
): Part & PathPart {
  // Of a word that may be a path it is only known that the command names it.
  const subject = `${from === 'word' ? 'name' : access} ${clip(facts.asked.replace(/[\u0001-\u0003]/g, '*'))}`
  return {
    kind: 'path',
    access,
    facts,
    from,
    subject,
    ...(line === undefined ? {} : { line }),
    ...(below && { below }),
  }
}

/** Of a word that is known after all, though it is not to be allowed by that. */
export function settled(part: Part & PathPart): Part & PathPart {
  const sure = (likelihood: Likelihood): Likelihood => (likelihood === 'maybe' ? 'no' : likelihood)
  const { decisive, sealed } = part.facts
  const facts = { ...part.facts, decisive: sure(decisive), sealed: sure(sealed), isProgram: false }
  return { ...part, facts, isSettled: true }
}

export function clip(text: string, most = 120): string {
  return text.length > most ? `${text.slice(0, most)}…` : text
}

/** Enough to tell the commands of a line apart; the line itself is shown beside it. */
export const clipCommand = (text: string): string => clip(text, 60)
