/**
 * A line that only looks runs unasked, and git would run programs on the way that the repository names: monitors,
 * filters, drivers, pagers. For such a line they are shut off. A line that was asked about keeps them: a commit wants
 * its hooks.
 * What a line shows under a rule with a wildcard was not asked about either, and the rule is for the differences: there the
 * programs are shut off that the repository's own settings name for showing them. A line that asks for them keeps them.
 * The line is read as the judge reads it, home included: what it takes for a look must be one here, in any spelling.
 */
import { homedir } from 'node:os'
import { onlyLooks, readCommandLine } from '../../core/permission/shell-policy.js'
import { isGit } from '../../core/shell/read-only.js'
import { showsDifferencesPlainly } from '../../core/shell/repository-programs.js'
import { plainDiffEnvironment, safeGitEnvironment } from '../os/safe-git.js'
import { loadShellGrammar } from '../shell-grammar.js'

export async function lookingGitEnvironment(command: string, cwd: string): Promise<Readonly<Record<string, string>>> {
  const reading = readCommandLine(command, { grammar: await loadShellGrammar(), cwd, home: homedir() })
  if (onlyLooks(reading)) return reading.commands.some(isGit) ? safeGitEnvironment(cwd) : {}
  return showsDifferencesPlainly(reading) ? plainDiffEnvironment(cwd) : {}
}
