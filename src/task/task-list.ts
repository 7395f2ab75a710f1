/** TaskList: every run below yours, what it does, and what it has used. */

import { totalTokens } from '../core/budget/usage.js'
import { neutralise } from '../core/notices.js'
import type { DescendantView, Tool } from '../core/ports.js'
import { outcomeWords } from '../core/run/result.js'
import type { RunSummary } from '../core/run/run-summary.js'

const maxRows = 50

export function taskListTool(): Tool {
  return {
    spec: {
      name: 'TaskList',
      description: 'List the runs you started: state, last tool, idle time, tokens, cost.',
      inputSchema: { type: 'object', properties: {} },
      effect: 'delegate',
      displayName: 'Task list',
      isPolling: true,
    },
    run: async (_, { delegation, clock }) => {
      const all = await delegation.list()
      const running = all.filter(({ summary }) => summary.status !== 'ended')
      const rows = [...running, ...all.filter(({ summary }) => summary.status === 'ended')]
      if (rows.length === 0) return { content: 'You have started no runs.', summary: 'none' }
      const shown = rows.slice(0, maxRows).map(view => describe(view, clock.now()))
      const more = rows.length > maxRows ? [`… and ${rows.length - maxRows} more that ended earlier`] : []
      return { content: [...shown, ...more].join('\n'), summary: `${running.length} of ${rows.length} running` }
    },
  }
}

function describe(view: DescendantView, now: number): string {
  const { summary, nickname } = view
  const facts = [
    `${summary.runId} ${nickname ? `"${nickname}" ` : ''}(${summary.agent}): ${summary.description}`,
    state(view),
    ...activity(view, now),
    ...spent(summary),
  ]
  // What those below call and are asked for was written by models.
  return neutralise(`- ${facts.join(' · ')}`)
}

/** Of a run whose first request is out nobody knows yet what that costs, where only the reply tells: it is not nothing. */
function spent({ status, usage, cost }: RunSummary): readonly string[] {
  const tokens = totalTokens(usage)
  if (status === 'running' && tokens === 0 && cost !== undefined) return ['nothing counted yet']
  const about = usage.isEstimated ? 'about ' : ''
  return [`${about}${tokens} tokens`, cost === undefined ? 'cost unknown' : `${about}$${cost.toFixed(4)}`]
}

function state({ summary, live }: DescendantView): string {
  if (summary.status === 'ended')
    return outcomeWords(summary.outcome ?? 'ended', summary.recoveredFrom, summary.unknownStop)
  if (!live) return summary.status
  return live.status === 'queued' ? live.text : live.status
}

function activity({ summary, live }: DescendantView, now: number): readonly string[] {
  if (summary.status === 'ended' || !live) return []
  const last = live.activities.at(-1)
  return [
    last ? `last tool ${last.displayName} ${last.context}`.trim() : 'no tool yet',
    `idle ${Math.max(0, Math.round((now - summary.updatedAt) / 1000))} s`,
    ...(live.messages ? [live.messages] : []),
  ]
}
