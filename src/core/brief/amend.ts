/**
 * The only way to change a brief after it was made: by a start hook's cap, or by re-deriving it on resume.
 * Whatever comes in, the result allows no more than the old brief did.
 */

import { lowestBudget, ownPurses } from '../budget/budget.js'
import { joinEvidence } from '../catalog/extend-agent.js'
import { joinHooks } from '../hooks/join-hooks.js'
import { canonicalJson } from '../text/text.js'
import type { Brief, Decision, PermissionLink, RunLimits, StoredBrief } from '../types.js'
import { ceilingOf, isAtMost, strictestMode } from './mode.js'
import { withTaskWords } from './task-words.js'

type Narrowable = Pick<
  Brief,
  | 'allowed'
  | 'delegateTools'
  | 'canSpawn'
  | 'chain'
  | 'limits'
  | 'budget'
  | 'purses'
  | 'depth'
  | 'model'
  | 'contextWindow'
  | 'maxOutputTokens'
  | 'usesNoTokens'
  | 'source'
  | 'hooked'
  | 'hooks'
  | 'executionMode'
  | 'resources'
  | 'evidence'
  | 'memory'
  | 'reasons'
>

export function amendBrief(old: StoredBrief, fresh: Partial<Narrowable>): StoredBrief {
  return {
    ...old,
    allowed: fresh.allowed ? old.allowed.filter(name => fresh.allowed?.includes(name)) : old.allowed,
    delegateTools: fresh.delegateTools
      ? old.delegateTools.filter(name => fresh.delegateTools?.includes(name))
      : old.delegateTools,
    canSpawn: fresh.canSpawn === undefined ? old.canSpawn : narrowSpawning(old.canSpawn, fresh.canSpawn),
    chain: fresh.chain ? joinChains(old.chain, fresh.chain) : old.chain,
    limits: fresh.limits ? narrowLimits(old.limits, fresh.limits) : old.limits,
    ...narrowBudget(old, fresh),
    depth: Math.max(old.depth, fresh.depth ?? old.depth),
    ...modelOf(old, fresh),
    hooked: fresh.hooked ?? old.hooked,
    // A guard that came meanwhile binds; one that was there stays.
    ...(fresh.hooks !== undefined && { hooks: joinHooks(old.hooks, fresh.hooks) }),
    ...narrowUpkeep(old, fresh),
    source: {
      ...old.source,
      isTrusted: old.source.isTrusted && (fresh.source?.isTrusted ?? true),
      isReadOnly: old.source.isReadOnly || fresh.source?.isReadOnly,
    },
    reasons: joinReasons(old, fresh),
  }
}

const isOtherModel = (old: Pick<Brief, 'model'>, { model }: Partial<Narrowable>): boolean =>
  model !== undefined && model !== old.model

/** What a model can take belongs to that model: of another one the figures of today hold, known or not. */
function modelOf(old: StoredBrief, fresh: Partial<Narrowable>): Pick<Brief, 'model' | keyof ModelBounds> {
  const { model = old.model, ...of } = isOtherModel(old, fresh) ? fresh : old
  return { model, ...boundsOf(of) }
}

const changeable = [
  'allowed',
  'delegateTools',
  'canSpawn',
  'chain',
  'limits',
  'budget',
  'purses',
  'depth',
  'model',
  'source',
  'hooks',
  'executionMode',
  'resources',
  'evidence',
  'memory',
  'reasons',
] as const satisfies readonly (keyof StoredBrief)[]

/** What a model can take and uses; what is absent is not known of it. */
const bounds = ['contextWindow', 'maxOutputTokens', 'usesNoTokens'] as const satisfies readonly (keyof StoredBrief)[]
type ModelBounds = NonNullable<BriefChanges['modelBounds']>

const boundsOf = ({ contextWindow, maxOutputTokens, usesNoTokens }: ModelBounds): ModelBounds => ({
  contextWindow,
  maxOutputTokens,
  usesNoTokens,
})

/** The parts of a brief that an amendment can change. */
export type BriefChanges = Partial<Pick<StoredBrief, (typeof changeable)[number]>> & {
  /** All of them, in place of those of the model before. */
  readonly modelBounds?: Pick<StoredBrief, (typeof bounds)[number]>
}

/** What an amendment has changed; undefined when it is nothing. */
export function changesOf(old: StoredBrief, amended: StoredBrief): BriefChanges | undefined {
  const changed = changeable.filter(key => canonicalJson(old[key]) !== canonicalJson(amended[key]))
  if (changed.length === 0) return undefined
  return {
    ...Object.fromEntries(changed.map(key => [key, amended[key]])),
    ...(amended.model !== old.model && { modelBounds: boundsOf(amended) }),
  }
}

export function withChanges(old: StoredBrief, { modelBounds, ...changes }: BriefChanges): StoredBrief {
  return { ...old, ...changes, ...boundsOf(modelBounds ?? old) }
}

/** A tool that is taken away has the rule of today behind it, not the one that had kept it. */
function joinReasons(old: StoredBrief, fresh: Partial<Narrowable>): readonly Decision[] {
  const { allowed = old.allowed, reasons = [] } = fresh
  const joined = withToolReasons(old, allowed, reasons)
  const chosen = isOtherModel(old, fresh) && reasons.find(({ about }) => about === 'model')
  return chosen ? joined.map(reason => (reason.about === 'model' ? chosen : reason)) : joined
}

function withToolReasons(
  old: StoredBrief,
  allowed: readonly string[],
  fresh: readonly Decision[],
): readonly Decision[] {
  const taken = new Set(old.allowed.filter(name => !allowed.includes(name)))
  if (taken.size === 0) return old.reasons
  const isOfTaken = ({ about, subject }: Decision) => about === 'tool' && taken.has(subject)
  const today = [...taken].map(
    (name): Decision =>
      fresh.find(reason => isOfTaken(reason) && reason.subject === name) ?? {
        about: 'tool',
        subject: name,
        verdict: 'dropped',
        rule: 'tool-gone',
        detail: 'it was there when the run began, and is not any more',
      },
  )
  return [...old.reasons.filter(reason => !isOfTaken(reason)), ...today]
}

/** What a start hook may change: fewer turns, and the words of the task. Undefined when it changed nothing. */
export function amendByHook(
  old: StoredBrief,
  { prompt, maxTurns }: { readonly prompt?: string; readonly maxTurns?: number },
): StoredBrief | undefined {
  const isCap = maxTurns !== undefined && Number.isInteger(maxTurns) && maxTurns >= 1
  const capped = isCap ? amendBrief(old, { limits: { ...old.limits, maxTurns } }) : old
  const task = old.opening.at(-1)
  const isRewritten = prompt !== undefined && prompt.trim() !== '' && task?.role === 'user'
  if (!isRewritten) return capped.limits.maxTurns === old.limits.maxTurns ? undefined : capped
  return { ...capped, opening: [...old.opening.slice(0, -1), withTaskWords(task, prompt)] }
}

/** Who may be spawned, where both sides have a say. */
export function narrowSpawning(a: Brief['canSpawn'], b: Brief['canSpawn']): Brief['canSpawn'] {
  if (a === false || b === false) return false
  if (a === true) return b
  return b === true ? a : a.filter(name => b.includes(name))
}

// A call has to pass every link, so the links of both chains bind: no rule can get lost, whatever the two say.
function joinChains(old: readonly PermissionLink[], fresh: readonly PermissionLink[]): readonly PermissionLink[] {
  const all = [...old, ...fresh]
  const mode = all.reduce((strictest, link) => strictestMode(strictest, link.mode), old.at(-1)?.mode ?? 'default')
  const ceiling = ceilingOf(all)
  const joined = [...old, ...fresh.filter(link => !old.some(known => isHeldBy(known, link)))]
  return joined.map((link, i) => {
    if (i < joined.length - 1) return link
    const { ceiling: _, ...last } = link
    return { ...last, mode, ...(ceiling !== mode && { ceiling }) }
  })
}

/** The same but for its mode, and that is no looser: the other link would forbid nothing more. */
function isHeldBy(known: PermissionLink, link: PermissionLink): boolean {
  const { mode: _, ceiling: __, ...rest } = link
  const { mode: ___, ceiling: ____, ...knownRest } = known
  return (
    canonicalJson(rest) === canonicalJson(knownRest) &&
    isAtMost(known.mode, link.mode) &&
    isAtMost(ceilingOf([known]), ceilingOf([link]))
  )
}

/** A process of its own, what that may use, what a report has to rest on, and a memory: the stricter of both. */
function narrowUpkeep(
  old: StoredBrief,
  { executionMode, resources, evidence, memory = old.memory }: Partial<Narrowable>,
): Pick<Brief, 'executionMode' | 'resources' | 'evidence' | 'memory'> {
  const memoryMb = lower(old.resources?.memoryMb, resources?.memoryMb)
  const cpuSeconds = lower(old.resources?.cpuSeconds, resources?.cpuSeconds)
  const least = { ...(memoryMb !== undefined && { memoryMb }), ...(cpuSeconds !== undefined && { cpuSeconds }) }
  return {
    executionMode: executionMode === 'process' ? 'process' : old.executionMode,
    ...((old.resources ?? resources) && { resources: least }),
    ...((old.evidence ?? evidence) !== undefined && { evidence: joinEvidence(old.evidence, evidence) }),
    ...(memory !== undefined && { memory: (old.memory ?? memory) === memory && memory }),
  }
}

function narrowLimits(old: RunLimits, fresh: RunLimits): RunLimits {
  const maxTurns = lower(old.maxTurns, fresh.maxTurns)
  const timeoutMs = lower(old.timeoutMs, fresh.timeoutMs)
  const reportBytes = lower(old.reportBytes, fresh.reportBytes)
  const fanOut = lower(old.fanOut, fresh.fanOut)
  return {
    ...(fanOut !== undefined && { fanOut }),
    ...(maxTurns !== undefined && { maxTurns }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    graceMs: Math.min(old.graceMs, fresh.graceMs),
    ...(reportBytes !== undefined && { reportBytes }),
    resultBytes: Math.min(old.resultBytes, fresh.resultBytes),
    spawnDeadlineMs: fresh.spawnDeadlineMs,
    stallMs: fresh.stallMs,
    stopHookReturns: Math.min(old.stopHookReturns, fresh.stopHookReturns),
  }
}

// Whoever has nothing of its own of a kind spends from above, also where a grant came to be there only since.
function narrowBudget(old: StoredBrief, fresh: Partial<Narrowable>): Pick<Brief, 'budget' | 'purses'> {
  const budget = lowestBudget(old.budget, fresh.budget)
  const purses = { ...old.purses, ...fresh.purses, ...ownPurses(budget) }
  return { budget, purses: Object.keys(purses).length > 0 ? purses : undefined }
}

const lower = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined ? b : b === undefined ? a : Math.min(a, b)
