/**
 * The conversation before the first turn, in this order: system, few-shot, forked messages, boundary, (start hooks'
 * context), critical reminder + query or prompt. Also what is declared with every request.
 *
 * O1 A fork on the caller's own model sends the caller's declared bytes unchanged, so its prompt cache hits; the
 *    child's own prompt then stands in the boundary notice.
 * O2 It begins with the user's side, whatever was left out: some providers take no other beginning.
 */
import type { AgentDefinition } from '../agent-definition.js'
import { placeServerNotes } from '../mcp/server-notes.js'
import { type Json, type Message, userMessage } from '../message.js'
import * as notices from '../notices.js'
import type { Policy } from '../policy.js'
import type { ModelInfo } from '../ports.js'
import type { Caller, Completion, Decision, Declared, Task, ToolSpec } from '../types.js'
import { usualWindow } from './context.js'
import { digestConversation, forkMessages } from './fork.js'
import { type PlacedParts, type PromptPart, placeParts } from './prompt-parts.js'
import { inputText, placeholdersIn, substitute } from './substitute.js'
import { taskInSystem } from './task-words.js'

export interface OpeningRequest {
  readonly agent: AgentDefinition
  readonly task: Task
  readonly caller?: Caller
  readonly policy: Policy
  readonly inputs: Readonly<Record<string, Json>>
  readonly completion: Completion
  readonly completionTool?: ToolSpec
  readonly model: { readonly model: string; readonly info?: ModelInfo }
  readonly tools: readonly ToolSpec[]
  /** What goes into the prompt besides the definition, farthest first. */
  readonly parts?: readonly PromptPart[]
}
export interface Opening {
  readonly declared: Declared
  readonly messages: readonly Message[]
  readonly reasons: readonly Decision[]
}

export function openConversation(request: OpeningRequest): Opening {
  const values = placeholderValues(request)
  const placed = placeParts(request.parts ?? [], request.agent)
  const noted = placeServerNotes(request.tools)
  const system = systemPrompt(request, values, placed, noted.text)
  const own: Declared = {
    system: system.text,
    tools: [...noted.tools, ...(request.completionTool ? [request.completionTool] : [])],
  }
  const fork = forkedPart(request, system.own)
  return {
    declared: fork.declared ?? own,
    messages: [
      ...fewShot(request.agent),
      ...fork.messages,
      ...placed.opening.map(text => userMessage(text)),
      taskMessage(request, values),
    ],
    reasons: [...system.reasons, ...placed.reasons, ...noted.reasons, ...fork.reasons],
  }
}

function placeholderValues({
  agent,
  task,
  policy,
  inputs,
}: OpeningRequest): Readonly<Record<string, string | undefined>> {
  return {
    ...Object.fromEntries((agent.inputs ?? []).map(field => [field.name, inputText(givenOf(inputs, field.name))])),
    prompt: task.prompt,
    cwd: policy.cwd,
    agent_type: agent.name,
  }
}

/** `toString` is a name like any other. */
const givenOf = (inputs: OpeningRequest['inputs'], name: string): Json | undefined =>
  Object.hasOwn(inputs, name) ? inputs[name] : undefined

function systemPrompt(
  { agent, completion, completionTool }: OpeningRequest,
  values: Readonly<Record<string, string | undefined>>,
  { system: added, memory }: PlacedParts,
  servers: string,
): { readonly text: string; readonly own: string; readonly reasons: readonly Decision[] } {
  const body = substitute(agent.systemPrompt, values).trim()
  const ending = [
    notices.evidenceInstruction(agent.evidence),
    completion.mode === 'explicit' && completionTool ? notices.completionInstruction(completionTool.name) : '',
  ]
    .filter(Boolean)
    .map(text => `\n\n${text}`)
    .join('')
  const own = body || notices.noSystemPrompt(agent.displayName ?? agent.name)
  return {
    text: [own, added, servers].filter(Boolean).join('\n\n') + ending,
    // A fork sees its caller's bytes, instructions included: only what is its own has to be told again.
    own: [own, memory].filter(Boolean).join('\n\n') + ending,
    reasons: [
      ...(body ? [] : [{ about: 'prompt', subject: 'system', verdict: 'default line', rule: 'no-body' } as const]),
      ...(placeholdersIn(agent.systemPrompt).includes('prompt') ? [taskInSystem] : []),
    ],
  }
}

function fewShot(agent: AgentDefinition): readonly Message[] {
  const shown = (agent.initialMessages ?? []).map(
    ({ role, text }): Message => ({ role, content: [{ type: 'text', text }] }),
  )
  return shown[0]?.role === 'assistant' ? [userMessage(notices.examplesFollow()), ...shown] : shown
}

function forkedPart(
  { agent, caller, model, completionTool }: OpeningRequest,
  system: string,
): { readonly declared?: Declared; readonly messages: readonly Message[]; readonly reasons: readonly Decision[] } {
  const mode = agent.forkContext ?? 'none'
  const reason = (verdict: string, rule: string, detail?: string): Decision => ({
    about: 'fork',
    subject: mode,
    verdict,
    rule,
    ...(detail && { detail }),
  })
  if (mode === 'none' || !caller || caller.messages.length === 0) {
    const rule = mode !== 'none' ? 'nothing-to-fork' : agent.forkContext === undefined ? 'default' : 'definition'
    return { messages: [], reasons: [reason('fresh conversation', rule)] }
  }
  if (mode === 'summary') {
    const summary = digestConversation(caller.messages)
    return {
      messages: summary ? [userMessage(notices.callerSummary(notices.neutralise(summary)))] : [],
      reasons: [reason('summary', 'definition')],
    }
  }
  const forked = forkMessages(caller.messages, Math.floor((model.info?.contextWindow ?? usualWindow) / 2))
  // The completion tool has to be declared, so an agent that needs it cannot borrow the caller's bytes.
  const sharesPrefix = caller.declared !== undefined && caller.model === model.model && !completionTool
  return {
    ...(sharesPrefix && { declared: caller.declared }),
    messages: [
      ...(forked.dropped > 0 ? [userMessage(notices.forkCut(forked.dropped))] : []),
      ...forked.messages,
      userMessage(notices.forkBoundary(agent.displayName ?? agent.name, sharesPrefix ? system : undefined)),
    ],
    reasons: [
      reason(
        'full',
        'definition',
        forked.dropped > 0 ? `${forked.dropped} oldest turns left out: half the window is the bound` : undefined,
      ),
      reason(
        sharesPrefix ? "the caller's declared bytes" : 'its own declared bytes',
        sharesPrefix ? 'fork-shares-cache' : completionTool ? 'needs-completion-tool' : 'other-model',
      ),
    ],
  }
}

function taskMessage(
  { agent, task, inputs }: OpeningRequest,
  values: Readonly<Record<string, string | undefined>>,
): Message {
  const given = (agent.inputs ?? []).flatMap(({ name }) =>
    givenOf(inputs, name) === undefined ? [] : [[name, inputText(givenOf(inputs, name))] as const],
  )
  const asked = placeholdersIn(agent.query ?? '')
  const query = substitute(agent.query ?? '', values)
  const ownWords = task.prompt.trim() && !(query && asked.includes('prompt')) ? task.prompt : ''
  const words = [query, ownWords].filter(Boolean).join('\n\n')
  const placed = [...asked, ...placeholdersIn(agent.systemPrompt)]
  // Without a place in a prompt the model would never see them.
  const unplaced = given.filter(([name]) => !placed.includes(name))
  // The task itself stands last: that is the text which a hook may put into other words.
  return userMessage(
    ...(agent.criticalReminder ? [notices.criticalReminder(agent.criticalReminder)] : []),
    ...(words && unplaced.length > 0 ? [notices.furtherInputs(unplaced)] : []),
    words || (given.length > 0 ? notices.startWithInputs(given) : ''),
  )
}
