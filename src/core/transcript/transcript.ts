/**
 * A run or a tree, written for people and for other programs: Claude Code's sidechain files, Markdown, or JSON.
 * All of it is a fold of the log. Thoughts are left out unless asked for: they are the provider's and nobody else's.
 */
import type { StoredEvent } from '../events.js'
import {
  fileName,
  type Transcript,
  type TranscriptFile,
  type TranscriptOptions,
  transcriptOf,
} from './transcript-fold.js'
import { writeMarkdown } from './transcript-markdown.js'
import { writeSidechain } from './transcript-sidechain.js'

/** Claude Code's lines, a page for people, or the events as they are. */
export type TranscriptFormat = 'sidechain' | 'markdown' | 'json'
/**
 * Writes logs as a transcript: of one run, or of a tree, a log each, the root's first. Logs that open no run are left
 * out.
 */
export function exportTranscript(
  logs: readonly (readonly StoredEvent[])[],
  format: TranscriptFormat,
  options: TranscriptOptions = {},
): readonly TranscriptFile[] {
  const runs = logs.flatMap(events => {
    const transcript = transcriptOf(events, options)
    return transcript ? [{ transcript, events }] : []
  })
  const transcripts = runs.map(run => run.transcript)
  const root = transcripts[0]?.summary.runId
  if (root === undefined) return []
  switch (format) {
    case 'sidechain':
      return transcripts.flatMap(writeSidechain)
    case 'markdown':
      return [{ path: `${fileName(root)}.md`, text: writeMarkdown(transcripts) }]
    case 'json':
      return [{ path: `${fileName(root)}.json`, text: writeJson(runs, options) }]
  }
}

function writeJson(
  runs: readonly { readonly transcript: Transcript; readonly events: readonly StoredEvent[] }[],
  { includesThoughts = false }: TranscriptOptions,
): string {
  const isHidden = (value: unknown) => !includesThoughts && (value as { type?: unknown } | null)?.type === 'thought'
  const value = { version: 1, runs: runs.map(({ transcript, events }) => ({ summary: transcript.summary, events })) }
  const withoutHidden = (_: string, item: unknown) =>
    Array.isArray(item) ? item.filter(part => !isHidden(part)) : item
  return `${JSON.stringify(value, withoutHidden, 2)}\n`
}
