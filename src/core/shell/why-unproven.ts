/** What keeps a command from being known to only look, where it is one thing that can be said and mended. */
import { anyLetter, anyName } from '../glob.js'
import { isGit, proveReadOnly } from './read-only.js'
import type { ShellCommand } from './reading.js'

export function whyUnproven(command: ShellCommand): string | undefined {
  if (isGit(command)) return whyGit(command)
  const isOpen = (shape: string) => shape.startsWith(anyName) || shape.startsWith(anyLetter)
  if (!command.words.some(({ shape }) => isOpen(shape))) return undefined
  const words = command.words.map(word => (isOpen(word.shape) ? { ...word, shape: `./${word.shape}` } : word))
  if (!proveReadOnly({ ...command, words })) return undefined
  return 'the wildcard may pick a file that is named like an option. Write `./` before it.'
}

/** Proven by its words, it is not by where it stands or by what else runs (shell-policy.ts). */
function whyGit(command: ShellCommand): string | undefined {
  const isElsewhere = command.words[1]?.shape === '-C'
  if (!isElsewhere && !proveReadOnly(command)) return undefined
  return 'git obeys the settings of the repository it finds. Where the shell stands, and with nothing in the line that does more than look, it is kept from running what they name.'
}
