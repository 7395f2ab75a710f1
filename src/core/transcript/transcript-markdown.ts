/** Transcripts for reading: the tree first, then every run with its turns, calls and results. */

import { totalTokens } from '../budget/usage.js'
import type { CallPart, ImagePart, TextPart, UserPart } from '../message.js'
import { outcomeWords } from '../run/result.js'
import type { RunSummary } from '../run/run-summary.js'
import type { Transcript, TranscriptEntry } from './transcript-fold.js'

export function writeMarkdown(transcripts: readonly Transcript[]): string {
  const tree = transcripts.length > 1 ? [treeOf(transcripts)] : []
  return `${[...tree, ...transcripts.map(runOf)].join('\n\n---\n\n')}\n`
}

function treeOf(transcripts: readonly Transcript[]): string {
  const base = transcripts[0]?.summary.depth ?? 0
  const rows = transcripts.map(({ summary }) => {
    const indent = '  '.repeat(Math.max(0, summary.depth - base))
    const state = outcomeWords(stateOf(summary), summary.recoveredFrom, summary.unknownStop)
    return `${indent}- **${summary.agent}** ${summary.description} (${state}, \`${summary.runId}\`)`
  })
  return ['# Runs', '', ...rows].join('\n')
}

function runOf({ summary, model, entries, result }: Transcript): string {
  const about = summary.usage.isEstimated ? 'about ' : ''
  const facts = [
    `- Run: \`${summary.runId}\``,
    `- Outcome: ${outcomeWords(stateOf(summary), result?.recoveredFrom, result?.unknownStop)}`,
    `- Model: ${model}`,
    `- Turns: ${summary.turns}, calls: ${summary.toolCalls}, tokens: ${about}${totalTokens(summary.usage)}, cost: ${costOf(summary.cost, about)}`,
    `- From ${timeOf(summary.createdAt)} to ${timeOf(summary.updatedAt)}`,
  ]
  return [`# ${summary.agent}: ${summary.description}`, facts.join('\n'), ...entries.map(entryOf)].join('\n\n')
}

/** A log cannot say whether anybody still drives what has not ended. */
const stateOf = ({ outcome, status }: RunSummary): string => outcome ?? (status === 'running' ? 'unfinished' : status)

function entryOf(entry: TranscriptEntry): string {
  switch (entry.kind) {
    case 'user':
      return `## ${entry.from}\n\n${entry.content.map(partOf).join('\n\n')}`
    case 'assistant': {
      const title = entry.turn === undefined ? '## assistant (example)' : `## Turn ${entry.turn + 1} (${entry.model})`
      const parts = entry.content.map(part => {
        if (part.type === 'call') return callOf(part)
        return part.type === 'thought' ? quoted(part.text) : part.text
      })
      return [title, ...parts].join('\n\n')
    }
    case 'result': {
      const about = [entry.status, entry.summary, `${entry.durationMs} ms`].filter(Boolean).join(', ')
      return `**${entry.name}** ${entry.context} (${about})\n\n${entry.content.map(outputOf).join('\n\n')}`
    }
    case 'note':
      return `*${entry.text}*`
  }
}

const callOf = (call: CallPart): string =>
  `**${call.name}**\n\n${fenced(JSON.stringify(call.input, null, 2) ?? '', 'json')}`

const partOf = (part: UserPart): string => (part.type === 'text' ? part.text : imageOf(part))
const outputOf = (part: TextPart | ImagePart): string => (part.type === 'text' ? fenced(part.text, '') : imageOf(part))
const imageOf = (image: ImagePart): string => `*(image, ${image.mediaType})*`

/** The fence is longer than any inside, so that no output can end it. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}`
}

const quoted = (text: string): string =>
  text
    .split('\n')
    .map(line => `> ${line}`)
    .join('\n')

const costOf = (cost: number | undefined, about: string): string =>
  cost === undefined ? 'unknown' : `${about}$${cost.toFixed(4)}`
const timeOf = (at: number): string => new Date(at).toISOString()
