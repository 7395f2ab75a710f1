/** One entry of a transcript as lines. Tool calls are one line each; edits show what they changed. */

import { outcomeWords } from '../../../core/run/result.js'
import { oneLine } from '../../../core/text/text.js'
import type { Result } from '../../../core/types.js'
import { countWords, secondsWords } from '../../session/figures.js'
import { remarksOn } from '../../session/run-words.js'
import { askedLines } from './asked-entry.js'
import { editDiff } from './diff-lines.js'
import type { Entry } from './entry.js'
import type { Glyphs } from './glyphs.js'
import type { HouseView } from './house-view.js'
import { hueOf } from './hue.js'
import {
  cutLine,
  dim,
  emptyLine,
  type Hue,
  type Line,
  lineWidth,
  rowText,
  type Span,
  safeText,
  span,
  textLines,
  wrapLine,
} from './line.js'
import { markdownLines } from './markdown.js'
import { deniedCalls, type RunView } from './run-view.js'

export interface EntryLook {
  readonly width: number
  readonly glyphs: Glyphs
  /** Who is talking: its ends are left out when all went well, since the answer says so. */
  readonly isConversation: boolean
  readonly house: HouseView
}

const shownPromptLines = 20
const shownDiffLines = 24

export function entryLines(entry: Entry, look: EntryLook): readonly Line[] {
  switch (entry.kind) {
    case 'user':
      return [emptyLine, ...userLines(entry.from, entry.text, look)]
    case 'text':
      return [emptyLine, ...markdownLines(entry.text, look)]
    case 'note':
      return signedLines(look.glyphs.grace, entry.text, entry.hue, look)
    case 'call':
      return entry.childId ? childLines(entry, look) : callLines(entry, look)
    case 'background':
      return backgroundLines(entry, look)
    case 'end':
      return endLines(entry, look)
  }
}

/** Line by line, below a sign that only the first one has. */
const signedLines = (sign: string, text: string, hue: Hue, { width }: EntryLook): readonly Line[] =>
  textLines(text.trimEnd(), { hue }).flatMap((line, at) =>
    wrapLine([span(at === 0 ? `${sign} ` : '  ', { hue }), ...line], width, '  '),
  )

function userLines(from: string, text: string, { width, glyphs }: EntryLook): readonly Line[] {
  const sign = from === 'user' ? `${glyphs.prompt} ` : `${rowText(from)}: `
  const { asked, added } = withoutAdditions(text)
  const lines = safeText(asked).trimEnd().split('\n')
  const shown = lines.slice(0, shownPromptLines)
  const inset = ' '.repeat(from === 'user' ? 2 : 0)
  const drawn = shown.flatMap((line, at) =>
    wrapLine([span(at === 0 ? sign : inset, { hue: 'cyan' }), span(line, { isBold: from === 'user' })], width, inset),
  )
  const rest = lines.length - shown.length
  return [
    ...drawn,
    ...(rest > 0 ? [[dim(`${inset}${glyphs.ellipsis} ${countWords(rest, 'more line')}`)]] : []),
    ...(added.length > 0 ? [[dim(`${inset}with ${added.join(', ')}`)]] : []),
  ]
}

/** What mentions put below a prompt is named, not shown: the person knows the file. */
function withoutAdditions(text: string): { readonly asked: string; readonly added: readonly string[] } {
  const added: string[] = []
  const asked = text
    .replace(/\n\n<file path="([^"]+)">\n[\s\S]*?\n<\/file>/g, (_, path: string) => {
      added.push(path)
      return ''
    })
    .replace(/\n\n\(The user names the agent [^\n]*\)/g, '')
  return { asked, added }
}

type CallEntry = Extract<Entry, { kind: 'call' }>

function callLines(entry: CallEntry, look: EntryLook): readonly Line[] {
  const { glyphs, width } = look
  const isOk = entry.status === 'ok' || entry.status === 'detached'
  if (entry.denial !== undefined) return deniedLines(entry, entry.denial, look)
  const came = isOk
    ? dim(` ${glyphs.arrow} ${oneLine(entry.summary, 60)}`)
    : span(` ${glyphs.arrow} ${wordsOf(entry)}`, { hue: 'red' })
  const name = [span(`${glyphs.bullet} `, { hue: isOk ? 'green' : 'red' }), span(entry.name, { isBold: true })]
  // What came of it tells more than the end of a long command.
  const room = Math.max(Math.floor(width / 4), width - lineWidth([...name, came]) - 1)
  const about = entry.context === '' ? [] : [span(` ${oneLine(safeText(entry.context), Math.min(80, room))}`)]
  const line: Line = [...name, ...about, came]
  const diff = editDiff(entry.name, entry.input, { width, glyphs, maxLines: shownDiffLines })
  return [cutLine(line, width), ...(diff ?? []), ...askedLines(entry.asked, width, glyphs)]
}

const wordsOf = ({ status, summary }: CallEntry): string =>
  summary === '' || summary === status ? status : `${status}: ${oneLine(summary, 100)}`

/** All of it: who said no, and why, is what a person does something about. */
function deniedLines({ name, context }: CallEntry, denial: string, { glyphs, width }: EntryLook): readonly Line[] {
  const line = [
    span(`${glyphs.bullet} `, { hue: 'red' }),
    span(name, { isBold: true }),
    span(context === '' ? '' : ` ${oneLine(safeText(context), 80)}`),
    span(` ${glyphs.arrow} ${oneLine(safeText(denial), mostOfDenial)}`, { hue: 'red' }),
  ]
  return wrapLine(line, width, '  ')
}

const mostOfDenial = 600

function childLines(entry: CallEntry, look: EntryLook): readonly Line[] {
  const child = entry.childId ? look.house.runs.get(entry.childId) : undefined
  const name = child?.name ?? 'child'
  const head = span(`[${name}] `, { hue: hueOf(child?.colour), isBold: true })
  const what = span(child?.nickname ?? child?.description ?? entry.context)
  const ended = (...rest: Line) => outcomeLine([head], what, rest, look)
  if (entry.status === 'detached') return [ended(dim(' goes on in the background'))]
  const result = child?.result
  if (!result) return [ended(dim(` ${look.glyphs.arrow} ${oneLine(entry.summary, 80)}`))]
  const figures = [dim(` (${figureWords(result)}`), ...deniedWords(child), dim(')')]
  const time = secondsWords(result.durationMs)
  if (result.outcome !== 'completed') {
    const why = result.error ? `: ${oneLine(result.error.message, 100)}` : ''
    const rest = [span(` ${result.outcome} after ${time}${why}`, { hue: 'red' }), ...figures]
    // Folded: why it failed is what a person does something about, and it scrolls away as it is.
    return [...wrapLine(titled([head], what, rest, look), look.width, '  '), ...keptLines(result, look)]
  }
  const doubts = [
    ...(result.recoveredFrom ? [` saved after ${result.recoveredFrom}`] : []),
    ...(result.unknownStop === undefined ? [] : [` unknown stop "${oneLine(safeText(result.unknownStop), 40)}"`]),
    ...(result.verified === false ? [' NOT verified'] : []),
  ]
  return [
    ended(
      ...doubts.map(text => span(text, { hue: 'yellow' })),
      span(` Completed in ${time}`, { hue: 'green' }),
      ...figures,
    ),
    ...keptLines(result, look),
  ]
}

const figureWords = ({ turns, toolCalls }: Result): string =>
  `${countWords(turns, 'turn')}, ${countWords(toolCalls, 'tool call')}`

function deniedWords(child: RunView): Line {
  const count = deniedCalls(child)
  return count === 0 ? [] : [span(`, ${count} denied`, { hue: 'red' })]
}

/** What came of it is never pushed out by what was asked for. */
const outcomeLine = (head: Line, what: Span, rest: Line, look: EntryLook): Line =>
  cutLine(titled(head, what, rest, look), look.width)

/** As wide as it comes, but for the title: that takes what the rest leaves, or a little. */
function titled(head: Line, what: Span, rest: Line, { width }: EntryLook): Line {
  const room = width - lineWidth(head) - lineWidth(rest)
  return [...head, ...cutLine([what], Math.max(Math.min(leastOfTitle, Math.floor(width / 3)), room)), ...rest]
}

const leastOfTitle = 16

function backgroundLines(entry: Extract<Entry, { kind: 'background' }>, look: EntryLook): readonly Line[] {
  const child = look.house.runs.get(entry.childId)
  const isDone = entry.outcome === 'completed'
  const sign = isDone ? span(`${look.glyphs.done} `, { hue: 'green' }) : span(`${look.glyphs.failed} `, { hue: 'red' })
  const name = span(`[${child?.name ?? 'child'}] `, { hue: hueOf(child?.colour), isBold: true })
  const words = ` ${outcomeWords(entry.outcome, entry.recoveredFrom)} in the background`
  const figures = child?.result ? [dim(` (${figureWords(child.result)}`), ...deniedWords(child), dim(')')] : []
  const rest = [span(words, { hue: isDone ? 'green' : 'red' }), ...figures, dim(`  ${entry.childId}`)]
  return [outcomeLine([sign, name], span(child?.nickname ?? child?.description ?? ''), rest, look)]
}

function keptLines({ kept }: Result, look: EntryLook): readonly Line[] {
  if (kept === undefined) return []
  return signedLines(look.glyphs.grace, kept, 'yellow', look)
}

/** Why a report that counts as one may be incomplete. */
function doubtOf({ objection: _, ...result }: Result): string | undefined {
  // What a hook objects to stands above, as a note of its own.
  const remarks = remarksOn(result)
  return remarks.length === 0 ? undefined : remarks.join('; ')
}

function endLines(entry: Extract<Entry, { kind: 'end' }>, look: EntryLook): readonly Line[] {
  const { result } = entry
  const doubt = doubtOf(result)
  if (result.outcome === 'completed' && doubt === undefined && look.isConversation) return []
  if (result.outcome === 'completed') {
    const line = [span(`${look.glyphs.done} ${doubt ?? 'completed'}`, { hue: doubt ? 'yellow' : 'green' })]
    return wrapLine(line, look.width, '  ')
  }
  const why = result.error && !entry.isSaid ? result.error.message : ''
  const isStop = result.outcome === 'cancelled'
  const outcome = isStop ? 'stopped' : result.outcome
  const words = why.startsWith(outcome) ? why : [outcome, ...(why === '' ? [] : [why])].join(': ')
  return signedLines(look.glyphs.failed, words, isStop ? 'yellow' : 'red', look)
}
