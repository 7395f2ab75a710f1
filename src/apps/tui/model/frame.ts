/**
 * The part of the terminal that changes, as lines: never taller than the terminal, because what is taller can only be
 * drawn by clearing everything, and that flickers. What a person has to answer gets its room first, then the prompt,
 * then the children, and what is being written gets the rest.
 */
import { secondsWords } from '../../session/figures.js'
import { type ApprovalLook, approvalLines, approvalPages } from './approval-lines.js'
import { type EditorLook, editorLines } from './editor-lines.js'
import { type Glyphs, unicodeGlyphs } from './glyphs.js'
import { rootOf, totals, treeItems, wayTo } from './house-view.js'
import { cutLine, dim, type Line, safeText, span, wrapLine } from './line.js'
import { markdownLines } from './markdown.js'
import { pickerLines } from './picker-lines.js'
import { questionLines, questionLook, questionPages } from './question-lines.js'
import { activeMs, type RunView } from './run-view.js'
import { answeringOf, contextOfKeys, isSettled, type MessageTo, type Screen } from './screen.js'
import { hintLine, type KeyContext, ownStatusLines, statusLine } from './status-lines.js'
import { transcriptLines } from './transcript-lines.js'
import { treeLines } from './tree-lines.js'

export interface FrameFacts {
  readonly glyphs: Glyphs
  readonly model: string
  readonly mode: string
  readonly cwd: string
  readonly contextWindow?: number
}

export function frameLines(screen: Screen, facts: FrameFacts): readonly Line[] {
  if (screen.isQuitting) return []
  const height = frameRoom(screen)
  const lines = partsOf(screen, facts, height)
  return lines.slice(-height).map(line => cutLine(line, screen.width, facts.glyphs.ellipsis))
}

const frameRoom = ({ height }: Screen): number => Math.max(1, height - 1)

/** How many lines it takes; what it says of the model and the folder changes nothing about that. */
export const frameHeight = (screen: Screen, glyphs: Glyphs): number =>
  frameLines(screen, { glyphs, model: '', mode: '', cwd: '' }).length

function partsOf(screen: Screen, facts: FrameFacts, height: number): readonly Line[] {
  const bottom = bottomLines(screen, facts)
  const room = Math.max(0, height - bottom.length)
  if (screen.transcript && screen.approvals.length + screen.questions.length === 0)
    return [...transcriptLines(screen, screen.transcript, facts.glyphs, room), ...bottom]
  const asked = askedLines(screen, facts, room)
  const tree = treePart(screen, facts, Math.max(0, room - asked.length))
  const todos = todoLines(screen, facts, Math.max(0, room - asked.length - tree.length))
  const work = workLines(screen, facts, Math.max(0, room - asked.length - tree.length - todos.length))
  return [...work, ...todos, ...tree, ...asked, ...bottom]
}

function bottomLines(screen: Screen, facts: FrameFacts): readonly Line[] {
  const { width, editor, message, notice } = screen
  const { glyphs } = facts
  const context = contextOfKeys(screen)
  const look = (sign: string, placeholder: string, isFocused: boolean): EditorLook => ({
    width,
    maxLines: Math.max(1, Math.min(8, screen.height - (context === 'question' ? 12 : 8))),
    sign,
    placeholder,
    isFocused,
  })
  const isTyping = context === 'prompt' || context === 'working' || context === 'question'
  const prompt = message
    ? editorLines(message.editor, look(messageSign(message.to), 'your words', true))
    : editorLines(editor, look(glyphs.prompt, invitations[context], isTyping))
  const status =
    screen.ownStatus === ''
      ? [statusLine({ ...facts, ...totals(screen.house), ...contextUse(screen, facts) }, width, glyphs)]
      : ownStatusLines(screen.ownStatus, width)
  const rule: Line = [dim(glyphs.rule.repeat(Math.max(0, width)))]
  const hint = hintLine(context, notice, width, glyphs)
  // Nothing can be typed before the answer: in a low terminal the request has its room.
  if (context === 'approval' && screen.height < lowHeight) return screen.height < 12 ? [hint] : [rule, ...status, hint]
  if (context === 'question') {
    if (screen.height < 8) return notice ? [...prompt, hint] : prompt
    return screen.height < 12 ? [...prompt, hint] : [rule, ...prompt, rule, ...status, hint]
  }
  return [rule, ...prompt, ...suggestionLines(screen, glyphs), rule, ...status, hint]
}

const lowHeight = 20

/** What an empty line says: it invites only where letters are taken for words. */
const invitations: Readonly<Record<KeyContext, string>> = {
  prompt: 'what should be done?',
  working: 'a message for it',
  question: 'your answer',
  message: '',
  tree: 'Esc goes back to your prompt',
  transcript: 'm begins a message to this child',
  approval: 'your answer first',
  picker: '',
}

const messageSign = (to: MessageTo): string => ('name' in to ? `to ${to.name}:` : 'why not:')

function contextUse({ house }: Screen, { contextWindow }: FrameFacts): { readonly contextPercent?: number } {
  const used = rootOf(house)?.contextTokens
  if (!contextWindow || !used) return {}
  return { contextPercent: Math.min(100, Math.round((used / contextWindow) * 100)) }
}

function suggestionLines({ suggestions, width }: Screen, glyphs: Glyphs): readonly Line[] {
  if (!suggestions) return []
  const { more = 0 } = suggestions
  const name = Math.min(32, Math.max(...suggestions.items.map(({ text }) => text.length)))
  const lines = suggestions.items.map(({ text, about }, at) => {
    const isSelected = at === suggestions.selected
    return cutLine(
      [
        span(isSelected ? `  ${glyphs.prompt} ` : '    ', { hue: 'cyan' }),
        span(text.padEnd(name), { isBold: isSelected, ...(isSelected && { hue: 'cyan' }) }),
        dim(`  ${about}`),
      ],
      width,
      glyphs.ellipsis,
    )
  })
  return more > 0 ? [...lines, [dim(`    ${glyphs.ellipsis} ${more} more: type on`)]] : lines
}

function approvalLook(screen: Screen, glyphs: Glyphs, maxLines: number): ApprovalLook {
  const { width, choice, approvals, house } = screen
  const [request] = approvals
  return {
    width,
    glyphs,
    maxLines,
    selected: isSettled(screen) ? choice : undefined,
    waiting: approvals.length - 1,
    ...(request && { asker: wayTo(house, request.runId, request.path) }),
  }
}

/** Of the request on top, as it is drawn; ours or ASCII, signs are equally wide. */
export function pagesOfApproval(screen: Screen): number {
  const [request] = screen.approvals
  const facts = { glyphs: unicodeGlyphs, model: '', mode: '', cwd: '' }
  const room = frameRoom(screen) - bottomLines(screen, facts).length
  return request ? approvalPages(request, approvalLook(screen, unicodeGlyphs, Math.max(0, room))) : 0
}

/** Of the question on top, as it is drawn. */
export function pagesOfQuestion(screen: Screen): number {
  const [question] = screen.questions
  const facts = { glyphs: unicodeGlyphs, model: '', mode: '', cwd: '' }
  const room = Math.max(0, frameRoom(screen) - bottomLines(screen, facts).length)
  if (!question) return 0
  return questionPages(question, questionLook(screen, answeringOf(screen, question), unicodeGlyphs, room))
}

/** What waits for the person: a request, a question, or a list to choose from. */
function askedLines(screen: Screen, { glyphs }: FrameFacts, room: number): readonly Line[] {
  const { approvals, questions, picker, width, height } = screen
  const [request] = approvals
  if (request) return approvalLines(request, approvalLook(screen, glyphs, room), screen.page).slice(-room)
  const [question] = questions
  if (question) return questionLines(question, questionLook(screen, answeringOf(screen, question), glyphs, room))
  return picker ? pickerLines(picker, { width, height, room, glyphs }) : []
}

function treePart(screen: Screen, { glyphs }: FrameFacts, room: number): readonly Line[] {
  const { tree, house, width, now } = screen
  const items = treeItems(house, tree.isFocused)
  if (items.length === 0 || room < 1) return []
  const look = { width, now, glyphs, expanded: tree.expanded, ...(tree.isFocused && { selected: tree.selected }) }
  const lines = treeLines(items, look)
  const most = Math.max(1, tree.isFocused ? room : Math.ceil(room * 0.7))
  if (lines.length <= most) return lines
  const at = Math.max(
    0,
    items.findIndex(({ run }) => run.runId === tree.selected),
  )
  const from = Math.max(0, Math.min(at - Math.floor(most / 2), lines.length - most + 1))
  const rest = lines.length - (most - 1)
  return [...lines.slice(from, from + most - 1), [dim(`  ${glyphs.ellipsis} ${rest} more: Tab`)]]
}

function todoLines({ todos, width }: Screen, { glyphs }: FrameFacts, room: number): readonly Line[] {
  if (todos.every(({ status }) => status === 'completed')) return []
  return todos.slice(0, Math.min(room, 8)).map(({ content, status, activeForm }) => {
    if (status === 'completed')
      return cutLine(
        [span(`  ${glyphs.done} `, { hue: 'green' }), { ...dim(safeText(content)), isStruck: true }],
        width,
      )
    const isNow = status === 'in_progress'
    const sign = span(`  ${isNow ? glyphs.closed : glyphs.queued} `, { hue: isNow ? 'cyan' : 'gray' })
    return cutLine([sign, span(safeText(isNow ? (activeForm ?? content) : content), { isBold: isNow })], width)
  })
}

/** The end of what is being written, or what the conversation does instead. */
function workLines(screen: Screen, facts: FrameFacts, room: number): readonly Line[] {
  const root = rootOf(screen.house)
  if (!root || root.status === 'ended' || room < 1) return []
  if (root.draft.trim() !== '') {
    const lines = markdownLines(root.draft.slice(-20_000), { width: screen.width, glyphs: facts.glyphs })
    return room > 1 ? [[], ...lines.slice(-(room - 1))] : lines.slice(-room)
  }
  const lines = isNoticed(root, screen)
    ? noticeLines(root, screen, facts.glyphs)
    : [workLine(root, screen, facts.glyphs)]
  return room > 1 ? [[], ...lines.slice(0, room - 1)] : lines.slice(0, 1)
}

const isNoticed = ({ status, notice }: RunView, { questions }: Screen): boolean =>
  notice !== undefined && status !== 'asking' && questions.length === 0

/** All of it: what can be done about a failure stands at its end. */
const noticeLines = (root: RunView, { now, width }: Screen, { grace }: Glyphs): readonly Line[] =>
  wrapLine(
    [span(`${grace} ${root.notice}`, { hue: 'yellow' }), dim(`  ${secondsWords(activeMs(root, now))}`)],
    width,
    '  ',
  )

function workLine(root: RunView, { now, width, questions }: Screen, glyphs: Glyphs): Line {
  const spinner = glyphs.spinner[Math.floor(now / 100) % glyphs.spinner.length]!
  const time = dim(`  ${secondsWords(activeMs(root, now))}`)
  if (root.status === 'asking')
    return cutLine([span(`${glyphs.asking} waits for your approval`, { hue: 'yellow' }), time], width)
  if (questions.length > 0) return cutLine([span(`${glyphs.asking} waits for your answer`, { hue: 'yellow' })], width)
  const calls = [...root.calls.values()].filter(call => !call.childId)
  const [call] = calls
  const what = call
    ? [
        span(call.name, { isBold: true }),
        dim(` ${call.progress ?? call.context}${calls.length > 1 ? ` +${calls.length - 1}` : ''}`),
      ]
    : [
        dim(
          root.status === 'waiting'
            ? 'waits for its children'
            : root.isThinking
              ? 'thinking'
              : root.status === 'queued'
                ? 'about to start'
                : 'asks its model',
        ),
      ]
  return cutLine([span(`${spinner} `, { hue: 'cyan' }), ...what, time], width)
}
