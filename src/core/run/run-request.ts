/** What the next request of a run contains, and what its tools may be. */

import { completionTool } from '../brief/completion.js'
import type { TurnPurpose } from '../events.js'
import { type Message, userMessage } from '../message.js'
import * as notices from '../notices.js'
import type { ModelRequest } from '../ports.js'
import { compactionPoint, summaryPlan } from './compaction.js'
import { isCutForGood, type RunState } from './run-state.js'

/** The conversation as the model should see it now. */
export function requestMessages(state: RunState, purpose: TurnPurpose): readonly Message[] {
  const notice = purposeNotice(state, purpose)
  if (purpose === 'compact') {
    const older = state.messages.slice(0, compactionPoint(state))
    return [...older, userMessage(notice!)]
  }
  const texts = [...state.pending.map(pending => pending.text), ...(notice === undefined ? [] : [notice])]
  const waiting = texts.length === 0 ? [] : [userMessage(...texts)]
  return [...state.messages, ...waiting]
}

/** What the runtime says at the end of a request of this purpose. Part of the conversation afterwards. */
export function purposeNotice(state: RunState, purpose: TurnPurpose): string | undefined {
  const tool = state.brief.completion.mode === 'explicit' ? completionTool : undefined
  switch (purpose) {
    case 'reminder':
      if (isCutForGood(state)) return notices.shortReportRequest(tool)
      return tool ? notices.completionReminder(tool) : notices.emptyReplyReminder()
    case 'grace':
      return notices.graceRequest(state.grace?.cause ?? 'timeout', tool)
    case 'condense':
      return notices.condenseRequest(state.brief.limits.reportBytes ?? state.brief.limits.resultBytes)
    case 'summary':
      return notices.summaryRequest(state.brief.summaryPrompt ?? '')
    case 'compact':
      return notices.compactRequest(summaryPlan(state).kept !== undefined, state.compaction.wish)
    default:
      return undefined
  }
}

/** Declared tools stay as they are, for the provider's cache; what may be called is said here. */
export function toolChoice(state: RunState, purpose: TurnPurpose): ModelRequest['toolChoice'] {
  switch (purpose) {
    case 'work':
      return 'auto'
    case 'reminder':
    case 'grace':
      return state.brief.completion.mode === 'explicit' ? { tool: completionTool } : 'none'
    default:
      return 'none'
  }
}
