/** What a brief takes over from its definition as it stands there, as decisions: `explain` shows all that binds a run. */
import type { AgentDefinition } from '../../../core/agent-definition.js'
import { readHookConfig } from '../../../core/hooks/hook-config.js'
import type { Brief, Decision } from '../../../core/types.js'

export type Shown = Omit<Decision, 'about'> & { readonly about: string }

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
