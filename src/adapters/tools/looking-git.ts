/**
 * A line that only looks runs unasked, and git would run programs on the way that the repository names: monitors,
 * filters, drivers, pagers. For such a line they are shut off. A line that was asked about keeps them: a commit wants
 * its hooks.
 */
import { onlyLooks, readCommandLine } from '../../core/shell-policy.js'
import { safeGitEnvironment } from '../os/safe-git.js'
import { loadShellGrammar } from '../shell-grammar.js'

export async function lookingGitEnvironment(command: string, cwd: string): Promise<Readonly<Record<string, string>>> {
  if (!/\bgit\b/.test(command)) return {}
  const reading = readCommandLine(command, { grammar: await loadShellGrammar(), cwd })
  return onlyLooks(reading) ? safeGitEnvironment(cwd) : {}
}
