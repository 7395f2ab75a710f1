/**
 * Which model a run gets. Pure: what can be had is an argument.
 *
 * R1 forced > asked (`Task.model`) > definition > fallback > caller's. The first that says anything decides.
 * R2 An exact name (`provider/model`, or a known model's bare name) in a definition is a pin: what was asked does not
 *    replace it. An exact name that cannot be had is refused, never substituted. `anthropic/sonnet` is one: the
 *    provider's model of that tier.
 * R3 An alias (`haiku`) is a tier. It goes to the nearest tier of the caller's provider; a provider without tiers keeps
 *    the caller's model, so that an alias in somebody's file never carries a conversation to another vendor. Where there
 *    is no caller a person asked: then one that cannot be had is refused like an exact name.
 * R4 A name nobody knows is refused where somebody chose it for this run; in a definition it means `inherit`.
 * R5 Plan mode lifts an inherited small model to the next tier of the same provider.
 */
import type { ModelInfo } from '../ports.js'
import { didYouMean } from '../text/nearest.js'
import type { Refusal } from '../types.js'

export interface ModelWish {
  readonly forced?: string
  readonly asked?: string
  readonly definition?: readonly string[]
  /** What counts where nobody says anything: a default for children, or without a caller one for conversations. */
  readonly fallback?: string
  readonly caller?: string
  /** Everything known, `provider/*` standing for any other model of a provider. Empty: any name is taken as it is. */
  readonly models: readonly ModelInfo[]
  readonly isPlanMode?: boolean
  /** Default true. */
  readonly planUpgrade?: boolean
}
export interface ModelChoice {
  readonly model: string
  readonly info?: ModelInfo
  /** Which step of the chain decided, and how: `forced`, `asked-tier`, `pin`, `inherit`, `plan-upgrade`… */
  readonly rule: string
  readonly detail: string
}

/** Small to large. Any other tier name is matched exactly. */
export const tiers: readonly string[] = ['haiku', 'sonnet', 'opus']

const tierWords: Readonly<Record<string, string>> = {
  small: 'haiku',
  fast: 'haiku',
  mini: 'haiku',
  nano: 'haiku',
  flash: 'haiku',
  'flash-lite': 'haiku',
  medium: 'sonnet',
  balanced: 'sonnet',
  large: 'opus',
  best: 'opus',
  pro: 'opus',
}

/** A word that means a model without being the name of one. */
export function isModelAlias(name: string): boolean {
  const word = withoutMark(name).toLowerCase()
  return standingWords.has(word) || tiers.includes(word) || Object.hasOwn(tierWords, word)
}

const standingWords: ReadonlySet<string> = new Set(['inherit', 'default', 'auto', 'opusplan', 'fable'])

export function chooseModel(wish: ModelWish): ModelChoice | Refusal {
  const { forced, asked, fallback } = wish
  if (isSaid(forced)) return decide(resolve(forced, wish), 'forced', wish, `every child is forced to ${forced}`)
  const defined = firstAvailable(wish)
  if (defined && isPin(defined)) return pinned(defined, wish)
  if (isSaid(asked)) return decide(resolve(asked, wish), 'asked', wish, `the task asked for ${asked}`)
  if (defined) return decide(defined, 'definition', wish, `the definition says ${defined.name}`)
  if (isSaid(fallback))
    return decide(
      resolve(fallback, wish),
      'default',
      wish,
      `the default${wish.caller === undefined ? '' : ' for children'} is ${fallback}`,
    )
  return inherit(wish, 'inherit', 'nothing else was said')
}

export const isRefusedModel = (choice: ModelChoice | Refusal): choice is Refusal => 'refused' in choice

type Resolved =
  | { readonly kind: 'inherit'; readonly name: string }
  | {
      readonly kind: 'exact'
      readonly name: string
      readonly model: string
      readonly info?: ModelInfo
      readonly isAlias?: boolean
    }
  | {
      readonly kind: 'unavailable'
      readonly name: string
      readonly model: string
      readonly why: string
      readonly isAlias?: boolean
    }
  | { readonly kind: 'tier'; readonly name: string; readonly tier: string }
  | { readonly kind: 'unknown'; readonly name: string }

/** What one name means, before anybody asks whether it is allowed to. */
function resolve(name: string, wish: ModelWish): Resolved {
  const plain = withoutMark(name)
  const word = plain.toLowerCase()
  if (word === 'inherit' || word === 'default' || word === 'auto') return { kind: 'inherit', name }
  if (word === 'opusplan') return { kind: 'tier', name, tier: wish.isPlanMode ? 'opus' : 'sonnet' }
  if (plain.includes('/')) return resolveQualified(plain, name, wish.models)
  const known = preferProvider(
    wish.models.filter(info => isCalled(info, word)),
    wish.caller,
  )
  if (known) return { ...exactOrWhy(name, known.id, known), isAlias: hasAlias(known, word) }
  const tier = tierWords[word] ?? word
  if (tiers.includes(tier) || wish.models.some(info => info.tier === tier)) return { kind: 'tier', name, tier }
  return wish.models.length === 0 ? { kind: 'exact', name, model: plain } : { kind: 'unknown', name }
}

/** `opus[1m]`: the size of its window is not up to a name. */
const withoutMark = (name: string): string => {
  const word = name.trim()
  return word.endsWith(']') ? word.replace(/\[1m\]$/i, '') : word
}

function resolveQualified(model: string, name: string, models: readonly ModelInfo[]): Resolved {
  if (model.endsWith('/*')) return { kind: 'unknown', name }
  if (models.length === 0) return { kind: 'exact', name, model }
  const provider = providerOf(model)
  const known = models.find(info => info.id.toLowerCase() === model.toLowerCase())
  if (known) return exactOrWhy(name, known.id, known)
  const tier = model.slice(provider.length + 1).toLowerCase()
  const ofTiers = models.filter(
    info => providerOf(info.id) === provider && info.tier === tier && !info.id.endsWith('/*'),
  )
  const ofTier = ofTiers.find(info => !info.unavailable) ?? ofTiers[0]
  if (ofTier) return exactOrWhy(name, ofTier.id, ofTier)
  const any = models.find(info => info.id === `${provider}/*`)
  if (any) return exactOrWhy(name, model, { ...any, id: model })
  const siblings = models.filter(info => providerOf(info.id) === provider)
  if (siblings.some(info => !info.unavailable)) return { kind: 'exact', name, model }
  const why = siblings[0]?.unavailable ?? `no provider named "${provider}" is configured`
  return { kind: 'unavailable', name, model, why }
}

function exactOrWhy(name: string, model: string, info: ModelInfo): Resolved & { kind: 'exact' | 'unavailable' } {
  const why = info.unavailable
  return why === undefined ? { kind: 'exact', name, model, info } : { kind: 'unavailable', name, model, why }
}

/** A list in a definition: the first that can be had, else the first that could be elsewhere, else the first. */
function firstAvailable(wish: ModelWish): Resolved | undefined {
  const wishes = (wish.definition ?? []).filter(isSaid).map(name => resolve(name, wish))
  return (
    wishes.find(one => one.kind !== 'unavailable' && one.kind !== 'unknown') ??
    wishes.find(one => one.kind === 'unavailable') ??
    wishes[0]
  )
}

const isPin = (resolved: Resolved): boolean =>
  (resolved.kind === 'exact' || resolved.kind === 'unavailable') && !resolved.isAlias

function pinned(resolved: Resolved, wish: ModelWish): ModelChoice | Refusal {
  const ignored = isSaid(wish.asked) ? `; the task's ${wish.asked} does not replace it` : ''
  return decide(resolved, 'pin', wish, `the definition pins ${resolved.name}${ignored}`)
}

function decide(resolved: Resolved, step: string, wish: ModelWish, because: string): ModelChoice | Refusal {
  switch (resolved.kind) {
    case 'inherit':
      return inherit(wish, 'inherit', because)
    case 'exact':
      return { model: resolved.model, info: resolved.info, rule: step, detail: because }
    case 'unavailable':
      return {
        refused: `Model ${resolved.model} cannot be had here: ${resolved.why}. ${because[0]?.toUpperCase()}${because.slice(1)}, and no other model is put in its place. ${advice(wish)}`,
        rule: 'model-unavailable',
      }
    case 'tier':
      return chooseTier(resolved, step, wish, because)
    case 'unknown':
      if (step === 'definition') return inherit(wish, 'inherit-unknown', `${because}, a name nobody knows here`)
      return {
        refused: `No model is named "${resolved.name}". ${nearby(resolved.name, wish)}${advice(wish)}`,
        rule: 'unknown-model',
      }
  }
}

/** R3. */
function chooseTier(
  { name, tier }: { readonly name: string; readonly tier: string },
  step: string,
  wish: ModelWish,
  because: string,
): ModelChoice | Refusal {
  const { caller, models } = wish
  const available = models.filter(info => !info.unavailable)
  // A host's own loop may run on a model nobody here knows: then no provider is nearer than another.
  const near = nearest(caller ? available.filter(info => isSameProvider(info.id, caller)) : available, tier)
  if (near) {
    const how = near.tier === tier ? '' : ` (nearest available tier: ${near.tier})`
    return { model: near.id, info: near, rule: `${step}-tier`, detail: `${because}: ${near.id}${how}` }
  }
  if (caller === undefined && step !== 'definition' && models.length > 0) {
    const missing = new Set(models.flatMap(info => (info.tier === tier && info.unavailable) || []))
    const why = [...missing].join(', ') || 'no model that is here has a tier'
    return decide({ kind: 'unavailable', name, model: name, why }, step, wish, because)
  }
  const reason = `${because}, but ${caller ? providerOf(caller) : 'what is available'} has no tiers`
  if (models.length > 0) return inherit(wish, `${step}-tier-missing`, reason)
  const kept = caller ?? wish.fallback
  return kept === undefined
    ? { model: name, rule: step, detail: because }
    : { model: kept, rule: `${step}-tier-missing`, detail: `${reason}: kept ${kept}` }
}

function inherit(wish: ModelWish, rule: string, because: string): ModelChoice | Refusal {
  const { caller, models } = wish
  if (caller === undefined) return withoutCaller(wish, because)
  const info = models.find(one => one.id === caller)
  const lifted = liftForPlan(info, wish)
  if (lifted) {
    return {
      model: lifted.id,
      info: lifted,
      rule: 'plan-upgrade',
      detail: `${because}: the caller's ${caller} is small, so plan mode takes ${lifted.id}`,
    }
  }
  return { model: caller, info, rule, detail: `${because}: the caller's model` }
}

/** R5. */
function liftForPlan(info: ModelInfo | undefined, wish: ModelWish): ModelInfo | undefined {
  if (!wish.isPlanMode || wish.planUpgrade === false || !info || info.tier !== tiers[0]) return undefined
  const larger = wish.models.filter(
    one => !one.unavailable && isSameProvider(one.id, info.id) && rank(one.tier) > rank(info.tier),
  )
  return nearest(larger, tiers[1]!)
}

function withoutCaller(wish: ModelWish, because: string): ModelChoice | Refusal {
  if (isSaid(wish.fallback)) {
    const resolved = resolve(wish.fallback, wish)
    if (resolved.kind !== 'inherit') {
      return decide(resolved, 'default', { ...wish, fallback: undefined }, `the default is ${wish.fallback}`)
    }
  }
  if (wish.models.length === 0)
    return { model: 'default', rule: 'only-model', detail: 'the host has one unnamed model' }
  const first = wish.models.find(info => !info.unavailable && !info.id.endsWith('/*'))
  if (!first) return { refused: `No model can be had. ${advice(wish)}`, rule: 'no-model' }
  return {
    model: first.id,
    info: first,
    rule: 'first-available',
    detail: `${because}: the first model that can be had`,
  }
}

/** Same distance: the larger tier, because a task that fails costs more than one that is too well served. */
function nearest(infos: readonly ModelInfo[], tier: string): ModelInfo | undefined {
  const exact = infos.find(info => info.tier === tier)
  if (exact || !tiers.includes(tier)) return exact
  const wanted = rank(tier)
  return infos
    .filter(info => rank(info.tier) >= 0)
    .map(info => ({ info, away: Math.abs(rank(info.tier) - wanted), size: rank(info.tier) }))
    .sort((a, b) => a.away - b.away || b.size - a.size)[0]?.info
}

const rank = (tier: string | undefined): number => (tier === undefined ? -1 : tiers.indexOf(tier))

/** For a model that handed on work; without a caller, for whoever made the house. */
function advice({ models, caller }: ModelWish): string {
  const names = models.filter(info => !info.unavailable && !info.id.endsWith('/*')).map(info => info.id)
  if (names.length === 0 && caller !== undefined) return 'Ask the user to configure a model provider.'
  if (names.length === 0) return whatIsMissing(models)
  const shown = names.slice(0, 8).join(', ')
  if (caller === undefined) return `What can be had: ${shown}${names.length > 8 ? ', …' : ''}.`
  return `Leave "model" out to use the caller's, name a tier (${tiers.join(', ')}), or one of: ${shown}${names.length > 8 ? ', …' : ''}.`
}

function whatIsMissing(models: readonly ModelInfo[]): string {
  const reasons = new Set(models.flatMap(({ unavailable }) => (unavailable ? [unavailable] : [])))
  const shown = [...reasons].slice(0, 3).join('; ')
  return shown === '' ? 'The house was given none.' : `What is missing: ${shown}.`
}

function nearby(name: string, { models }: ModelWish): string {
  const here = models.filter(info => !info.unavailable && !info.id.endsWith('/*'))
  const names = here.map(info => info.id)
  const offered = tiers.filter(tier => here.some(info => info.tier === tier))
  const near = didYouMean(name, [...offered, ...names, ...names.map(id => id.slice(id.indexOf('/') + 1))])
  return near === undefined ? '' : `Did you mean ${near}? `
}

/** By its id without the provider, an alias, or either as people write them: `Claude Sonnet 4.5 (copilot)`. */
function isCalled(info: ModelInfo, word: string): boolean {
  if (info.id.endsWith('/*')) return false
  const wanted = slug(word)
  const own = slug(info.id.slice(info.id.indexOf('/') + 1))
  return own === wanted || undated(own) === undated(wanted) || hasAlias(info, word)
}

const hasAlias = (info: ModelInfo, word: string): boolean =>
  (info.aliases ?? []).some(alias => slug(alias) === slug(word))

const slug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/\s*\(.*\)\s*$/, '')
    .trim()
    .replace(/[\s._]+/g, '-')

const undated = (name: string): string => name.replace(/-(\d{8}|\d{4}-\d{2}-\d{2}|latest)$/, '')

function preferProvider(infos: readonly ModelInfo[], caller: string | undefined): ModelInfo | undefined {
  const available = infos.filter(info => !info.unavailable)
  const own = caller === undefined ? undefined : available.find(info => isSameProvider(info.id, caller))
  return own ?? available[0] ?? infos[0]
}

export const providerOf = (model: string): string => {
  const slash = model.indexOf('/')
  return slash < 0 ? '' : model.slice(0, slash)
}
const isSameProvider = (a: string, b: string): boolean => providerOf(a) === providerOf(b)

const isSaid = (name: string | undefined): name is string => name !== undefined && name.trim() !== ''
