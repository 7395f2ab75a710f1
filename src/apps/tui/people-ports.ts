/** How the house reaches the person at the terminal: approvals, questions, todos. */
import type { AskUser } from '../../adapters/tools/ask-user.js'
import type { ShowTodos } from '../../adapters/tools/todo-write.js'
import type { RunId } from '../../core/message.js'
import type { ApprovalRequest, Approver } from '../../core/ports.js'
import type { QuestionAsked } from '../../core/run/run-state.js'
import type { Offshoot } from '../../offshoot.js'
import type { ApprovalChoice } from './model/approval-lines.js'
import { askedLines } from './model/asked-entry.js'
import { unicodeGlyphs } from './model/glyphs.js'
import { wayTo } from './model/house-view.js'
import type { OpenQuestion } from './model/screen.js'
import type { ScreenStore } from './screen-store.js'

export class PeoplePorts {
  readonly #store: ScreenStore
  readonly #answers = new Map<string, (text: string) => void>()
  readonly #isAscii: boolean
  #offshoot: Offshoot | undefined
  #questions = 0

  constructor(store: ScreenStore, { isAscii }: { readonly isAscii: boolean }) {
    this.#store = store
    this.#isAscii = isAscii
  }

  get ports(): { readonly approver: Approver; readonly askUser: AskUser; readonly showTodos: ShowTodos } {
    return {
      approver: { isListening: () => true, present: request => this.#present(request) },
      askUser: (questions, { path, signal }) => this.#ask(questions, path.join(' / '), signal),
      showTodos: todos => this.#store.change(screen => ({ ...screen, todos })),
    }
  }

  connect(offshoot: Offshoot): void {
    this.#offshoot = offshoot
    offshoot.subscribe({}, ({ event, runId }) => {
      if (event.type === 'question.asked' && event.to === 'user') this.#showQuestion(event, runId)
      if (event.type === 'question.answered') this.#hideQuestion(event.questionId)
    })
  }

  async approve(approvalId: string, { verdict, scope }: ApprovalChoice, reason?: string): Promise<void> {
    this.#takeDown(approvalId)
    await this.#offshoot?.approvals.answer(approvalId, { verdict, scope, by: 'user', ...(reason && { reason }) })
  }

  /** An empty text leaves the question open, or says so where nothing else can. */
  async answer(questionId: string, text: string): Promise<void> {
    const own = this.#answers.get(questionId)
    if (own) return own(text)
    if (text === '') return this.#hideQuestion(questionId)
    const asked = this.#store.screen.questions.find(each => each.id === questionId)
    const refusal = await this.#offshoot?.questions.answer(questionId, text)
    if (refusal) return this.#store.change(screen => ({ ...screen, notice: refusal.refused }))
    if (asked) this.#print(asked, text)
  }

  /** What a child asked is in nobody's entries: it stays above, with the answer. */
  #print({ id, from, question }: OpenQuestion, text: string): void {
    const lines = `${from}: ${question.trim()}\n→ ${text}`
    this.#store.print([{ id: `answer-${id}`, draw: width => [[], ...askedLines(lines, width, unicodeGlyphs)] }])
  }

  #showQuestion({ questionId, path, question }: QuestionAsked, runId: RunId): void {
    const options = (question.options ?? []).map(label => ({ label }))
    const from = wayTo(this.#store.screen.house, runId, path)
    this.#putUp({ id: questionId, from, question: question.text, options })
  }

  #putUp(question: OpenQuestion): void {
    this.#store.change(screen => ({
      ...screen,
      questions: [...screen.questions, question],
      ...(screen.approvals.length + screen.questions.length === 0 && { askedAt: Date.now() }),
    }))
  }

  #hideQuestion(questionId: string): void {
    this.#store.change(screen => {
      const questions = screen.questions.filter(each => each.id !== questionId)
      if (questions.length === screen.questions.length) return screen
      const wasOnTop = screen.approvals.length === 0 && screen.questions[0]?.id === questionId
      return { ...screen, questions, ...(wasOnTop && { askedAt: Date.now() }) }
    })
  }

  #present(request: ApprovalRequest): () => void {
    this.#store.change(screen => ({
      ...screen,
      approvals: [...screen.approvals, this.#isAscii ? { ...request, isAscii: true } : request],
      ...(screen.approvals.length === 0 && { askedAt: Date.now(), choice: 0, page: 0, typed: undefined }),
    }))
    return () => this.#takeDown(request.approvalId)
  }

  #takeDown(approvalId: string): void {
    this.#store.change(screen => {
      const [first] = screen.approvals
      const approvals = screen.approvals.filter(each => each.approvalId !== approvalId)
      if (approvals.length === screen.approvals.length) return screen
      // The next one steps up: what is typed now was not meant for it.
      return {
        ...screen,
        approvals,
        ...(first?.approvalId === approvalId && { askedAt: Date.now(), choice: 0, page: 0, typed: undefined }),
      }
    })
  }

  async #ask(questions: Parameters<AskUser>[0], from: string, signal: AbortSignal): Promise<readonly string[]> {
    const answers: string[] = []
    for (const [at, { question, options = [], multiSelect: isMulti = false }] of questions.entries()) {
      const id = `question-${this.#questions++}`
      this.#putUp({ id, from, question, options, isMulti, place: { at: at + 1, of: questions.length } })
      try {
        answers.push(await this.#answerTo(id, signal))
      } finally {
        this.#answers.delete(id)
        this.#hideQuestion(id)
      }
    }
    return answers
  }

  #answerTo(id: string, signal: AbortSignal): Promise<string> {
    return new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      this.#answers.set(id, resolve)
    })
  }
}
