/**
 * What happens, in plain lines for stderr: for pipes, logs and terminals without a screen of their own.
 * A child's lines are indented by its depth and begin with its agent's name.
 */
import type { Envelope } from '../../core/events.js'
import { oneLine } from '../../core/text.js'
import type { Result } from '../../core/types.js'
import { totalTokens } from '../../core/usage.js'
import { type Paint, paint } from './paint.js'

export function progressLines(write: (line: string) => void, colours: boolean): (envelope: Envelope) => void {
  const look = paint(colours)
  return envelope => {
    const text = lineOf(envelope, look)
    if (text === undefined) return
    write(`${'  '.repeat(Math.max(0, envelope.depth - 1))}${look.cyan(envelope.agent)} ${text}\n`)
  }
}

function lineOf({ depth, event }: Envelope, look: Paint): string | undefined {
  switch (event.type) {
    case 'run.started':
      return depth > 0 ? look.dim('started') : undefined
    case 'tool.ended':
      if (event.name === 'Task' || depth === 0) return undefined
      return `${look.dim(event.name)} ${oneLine(event.context, 60)} ${event.status === 'ok' ? look.dim(`→ ${oneLine(event.summary, 50)}`) : look.red(`${event.status}: ${oneLine(event.summary, 50)}`)}`
    case 'grace.started':
      return look.yellow(`limit reached (${event.cause}): one last turn for the report`)
    case 'model.retrying':
      return look.yellow(`asks again in ${Math.ceil(event.waitMs / 1000)} s (${oneLine(event.reason, 80)})`)
    case 'slot.waiting':
      return look.dim(`waits for a slot, position ${event.position}`)
    case 'approval.requested':
      return look.yellow(`needs approval: ${event.name} ${oneLine(event.context, 60)} (${event.rule})`)
    case 'run.ended':
      return depth > 0 ? endLine(event.result, look) : undefined
    default:
      return undefined
  }
}

function endLine(result: Result, look: Paint): string {
  const figures = `${result.turns} turns, ${result.toolCalls} tool calls, ${totalTokens(result.usage)} tokens, ${(result.durationMs / 1000).toFixed(1)} s`
  if (result.outcome !== 'completed')
    return `${look.red(result.outcome)} ${look.dim(`(${figures})`)} ${oneLine(result.error?.message ?? '', 120)}`
  const saved = result.recoveredFrom ? look.yellow(` (recovered from ${result.recoveredFrom})`) : ''
  return `${look.green('done')}${saved} ${look.dim(`(${figures})`)}`
}
