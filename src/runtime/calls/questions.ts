/**
 * Questions are events, and answers are inbox items. This only carries an open question to whoever was asked: to the
 * caller as an inbox item, to the user as an entry of `open()`. What is asked is stored first, so a crash asks again,
 * and the item's id keeps the caller from hearing it twice.
 */
import type { DurableEvent } from '../../core/events.js'
import type { Json, RunId } from '../../core/message.js'
import { question as questionText } from '../../core/notices.js'
import { type Question, readAnswer, wanted } from '../../core/run/question.js'
import { openQuestion } from '../../core/run/run-questions.js'
import { callerIdOf, type QuestionAsked, type RunState } from '../../core/run/run-state.js'
import type { InboxItem } from '../../core/run-store.js'
import type { Refusal } from '../../core/types.js'
import { tellFailure } from '../tell-failure.js'

/** A question that waits for the person. */
export interface OpenQuestion {
  readonly questionId: string
  readonly runId: RunId
  readonly rootId: RunId
  readonly path: readonly string[]
  readonly question: Question
  readonly expiresAt?: number
}

export class Questions {
  readonly #post: (runId: RunId, item: InboxItem) => Promise<unknown>
  readonly #onError: (error: unknown) => void
  readonly #open = new Map<string, OpenQuestion>()
  /** Those whose answer is on its way: the run takes the first, and nobody hears that of a second. */
  readonly #answered = new Set<string>()

  constructor(post: (runId: RunId, item: InboxItem) => Promise<unknown>, onError: (error: unknown) => void) {
    this.#post = post
    this.#onError = onError
  }

  /** What waits for the user in this process, oldest first. */
  open(): readonly OpenQuestion[] {
    return [...this.#open.values()]
  }

  /** A refusal when the question is not open here, or answered already, or the answer is not of the type that was asked for. */
  async answer(questionId: string, given: Json, by = 'user'): Promise<Refusal | undefined> {
    const asked = this.#open.get(questionId)
    if (!asked || this.#answered.has(questionId))
      return {
        refused: `There is no open question "${questionId}". It may have been answered, or its run has ended.`,
        rule: 'unknown-question',
      }
    const read = readAnswer(asked.question, given)
    if ('fault' in read) return { refused: `Not answered: ${read.fault}.`, rule: 'invalid-answer' }
    this.#answered.add(questionId)
    try {
      await this.#post(asked.runId, { id: `reply/${questionId}`, kind: 'reply', questionId, value: read.value, by })
    } catch (error) {
      this.#answered.delete(questionId)
      throw error
    }
    return undefined
  }

  /** After a claim: what was asked before the last process died is asked still. */
  showAgain(state: RunState): void {
    const asked = openQuestion(state)
    if (asked) this.#show(state, asked)
  }

  heard(state: RunState, events: readonly DurableEvent[]): void {
    for (const event of events) {
      if (event.type === 'question.asked') this.#show(state, event)
      else if (event.type === 'question.answered') this.#close(event.questionId)
      else if (event.type === 'run.ended')
        for (const [id, { runId }] of this.#open) if (runId === state.runId) this.#close(id)
    }
  }

  #close(questionId: string): void {
    this.#open.delete(questionId)
    this.#answered.delete(questionId)
  }

  #show(state: RunState, { questionId, to, question, path, expiresAt }: QuestionAsked): void {
    const { runId, rootId, brief } = state
    const callerId = callerIdOf(state)
    if (to === 'user') {
      this.#open.set(questionId, { questionId, runId, rootId, path, question, ...(expiresAt && { expiresAt }) })
      return
    }
    if (!callerId) return
    const item: InboxItem = {
      id: `question/${questionId}`,
      kind: 'question',
      runId,
      from: brief.nickname ?? state.agent,
      text: questionText(runId, question.text, wanted(question)),
    }
    const tell = tellFailure(this.#onError, `run ${callerId} could not be told that run ${runId} asks it something`)
    void this.#post(callerId, item).catch(tell)
  }
}
