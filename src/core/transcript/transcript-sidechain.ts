/** A transcript as Claude Code keeps it: one JSON object a line, chained by `parentUuid`, and a `.meta.json` beside it. */
import type { AssistantPart, ImagePart, TextPart, UserPart } from '../message.js'
import { stableUuid } from '../text/stable-uuid.js'
import { fileName, type Transcript, type TranscriptEntry, type TranscriptFile } from './transcript-fold.js'

/** The root of a tree is the session's own file; every other run lies in its `subagents` folder. */
export function writeSidechain(transcript: Transcript): readonly TranscriptFile[] {
  const { runId, rootId } = transcript.summary
  const session = fileName(rootId)
  const isRoot = runId === rootId
  const path = isRoot ? session : `${session}/subagents/agent-${fileName(runId)}`
  const meta = `${JSON.stringify(metaOf(transcript), null, 2)}\n`
  return [
    { path: `${path}.jsonl`, text: linesOf(transcript, !isRoot) },
    { path: `${path}.meta.json`, text: meta },
  ]
}

function linesOf({ summary, entries }: Transcript, isSidechain: boolean): string {
  let parentUuid: string | null = null
  let text = ''
  entries.forEach((entry, index) => {
    const uuid = stableUuid(`${entry.eventId}/${index}`)
    const line = {
      parentUuid,
      isSidechain,
      agentId: summary.runId,
      sessionId: summary.rootId,
      ...contentOf(entry, uuid),
      uuid,
      timestamp: new Date(entry.at).toISOString(),
    }
    text += `${JSON.stringify(line)}\n`
    parentUuid = uuid
  })
  return text
}

function contentOf(entry: TranscriptEntry, uuid: string): object {
  switch (entry.kind) {
    case 'user':
      return { type: 'user', message: { role: 'user', content: entry.content.map(blockOf) } }
    case 'assistant': {
      const { content, model, usage } = entry
      const message = {
        id: `msg_${uuid}`,
        type: 'message',
        role: 'assistant',
        // Elsewhere a model goes by its own name, without the provider in front.
        model: model.slice(model.indexOf('/') + 1),
        content: content.map(assistantBlockOf),
        stop_reason: content.some(part => part.type === 'call') ? 'tool_use' : 'end_turn',
        usage: {
          input_tokens: usage.input,
          output_tokens: usage.output,
          cache_read_input_tokens: usage.cacheRead,
          cache_creation_input_tokens: usage.cacheWrite,
        },
      }
      return { type: 'assistant', message }
    }
    case 'result': {
      const isError = entry.status !== 'ok' && entry.status !== 'detached'
      const block = {
        type: 'tool_result',
        tool_use_id: entry.callId,
        content: entry.content.map(blockOf),
        is_error: isError,
      }
      return { type: 'user', message: { role: 'user', content: [block] } }
    }
    case 'note':
      return { type: 'system', subtype: 'informational', content: entry.text, level: 'info' }
  }
}

function assistantBlockOf(part: AssistantPart): object {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text }
    case 'thought': {
      const signature = (part.opaque as { signature?: unknown } | undefined)?.signature
      return { type: 'thinking', thinking: part.text, signature: typeof signature === 'string' ? signature : '' }
    }
    case 'call':
      return { type: 'tool_use', id: part.id, name: part.name, input: part.input }
  }
}

function blockOf(part: UserPart | TextPart | ImagePart): object {
  if (part.type === 'text') return { type: 'text', text: part.text }
  return { type: 'image', source: { type: 'base64', media_type: part.mediaType, data: part.data } }
}

function metaOf({ summary, model }: Transcript): object {
  return {
    agentType: summary.agent,
    description: summary.description,
    agentId: summary.runId,
    sessionId: summary.rootId,
    parentAgentId: summary.parentId,
    toolUseId: summary.callId,
    name: summary.nickname,
    model,
    status: summary.status,
    outcome: summary.outcome,
    recoveredFrom: summary.recoveredFrom,
    startedAt: new Date(summary.createdAt).toISOString(),
    updatedAt: new Date(summary.updatedAt).toISOString(),
    totalToolUseCount: summary.toolCalls,
    turns: summary.turns,
    usage: summary.usage,
    totalCostUsd: summary.cost,
  }
}
