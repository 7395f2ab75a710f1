/** What is found in a command line, collected within limits. */
import { anyText } from '../text/glob.js'
import { resolvePath } from '../text/path-text.js'
import { isDangerousVariable, isHarmlessVariable } from './variables.js'
import type { ShellWord } from './words.js'

export interface ShellCommand {
  /** The command as called, then its arguments. */
  readonly words: readonly ShellWord[]
  /** As written, or what a launcher would run. */
  readonly source: string
  /** `plain` needs leave; `transparent` only launches; `possible` is a guess inside a launcher: only deny and ask count. */
  readonly role: 'plain' | 'transparent' | 'possible'
  /** Variables set for this command alone. */
  readonly variables: readonly string[]
  /** Variables set for what launches it. */
  readonly around: readonly string[]
  /** Here-documents and here-strings it is given. */
  readonly fed: readonly string[]
  /** Made from what variables may hold: another reading of a command that counts already. */
  readonly isGuess?: boolean
  /** Started without the variables it would otherwise have been given. */
  readonly isBare?: boolean
  /** The directory it stands in, where that is certain (steps-in-order.ts). */
  readonly at?: string
}

export interface ShellTarget {
  readonly word: ShellWord
  /** `list`: a wildcard of the shell's own picks its names. */
  readonly access: 'read' | 'list' | 'write'
  /** Inside what is only guessed to run. */
  readonly isGuess: boolean
  /** Only the value of a variable that programs are given: nothing says that one writes it. */
  readonly isGiven?: boolean
  /** The name of the variable says that it is a path. */
  readonly isToldPath?: boolean
  /** The directory it counts from, where that is certain. */
  readonly at?: string
}

export interface GivenValue {
  readonly name: string
  readonly value: string
  /** As for a target. */
  readonly at?: string
}

export interface ShellReading {
  readonly commands: readonly ShellCommand[]
  /** Targets of redirections, and what the line lists without a command. */
  readonly targets: readonly ShellTarget[]
  /** One sentence each. */
  readonly doubts: readonly string[]
  /** Where relative paths may start, `cd` considered. */
  readonly directories: readonly string[]
  /** Variables the line gives to all that it runs from then on. */
  readonly exported: readonly string[]
  /** Variables that some place in the line gives a text that is not plain, or not known. */
  readonly unplain: readonly string[]
  /** A wildcard of the line may pick hidden names as well. */
  readonly changesWildcards: boolean
  /** Every descriptor is used as it usually is (descriptors.ts). */
  readonly hasPlainDescriptors: boolean
  readonly refused?: { readonly rule: string; readonly reason: string }
}

export const shellLimits = {
  characters: 32_768,
  /** Openers of substitutions: a parser's work grows with them. */
  openers: 128,
  braces: 256,
  commands: 256,
  /** Further readings of commands, with what variables may hold. */
  guesses: 1_024,
  words: 1_024,
  /** Names that may be files, of which one word can hold many. */
  files: 3_000,
  nesting: 8,
} as const

export class LimitPassed extends Error {}

export class Collector {
  readonly doubts = new Set<string>()
  readonly exported = new Set<string>()
  readonly unplain = new Set<string>()
  changesWildcards = false
  hasPlainDescriptors = true
  /** Every variable is given to what runs next: `set -a`. */
  exportsAll = false
  private readonly assigned: GivenValue[] = []
  readonly commands: ShellCommand[] = []
  private readonly targets: ShellTarget[] = []
  private readonly directories: string[]
  /** Something besides the steps of the line moves the shell: then nothing is certain. */
  isOutOfOrder = false
  private isLost = false
  private refused: ShellReading['refused']
  private wordCount = 0
  private commandCount = 0
  private targetCount = 0
  private guessCount = 0

  constructor(cwd: string) {
    this.directories = [cwd]
  }

  addCommand(command: ShellCommand): void {
    this.commands.push(command)
    if (command.isGuess) {
      this.countGuess()
      return
    }
    this.commandCount++
    this.wordCount += command.words.length
    if (this.commandCount > shellLimits.commands) throw new LimitPassed(`more than ${shellLimits.commands} commands`)
    if (this.wordCount > shellLimits.words) throw new LimitPassed(`more than ${shellLimits.words} words`)
  }

  addTarget(target: ShellTarget): void {
    this.targets.push(target)
    if (target.isGuess) this.countGuess()
    else if (++this.targetCount > shellLimits.commands)
      throw new LimitPassed(`more than ${shellLimits.commands} redirections`)
  }

  addAssignment(name: string, value: string, at?: string): void {
    this.assigned.push({ name, value, ...(at !== undefined && { at }) })
  }

  /** What variables hold that programs are given. */
  givenValues(): readonly GivenValue[] {
    const names = this.commands.flatMap(({ variables, around }) => [...variables, ...around])
    const given = new Set([...this.exported, ...names])
    const isGiven = (name: string) => this.exportsAll || given.has(name) || isDangerousVariable(name)
    return this.assigned.filter(({ name }) => isGiven(name) && !isHarmlessVariable(name))
  }

  /** Where the line may stand, as far as it was read. */
  get places(): readonly string[] {
    return this.directories
  }

  /** A directory the line may change to. It may also fail to, so the old ones stay possible. */
  enterDirectory(path: string | undefined, isRepeated: boolean): void {
    if (path === undefined || (isRepeated && path.includes('..'))) this.isLost = true
    else for (const base of [...this.directories]) this.addDirectory(resolvePath(base, path))
  }

  /** One that cannot be told for certain, beside every other place that the line may stand in then. */
  mayEnter(shape: string): void {
    for (const base of [...this.directories]) this.addDirectory(resolvePath(base, shape))
  }

  /** The directories of plain steps, each exactly where it leads. */
  visit(directories: readonly string[]): void {
    for (const path of directories) this.addDirectory(path)
  }

  /** The line does something no rule can allow. */
  refuse(rule: string, reason: string): void {
    this.refused ??= { rule, reason }
  }

  finish(): ShellReading {
    const directories = this.isLost ? [...this.directories, `/${anyText}`] : this.directories
    const { commands, targets, changesWildcards, hasPlainDescriptors, refused } = this
    const found = { commands, targets, doubts: [...this.doubts], directories, changesWildcards, hasPlainDescriptors }
    const variables = { exported: [...this.exported], unplain: [...this.unplain] }
    return { ...found, ...variables, ...(refused && { refused }) }
  }

  private countGuess(): void {
    if (++this.guessCount > shellLimits.guesses)
      throw new LimitPassed(`more than ${shellLimits.guesses} values of variables`)
  }

  private addDirectory(path: string): void {
    if (this.directories.length >= 16) this.isLost = true
    else if (!this.directories.includes(path)) this.directories.push(path)
  }
}
