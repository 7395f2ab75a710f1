/** Programs that a repository's own settings name for showing differences: when git is told to run them, and when it would. */
import { isGit } from './read-only.js'
import type { ShellCommand, ShellReading } from './reading.js'

/** The options that ask for them. Git takes an option cut short as well. */
export function programsAskedFor(command: ShellCommand): readonly string[] {
  if (!isGit(command) || messaging.has(subcommandOf(command))) return []
  const isAsking = (shape: string) =>
    (shape.startsWith('--ext') && '--ext-diff'.startsWith(shape)) ||
    (shape.startsWith('--textc') && '--textconv'.startsWith(shape))
  return command.words.map(word => word.shape).filter(isAsking)
}

/** Take a message, which may look like anything, and know neither option. */
const messaging = new Set<string | undefined>(['commit', 'tag', 'merge'])

/** Undefined where anything but the plainest options stands before it. */
function subcommandOf({ words }: ShellCommand): string | undefined {
  let at = 1
  for (; at < words.length; at++) {
    const shape = words[at]?.shape ?? ''
    if (shape === '-C') at++
    else if (shape !== '-P' && shape !== '--no-pager') return shape
  }
  return undefined
}

/**
 * A line that a rule may let run, which shows differences and does not ask for such programs. A line with doubts runs only
 * when somebody said so, and is left as it is.
 */
export function showsDifferencesPlainly({ commands, doubts, refused }: ShellReading): boolean {
  if (refused || doubts.length > 0 || commands.some(command => programsAskedFor(command).length > 0)) return false
  return commands.some(command => isGit(command) && command.words.some(({ shape }) => showing.has(shape)))
}

const showing = new Set('diff log show blame annotate whatchanged stash status reflog'.split(' '))
