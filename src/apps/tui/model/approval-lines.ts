/** A request for approval: who asks, for what, by which rule, and what can be answered. */

import { coversWholeTool, whyNotKept } from '../../../core/permission/approval-rule.js'
import { clipCommand } from '../../../core/permission/part.js'
import type { ApprovalRequest } from '../../../core/ports.js'
import type { ApprovalScope } from '../../../core/run-store.js'
import { inputRows, pageCount, pageLines, requestText, type ShownRequest } from './approval-input.js'
import type { Glyphs } from './glyphs.js'
import { cutLine, dim, foldLine, type Line, lineWidth, span, widest, wrapLine } from './line.js'

export interface ApprovalChoice {
  readonly key: string
  readonly label: string
  /** In a terminal with little room. */
  readonly short: string
  readonly verdict: 'allow' | 'deny'
  readonly scope: ApprovalScope
  /** Asks for words first. */
  readonly hasReason?: boolean
}

export const approvalChoices: readonly ApprovalChoice[] = [
  { key: 'y', label: 'Yes, once', short: 'Yes, once', verdict: 'allow', scope: 'once' },
  { key: 'r', label: 'Yes, for this run', short: 'this run', verdict: 'allow', scope: 'run' },
  { key: 's', label: 'Yes, for this session', short: 'session', verdict: 'allow', scope: 'session' },
  { key: 'a', label: 'Yes, always in this project', short: 'always', verdict: 'allow', scope: 'always' },
  { key: 'n', label: 'No', short: 'No', verdict: 'deny', scope: 'once' },
  { key: 't', label: 'No, and tell it why', short: 'No, and why', verdict: 'deny', scope: 'once', hasReason: true },
]

/** Where no rule could be kept, only a yes for once is offered; where no file can hold it, none for always. */
export function choicesFor({ lasting }: ApprovalRequest): readonly ApprovalChoice[] {
  if (lasting && whyNotKept(lasting)) return approvalChoices.filter(({ scope }) => scope !== 'always')
  if (lasting !== false) return approvalChoices
  return approvalChoices.filter(({ verdict, scope }) => verdict === 'deny' || scope === 'once')
}

/** It grants more than this one call: no single key does that. */
export const isForLonger = ({ verdict, scope }: ApprovalChoice): boolean => verdict === 'allow' && scope !== 'once'

export interface ApprovalLook {
  readonly width: number
  readonly maxLines: number
  readonly glyphs: Glyphs
  /** None while keys are not taken for an answer yet. */
  readonly selected: number | undefined
  /** How many more wait behind it. */
  readonly waiting: number
  /** Who asks, if the screen has a better name for it than the request. */
  readonly asker?: string
}

export function approvalLines(request: ShownRequest, look: ApprovalLook, page: number): readonly Line[] {
  if (isTooSmall(request, look)) return wrapLine([span(tooSmall, { hue: 'yellow' })], look.width, '')
  const { head, pages, remarks, choices } = layOut(request, look)
  return [...head, ...pageLines(pages, page, look.glyphs), ...remarks, ...choices]
}

/** How often what it would do has to be turned over until all of it was seen; 0 where it cannot be seen at all. */
export const approvalPages = (request: ShownRequest, look: ApprovalLook): number =>
  isTooSmall(request, look) ? 0 : pageCount(layOut(request, look).pages)

export const tooSmall = 'too small a window: no yes is taken'

/** No room for a wide letter, or beside the choices for a line of what it would do and one that says how much more there is. */
function isTooSmall(request: ShownRequest, look: ApprovalLook): boolean {
  const { rows, remarks, room } = layOut(request, look).pages
  return look.width < widest || room < Math.min(2, rows.length + remarks.length)
}

/** Lines of the input that are worth a short list of choices. */
const wantedRows = 4
const leastRows = 2

/**
 * Every choice first, however small the terminal; then who asks, what it would do, and why it asks. What there is no room
 * for stands on the pages behind the input.
 */
function layOut(request: ShownRequest, look: ApprovalLook) {
  const { width, maxLines } = look
  const head = wrapLine(headLine(request, look), width, '  ')
  const why = wrapLine(
    [dim(`  ${requestText(request, reasonOf(request))} (rule: ${requestText(request, request.rule)})`)],
    width,
    '  ',
  )
  const said = [...why, ...lastingLines(request, width)]
  const rows = inputRows(request, width)
  const offered = choicesFor(request)
  const long = choiceLines(offered, look)
  const isRoomy = maxLines - head.length - said.length - long.length >= Math.min(rows.length, wantedRows)
  const choices = isRoomy ? long : shortChoiceLines(offered, look)
  const room = Math.max(0, maxLines - choices.length)
  const isTight = room - head.length - said.length < Math.min(rows.length, leastRows)
  if (!isTight)
    return { head, pages: { rows, remarks: [], room: room - head.length - said.length }, remarks: said, choices }
  const isTiny = room - head.length < leastRows
  const pages = isTiny ? { rows, remarks: [...head, ...said], room } : { rows, remarks: said, room: room - head.length }
  return { head: isTiny ? [] : head, pages, remarks: [], choices }
}

function headLine(request: ShownRequest, { glyphs, waiting, asker = request.path.join(' / ') }: ApprovalLook): Line {
  return [
    span(`${glyphs.asking} `, { hue: 'yellow', isBold: true }),
    span(requestText(request, asker), { hue: 'cyan', isBold: true }),
    span(' wants to use '),
    span(requestText(request, request.name), { isBold: true }),
    ...(waiting > 0 ? [dim(`  (${waiting} more waiting)`)] : []),
  ]
}

/** The command stands above it already. */
function reasonOf({ reason, input }: ApprovalRequest): string {
  const command = (input as { readonly command?: unknown } | null)?.command
  const about = typeof command === 'string' ? `${clipCommand(command)}: ` : ''
  return reason.startsWith(about) ? reason.slice(about.length) : reason
}

/** What a yes for longer would add. */
function lastingLines(request: ShownRequest, width: number): readonly Line[] {
  const { lasting } = request
  if (lasting === undefined) return []
  // Every blank of a rule counts; words about it are broken at theirs.
  return typeof lasting === 'string' && !whyNotKept(lasting) && !coversWholeTool(lasting)
    ? foldLine([dim(`  a yes for longer keeps the rule ${requestText(request, lasting)}`)], width, '    ')
    : wrapLine([dim(`  ${requestText(request, lastingWords(lasting))}`)], width, '  ')
}

function lastingWords(lasting: string | false): string {
  if (lasting === false) return 'a yes counts for once: no rule is narrow enough to keep'
  const why = whyNotKept(lasting)
  if (why) return `a yes for longer ends with this session: ${why}`
  return `a yes for longer keeps a rule for the whole tool, whatever its input: ${lasting}`
}

function choiceLines(choices: readonly ApprovalChoice[], { width, glyphs, selected }: ApprovalLook): readonly Line[] {
  return choices.map((choice, at) =>
    cutLine(
      [
        span(at === selected ? `${glyphs.prompt} ` : '  ', { hue: 'cyan' }),
        span(`${at + 1}. ${choice.label}`, {
          isBold: at === selected,
          hue: choice.verdict === 'allow' ? 'green' : 'red',
        }),
        dim(`  ${choice.key}${isForLonger(choice) ? ' Enter' : ''}`),
      ],
      width,
    ),
  )
}

/** As many beside each other as there is room for. */
function shortChoiceLines(
  choices: readonly ApprovalChoice[],
  { width, glyphs, selected }: ApprovalLook,
): readonly Line[] {
  const lines: Line[] = [[]]
  for (const [at, { short, verdict }] of choices.entries()) {
    const isSelected = at === selected
    const choice: Line = [
      span(isSelected ? `${glyphs.prompt} ` : '  ', { hue: 'cyan' }),
      span(`${at + 1}. ${short}`, { isBold: isSelected, hue: verdict === 'allow' ? 'green' : 'red' }),
    ]
    const line = lines.at(-1)!
    if (line.length > 0 && lineWidth([...line, ...choice]) > width) lines.push(choice)
    else lines[lines.length - 1] = [...line, ...choice]
  }
  return lines
}
