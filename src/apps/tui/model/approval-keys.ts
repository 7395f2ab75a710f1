/**
 * Keys at a request for approval. A request appears while somebody writes: a word is no answer, and what grants more than
 * this one call is chosen first and said with Enter.
 */
import { type ApprovalChoice, choicesFor, isForLonger, tooSmall } from './approval-lines.js'
import { isText } from './edit-keys.js'
import { emptyEditor } from './editor.js'
import { pagesOfApproval } from './frame.js'
import type { KeyPress, Pressed } from './keys.js'
import { isSettled, type Screen } from './screen.js'

export function pressApproval(screen: Screen, key: KeyPress): Pressed {
  const [request] = screen.approvals
  if (!request) return { screen }
  if (screen.typed === 'word') return pressAfterWord(screen, key)
  // Whoever is still writing has not seen it: the wait begins anew.
  if (!isSettled(screen)) return { screen: isText(key) ? { ...screen, askedAt: screen.now } : screen }
  if (key.pageUp || key.pageDown) return { screen: turned(screen, key) }
  const choices = choicesFor(request)
  const to = (choice: number): Pressed => ({
    screen: { ...screen, choice: (choice + choices.length) % choices.length, typed: undefined },
  })
  if (key.upArrow) return to(screen.choice - 1)
  if (key.downArrow || key.tab) return to(screen.choice + 1)
  if (isText(key)) return pressText(screen, key.input, choices)
  const at = key.return ? screen.choice : key.escape ? choices.findIndex(each => each.key === 'n') : -1
  return answered(screen, choices[at])
}

/** Two letters in a row are a word: `say yes` chooses twice, and then its y would be a yes. */
function pressText(screen: Screen, input: string, choices: readonly ApprovalChoice[]): Pressed {
  const at = choices.findIndex((each, index) => input === each.key || input === String(index + 1))
  const choice = choices[at]
  if (!choice || screen.typed === 'letter') return { screen: { ...screen, choice: 0, typed: 'word', notice: noAnswer } }
  if (!isForLonger(choice)) return answered(screen, choice)
  const typed = input === choice.key ? 'letter' : undefined
  return { screen: { ...screen, choice: at, typed, notice: `Enter says: ${choice.label}` } }
}

const noAnswer = 'that is no answer, nothing was decided: Enter or Esc, then choose'

/** The keys that end the word are not taken for an answer either, nor are those that come right behind them. */
function pressAfterWord(screen: Screen, key: KeyPress): Pressed {
  if (key.return || key.escape) return { screen: { ...screen, typed: undefined, askedAt: screen.now } }
  return { screen: { ...(key.pageUp || key.pageDown ? turned(screen, key) : screen), notice: noAnswer } }
}

function turned(screen: Screen, key: KeyPress): Screen {
  const page = Math.max(0, Math.min(screen.page + (key.pageUp ? -1 : 1), pagesOfApproval(screen) - 1))
  return { ...screen, page }
}

function answered(screen: Screen, choice: ApprovalChoice | undefined): Pressed {
  const [request] = screen.approvals
  if (!choice || !request) return { screen }
  const { approvalId } = request
  if (choice.hasReason) return { screen: { ...screen, message: { to: { approvalId }, editor: emptyEditor() } } }
  // Nobody approves what they cannot see.
  if (choice.verdict === 'allow' && pagesOfApproval(screen) === 0) return { screen: { ...screen, notice: tooSmall } }
  return { screen: { ...screen, choice: 0, typed: undefined }, wish: { do: 'approve', approvalId, choice } }
}
