/** What a key means: a change of the screen, and at most one wish to whoever does things. Pure, so that it is a table. */
import type { RunId } from '../../../core/message.js'
import { pressApproval } from './approval-keys.js'
import { type ApprovalChoice, approvalChoices } from './approval-lines.js'
import { type EditKey, editWith, isText } from './edit-keys.js'
import { type Editor, emptyEditor, submitted } from './editor.js'
import { treeItems } from './house-view.js'
import { pressQuestion } from './question-keys.js'
import { againLeaves, contextOfKeys, isWorking, type Screen, withoutNotice, wouldQuit } from './screen.js'
import { acceptSuggestion } from './suggestions.js'

export interface KeyPress extends EditKey {
  readonly escape?: boolean
  readonly tab?: boolean
  readonly pageUp?: boolean
  readonly pageDown?: boolean
}

export type Wish =
  | { readonly do: 'submit'; readonly text: string }
  | { readonly do: 'stop'; readonly runId?: RunId }
  | { readonly do: 'quit' }
  | { readonly do: 'background'; readonly runId?: RunId }
  | { readonly do: 'send'; readonly runId: RunId; readonly text: string }
  | { readonly do: 'approve'; readonly approvalId: string; readonly choice: ApprovalChoice; readonly reason?: string }
  | { readonly do: 'answer'; readonly questionId: string; readonly text: string }
  | { readonly do: 'pick'; readonly purpose: 'resume' | 'model'; readonly id: string }
  /** On to the next one. */
  | { readonly do: 'mode' }
  | { readonly do: 'redraw' }
  | { readonly do: 'suspend' }

export interface Pressed {
  readonly screen: Screen
  readonly wish?: Wish
}

export function press(screen: Screen, key: KeyPress): Pressed {
  if (key.ctrl && key.input === 'c') return interrupt(screen)
  const clear = afresh(screen)
  if (key.ctrl && key.input === 'l') return { screen: clear, wish: { do: 'redraw' } }
  if (key.ctrl && key.input === 'z') return { screen: clear, wish: { do: 'suspend' } }
  switch (contextOfKeys(clear)) {
    case 'message':
      return pressMessage(clear, key)
    case 'approval':
      return pressApproval(clear, key)
    case 'question':
      return pressQuestion(clear, key)
    case 'picker':
      return pressPicker(clear, key)
    case 'transcript':
      return pressTranscript(clear, key)
    case 'tree':
      return pressTree(clear, key)
    default:
      return pressPrompt(clear, key)
  }
}

/** Whoever goes on has read the notice, and does not want to leave any more. */
function afresh(screen: Screen): Screen {
  const clear = screen.notice === undefined ? screen : withoutNotice(screen)
  return clear.interruptedAt === 0 ? clear : { ...clear, interruptedAt: 0 }
}

function interrupt(screen: Screen): Pressed {
  if (wouldQuit(screen)) return { screen: { ...screen, isQuitting: true }, wish: { do: 'quit' } }
  const interrupted = { ...screen, interruptedAt: screen.now }
  if (isWorking(screen)) return { screen: stopping(interrupted, `stopping; ${againLeaves}`), wish: { do: 'stop' } }
  const isEmpty = screen.editor.text === ''
  return {
    screen: {
      ...interrupted,
      // Not sent, but not lost: it is among the earlier prompts until the program ends.
      editor: isEmpty ? screen.editor : submitted(screen.editor),
      suggestions: undefined,
      notice: isEmpty ? againLeaves : `${againLeaves}; Up brings it back`,
    },
  }
}

const stopping = (screen: Screen, notice: string, runId = screen.house.rootId): Screen => ({
  ...screen,
  notice,
  noticeOf: runId,
})

function pressPrompt(screen: Screen, key: KeyPress): Pressed {
  const { editor, suggestions } = screen
  if (key.escape) {
    if (suggestions) return { screen: { ...screen, suggestions: undefined } }
    return isWorking(screen) ? { screen: stopping(screen, 'stopping'), wish: { do: 'stop' } } : { screen }
  }
  if (key.ctrl && key.input === 'd' && editor.text === '')
    return { screen: { ...screen, isQuitting: true }, wish: { do: 'quit' } }
  if (key.ctrl && key.input === 'b') return { screen, wish: { do: 'background' } }
  if (suggestions && (key.upArrow || key.downArrow)) {
    const count = suggestions.items.length
    const selected = (suggestions.selected + (key.upArrow ? -1 : 1) + count) % count
    return { screen: { ...screen, suggestions: { ...suggestions, selected } } }
  }
  if (key.tab && key.shift) return { screen, wish: { do: 'mode' } }
  if (key.tab) {
    if (suggestions)
      return { screen: { ...screen, editor: acceptSuggestion(editor, suggestions), suggestions: undefined } }
    return { screen: focusTree(screen) }
  }
  if (key.return && !key.meta && !key.shift) {
    const item = suggestions?.items[suggestions.selected]
    if (suggestions && item && isUnfinished(editor, item.text)) {
      const taken = { ...screen, editor: acceptSuggestion(editor, suggestions), suggestions: undefined }
      return item.isWhole && taken.editor.text.trim() === item.text ? sent(taken) : { screen: taken }
    }
    if (editor.text.endsWith('\\') && editor.cursor === editor.text.length)
      return { screen: { ...screen, editor: { ...editor, text: `${editor.text.slice(0, -1)}\n` } } }
    return editor.text.trim() === '' ? { screen } : sent(screen)
  }
  return { screen: { ...screen, editor: editWith(editor, key) } }
}

const sent = (screen: Screen): Pressed => ({
  screen: { ...screen, editor: submitted(screen.editor), suggestions: undefined },
  wish: { do: 'submit', text: screen.editor.text.trim() },
})

/** Enter takes a suggestion that differs from what is typed; a finished word is sent as it is. */
function isUnfinished({ text, cursor }: Editor, suggestion: string): boolean {
  const word = /\S*$/.exec(text.slice(0, cursor))?.[0] ?? ''
  return word !== suggestion && !(word === '@' || word === '')
}

function focusTree(screen: Screen): Screen {
  const items = treeItems(screen.house, true)
  if (items.length === 0) return { ...screen, notice: 'no children yet' }
  const live = items.find(({ run }) => run.status !== 'ended')
  const selected = screen.tree.selected ?? (live ?? items.at(-1)!).run.runId
  return { ...screen, tree: { ...screen.tree, isFocused: true, selected } }
}

function pressTree(screen: Screen, key: KeyPress): Pressed {
  const { tree } = screen
  const items = treeItems(screen.house, true)
  const at = Math.max(
    0,
    items.findIndex(({ run }) => run.runId === tree.selected),
  )
  const run = items[at]?.run
  const stay = (change: Partial<Screen['tree']>): Pressed => ({ screen: { ...screen, tree: { ...tree, ...change } } })
  if (key.escape || key.tab || !run) return stay({ isFocused: false })
  if (key.upArrow || key.input === 'k') return stay({ selected: items[Math.max(0, at - 1)]!.run.runId })
  if (key.downArrow || key.input === 'j')
    return stay({ selected: items[Math.min(items.length - 1, at + 1)]!.run.runId })
  if (key.return) return { screen: { ...screen, transcript: { runId: run.runId, fromEnd: 0 } } }
  if (key.input === ' ' || key.rightArrow || key.leftArrow)
    return stay({ expanded: toggled(tree.expanded, run.runId, key) })
  // Somebody who writes on has forgotten where the keys go: "fix it" must not stop a child at its x.
  if (isText(key) && !runKeys.includes(key.input))
    return pressPrompt({ ...screen, tree: { ...tree, isFocused: false } }, key)
  return onRun(screen, run.runId, key)
}

const runKeys = ['m', 'x', 'b']

function toggled(expanded: ReadonlySet<RunId>, runId: RunId, key: KeyPress): ReadonlySet<RunId> {
  const isOpen = key.rightArrow || (!key.leftArrow && !expanded.has(runId))
  const rest = [...expanded].filter(each => each !== runId)
  return new Set(isOpen ? [...rest, runId] : rest)
}

/** Keys that do something to one child, in the tree and in its transcript. */
function onRun(screen: Screen, runId: RunId, key: KeyPress): Pressed {
  const run = screen.house.runs.get(runId)
  if (key.input === 'm') return { screen: writeTo(screen, runId) }
  if (key.input === 'x') {
    if (run?.status === 'ended') return { screen: { ...screen, notice: 'it has ended already' } }
    return { screen: stopping(screen, `stopping ${run?.name ?? runId}`, runId), wish: { do: 'stop', runId } }
  }
  if (key.input === 'b') return { screen, wish: { do: 'background', runId } }
  return { screen }
}

function writeTo(screen: Screen, runId: RunId): Screen {
  const run = screen.house.runs.get(runId)
  const to = { runId, name: run?.nickname ?? run?.name ?? runId }
  return { ...screen, message: { to, editor: emptyEditor() } }
}

function pressTranscript(screen: Screen, key: KeyPress): Pressed {
  const { transcript } = screen
  if (!transcript) return { screen }
  if (key.escape) return { screen: { ...screen, transcript: undefined } }
  const page = Math.max(1, screen.height - 6)
  const step = key.upArrow ? 1 : key.downArrow ? -1 : key.pageUp ? page : key.pageDown ? -page : 0
  if (step !== 0) {
    const fromEnd = Math.max(0, transcript.fromEnd + step)
    return { screen: { ...screen, transcript: { ...transcript, fromEnd } } }
  }
  // Somebody who writes means the child on the screen: "fix it" must not stop it at its x.
  if (isText(key) && !runKeys.includes(key.input)) return pressMessage(writeTo(screen, transcript.runId), key)
  return onRun(screen, transcript.runId, key)
}

function pressMessage(screen: Screen, key: KeyPress): Pressed {
  const { message } = screen
  if (!message) return { screen }
  const closed: Screen = { ...screen, message: undefined }
  if (key.escape) return { screen: closed }
  if (!key.return) return { screen: { ...screen, message: { ...message, editor: editWith(message.editor, key) } } }
  const text = message.editor.text.trim()
  if (text === '') return { screen: closed }
  if ('runId' in message.to)
    return {
      screen: {
        ...closed,
        notice: `sent to ${message.to.name}: it is read at its next turn`,
        noticeOf: message.to.runId,
      },
      wish: { do: 'send', runId: message.to.runId, text },
    }
  const { approvalId } = message.to
  const choice = approvalChoices.find(each => each.hasReason)!
  return { screen: closed, wish: { do: 'approve', approvalId, choice, reason: text } }
}

function pressPicker(screen: Screen, key: KeyPress): Pressed {
  const { picker } = screen
  if (!picker) return { screen }
  const count = picker.items.length
  const to = (selected: number): Pressed => ({ screen: { ...screen, picker: { ...picker, selected } } })
  if (key.escape) return { screen: { ...screen, picker: undefined } }
  if (key.upArrow) return to((picker.selected - 1 + count) % count)
  if (key.downArrow) return to((picker.selected + 1) % count)
  const item = picker.items[picker.selected]
  if (!key.return || !item) return { screen }
  return { screen: { ...screen, picker: undefined }, wish: { do: 'pick', purpose: picker.purpose, id: item.id } }
}
