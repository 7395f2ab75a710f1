/**
 * One part of a call, judged for one agent on the chain. Refusals come first, then what has to be asked whatever the
 * mode allows, then ask rules, allow rules and the default; last, the agent's mode settles what becomes of an ask.
 */

import type { CallToJudge, Verdict } from '../ports.js'
import { possibleAlias } from '../shell/git-call.js'
import { mentions } from '../shell/mentions.js'
import { nameOf } from '../text/path-text.js'
import { isReachingOut } from '../tools/outside-roots.js'
import type { PermissionLink } from '../types.js'
import { originalsOf } from './copied-paths.js'
import { judgeUrl } from './network-policy.js'
import type { CommandPart, Part } from './part.js'
import type { Likelihood, Place } from './path-policy.js'
import {
  builtInConcern,
  builtInRefusal,
  defaultFor,
  type Finding,
  isOnlyLooking,
  namePaths,
  outsideRoots,
  protectedPath,
  wayOut,
  whyNotLooking,
} from './permission-default.js'
import { climbsElsewhere, isExact, isSameTool, isWholesale, type ReadyRule, spellsOut } from './permission-match.js'
import { lineIn } from './permission-pattern.js'
import type { RulesByClass } from './permission-rules.js'

/** One thing that was weighed. */
export interface Consideration {
  /** The agent on the chain. */
  readonly agent: string
  /** The part of the call. */
  readonly subject: string
  readonly decision: Verdict['decision']
  /** The rule as written, or the name of a built-in one. */
  readonly rule: string
  /** The file or agent the rule comes from; `built-in` otherwise. */
  readonly origin: string
  readonly reason: string
  /** An ask for a person alone. */
  readonly isFirm?: boolean
}

export interface LinkQuestion {
  readonly part: Part
  readonly call: CallToJudge
  readonly link: PermissionLink
  readonly rules: RulesByClass
  /** Whether a rule is about the part: asked once for the whole chain. */
  readonly covers: (rule: ReadyRule) => Likelihood
  /** Whether an allow rule allows the part: asked once for the whole chain. */
  readonly allows: (rule: ReadyRule) => boolean
  /** A protected file that this run's agent, one of ours, is there to change: asked about instead of denied. */
  readonly isEntrusted: boolean
  /** The agent's source may not change anything. */
  readonly isReadOnly: boolean
  readonly delegate: 'allow' | 'ask'
  readonly place: Pick<Place, 'copies'>
  /** What no rule speaks of is allowed, and not judged by its effect. */
  readonly isUnspokenAllowed: boolean
}

export const unspokenAllowed: Finding = {
  decision: 'allow',
  rule: 'no-rule',
  reason: 'no agent on the chain speaks of it.',
}

/** An agent that forbids nothing, neither by what it says nor by where it comes from. */
export function isUnlimited({
  mode,
  approvalMode,
  rules,
  grants,
  handedOn = [],
  refusals,
  isReadOnly,
  staysInRoots,
  given,
}: PermissionLink): boolean {
  const written = [rules.deny, rules.ask, grants, handedOn, refusals, given?.deny ?? [], given?.ask ?? []]
  return (
    mode !== 'plan' &&
    !deniesAsks({ mode, approvalMode }) &&
    !isReadOnly &&
    !staysInRoots &&
    written.every(list => list.length === 0)
  )
}

/** For such an agent what would ask is denied, so it has to be known what would. */
const deniesAsks = ({ mode, approvalMode }: Pick<PermissionLink, 'mode' | 'approvalMode'>): boolean =>
  mode === 'dontAsk' || approvalMode === 'suppress'

export function judgeLink(question: LinkQuestion): Consideration {
  const { part, link } = question
  const isSilent = question.isUnspokenAllowed && !question.isReadOnly && isUnlimited(link)
  const finding = isSilent ? unspokenAllowed : (refuse(question) ?? insist(question) ?? permit(question))
  const {
    decision,
    rule,
    origin = 'built-in',
    reason,
    isFirm,
  } = finding.decision === 'ask' ? settle(finding, question) : finding
  const stands = isFirm && decision === 'ask' ? { isFirm } : {}
  return { agent: link.agent, subject: part.subject, decision, rule, origin, reason, ...stands }
}

function refuse(question: LinkQuestion): Finding | undefined {
  const { part, call, link, rules, covers, isEntrusted, isReadOnly } = question
  const tool = call.spec.name
  const builtIn = builtInRefusal(part) ?? (isLeftToDefault(question) ? refusedHost(part, rules) : undefined)
  if (builtIn && !(isEntrusted && builtIn.rule === protectedPath)) return builtIn
  const denied = rules.deny.find(rule => covers(rule) === 'yes')
  if (denied)
    return by(
      denied,
      'deny',
      `${denied.text} (${denied.origin}) forbids this. Do it another way, or report what stands in the way.`,
    )
  const way = keptOut(question)
  if (way?.isCertain) return { ...way.finding, decision: 'deny' }
  const granted = outsideGrants(part, tool, rules.grants, covers)
  if (granted) {
    const reason = `${link.agent} may use ${tool} only as ${granted.map(grant => `${tool}(${grant.pattern})`).join(', ')}.`
    return { decision: 'deny', rule: granted[0]!.text, origin: `agent ${link.agent}`, reason }
  }
  if (isOnlyLooking(part, { spec: call.spec, effect: call.effect })) return undefined
  if (isReadOnly) return { decision: 'deny', rule: 'read-only-source', reason: 'agents of this source may only read.' }
  if (link.mode !== 'plan') return undefined
  const notLooking = part.kind === 'command' && !part.program ? whyNotLooking(part) : undefined
  const unproven = notLooking === undefined ? '' : ` Whether this only reads is not known: ${notLooking}`
  const why = part.kind === 'command' && part.program ? ` ${part.program} is a program of the workspace.` : unproven
  return {
    decision: 'deny',
    rule: 'plan-mode',
    reason: `${link.agent} is in plan mode: it reads, and changes nothing but its plan file.${why}`,
  }
}

/** Asks that no mode and no allow rule lifts: it cannot be shown that no deny covers the part. */
function insist(question: LinkQuestion): Finding | undefined {
  const { part, call, rules, covers, allows, isEntrusted, place } = question
  const tool = call.spec.name
  if (isEntrusted)
    return {
      decision: 'ask',
      rule: protectedPath,
      reason: 'it decides what is allowed; look at the change.',
      isFirm: true,
    }
  const possible = rules.deny.find(rule => covers(rule) === 'maybe')
  if (possible)
    return firm(
      possible,
      part.kind === 'path' && part.below?.isPast
        ? `${possible.text} (${possible.origin}) forbids something it may show. ${part.below.isNarrowed ? 'It may lie, or have lain, at the paths you name.' : namePaths}`
        : `${possible.text} (${possible.origin}) may forbid this; what it is will only show when it runs.`,
    )
  const concern = builtInConcern(part)
  if (concern) return { ...concern, isFirm: true }
  const way = keptOut(question)
  if (way && !rules.allow.some(rule => reaches(rule, part, tool, place) && isExact(rule)))
    return { ...way.finding, decision: 'ask', isFirm: true }
  const commandRule = rules.deny.find(
    rule => isSameTool(rule, tool) && rule.pattern !== undefined && !rule.command.isAll,
  )
  if (!commandRule) return undefined
  if (part.kind === 'doubt') {
    if (rules.allow.some(rule => reaches(rule, part, tool, place))) return undefined
    return firm(commandRule, `${part.sentence}, so ${commandRule.text} (${commandRule.origin}) cannot be ruled out.`)
  }
  if (part.kind !== 'command' || part.command.role !== 'plain' || part.proof) return undefined
  const alias = hiddenByAlias(part, tool, rules)
  if (alias || isAllowedByPattern(tool, rules, allows)) return alias
  const hidden = rules.deny.find(
    rule => isSameTool(rule, tool) && rule.command.head !== undefined && mentions(part.command, rule.command.head),
  )
  return hidden && firm(hidden, `it names something that ${hidden.text} (${hidden.origin}) forbids.`)
}

/** How the part gets out of the workspace, where the agent is kept inside: by its definition, or by a rule of any settings. */
function keptOut({ part, link, rules }: LinkQuestion) {
  const keeper = link.staysInRoots ? `agent ${link.agent}` : rules.deny.find(({ tool }) => isReachingOut(tool))?.origin
  const way = keeper === undefined ? undefined : wayOut(part)
  if (!way || keeper === undefined) return undefined
  const reason = `${link.agent} is kept inside the workspace, and ${way.reason}`
  return { isCertain: way.isCertain, finding: { rule: outsideRoots, origin: keeper, reason } }
}

/** `git p` may be `git push`, until a rule allows it by that name. */
function hiddenByAlias({ command }: CommandPart, tool: string, { deny, allow }: RulesByClass): Finding | undefined {
  const name = possibleAlias(command.words)
  if (name === undefined) return undefined
  const names = (rule: ReadyRule) => rule.pattern?.split(/[\s:*]+/).includes(name) === true
  const denied = deny.find(rule => isSameTool(rule, tool) && /^git\s+\S/.test(rule.pattern?.trim() ?? ''))
  if (!denied || allow.some(rule => isSameTool(rule, tool) && names(rule))) return undefined
  return firm(
    denied,
    `${name} may be an alias, so ${denied.text} (${denied.origin}) cannot be ruled out. Call git’s own command.`,
  )
}

function permit(question: LinkQuestion): Finding {
  const { part, call, link, rules, covers, allows, delegate } = question
  const asked = rules.ask.find(rule => covers(rule) !== 'no' && !isMereWord(part))
  if (asked) return by(asked, 'ask', `${asked.text} (${asked.origin}) wants to be asked.`)
  const allowed = rules.allow.find(allows)
  if (allowed) return by(allowed, 'allow', `${allowed.text} (${allowed.origin}) allows it.`)
  if (!isLeftToDefault(question)) return unspokenAllowed
  return defaultFor(part, { spec: call.spec, effect: call.effect, mode: link.mode, delegate })
}

/** Whether what no rule speaks of goes by its effect. */
const isLeftToDefault = ({ isUnspokenAllowed, link }: LinkQuestion): boolean => !isUnspokenAllowed || deniesAsks(link)

/**
 * A rule with a wildcard does not reach outside the roots or to secrets; one that spells the line out does, for the
 * directory it names, or else where the rule starts: elsewhere the same words mean other files. In a copy of that
 * directory they mean the copies of these, as long as they stay in it.
 */
export function reaches(rule: ReadyRule, part: Part, tool: string, place: LinkQuestion['place']): boolean {
  if (part.kind !== 'path' && part.kind !== 'command' && part.kind !== 'doubt') return false
  const { line, directory } = part
  if (line === undefined || directory === undefined) return false
  if (isExact(rule) && linesOf(part, line, directory, rule, place).some(one => spellsOut(rule, one, tool))) return true
  if (part.kind !== 'path' || !isWholesale(rule, tool)) return false
  return part.access !== 'write' || (part.facts.isInside && !part.facts.isDelicate)
}

/** The texts by which a rule may spell a line out for this part. */
function linesOf(
  part: Part,
  line: string,
  directory: string,
  rule: ReadyRule,
  { copies }: LinkQuestion['place'],
): readonly string[] {
  const isInside = part.kind === 'command' || (part.kind === 'path' && part.facts.isInside && !part.facts.isDelicate)
  const originals = copies && isInside ? originalsOf([directory], copies) : []
  const isMeantHere = part.kind === 'command' ? !climbsElsewhere(rule, directory) : rule.startsAt(directory)
  return [...[directory, ...originals].map(one => lineIn(one, line)), ...(isMeantHere ? [line] : [])]
}

function isAllowedByPattern(tool: string, { allow }: RulesByClass, allows: LinkQuestion['allows']): boolean {
  return allow.some(rule => allows(rule) && !isWholesale(rule, tool))
}

function isMereWord(part: Part): boolean {
  return part.kind === 'path' && part.from === 'word'
}

/** The grants of a tool when all of them have patterns and none covers the part. */
function outsideGrants(
  part: Part,
  tool: string,
  grants: readonly ReadyRule[],
  covers: LinkQuestion['covers'],
): readonly ReadyRule[] | undefined {
  const own = grants.filter(grant => isSameTool(grant, tool))
  if (own.length === 0 || own.some(grant => isWholesale(grant, tool))) return undefined
  if (part.kind === 'path' && part.from !== 'tool') return undefined
  // A person sees it in any case; what was not understood of the line is another part.
  if (part.kind === 'doubt' && part.guards !== undefined) return undefined
  if (part.kind === 'command' && (part.command.role !== 'plain' || isNeutral(part))) return undefined
  return own.some(grant => covers(grant) === 'yes') ? undefined : own
}

/** Steps between granted commands that do nothing for themselves. */
function isNeutral({ command, proof }: CommandPart): boolean {
  return proof !== undefined && ['cd', 'true', 'false', ':'].includes(nameOf(command.words[0]!.shape))
}

function refusedHost(part: Part, { allow }: RulesByClass): Finding | undefined {
  if (part.kind !== 'url') return undefined
  const domains = allow.flatMap(({ tool, pattern }) =>
    tool === 'WebFetch' && pattern?.startsWith('domain:') ? [pattern.slice(7)] : [],
  )
  const verdict = judgeUrl(part.url, undefined, { allow: domains, deny: [] })
  return verdict.isAllowed ? undefined : { decision: 'deny', rule: verdict.rule, reason: verdict.reason }
}

/** What an ask comes to for this agent. */
function settle(finding: Finding, { part, call, link }: LinkQuestion): Finding {
  if (link.mode === 'bypassPermissions' && !finding.isFirm)
    return { decision: 'allow', rule: 'bypassPermissions', reason: 'no deny rule forbids it.' }
  if (link.approvalMode === 'sandbox' && call.workspace.wrap && isHeldBySandbox(part, finding))
    return { decision: 'allow', rule: 'sandbox', reason: 'the sandbox holds it.' }
  if (link.mode === 'dontAsk')
    return {
      ...finding,
      decision: 'deny',
      reason: `${finding.reason} ${link.agent} runs in dontAsk mode: what would ask is denied.`,
    }
  if (link.approvalMode === 'suppress')
    return {
      ...finding,
      decision: 'deny',
      reason: `${finding.reason} ${link.agent} never asks: what would ask is denied.`,
    }
  return finding
}

/** Commands and what they write inside the workspace; what they would read elsewhere still asks. */
function isHeldBySandbox(part: Part, { rule, isFirm }: Finding): boolean {
  if (isFirm) return false
  if (part.kind === 'command') return rule === 'execute-asks'
  if (part.kind === 'doubt') return rule === 'shell-doubt'
  return part.kind === 'path' && part.from === 'command' && rule === 'write-asks'
}

function by({ text, origin }: ReadyRule, decision: Finding['decision'], reason: string): Finding {
  return { decision, rule: text, origin, reason }
}

function firm(rule: ReadyRule, reason: string): Finding {
  return { ...by(rule, 'ask', reason), isFirm: true }
}

export const emptyLink: Omit<PermissionLink, 'agent'> = {
  mode: 'default',
  approvalMode: 'caller',
  rules: { allow: [], ask: [], deny: [] },
  grants: [],
  refusals: [],
}
