/**
 * What servers say of how to use their tools (`instructions` of the protocol), for the runs that have one of them.
 *
 * 1. It is text of others: bounded for each server and for all, taken apart where it poses as the runtime, and marked.
 * 2. It travels with the tools of its server until a run's prompt is made, and stands there once for each server.
 */
import * as notices from '../notices.js'
import { cutCharacters } from '../text/text.js'
import type { Decision, ToolSpec } from '../types.js'

export type ServerNote = NonNullable<ToolSpec['serverNote']>

const longestNote = 2_000
const longestNotes = 16_000

/** Undefined when a server says nothing. */
export function readServerNote(server: string, instructions: unknown): ServerNote | undefined {
  const text = typeof instructions === 'string' ? instructions.trim() : ''
  return text === '' ? undefined : { server, text: notices.neutralise(cutCharacters(text, longestNote)) }
}

export function placeServerNotes(given: readonly ToolSpec[]): {
  readonly text: string
  readonly tools: readonly ToolSpec[]
  readonly reasons: readonly Decision[]
} {
  const notes = new Map(
    given.flatMap(({ serverNote }) => (serverNote ? [[serverNote.server, serverNote] as const] : [])),
  )
  if (notes.size === 0) return { text: '', tools: given, reasons: [] }
  let left = longestNotes
  const placed = [...notes.values()].map(note => {
    const isShown = note.text.length <= left
    if (isShown) left -= note.text.length
    return { note, isShown }
  })
  return {
    text: placed
      .flatMap(({ note, isShown }) => (isShown ? [notices.serverNote(note.server, note.text)] : []))
      .join('\n\n'),
    tools: given.map(({ serverNote: _, ...spec }) => spec),
    reasons: placed.map(({ note, isShown }) => ({
      about: 'prompt',
      subject: `instructions of the MCP server ${note.server}`,
      verdict: isShown ? `${note.text.length} characters` : 'left out',
      rule: isShown ? 'server-instructions' : 'server-instructions-bound',
    })),
  }
}
