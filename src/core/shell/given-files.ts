/** What a variable holds that programs are given may be a file they write: `GIT_TRACE=x`, `GIT_INDEX_FILE=x`. */
import { isRepository } from './only-read.js'
import { possiblePathsOf } from './possible-paths.js'
import { isGit, proveReadOnly } from './read-only.js'
import type { Collector, ShellCommand } from './reading.js'
import { literalWord } from './words.js'

/** Held against what forbids, and nothing else. */
export function addGivenFiles(reading: Collector): void {
  const isForGit = reading.commands.every(isGitOrLooks)
  for (const { name, value, at } of reading.givenValues()) {
    if (name === 'GIT_DIR' && isRepository(value) && isForGit) continue
    for (const { shape } of possiblePathsOf('', [literalWord(value)]))
      reading.addTarget({ word: literalWord(shape), access: 'write', isGuess: true, ...(at !== undefined && { at }) })
  }
}

/** To git it says no more than `--git-dir` does where the repository lies; any other program may write there. */
function isGitOrLooks(command: ShellCommand): boolean {
  const isBare = command.role === 'transparent' || isGit(command)
  return isBare || proveReadOnly({ ...command, variables: [], around: [] }) !== undefined
}
