/** Whether a task may start at all: what is checked of it and of the agent it names, before anything is decided. */

import type { AgentDefinition } from '../agent-definition.js'
import type { Catalog } from '../catalog/catalog.js'
import { usualAgent } from '../catalog/wished-agent.js'
import type { Json } from '../message.js'
import type { Policy } from '../policy.js'
import { isRecord } from '../record.js'
import { isReservedName } from '../sender-names.js'
import { anything, faultsOf, listOf, oneOf, type Shape, text, word, yesOrNo } from '../shape.js'
import type { Caller, Refusal, Task } from '../types.js'
import { checkInputs } from './inputs.js'
import { refuse } from './refuse.js'

export interface AdmissionRequest {
  readonly task: Task
  /** Absent for a root: the main conversation. */
  readonly caller?: Caller
  readonly catalog: Catalog
  readonly policy: Policy
}

const maxTurnsBound = 200

export function findAgent({ task, caller, catalog, policy }: AdmissionRequest): AgentDefinition | Refusal {
  if (caller && caller.depth + 1 > policy.maxDepth) {
    return refuse(
      'depth-limit',
      `Depth limit: a run at depth ${caller.depth} cannot delegate further (the limit is ${policy.maxDepth}). Do the work yourself, or report what is left.`,
    )
  }
  const faults = taskFaults(task)
  if (faults.length > 0) return refuse('invalid-task', `The task was not started: ${faults.join('; ')}.`)
  const name = task.agent ?? usualAgent
  const agent = catalog.find(name)
  if (!agent) {
    const hidden = catalog.lookup(name)?.agent
    if (hidden?.quarantine !== undefined)
      return hidden.source.isTrusted ? refuseQuarantined(hidden, caller) : refuseUntrusted(hidden, caller)
    const near = catalog.nearest(name)
    const known = catalog.offered().map(offered => offered.name)
    return refuse(
      'unknown-agent',
      `There is no agent named "${name}".${near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : ''} Known: ${known.join(', ') || 'none'}.`,
    )
  }
  if (agent.isDisabled) return refuse('agent-disabled', `The agent "${agent.name}" is switched off. Use another one.`)
  if (!agent.source.isTrusted) return refuseUntrusted(agent, caller)
  return (caller && (spawnRefusal(caller, agent) ?? forPeople(caller, agent))) ?? agent
}

/** What nobody trusts says nothing to a model, not even what is wrong with it. */
function refuseUntrusted({ name, source, quarantine }: AgentDefinition, caller: Caller | undefined): Refusal {
  const { path, folder, scope } = source
  const isInCode = path === undefined && folder === undefined && scope === 'user'
  const why = isInCode
    ? `The agent "${name}" is not trusted: its definition says \`source.isTrusted: false\`.`
    : `The agent "${name}" comes from a folder that is not trusted yet (${path ?? scope}).`
  const hint = isInCode
    ? 'Whoever made it has to say otherwise.'
    : 'A person trusts it, or whoever opens the house says `trustsProject`.'
  if (caller) return refuse('agent-untrusted', `${why} A person has to trust it first; use another agent.`)
  const fault = quarantine === undefined ? '' : ` Trusted, it would not run either: ${quarantine}.`
  return refuse('agent-untrusted', `${why} ${hint}${fault}`)
}

function refuseQuarantined({ name, source, quarantine }: AgentDefinition, caller: Caller | undefined): Refusal {
  const what = source.path === undefined ? 'its definition is corrected' : `its file is corrected, ${source.path}`
  return refuse(
    'agent-quarantined',
    `The agent "${name}" will not run until ${what}: ${quarantine}.${caller ? ' Use another agent, or tell the user.' : ''}`,
  )
}

/** Whoever names it among those it may call has it all the same. */
function forPeople({ canSpawn }: Caller, { name, isForPeople }: AgentDefinition): Refusal | undefined {
  if (!isForPeople || Array.isArray(canSpawn)) return undefined
  return refuse(
    'agent-for-people',
    `The agent "${name}" may be called by people alone: its definition says so. Use another one, or tell the user.`,
  )
}

function spawnRefusal({ canSpawn, path }: Caller, agent: AgentDefinition): Refusal | undefined {
  const caller = path.at(-1)
  if (canSpawn === false) return refuse('spawn-not-granted', `${caller} may not delegate. Do the work yourself.`)
  if (canSpawn === true || canSpawn.includes(agent.name)) return undefined
  return refuse('spawn-not-listed', `${caller} may delegate only to ${canSpawn.join(', ')}, not to ${agent.name}.`)
}

export function readInputs(
  agent: AgentDefinition,
  task: Task,
): { readonly values: Readonly<Record<string, Json>> } | Refusal {
  // A resumed run has its opening already: what it was given then still stands.
  if (task.resume !== undefined) return { values: {} }
  const fields = agent.inputs ?? []
  if (fields.length === 0 && task.inputs && Object.keys(task.inputs).length > 0) {
    return refuse('inputs-not-declared', `${agent.name} takes no inputs; put everything into the prompt.`)
  }
  const checked = checkInputs(fields, task.inputs)
  if ('values' in checked) return checked
  return refuse(
    'invalid-inputs',
    `The inputs for ${agent.name} do not fit: ${checked.faults.join('; ')}. Nothing was started.`,
  )
}

/** Tasks also come through the library's door, where no schema has looked at them. */
function taskFaults(task: Task): readonly string[] {
  const { prompt, description, maxTurns, inputs, resume, name } = task as { readonly [K in keyof Task]?: unknown }
  const hasInputs = inputs !== null && typeof inputs === 'object' && Object.keys(inputs).length > 0
  const isTurnCount = Number.isInteger(maxTurns) && Number(maxTurns) >= 1 && Number(maxTurns) <= maxTurnsBound
  return [
    typeof prompt !== 'string' ? 'prompt must be a text' : '',
    typeof prompt === 'string' && prompt.trim() === '' && !hasInputs && !resume ? 'prompt is blank' : '',
    typeof description !== 'string' || description.trim() === '' ? 'description is blank (three to five words)' : '',
    maxTurns !== undefined && !isTurnCount ? `max_turns must be a whole number from 1 to ${maxTurnsBound}` : '',
    typeof name === 'string' && isReservedName(name)
      ? `name must be another than "${name}", which stands for somebody else`
      : '',
    ...faultsOf(task, fields, [], otherNames),
  ].filter(Boolean)
}

/** What the tool `Task` calls them, and others do. */
const otherNames = {
  subagenttype: 'agent',
  agenttype: 'agent',
  subagent: 'agent',
  runinbackground: 'isBackground',
  background: 'isBackground',
  tools: 'allowedTools',
} satisfies Record<string, keyof Task>

/** Those that are looked at above, or where they are used, are any here; what is in no place of a task is a slip. */
const fields = {
  agent: text,
  prompt: anything,
  description: anything,
  model: text,
  isBackground: yesOrNo,
  resume: anything,
  name: word,
  maxTurns: anything,
  allowedTools: listOf(word),
  summaryPrompt: text,
  inputs: value => (isRecord(value) ? undefined : 'must be an object'),
  isolation: oneOf('none', 'worktree'),
  budget: anything,
} satisfies Record<keyof Task, Shape>
