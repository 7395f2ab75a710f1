/** One child's own conversation, scrolled: a head that says who it is, then as much as there is room for. */

import { costShort, secondsWords, tokensShort } from '../../session/figures.js'
import { stateWords } from '../../session/run-words.js'
import { entryLines } from './entry-lines.js'
import type { Glyphs } from './glyphs.js'
import { hueOf } from './hue.js'
import { cutLine, dim, type Line, span } from './line.js'
import { markdownLines } from './markdown.js'
import { activeMs, type RunView } from './run-view.js'
import type { Screen } from './screen.js'

export function transcriptLines(
  screen: Screen,
  { runId, fromEnd }: NonNullable<Screen['transcript']>,
  glyphs: Glyphs,
  room: number,
): readonly Line[] {
  const run = screen.house.runs.get(runId)
  if (!run) return [[dim('this run is not known here')]]
  const { width, house } = screen
  const look = { width, glyphs, isConversation: false, house }
  const body = [
    ...run.entries.flatMap(entry => entryLines(entry, look)),
    ...(run.draft.trim() ? [[], ...markdownLines(run.draft, look)] : []),
  ]
  const shown = Math.max(1, room - 1)
  const end = Math.max(Math.min(shown, body.length), body.length - fromEnd)
  const start = Math.max(0, end - shown)
  return [headLine(run, screen, start, glyphs), ...body.slice(start, end)]
}

function headLine(run: RunView, { now, width }: Screen, hidden: number, glyphs: Glyphs): Line {
  const of = (value: number | string, max: number | string | undefined) =>
    max === undefined ? `${value}` : `${value}/${max}`
  const facts = [
    stateWords({ ...run.result, status: run.status }, true),
    `turn ${of(run.turns, run.maxTurns)}`,
    of(secondsWords(activeMs(run, now)), run.maxSeconds && `${run.maxSeconds}s`),
    `${tokensShort(run.usage)} tok`,
    costShort(run.cost, run.usage),
    run.model,
    ...(hidden > 0 ? [`${hidden} lines above`] : []),
  ]
  return cutLine(
    [
      span(`[${run.name}] `, { hue: hueOf(run.colour), isBold: true }),
      span(run.nickname ?? run.description, { isBold: true }),
      dim(`  ${facts.join(` ${glyphs.dot} `)}`),
    ],
    width,
    glyphs.ellipsis,
  )
}
