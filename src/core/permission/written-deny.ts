/**
 * The written rule that denies a call, for what goes into a prompt: there nobody can be asked, and no call is made. What is
 * built in does not count: whoever loads such a text has bounds of its own. Of rules about files only those with a pattern
 * do: an agent that has no Read can still be told something.
 */

import type { CallToJudge } from '../ports.js'
import { partsOf } from './call-parts.js'
import type { CallPolicy } from './permission.js'
import { emptyLink } from './permission-link.js'
import { covers } from './permission-match.js'
import { rulesOfChain } from './permission-rules.js'

/** A deny that somebody wrote, and where. */
export interface WrittenDeny {
  readonly rule: string
  /** The file or the agent it comes from. */
  readonly origin: string
}

export function writtenDeny(call: CallToJudge, policy: CallPolicy): WrittenDeny | undefined {
  const { agent, chain } = call.brief
  const judging = chain.length > 0 ? chain : [{ ...emptyLink, agent }]
  const denies = rulesOfChain(judging, call, policy).flatMap(({ deny }) => deny)
  for (const part of partsOf(call, policy)) {
    const rule = denies
      .filter(({ pattern }) => part.kind !== 'path' || pattern !== undefined)
      .find(each => covers(each, part, call.spec.name) !== 'no')
    if (rule) return { rule: rule.text, origin: rule.origin }
  }
  return undefined
}
