/**
 * A line that only looks runs unasked, and git would run programs on the way that the repository names: monitors,
 * filters, drivers, pagers. For such a line they are shut off. A line that was asked about keeps them: a commit wants
 * its hooks.
 * What a line shows under a rule with a wildcard was not asked about either, and the rule is for the differences: there the
 * programs are shut off that the repository's own settings name for showing them. A line that asks for them keeps them.
 * The line is read as the judge reads it, home included: what it takes for a look must be one here, in any spelling.
 */
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { onlyLooks, readCommandLine } from '../../core/permission/shell-policy.js'
import { gitCall } from '../../core/shell/git-call.js'
import { isGit } from '../../core/shell/read-only.js'
import type { ShellReading } from '../../core/shell/reading.js'
import { showsDifferencesPlainly } from '../../core/shell/repository-programs.js'
import { isCertain } from '../../core/text/glob.js'
import { loadShellGrammar } from '../judge/shell-grammar.js'
import { homeDirectory } from '../os/directories.js'
import { plainDiffEnvironment, safeGitEnvironment } from '../os/safe-git.js'

export async function lookingGitEnvironment(command: string, cwd: string): Promise<Readonly<Record<string, string>>> {
  const reading = readCommandLine(command, { grammar: await loadShellGrammar(), cwd, home: homeDirectory(process.env) })
  const places = placesOfGit(reading).filter(isDirectory)
  if (onlyLooks(reading)) return reading.commands.some(isGit) ? safeGitEnvironment(places) : {}
  return showsDifferencesPlainly(reading) ? plainDiffEnvironment(places) : {}
}

/** Where git may stand: a directory of a project may be a repository of its own, whose settings name other programs. */
function placesOfGit({ commands, directories }: ShellReading): readonly string[] {
  const places = commands.filter(isGit).flatMap(({ words, at }) => {
    const starts = at === undefined ? directories : [at]
    const { before } = gitCall(words.slice(1))
    const moves = before.flatMap((word, index) => (before[index - 1]?.shape === '-C' ? [word.shape] : []))
    return starts.map(start => resolve(start, ...moves))
  })
  return [...new Set(places.map(place => resolve(place)))]
}

const isDirectory = (path: string): boolean =>
  isCertain(path) && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
