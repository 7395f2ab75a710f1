/**
 * Whether a call may run. Every part of it is judged for every agent on the chain, and the strictest verdict counts.
 * J1 A child can do at most what each of its callers could: its chain holds theirs, and links only take away.
 * J2 deny > ask > allow; within a class the order of rules changes nothing.
 * J3 Rules are read at each call, so a deny added later binds runs that are under way.
 * J4 A session's or a run's "always allow" is an allow rule like any other: no deny is beaten by it.
 * J5 A grant with a pattern takes away everything else of that tool; a refusal with a pattern takes away just that.
 * J6 Where it cannot be shown that no deny covers a call, a person is asked, in bypassPermissions as well, unless an
 *    allow rule spells the very line out, for where the shell stands.
 * J7 Where `unspoken` is allowed, only what agents say binds: an agent without a limit is not judged, and what one with
 *    limits does not speak of is allowed, unless it is to be denied what would ask.
 */

import type { CallToJudge, Verdict } from '../ports.js'
import { type PartsContext, partsOf } from './call-parts.js'
import { type JudgedFacts, judgedFacts } from './judged-facts.js'
import type { Part } from './part.js'
import type { Likelihood } from './path-policy.js'
import { mereWord } from './permission-default.js'
import { type Consideration, emptyLink, isUnlimited, judgeLink, reaches, unspokenAllowed } from './permission-link.js'
import { covers, type ReadyRule } from './permission-match.js'
import { type RuleLayer, rulesOfChain } from './permission-rules.js'

/** What one call is judged by. */
export interface CallPolicy extends PartsContext {
  /** As they are at this call. */
  readonly layers: readonly RuleLayer[]
  /** Whether starting a child asks. Default: allowed. */
  readonly delegate?: 'allow' | 'ask'
  /** J7, for a host whose tools are its own. Default: what no rule speaks of goes by its effect. */
  readonly unspoken?: 'allow'
}

/** A verdict with everything that was weighed for it. */
export interface Explanation {
  readonly verdict: Verdict
  /** Every part of the call, and for each the chain from the root. */
  readonly considered: readonly Consideration[]
  /** What a yes to it would be for, besides its input. */
  readonly judged?: JudgedFacts
}

/** The verdict with everything that led to it: what `agents explain` prints. */
export function explainCall(call: CallToJudge, policy: CallPolicy): Explanation {
  const { agent, chain, allowed, source } = call.brief
  const tool = call.spec.name
  const isUnspokenAllowed = policy.unspoken === 'allow'
  // What such a host calls for its own loop need not be among the tools of its house.
  if (!isUnspokenAllowed && !allowed.includes(tool)) return notGranted(agent, tool, allowed)
  if (isUnspokenAllowed && isUnbound(call)) return unbound(agent, tool)
  const judging = chain.length > 0 ? chain : [{ ...emptyLink, agent }]
  const rules = rulesOfChain(judging, call, policy)
  const links = judging.map((link, i) => ({
    call,
    link,
    rules: rules[i]!,
    isReadOnly: link.isReadOnly === true || source.isReadOnly === true || !source.isTrusted,
    delegate: policy.delegate ?? 'allow',
    place: policy.place,
    isUnspokenAllowed,
  }))
  const reach = new Map<Consideration, number>()
  const parts = partsOf(call, policy)
  const considered = parts.flatMap(part => {
    const coversPart = rememberedFor((rule: ReadyRule) => covers(rule, part, tool))
    const allows = rememberedFor(
      (rule: ReadyRule) => coversPart(rule) === 'yes' || reaches(rule, part, tool, policy.place),
    )
    const isEntrusted = source.scope === 'built-in' && isTrustedWith(part, links.at(-1)?.rules.ask ?? [], coversPart)
    return links.map(link => {
      const found = judgeLink({ part, covers: coversPart, allows, isEntrusted, ...link })
      reach.set(found, reachOf(part))
      return found
    })
  })
  // Words that turned out to be no concern would only bury the rest.
  const telling = considered.filter(one => one.rule !== mereWord)
  const judged = judgedFacts(parts, policy.place.cwd)
  const verdict = verdictOf(strictestOf(considered, agent, reach))
  return { verdict, considered: telling, ...(judged && { judged }) }
}

/** Nobody from the root down to the run said anything that could forbid a call. */
export function isUnbound({ brief: { chain, source } }: Pick<CallToJudge, 'brief'>): boolean {
  return source.isTrusted && !source.isReadOnly && chain.every(isUnlimited)
}

function unbound(agent: string, subject: string): Explanation {
  const consideration: Consideration = { agent, subject, origin: 'built-in', ...unspokenAllowed }
  return { verdict: verdictOf(consideration), considered: [consideration] }
}

/** The links of a chain share most of their rules: each is held against a part once. */
function rememberedFor<T>(ask: (rule: ReadyRule) => T): (rule: ReadyRule) => T {
  const known: (T | undefined)[] = []
  return rule => {
    const before = known[rule.number]
    if (before !== undefined) return before
    const found = ask(rule)
    known[rule.number] = found
    return found
  }
}

/** An agent of ours says in its own rules that it will ask to change exactly this protected file. */
function isTrustedWith(part: Part, ask: readonly ReadyRule[], coversPart: (rule: ReadyRule) => Likelihood): boolean {
  if (part.kind !== 'path' || part.from !== 'tool' || part.facts.sealed !== 'yes') return false
  return ask.some(
    rule => rule.origin.startsWith('agent ') && !/[*?[{]/.test(rule.pattern ?? '*') && coversPart(rule) === 'yes',
  )
}

function notGranted(agent: string, tool: string, allowed: readonly string[]): Explanation {
  const reason = `${agent} has no tool ${tool}. It may use: ${allowed.join(', ') || 'none'}.`
  const origin = `agent ${agent}`
  const consideration: Consideration = {
    agent,
    subject: tool,
    decision: 'deny',
    rule: 'tool-not-granted',
    origin,
    reason,
  }
  return { verdict: verdictOf(consideration), considered: [consideration] }
}

/** Of two asks the one that only a person may answer. */
const strictnessOf = ({ decision, isFirm }: Consideration): number =>
  decision === 'deny' ? 3 : decision === 'ask' ? (isFirm ? 2 : 1) : 0

/** How far a part goes: what is written says more about a call than what is run, and that more than what is read. */
function reachOf(part: Part): number {
  if (part.kind === 'path') return part.from !== 'word' && part.access === 'write' ? 2 : 0
  return part.kind === 'doubt' || (part.kind === 'command' && part.command.role === 'plain' && !part.proof) ? 1 : 0
}

/**
 * The first of the strictest. Of allows that for what goes the furthest; there, one that a written rule gives for the
 * run itself says the most.
 */
function strictestOf(
  considered: readonly Consideration[],
  agent: string,
  reach: ReadonlyMap<Consideration, number>,
): Consideration {
  const strictest = considered.reduce((worst, next) => (strictnessOf(next) > strictnessOf(worst) ? next : worst))
  if (strictest.decision !== 'allow') return strictest
  const furthest = Math.max(...reach.values())
  const telling = considered.filter(one => reach.get(one) === furthest)
  return telling.find(one => one.agent === agent && one.origin !== 'built-in') ?? telling[0]!
}

function verdictOf({ subject, decision, rule, origin, reason, isFirm }: Consideration): Verdict {
  if (decision === 'allow') return { decision, rule, origin }
  return { decision, rule, origin, reason: `${subject}: ${reason}`, ...(isFirm && { isFirm }) }
}
