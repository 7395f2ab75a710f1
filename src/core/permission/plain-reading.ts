/**
 * A quick yes for the many paths a search finds. Judging each one in full costs half a millisecond, and nearly all are
 * ordinary files of the workspace. True means that judging would surely allow it: inside the roots, no secret, not our
 * own state, and no rule that forbids or asks is about it. Everything else has to be judged.
 */

import type { CallToJudge } from '../ports.js'
import { isCertain } from '../text/glob.js'
import { foldPath, isWithin } from '../text/path-text.js'
import type { Part, PathPart } from './part.js'
import { foldedOriginals, type PathFacts, type Place } from './path-policy.js'
import type { CallPolicy } from './permission.js'
import { covers, isSameTool } from './permission-match.js'
import { rulesOfChain } from './permission-rules.js'
import { isSecret } from './protected-paths.js'

/** Made once for a call that reads; asked for every path, which must be absolute and real. */
export function plainReading(call: CallToJudge, policy: CallPolicy): (path: string) => boolean {
  const { name, effect } = call.spec
  const { chain, allowed } = call.brief
  const { place } = policy
  if (effect !== 'read' || call.effect !== 'read' || !allowed.includes(name) || chain.length === 0) return () => false
  const links = rulesOfChain(chain, call, policy)
  if (links.some(({ grants }) => grants.some(grant => isSameTool(grant, name)))) return () => false
  const strict = [...new Set(links.flatMap(({ deny, ask }) => [...deny, ...ask]))]
  const access = name === 'Glob' || name === 'LS' ? 'list' : 'read'
  const roots = real(place.roots, place)
  const states = real(place.stateDirs, place).map(foldPath)
  return path => {
    if (!isCertain(path) || !roots.some(root => isWithin(path, root))) return false
    const folded = foldPath(path)
    if (isSecret(folded) || states.some(state => isWithin(folded, state))) return false
    const part = foundFile(path, access, foldedOriginals([folded], place))
    return strict.every(rule => covers(rule, part, name) === 'no')
  }
}

const real = (directories: readonly string[], place: Place): readonly string[] => directories.map(place.realPath)

/** As much of a part as rules look at. */
function foundFile(path: string, access: PathPart['access'], copied: Pick<PathFacts, 'originals'>): Part & PathPart {
  const facts: PathFacts = {
    asked: path,
    spellings: [path],
    ...{ isInside: true, isWritable: false, isReadable: false, inState: 'no', holdsState: false, sealed: 'no' },
    ...{
      decisive: 'no',
      isProgram: false,
      holdsDecisive: false,
      surroundsDecisive: false,
      isDelicate: false,
      isSecret: false,
      isPlanFile: false,
      isLikely: true,
    },
    ...copied,
  }
  return { kind: 'path', access, facts, from: 'tool', subject: path }
}
