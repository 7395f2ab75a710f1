/** What an agent that extends another one becomes, or why it will not run. */
import type { AgentDefinition } from '../agent-definition.js'
import { diagnosticCodes } from '../agent-file/diagnostic-codes.js'
import { outputFault } from '../brief/completion.js'
import type { Diagnostic } from '../ports.js'
import { didYouMean } from '../text/nearest.js'
import { extendAgent } from './extend-agent.js'

/** One level: an agent that builds on one which builds on another is quarantined, as is one whose base is missing. */
export function resolveBase(
  agent: AgentDefinition,
  bases: readonly AgentDefinition[],
  names: () => readonly string[],
  found: Diagnostic[],
): AgentDefinition {
  const wanted = agent.extends!
  const chosen = chooseBase(agent, bases)
  const base = chosen?.quarantine === undefined && !chosen?.isDisabled ? chosen : undefined
  const fault =
    base === undefined
      ? `it extends "${wanted}", ${chosen === undefined ? 'and there is no such agent' : `and ${placeOf(chosen)} has that name and cannot be used`}`
      : base.extends !== undefined
        ? `it extends "${wanted}", which itself extends "${base.extends}"; one level is the limit`
        : undefined
  const where = agent.source.path === undefined ? {} : { file: agent.source.path }
  if (base === undefined || fault !== undefined) {
    const code = base === undefined ? 'extends-unknown' : 'extends-depth'
    const isOther = (name: string) => name !== agent.name
    const near = chosen === undefined ? didYouMean(wanted, names().filter(isOther)) : undefined
    const hint = near === undefined ? hintFor(code, chosen) : `did you mean "${near}"?`
    found.push({ code, severity: 'error', message: `agent "${agent.name}" is quarantined: ${fault}`, hint, ...where })
    return { ...agent, tools: [], quarantine: fault! }
  }
  const { agent: merged, notes } = extendAgent(base, agent)
  const unfit = outputFault(merged)
  if (unfit !== undefined && agent.quarantine === undefined) {
    const message = `agent "${agent.name}" is quarantined: with what it has from "${base.name}", ${unfit}`
    found.push({
      code: 'extends-output',
      severity: 'error',
      message,
      hint: diagnosticCodes['extends-output'].hint,
      ...where,
    })
    return { ...merged, tools: [], quarantine: unfit }
  }
  const { hint } = diagnosticCodes['extends-widened']
  for (const note of notes) found.push({ code: 'extends-widened', severity: 'warning', message: note, hint, ...where })
  return merged
}

function hintFor(code: 'extends-unknown' | 'extends-depth', chosen: AgentDefinition | undefined): string {
  if (code === 'extends-depth' || chosen === undefined) return diagnosticCodes[code].hint
  return chosen.quarantine === undefined ? 'switch that agent on' : `mend that agent first: ${chosen.quarantine}`
}

function chooseBase(heir: AgentDefinition, named: readonly AgentDefinition[]): AgentDefinition | undefined {
  // Its own name means the definition it replaces: only those further down count.
  const others =
    heir.extends === heir.name ? named.slice(named.indexOf(heir) + 1) : named.filter(other => other !== heir)
  const counting = others.filter(other => other.source.isTrusted || other.source.scope === heir.source.scope)
  const candidates = counting.length > 0 ? counting : others
  const isBeside = ({ source }: AgentDefinition) =>
    source.scope === candidates[0]!.source.scope && source.folder === candidates[0]!.source.folder
  return candidates.find(other => isBeside(other) && other.name === heir.extends) ?? candidates[0]
}

/** For people: its file, or where it is from. */
export function placeOf(agent: AgentDefinition): string {
  return agent.source.path ?? `the ${agent.source.scope} scope`
}
