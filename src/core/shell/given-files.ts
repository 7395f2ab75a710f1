/** What a variable holds that programs are given may be a file they write: `GIT_TRACE=x`, `GIT_INDEX_FILE=x`. */
import { isRepository } from './only-read.js'
import { possiblePathsOf } from './possible-paths.js'
import type { Collector } from './reading.js'
import { literalWord } from './words.js'

/** Held against what forbids, and nothing else. */
export function addGivenFiles(reading: Collector): void {
  for (const { name, value, at } of reading.givenValues()) {
    // To name the repository is no more than `--git-dir` says.
    if (name === 'GIT_DIR' && isRepository(value)) continue
    for (const { shape } of possiblePathsOf('', [literalWord(value)]))
      reading.addTarget({ word: literalWord(shape), access: 'write', isGuess: true, ...(at !== undefined && { at }) })
  }
}
