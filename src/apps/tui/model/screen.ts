/** Everything a terminal shows, as one value. Events are folded into `house`; the rest is what the person does. */
import type { TodoItem } from '../../../adapters/tools/todo-write.js'
import type { Envelope } from '../../../core/events.js'
import type { RunId } from '../../../core/message.js'
import type { ShownRequest } from './approval-input.js'
import { type Editor, emptyEditor } from './editor.js'
import { emptyHouse, type HouseView, hearHouse, rootOf } from './house-view.js'
import type { KeyContext } from './status-lines.js'
import type { Suggestions } from './suggestions.js'

export interface PickerItem {
  readonly id: string
  readonly label: string
  readonly about: string
}
export interface Picker {
  readonly title: string
  readonly purpose: 'resume' | 'model'
  readonly items: readonly PickerItem[]
  readonly selected: number
}
export interface OpenQuestion {
  readonly id: string
  readonly from: string
  readonly question: string
  readonly options: readonly { readonly label: string; readonly description?: string }[]
  /** Several options may be taken. */
  readonly isMulti?: boolean
  /** One of several that are asked one after the other. */
  readonly place?: { readonly at: number; readonly of: number }
}
/** How far a person is with the question on top. */
export interface Answering {
  readonly questionId: string
  /** The option that Enter takes. */
  readonly at: number
  readonly marked: ReadonlySet<number>
  readonly page: number
}
/** Words for somebody else than the conversation. */
export type MessageTo = { readonly runId: RunId; readonly name: string } | { readonly approvalId: string }

export interface Screen {
  readonly house: HouseView
  readonly width: number
  readonly height: number
  readonly now: number
  readonly editor: Editor
  readonly suggestions?: Suggestions
  readonly approvals: readonly ShownRequest[]
  readonly choice: number
  /** Of what the request on top would do. */
  readonly page: number
  /** When the request or question on top appeared: keys typed before that were meant for something else. */
  readonly askedAt: number
  /** Typed at the request on top: a letter that chose, or more, which is a word and no answer until Enter or Esc. */
  readonly typed?: 'letter' | 'word'
  readonly questions: readonly OpenQuestion[]
  readonly answering?: Answering
  readonly tree: {
    readonly isFocused: boolean
    readonly selected?: RunId
    readonly expanded: ReadonlySet<RunId>
  }
  readonly transcript?: { readonly runId: RunId; readonly fromEnd: number }
  readonly message?: { readonly to: MessageTo; readonly editor: Editor }
  readonly picker?: Picker
  readonly todos: readonly TodoItem[]
  readonly notice?: string
  /** The notice is about what this run does next: gone when it has ended. */
  readonly noticeOf?: RunId
  /** … or when this happens in it. */
  readonly noticeUntil?: Envelope['event']['type']
  /** Ctrl+C was pressed at this time; again soon after means quit. */
  readonly interruptedAt: number
  readonly ownStatus: string
  readonly isQuitting: boolean
}

export const emptyScreen = (history: readonly string[], width: number, height: number): Screen => ({
  house: emptyHouse(),
  width,
  height,
  now: 0,
  editor: emptyEditor(history),
  approvals: [],
  choice: 0,
  page: 0,
  askedAt: 0,
  questions: [],
  tree: { isFocused: false, expanded: new Set() },
  todos: [],
  interruptedAt: 0,
  ownStatus: '',
  isQuitting: false,
})

/** What happened, on the screen: the house is changed in place, the rest is new. */
export function hearScreen(screen: Screen, envelope: Envelope): Screen {
  hearHouse(screen.house, envelope)
  const { type } = envelope.event
  const isOver = envelope.runId === screen.noticeOf && (type === 'run.ended' || type === screen.noticeUntil)
  if (!isOver) return screen
  // What was stopped may end at once: what a second one does is still news then.
  return wouldQuit(screen) ? { ...withoutNotice(screen), notice: againLeaves } : withoutNotice(screen)
}

/** A second Ctrl+C within this time quits. */
export const quitWithinMs = 2000
export const againLeaves = 'Ctrl+C again leaves'

/** Ctrl+C was pressed just now. */
export const wouldQuit = ({ now, interruptedAt }: Screen): boolean =>
  interruptedAt > 0 && now - interruptedAt < quitWithinMs

export function withoutNotice({ notice: _, noticeOf: __, noticeUntil: ___, ...rest }: Screen): Screen {
  return rest
}

export const isWorking = ({ house }: Screen): boolean => {
  const root = rootOf(house)
  return root !== undefined && root.status !== 'ended'
}

/** Keys pressed this soon after a request appeared were not an answer to it. */
export const settleMs = 400

/** The request or question on top can be answered; until then its choices carry no mark. */
export const isSettled = ({ now, askedAt, typed, approvals }: Screen): boolean =>
  now - askedAt >= settleMs && (approvals.length === 0 || typed !== 'word')

/** Of one question: another one begins anew. */
export const answeringOf = ({ answering }: Screen, { id }: OpenQuestion): Answering =>
  answering?.questionId === id ? answering : { questionId: id, at: 0, marked: new Set(), page: 0 }

/** Who gets the keys. */
export function contextOfKeys(screen: Screen): KeyContext {
  if (screen.message) return 'message'
  if (screen.approvals.length > 0) return 'approval'
  if (screen.questions.length > 0) return 'question'
  if (screen.picker) return 'picker'
  if (screen.transcript) return 'transcript'
  if (screen.tree.isFocused) return 'tree'
  return isWorking(screen) ? 'working' : 'prompt'
}
