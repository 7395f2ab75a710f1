/**
 * Which tool a person may have meant, for a hint. Nothing is decided by it: what takes something away is held against
 * `tool-slips.ts`, which rather finds one too many.
 */
import { once } from '../once.js'
import { didYouMean, looseKey, sharedLetters } from '../text/nearest.js'
import { outsideInOpencode } from './outside-roots.js'
import { canonicalToolName, isForeignTool, toolNames, toolsByKey } from './tool-names.js'
import { slipForTool } from './tool-slips.js'

/** One of ours, by its own name or by one it has elsewhere. Undefined for what is a tool, of a server or of another product. */
export function guessTool(written: string): string | undefined {
  if (written.startsWith('mcp__') || canonicalToolName(written) !== undefined || isForeignTool(written))
    return undefined
  const own = nearTool(written, toolNames)
  if (own !== undefined) return own
  const alias = nearTool(written, aliases())
  return alias !== undefined && alias[0] === looseKey(written)[0] ? toolsByKey.get(alias) : undefined
}

/** The same of what takes something away: there it may be about the directories elsewhere as well. */
export function deniedMeantBy(written: string): string | undefined {
  return slipForTool(written) === outsideInOpencode ? outsideInOpencode : guessTool(written)
}

/** The one of these tools that has most of the letters: one slip makes any short word of any other (`ps`, `LS`). */
export function nearTool(written: string, tools: readonly string[]): string | undefined {
  const near = didYouMean(written, tools)
  if (near === undefined) return undefined
  const [word, key] = [looseKey(written), looseKey(near)]
  if (key.length < 3) return word.startsWith(key) ? near : undefined
  return 3 * sharedLetters(word, key) >= 2 * Math.max(word.length, key.length) ? near : undefined
}

/** Short ones are words of everybody's: `view`, `find`, `list`. */
const aliases = once((): readonly string[] => [...toolsByKey.keys()].filter(key => key.length > 4))
