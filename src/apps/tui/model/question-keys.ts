/** What a key means while a question is open: a mark that moves, words of one's own, a page of a long text. */
import { editWith } from './edit-keys.js'
import { emptyEditor } from './editor.js'
import { pagesOfQuestion } from './frame.js'
import type { KeyPress, Pressed } from './keys.js'
import { type Answering, answeringOf, isSettled, type OpenQuestion, type Screen } from './screen.js'
import { readSlashCommand, tellingCommands } from './slash-command.js'

export function pressQuestion(screen: Screen, key: KeyPress): Pressed {
  const [question] = screen.questions
  if (!question) return { screen }
  const isEmpty = screen.editor.text === ''
  const change = (by: Partial<Answering>): Pressed => ({
    screen: { ...screen, answering: { ...answeringOf(screen, question), ...by } },
  })
  const { at, marked, page } = answeringOf(screen, question)
  const count = question.options.length
  if (key.pageUp || key.pageDown)
    return change({ page: Math.max(0, Math.min(page + (key.pageUp ? -1 : 1), pagesOfQuestion(screen) - 1)) })
  // What was pressed before it could be seen was meant for something else; words are kept.
  if (!isSettled(screen) && (key.escape || key.return)) return { screen }
  if (key.escape) return { screen, wish: { do: 'answer', questionId: question.id, text: '' } }
  if (isEmpty && count > 0) {
    if (key.upArrow) return change({ at: (at - 1 + count) % count })
    if (key.downArrow || key.tab) return change({ at: (at + 1) % count })
    if (key.input === ' ' && question.isMulti) return change({ marked: toggled(marked, at) })
  }
  if (!key.return || key.meta || key.shift) return { screen: { ...screen, editor: editWith(screen.editor, key) } }
  return enter(screen, question)
}

function toggled(marked: ReadonlySet<number>, at: number): ReadonlySet<number> {
  const rest = [...marked].filter(each => each !== at)
  return new Set(marked.has(at) ? rest : [...rest, at])
}

function enter(screen: Screen, question: OpenQuestion): Pressed {
  const typed = screen.editor.text.trim()
  const emptied = { ...screen, editor: emptyEditor(screen.editor.history), suggestions: undefined }
  const answer = (text: string): Pressed => ({
    screen: emptied,
    wish: { do: 'answer', questionId: question.id, text },
  })
  if (typed === '') {
    const { at, marked } = answeringOf(screen, question)
    const taken = labelsAt(question, question.isMulti && marked.size > 0 ? [...marked] : [at])
    return taken === '' ? { screen } : answer(taken)
  }
  const command = readSlashCommand(typed)
  if (command && tellingCommands.has(command.name)) return { screen: emptied, wish: { do: 'submit', text: typed } }
  if (command)
    return { screen: { ...screen, notice: `/${command.name}: answer the question first, or leave it open (Esc)` } }
  const read = readTyped(question, typed)
  return 'refused' in read ? { screen: { ...screen, notice: read.refused } } : answer(read.answer)
}

const labelsAt = ({ options }: OpenQuestion, places: readonly number[]): string =>
  options
    .filter((_, at) => places.includes(at))
    .map(({ label }) => label)
    .join(', ')

/** Numbers are choices, where there are any; so is a label in whatever case; anything else are words of one's own. */
function readTyped(question: OpenQuestion, typed: string): { readonly answer: string } | { readonly refused: string } {
  const { options, isMulti } = question
  const label = options.find(each => each.label.trim().toLowerCase() === typed.toLowerCase())?.label
  if (label !== undefined) return { answer: label }
  if (options.length === 0 || !/^\d+(?:[\s,;]+\d+)*$/.test(typed)) return { answer: typed }
  const numbers = typed.split(/[\s,;]+/).map(Number)
  const missing = numbers.find(number => number < 1 || number > options.length)
  if (missing !== undefined)
    return { refused: `there is no choice ${missing}: 1 to ${options.length}, or words of your own` }
  if (numbers.length > 1 && !isMulti) return { refused: 'only one choice can be taken here' }
  return {
    answer: labelsAt(
      question,
      numbers.map(number => number - 1),
    ),
  }
}
