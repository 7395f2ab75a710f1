/** What a command would run besides itself. */
import type { ShellWord } from './words.js'

export interface Launch {
  readonly isTransparent: boolean
  /** Commands as words. */
  readonly commands: readonly (readonly ShellWord[])[]
  /** Commands as text for a shell. */
  readonly scripts: readonly string[]
  /** What it runs is guessed: any of these, or none. */
  readonly isGuess?: boolean
  /** Variables it sets, `NAME=value` each. */
  readonly assignments?: readonly ShellWord[]
  /** Directories it changes to. */
  readonly directories?: readonly ShellWord[]
  /** Files it reads itself. */
  readonly files?: readonly ShellWord[]
  /** Files it changes though they are not named. */
  readonly changes?: readonly ShellWord[]
  /** Wildcards may pick what they do not by themselves: `shopt -s dotglob`. */
  readonly changesWildcards?: boolean
  /** What it runs gets none of the variables there are, or may not. */
  readonly emptiesEnvironment?: boolean
  /** What could not be understood. */
  readonly doubt?: string
}
