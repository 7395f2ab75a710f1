/** What a variable holds that programs are given may be a file they write: `GIT_TRACE=x`, `GIT_INDEX_FILE=x`. */
import { resolvePath } from '../text/path-text.js'
import { isInterpreter } from './mentions.js'
import { isRepository } from './only-read.js'
import { possiblePathsOf } from './possible-paths.js'
import { isGit, proveReadOnly, worksOnFiles } from './read-only.js'
import type { Collector, ShellCommand } from './reading.js'
import { speaksOfPath } from './told-paths.js'
import { literalWord } from './words.js'

/** Held against what forbids, and nothing else. */
export function addGivenFiles(reading: Collector): void {
  const isForGit = reading.commands.every(isGitOrLooks)
  const isToldNothing = reading.commands.every(command => isGitOrLooks(command) || findsItself(command))
  for (const { name, value, at } of reading.givenValues()) {
    const isOwn = isRepository(value) && reading.places.some(here => resolvePath(here, value) === `${here}/.git`)
    const isOnlyRead = name === 'GIT_DIR' && ((isForGit && isRepository(value)) || (isToldNothing && isOwn))
    const about = {
      access: isOnlyRead ? 'read' : 'write',
      isGuess: true,
      isGiven: true,
      ...(holdsPath(name) && { isToldPath: true }),
      ...(at !== undefined && { at }),
    } as const
    for (const { shape } of possiblePathsOf('', [literalWord(value)]))
      reading.addTarget({ word: literalWord(shape), ...about })
  }
}

/** Not where programs are searched for, which mostly begins or ends in what it was. */
const holdsPath = (name: string): boolean =>
  (speaksOfPath(name) && !name.endsWith('PATH')) || /^GIT_CONFIG(?:_GLOBAL|_SYSTEM)?$/.test(name)

/** What does its own work (`npm test`) finds the repository it stands in without being told; what is told its work may use it. */
function findsItself(command: ShellCommand): boolean {
  return command.fed.length === 0 && !isInterpreter(command.words[0]?.shape ?? '') && !worksOnFiles(command)
}

/** To git it says no more than `--git-dir` does where the repository lies; any other program may write there. */
function isGitOrLooks(command: ShellCommand): boolean {
  const isBare = command.role === 'transparent' || isGit(command)
  return isBare || proveReadOnly({ ...command, variables: [], around: [] }) !== undefined
}
