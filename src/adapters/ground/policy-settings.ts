/** What settings, and whoever opens a house, say about limits and permissions: as policy and rules. */
import type { Budget, PermissionMode, PermissionRule } from '../../core/agent-definition.js'
import { strictestMode } from '../../core/brief/mode.js'
import {
  parsePermissionRule,
  parsePermissionRules,
  splitOutsideBrackets,
} from '../../core/permission/permission-rule.js'
import type { RuleLayer } from '../../core/permission/permission-rules.js'
import type { Policy } from '../../core/policy.js'
import type { Diagnostic } from '../../core/ports.js'
import { findSetting, type Settings } from '../../core/settings/settings.js'
import { ruleSlips, toolMeantBy } from '../../core/settings/settings-slips.js'
import { canonicalToolName } from '../../core/tools/tool-names.js'

type Env = Readonly<Record<string, string | undefined>>

/** What was chosen for this one session; it goes before the settings, but for managed ones. */
export interface Chosen {
  readonly permissionMode?: PermissionMode | undefined
  readonly maxBudgetUsd?: number | undefined
  readonly allowedTools?: readonly string[] | undefined
  readonly disallowedTools?: readonly string[] | undefined
}

export function policyOf(settings: Settings, chosen: Chosen, env: Env): Partial<Policy> {
  const number = (name: string): number | undefined => {
    const value = findSetting(settings, `subagents.${name}`)?.value
    return typeof value === 'number' ? value : undefined
  }
  const inMs = (seconds: number | undefined) => (seconds === undefined ? undefined : seconds * 1000)
  const upgrade = findSetting(settings, 'subagents.planUpgrade')?.value
  return withoutAbsent({
    maxDepth: findSetting(settings, 'subagents.enabled')?.value === false ? 0 : number('maxDepth'),
    maxTurns: number('maxTurns'),
    timeoutMs: inMs(number('timeoutSeconds')),
    graceMs: inMs(number('graceSeconds')),
    resultBytes: number('resultBytes'),
    concurrency: number('concurrency'),
    queue: number('queue'),
    concurrencyPerRoot: number('concurrencyPerRoot'),
    concurrencyPerModel: number('concurrencyPerModel'),
    maxDescendants: number('maxDescendants'),
    fanOutApproval: number('fanOutApproval'),
    approvalExpiryMs: inMs(number('approvalExpiry')),
    stopHookReturns: number('stopHookReturns'),
    planUpgrade: typeof upgrade === 'boolean' ? upgrade : undefined,
    mode: modeOf(settings, chosen),
    treeBudget: treeBudget(budgetOf(settings, chosen), number('budgetTokens'), number('budgetToolCalls')),
    forcedModel: env.OFFSHOOT_SUBAGENT_MODEL || undefined,
    defaultChildModel: env.OFFSHOOT_SUBAGENT_DEFAULT_MODEL || undefined,
  })
}

/** The mode of the main conversation, where one was chosen. A managed one is only narrowed. */
export function modeOf(
  settings: Settings,
  { permissionMode }: Pick<Chosen, 'permissionMode'>,
): PermissionMode | undefined {
  const set = findSetting(settings, 'permissions.defaultMode')
  const mode = set?.value as PermissionMode | undefined
  if (permissionMode === undefined || mode === undefined) return permissionMode ?? mode
  return set?.scope === 'managed' ? strictestMode(mode, permissionMode) : permissionMode
}

/**
 * The loosest mode the person of a session can switch its conversations to. One that asks for nothing must be what they
 * have chosen before; what an administrator chose is only narrowed.
 */
export function modeCeilingOf(settings: Settings, chosen: Pick<Chosen, 'permissionMode'>): PermissionMode {
  const set = findSetting(settings, 'permissions.defaultMode')
  const isBarred = findSetting(settings, 'permissions.disableBypassPermissionsMode') !== undefined
  const isBypass = [set?.value, modeOf(settings, chosen)].includes('bypassPermissions')
  const loosest = isBypass && !isBarred ? 'bypassPermissions' : 'acceptEdits'
  return set?.scope === 'managed' ? strictestMode(loosest, set.value as PermissionMode) : loosest
}

function budgetOf(settings: Settings, { maxBudgetUsd }: Pick<Chosen, 'maxBudgetUsd'>): number | undefined {
  const set = findSetting(settings, 'subagents.budgetUsd')
  const usd = typeof set?.value === 'number' ? set.value : undefined
  if (maxBudgetUsd === undefined || usd === undefined) return maxBudgetUsd ?? usd
  return set?.scope === 'managed' ? Math.min(usd, maxBudgetUsd) : maxBudgetUsd
}

/** What was chosen for this session, and managed settings do not let it have. */
export function refusedByManaged(settings: Settings, chosen: Chosen): readonly Diagnostic[] {
  const say = (option: string, wanted: unknown, given: unknown, key: string): readonly Diagnostic[] => {
    if (wanted === undefined || wanted === given) return []
    const message = `${wanted} is not had: ${given} counts, by "${key}" of the managed ${findSetting(settings, key)?.origin}`
    return [{ code: 'managed-limit', severity: 'warning', message, file: option }]
  }
  return [
    ...say('--permission-mode', chosen.permissionMode, modeOf(settings, chosen), 'permissions.defaultMode'),
    ...say('--max-budget-usd', chosen.maxBudgetUsd, budgetOf(settings, chosen), 'subagents.budgetUsd'),
  ]
}

/** An allow for a tool that nobody knows allows nothing, and whoever gave it waits for a call that is then asked for. */
export function allowSlips({ allowedTools = [] }: Chosen): readonly Diagnostic[] {
  const { rules } = parsePermissionRules({ allow: split(allowedTools) })
  return ruleSlips(rules).map(({ message, ...slip }) => ({
    ...slip,
    severity: 'warning',
    message: message.replace(/^permissions\.allow: /, ''),
    file: '--allowedTools',
  }))
}

function treeBudget(usd?: number, tokens?: number, toolCalls?: number): Budget | undefined {
  const budget = withoutAbsent({ usd, tokens, toolCalls })
  return Object.keys(budget).length > 0 ? budget : undefined
}

/** Rules of files and of the command line. A rule that cannot be read is a fault: a deny must not get lost. */
export function ruleLayersOf(
  settings: Settings,
  { allowedTools = [], disallowedTools = [], ...chosen }: Chosen,
): { readonly layers: readonly RuleLayer[]; readonly commandLine: RuleLayer } | { readonly fault: string } {
  const barred = findSetting(settings, 'permissions.disableBypassPermissionsMode')
  if (barred && modeOf(settings, chosen) === 'bypassPermissions')
    return { fault: `bypassPermissions is switched off (disableBypassPermissionsMode in ${barred.origin}).` }
  const given = parsePermissionRules({ allow: split(allowedTools), deny: split(disallowedTools) })
  if (given.faults.length > 0) return { fault: `--allowedTools/--disallowedTools: ${given.faults.join('; ')}.` }
  const slip = denySlip(disallowedTools, given.rules.deny)
  if (slip !== undefined) return { fault: `--disallowedTools: ${slip}` }
  const commandLine: RuleLayer = { scope: 'command-line', origin: 'the command line', rules: given.rules }
  const files = settings.rules.map(({ scope, origin, root, rules }) => ({
    scope,
    origin,
    rules,
    ...(root && { root }),
  }))
  return { layers: [...files, commandLine], commandLine }
}

/** A deny that nobody would miss: it names no tool here, or nothing at all (a variable that is not set). */
function denySlip(given: readonly string[], rules: readonly PermissionRule[]): string | undefined {
  if (given.some(text => split([text]).length === 0))
    return 'nothing is named in it, so nothing would be denied; name tools, or leave the option out.'
  for (const { tool, text } of rules) {
    const near = toolMeantBy(tool)
    if (near) return `"${text}" is for a tool nobody knows here; did you mean "${near}"?`
  }
  return undefined
}

/**
 * `Read,Bash(git *)`, `Read Bash(git *)` and separate words all count; what stands inside brackets belongs to the rule.
 * Blanks part only what is made of rules and known tools: of `Bash rm *` nobody knows what was meant.
 */
export function split(texts: readonly string[]): readonly string[] {
  return texts
    .flatMap(text => splitOutsideBrackets(text, /,/))
    .flatMap(piece => {
      const words = splitOutsideBrackets(piece, /\s/)
      return words.every(isRuleOrTool) ? words : [piece]
    })
}

function isRuleOrTool(word: string): boolean {
  if ('fault' in parsePermissionRule(word)) return false
  return word.includes('(') || word.startsWith('mcp__') || canonicalToolName(word) !== undefined
}

/** A key that is there and undefined says nothing; spread, it would wipe out what was said before. */
export function withoutAbsent<T extends object>(value: T): Partial<T> {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as Partial<T>
}
