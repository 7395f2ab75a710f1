/** What a brief takes over from its definition as it stands there, as decisions: `explain` shows all that binds a run. */
import type { AgentDefinition } from '../../../core/agent-definition.js'
import type { Catalog } from '../../../core/catalog/catalog.js'
import { readHookConfig } from '../../../core/hooks/hook-config.js'
import type { Brief, Decision } from '../../../core/types.js'

export type Shown = Omit<Decision, 'about'> & { readonly about: string }

/** What the agent it extends took away is its doing, and no other rule's: its own file asks for it. */
export function withBase(
  reasons: readonly Shown[],
  { name, extends: base, source }: AgentDefinition,
  { diagnostics }: Pick<Catalog, 'diagnostics'>,
): readonly Shown[] {
  if (base === undefined) return reasons
  const own = `agent "${name}" `
  const taken = diagnostics.flatMap(({ code, file, message }) =>
    code === 'extends-widened' && file === source.path && message.startsWith(own) ? [message.slice(own.length)] : [],
  )
  const isTaken = ({ about, subject, verdict }: Shown) =>
    about === 'tool' && verdict !== 'kept' && taken.some(what => what.startsWith(`names the tool ${subject},`))
  const detail = `its file lists it, and "${base}", which it extends, does not have it`
  return [
    ...reasons.map(each => (isTaken(each) ? { ...each, rule: 'extends-widened', detail } : each)),
    {
      about: 'extends',
      subject: base,
      verdict: 'joined',
      rule: 'definition',
      detail: 'what both allow, and what either denies',
    },
    ...taken.map(what => ({
      about: 'extends',
      subject: base,
      verdict: 'narrowed',
      rule: 'extends-widened',
      detail: what,
    })),
  ]
}

export function furtherDecisions(brief: Brief, agent: AgentDefinition): readonly Shown[] {
  const ruleOf = (said: unknown) => (said === undefined ? 'default' : 'definition')
  const set = (about: string, subject: string, verdict: string, rule = 'definition', detail?: string): Shown => ({
    ...{ about, subject, verdict, rule },
    ...(detail !== undefined && { detail }),
  })
  const { reportBytes } = brief.limits
  const { memoryMb, cpuSeconds } = brief.resources ?? {}
  return [
    set(
      'limit',
      'report',
      reportBytes === undefined ? 'none' : `${reportBytes} bytes`,
      ruleOf(agent.limits?.resultBytes),
      reportBytes === undefined ? undefined : 'a longer one is condensed once',
    ),
    ...(memoryMb === undefined ? [] : [set('limit', 'memory', `${memoryMb} MB`)]),
    ...(cpuSeconds === undefined ? [] : [set('limit', 'CPU', `${cpuSeconds} s`)]),
    set('place', 'isolation', brief.isolation, ruleOf(agent.isolation)),
    set('place', 'directory', brief.baseDir ?? 'its caller’s', ruleOf(brief.baseDir)),
    set('place', 'process', brief.executionMode, ruleOf(agent.executionMode)),
    ...(agent.disabledFeatures ?? []).map(feature => set('feature', feature, 'off')),
    ...readHookConfig(brief.hooks).entries.map(({ event, matcher, command }) =>
      set('hook', event, matcher ? `for ${matcher}` : 'for all', 'definition', command),
    ),
    ...(brief.evidence === undefined
      ? []
      : [set('evidence', 'report', 'checked', 'definition', JSON.stringify(brief.evidence))]),
  ]
}
