/** A request for approval: who asks, for what, by which rule, and what can be answered. */
import { coversWholeTool, whyNotKept } from '../../../core/approval-rule.js'
import type { ApprovalRequest } from '../../../core/ports.js'
import { editDiff } from './diff-lines.js'
import type { Glyphs } from './glyphs.js'
import { cutLine, dim, type Line, safeText, span, wrapLine } from './line.js'

export interface ApprovalChoice {
  readonly key: string
  readonly label: string
  readonly verdict: 'allow' | 'deny'
  readonly scope: 'once' | 'run' | 'session' | 'always'
  /** Asks for words first. */
  readonly hasReason?: boolean
}

export const approvalChoices: readonly ApprovalChoice[] = [
  { key: 'y', label: 'Yes, once', verdict: 'allow', scope: 'once' },
  { key: 'r', label: 'Yes, for this run', verdict: 'allow', scope: 'run' },
  { key: 's', label: 'Yes, for this session', verdict: 'allow', scope: 'session' },
  { key: 'a', label: 'Yes, always in this project', verdict: 'allow', scope: 'always' },
  { key: 'n', label: 'No', verdict: 'deny', scope: 'once' },
  { key: 't', label: 'No, and tell it why', verdict: 'deny', scope: 'once', hasReason: true },
]

/** Where no rule could be kept, only a yes for once is offered; where no file can hold it, none for always. */
export function choicesFor({ lasting }: ApprovalRequest): readonly ApprovalChoice[] {
  if (lasting && whyNotKept(lasting)) return approvalChoices.filter(({ scope }) => scope !== 'always')
  if (lasting !== false) return approvalChoices
  return approvalChoices.filter(({ verdict, scope }) => verdict === 'deny' || scope === 'once')
}

export interface ApprovalLook {
  readonly width: number
  readonly maxLines: number
  readonly glyphs: Glyphs
  /** None while keys are not taken for an answer yet. */
  readonly selected: number | undefined
  /** How many more wait behind it. */
  readonly waiting: number
}

export function approvalLines(request: ApprovalRequest, look: ApprovalLook): readonly Line[] {
  const { width, glyphs, selected, waiting } = look
  const path = request.path.join(' / ')
  const head: Line = [
    span(`${glyphs.asking} `, { hue: 'yellow', isBold: true }),
    span(path, { hue: 'cyan', isBold: true }),
    span(' wants to use '),
    span(request.name, { isBold: true }),
    ...(waiting > 0 ? [dim(`  (${waiting} more waiting)`)] : []),
  ]
  const why = wrapLine([dim(`  ${safeText(reasonOf(request))} (rule: ${safeText(request.rule)})`)], width, '  ')
  const choices = [...lastingLines(request, width), ...choiceLines(choicesFor(request), selected, look)]
  const room = Math.max(2, look.maxLines - choices.length - why.length - 1)
  return [cutLine(head, width), ...inputLines(request, look, room), ...why, ...choices]
}

/** The command stands above it already. */
function reasonOf({ reason, input }: ApprovalRequest): string {
  const command = (input as { readonly command?: unknown } | null)?.command
  return typeof command === 'string' && reason.startsWith(`${command}: `) ? reason.slice(command.length + 2) : reason
}

/** What would happen, in full as far as there is room: nobody should approve what they cannot see. */
function inputLines(
  { name, input, context }: ApprovalRequest,
  { width, glyphs }: ApprovalLook,
  room: number,
): readonly Line[] {
  const diff = editDiff(name, input, { width, glyphs, maxLines: Math.max(1, room - 2) })
  const fields = typeof input === 'object' && input !== null ? (input as Readonly<Record<string, unknown>>) : {}
  const command = typeof fields.command === 'string' ? fields.command : undefined
  if (diff) return [cutLine([{ text: '  ' }, span(context)], width), ...diff]
  const text = command ?? (Object.keys(fields).length > 0 ? JSON.stringify(fields, null, 1) : context)
  const lines = safeText(text)
    .split('\n')
    .flatMap(line => wrapLine([{ text: '  ' }, span(line, command ? { hue: 'yellow' } : {})], width, '  '))
  if (lines.length <= room) return lines
  return [
    ...lines.slice(0, room - 1),
    [dim(`  ${glyphs.ellipsis} ${lines.length - room + 1} more lines: offshoot approvals list`)],
  ]
}

/** What a yes for longer would add. */
function lastingLines({ lasting }: ApprovalRequest, width: number): readonly Line[] {
  if (lasting === undefined) return []
  // A rule may be cut at the edge, words about it must not be.
  return typeof lasting === 'string' && !whyNotKept(lasting) && !coversWholeTool(lasting)
    ? [cutLine([dim(`  a yes for longer keeps the rule ${safeText(lasting)}`)], width)]
    : wrapLine([dim(`  ${lastingWords(lasting)}`)], width, '  ')
}

function lastingWords(lasting: string | false): string {
  if (lasting === false) return 'a yes counts for once: no rule is narrow enough to keep'
  const why = whyNotKept(lasting)
  if (why) return `a yes for longer ends with this session: ${why}`
  return `a yes for longer keeps a rule for the whole tool, whatever its input: ${safeText(lasting)}`
}

function choiceLines(
  choices: readonly ApprovalChoice[],
  selected: number | undefined,
  { width, glyphs }: ApprovalLook,
): readonly Line[] {
  return choices.map(({ key, label, verdict }, at) =>
    cutLine(
      [
        span(at === selected ? `${glyphs.prompt} ` : '  ', { hue: 'cyan' }),
        span(`${at + 1}. ${label}`, { isBold: at === selected, hue: verdict === 'allow' ? 'green' : 'red' }),
        dim(`  ${key}`),
      ],
      width,
    ),
  )
}
