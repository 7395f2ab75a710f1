/** What a command hook reads on its stdin: Claude Code's fields, and ours beside them. */

import { cutCharacters } from '../text/text.js'
import type { HookEventName } from './hook-config.js'
import type { HookEvent } from './hooks.js'

export interface PayloadPlace {
  /** Where the call is made; the project's directory where none is. */
  readonly cwd: string
  /** The files with the conversation of the session, and of the run that has ended. */
  readonly transcript: string
  readonly agentTranscript: string
  /** How a session came about: `startup` or `resume`. */
  readonly source: string
}

export function hookPayload(name: HookEventName, event: HookEvent, place: PayloadPlace): object {
  const { brief, runId, rootId, parentId } = event
  const isChild = brief.depth > 0
  return {
    session_id: rootId,
    transcript_path: place.transcript,
    cwd: place.cwd,
    permission_mode: brief.chain.at(-1)?.mode ?? 'default',
    ...(isChild && { agent_id: runId }),
    agent_type: brief.agent,
    hook_event_name: name,
    agent_path: brief.path,
    depth: brief.depth,
    ...(parentId && { parent_agent_id: parentId }),
    hook_key: event.key,
    attempt: event.attempt ?? 1,
    ...ownFields(name, event, place),
  }
}

function ownFields(name: HookEventName, event: HookEvent, place: PayloadPlace): object {
  switch (name) {
    case 'SubagentStart':
      return {
        prompt: event.prompt ?? '',
        description: event.brief.description,
        ...(event.brief.inputs && { inputs: event.brief.inputs }),
      }
    case 'UserPromptSubmit':
      return { prompt: event.prompt ?? '' }
    case 'SessionStart':
      return { source: place.source, model: event.brief.model }
    case 'SessionEnd':
      return { reason: event.reason ?? 'other' }
    case 'Stop':
    case 'SubagentStop':
      return stopFields(name, event, place)
    case 'PreCompact':
      return { trigger: event.reason ?? 'auto', custom_instructions: '' }
    case 'PreToolUse':
      return toolFields(event)
    case 'PermissionRequest':
      return { ...toolFields(event), reason: event.reason ?? '' }
    case 'PostToolUse':
      return {
        ...toolFields(event),
        tool_response: {
          content: cutCharacters(event.output?.text ?? '', maxResponse),
          is_error: event.output?.isError ?? false,
        },
      }
  }
}

const maxResponse = 100_000

const toolFields = ({ call }: HookEvent): object => ({
  tool_name: call?.name ?? '',
  tool_input: call?.input ?? {},
  tool_use_id: call?.id ?? '',
})

function stopFields(name: 'Stop' | 'SubagentStop', { result, brief, returns }: HookEvent, place: PayloadPlace) {
  return {
    stop_hook_active: (returns ?? 0) > 0,
    last_assistant_message: result?.text ?? '',
    exit_reason: result?.outcome ?? '',
    usage: result?.usage,
    model: brief.model,
    ...(name === 'SubagentStop' && { agent_transcript_path: place.agentTranscript }),
  }
}

/** What a matcher of this event is held against; undefined where there is nothing, and a matcher does not count. */
export function hookSubject(name: HookEventName, event: HookEvent, source: string): string | undefined {
  switch (name) {
    case 'PreToolUse':
    case 'PostToolUse':
    case 'PermissionRequest':
      return event.call?.name ?? ''
    case 'SubagentStart':
    case 'SubagentStop':
      return event.brief.agent
    case 'SessionStart':
      return source
    case 'SessionEnd':
      return event.reason ?? 'other'
    case 'PreCompact':
      return event.reason ?? 'auto'
    case 'UserPromptSubmit':
    case 'Stop':
      return undefined
  }
}
