/**
 * What happens, in plain lines for stderr: for pipes, logs and terminals without a screen of their own.
 * A child's lines are indented by its depth and begin with its agent's name in brackets: cyan when it starts, green
 * when it is done, red for an error, yellow for a warning. The calls of one turn are one line; a call that went wrong
 * has its own. `isVerbose`: every call has.
 */

import { totalTokens } from '../../core/budget/usage.js'
import type { Envelope, EventOf } from '../../core/events.js'
import type { RunId } from '../../core/message.js'
import { unknownStopWords, unverifiedWords } from '../../core/run/result.js'
import type { ToolEnded } from '../../core/run/run-state.js'
import { commandLine, visible } from '../../core/text/shell-word.js'
import { oneLine } from '../../core/text/text.js'
import type { Result } from '../../core/types.js'
import { callWords } from '../session/call-words.js'
import { costShort, countWords, secondsWords } from '../session/figures.js'
import { LastTurns } from '../session/last-turns.js'
import type { Colour, Paint } from '../session/paint.js'
import { runName } from '../session/run-names.js'
import { isMissed, missedToolsWords } from '../session/run-words.js'
import { printable } from './agents/output.js'

export function progressLines(
  write: (line: string) => void,
  look: Paint,
  isVerbose = false,
): (envelope: Envelope) => void {
  const waiting = new Set<RunId>()
  const calls = new Map<RunId, ToolEnded[]>()
  const nameOf = runNames()
  const lastTurns = new LastTurns()
  const speaks = childCalls()
  const say = (envelope: Envelope, line: Line | undefined) => {
    if (!line) return
    const inset = '  '.repeat(Math.max(0, envelope.depth - 1))
    write(`${inset}${look[line.colour](`[${printable(nameOf(envelope))}]`)} ${line.text}\n`)
  }
  return envelope => {
    const { runId, event } = envelope
    nameOf(envelope)
    const isSpokenFor = speaks(envelope)
    // The place in the queue changes often: one line says that a run waits.
    if (event.type === 'slot.waiting' && waiting.has(runId)) return
    if (event.type === 'slot.waiting') waiting.add(runId)
    if (event.type === 'turn.started' || event.type === 'turn.ended' || event.type === 'run.ended') {
      say(envelope, callsLine(calls.get(runId) ?? [], look))
      calls.delete(runId)
    }
    const lastTurn = lastTurns.hear(envelope)
    if (lastTurn !== undefined) say(envelope, { colour: 'yellow', text: shortLine(lastTurn, 200) })
    if (event.type === 'tool.ended' && event.status === 'ok' && !isVerbose) {
      if (!isSpokenFor) calls.set(runId, [...(calls.get(runId) ?? []), event])
    } else if (!isSpokenFor) say(envelope, lineOf(envelope, look))
    for (const note of [...hookNotes(event), ...missedParts(event)])
      say(envelope, { colour: 'yellow', text: shortLine(note, 300) })
  }
}

/** Whether the end of a call needs no line: the child it started tells its own, and so does the end of a run. */
function childCalls(): (envelope: Envelope) => boolean {
  const withChild = new Set<string>()
  return ({ runId, event }) => {
    if (event.type === 'child.started') withChild.add(`${runId} ${event.callId}`)
    if (event.type !== 'tool.ended') return false
    return withChild.delete(`${runId} ${event.callId}`) || (event.status === 'ok' && silentTools.has(event.name))
  }
}

/** What hooks said for people. */
const hookNotes = (event: Envelope['event']): readonly string[] =>
  event.type === 'hook.ended' || event.type === 'tool.ended' || event.type === 'message.heard'
    ? (event.notes ?? [])
    : []

/** Servers of the agent's own, tools of them, and skills it is to begin with, that the run has to do without. */
function missedParts(event: Envelope['event']): readonly string[] {
  if (event.type !== 'run.queued') return []
  const missing = event.brief.reasons.filter(({ verdict }) => verdict === 'missing')
  return missing.flatMap(({ subject, rule, detail = '' }) => {
    if (rule === 'skill-missing') return [`there is no skill "${subject}", which it is to begin with`]
    return subject.startsWith('mcp server ') ? [`${subject}: ${detail}`] : []
  })
}

function runNames(): (run: Pick<Envelope, 'runId' | 'agent'>) => string {
  const names = new Map<RunId, string>()
  const counts = new Map<string, number>()
  return ({ runId, agent }) => {
    const known = names.get(runId)
    if (known !== undefined) return known
    const count = (counts.get(agent) ?? 0) + 1
    counts.set(agent, count)
    const name = runName(agent, count)
    names.set(runId, name)
    return name
  }
}

/** Models, tools and providers wrote it: nothing of it may move the cursor or reach a clipboard. */
const shortLine = (text: string, max: number): string => printable(oneLine(text, max))

interface Line {
  readonly colour: Colour
  readonly text: string
}

function lineOf({ depth, event }: Envelope, look: Paint): Line | undefined {
  const line = (colour: Colour, text: string): Line => ({ colour, text })
  switch (event.type) {
    case 'run.queued':
      return depth > 0 ? line('cyan', `Starting: ${shortLine(event.brief.description, 80)}`) : undefined
    case 'run.resumed':
      return line('cyan', `Goes on (attempt ${event.attempt})`)
    case 'tool.ended':
      return toolLine(event, look)
    case 'model.warned':
      return line('yellow', `The provider says: ${shortLine(event.text, 160)}`)
    case 'model.retrying':
      return line('yellow', `Asks again in ${Math.ceil(event.waitMs / 1000)} s: ${shortLine(event.reason, 100)}`)
    case 'tools.missed': {
      const missed = event.names.filter(isMissed)
      return missed.length === 0 ? undefined : line('yellow', shortLine(missedToolsWords(missed), 200))
    }
    case 'slot.waiting':
      return line('dim', look.dim(`Waits for a slot, position ${event.position}`))
    case 'approval.requested':
      return line('yellow', approvalText(event))
    case 'message.heard':
      return event.verdict === 'go'
        ? undefined
        : line('yellow', `A hook refused a message: ${shortLine(event.reason ?? '', 100)}`)
    case 'run.backgrounded':
      return line('cyan', 'Moved to the background')
    case 'run.ended':
      return depth > 0 ? endLine(event.result, look) : undefined
    default:
      return undefined
  }
}

/** From any terminal: whoever reads this need not look up the id. */
function approvalText({ name, context, rule, approvalId }: EventOf<'approval.requested'>) {
  const answer = commandLine('offshoot', 'approvals', 'answer', approvalId, 'allow')
  return `Needs approval: ${visible(name)} ${visible(oneLine(context, 60))} (${visible(rule)})\n  to answer: ${answer}  (or deny)`
}

/** What comes of them when all goes well is told by others. */
const silentTools = new Set(['Task', 'complete_task'])

function callsLine(calls: readonly ToolEnded[], look: Paint): Line | undefined {
  const [first] = calls
  if (!first) return undefined
  if (calls.length === 1) return toolLine(first, look)
  const counts = new Map<string, number>()
  for (const { name } of calls) counts.set(name, (counts.get(name) ?? 0) + 1)
  const words = [...counts].map(([name, count]) => (count === 1 ? printable(name) : `${printable(name)} ×${count}`))
  return { colour: 'dim', text: look.dim(`→ ${words.join(', ')}`) }
}

function toolLine(event: ToolEnded, look: Paint): Line | undefined {
  const { name, context, status, summary } = event
  if (status === 'not-run') return undefined
  const what = `${look.dim('→')} ${printable(name)} ${shortLine(callWords(name, context), 60)}`.trimEnd()
  if (status === 'ok') return { colour: 'dim', text: look.dim(`${what}: ${shortLine(summary, 50)}`) }
  const isRefused = status === 'denied' || silentTools.has(name)
  const why = isRefused ? shortLine(textOf(event) ?? summary, 200) : shortLine(summary, 50)
  return { colour: 'red', text: `${what}: ${look.red(why === status ? status : `${status}, ${why}`)}` }
}

/** Why a call was denied or no child started names the rule and its file: what a person does something about is not cut. */
const textOf = ({ content }: ToolEnded): string | undefined => content.find(part => part.type === 'text')?.text

function endLine(result: Result, look: Paint): Line {
  const { turns, toolCalls, usage, cost } = result
  const figures = look.dim(
    `(${countWords(turns, 'turn')}, ${countWords(toolCalls, 'tool call')}, ${usage.isEstimated ? '~' : ''}${countWords(totalTokens(usage), 'token')}, ${costShort(cost, usage)})`,
  )
  const time = secondsWords(result.durationMs)
  if (result.outcome !== 'completed') {
    const why = result.error ? `: ${shortLine(result.error.message, 120)}` : ''
    return { colour: 'red', text: `${look.red(`Ended: ${result.outcome}`)} after ${time}${why} ${figures}` }
  }
  if (result.recoveredFrom)
    return { colour: 'yellow', text: `Completed in ${time}, saved after ${result.recoveredFrom} ${figures}` }
  if (result.unknownStop !== undefined) {
    const why = shortLine(unknownStopWords(result.unknownStop), 160)
    return { colour: 'yellow', text: `Completed in ${time}. ${why} ${figures}` }
  }
  if (result.verified === false) {
    const why = shortLine(unverifiedWords(result.unverified ?? []), 200)
    return { colour: 'yellow', text: `Completed in ${time}. ${why} ${figures}` }
  }
  return { colour: 'green', text: `Completed in ${time} ${figures}` }
}
