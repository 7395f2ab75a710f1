/**
 * A turn under way, for whoever may have to cut it off: whether its request is out, what its model has said, and what
 * that has cost. Whoever asks the model tells it these things; in a run's own process its host does, over the pipe.
 */

import { estimateTokens } from '../../core/brief/fork.js'
import type { TokenPrices } from '../../core/budget/budget.js'
import type { EventOf, TurnPurpose } from '../../core/events.js'
import type { Spent } from './turn-hold.js'

/** Which turn it is, and how much of the log its request holds. */
export interface TurnFacts {
  readonly turn: number
  readonly purpose: TurnPurpose
  readonly upto: number
}

/** What is added to the words of a turn, or what they begin anew with. */
export interface Said {
  readonly text: string
  readonly isAnew: boolean
}

/** What the request has used and cost after so many tokens of output, by estimate. */
type Estimate = (outputTokens: number, prices: TokenPrices | undefined) => Spent

export class TurnInFlight {
  /** Once they were found out. */
  prices: TokenPrices | undefined
  readonly #onSaid: (said: Said) => void
  #facts: TurnFacts
  #estimate: Estimate | undefined
  #isSent = false
  #partial = ''
  /** Characters of thought, which are paid for like text. */
  #thought: number | undefined
  /** An attempt before was begun to be answered. */
  #isPaid = false
  /** What was sent before was refused, and nothing is out until then. */
  #waitsUntil: number | undefined

  /** `onSaid` hears that it was sent, too: as no words. */
  constructor(facts: TurnFacts, onSaid: (said: Said) => void = () => {}) {
    this.#facts = facts
    this.#onSaid = onSaid
  }

  get facts(): TurnFacts {
    return this.#facts
  }

  get purpose(): TurnPurpose {
    return this.#facts.purpose
  }

  /** Of the effect it is. */
  get key(): string {
    return `turn/${this.#facts.turn}/${this.#facts.purpose}`
  }

  get partial(): string {
    return this.#partial
  }

  /** Something came back, if only a thought. */
  get isAnswered(): boolean {
    return this.#partial !== '' || this.#thought !== undefined
  }

  /** Its request, with everything up to there, goes out: cut off from here on it counts, also without a word. */
  send(upto: number, estimate: Estimate): void {
    this.#facts = { ...this.#facts, upto }
    this.#estimate = estimate
    this.say({ text: '', isAnew: false })
  }

  say(said: Said): void {
    this.#isSent = true
    this.#partial = said.isAnew ? said.text : this.#partial + said.text
    this.#onSaid(said)
  }

  think(text: string): void {
    this.#thought = (this.#thought ?? 0) + text.length
  }

  /** What was shown of a broken attempt does not count: the answer begins anew. */
  askAgain({ at, isUsed }: { readonly at: number; readonly isUsed: boolean }): void {
    if (isUsed || this.isAnswered) this.#isPaid = true
    else if (!this.#isPaid) this.#waitsUntil = at
    this.say({ text: '', isAnew: true })
  }

  /** The wait is over. */
  sendAgain(): void {
    this.#waitsUntil = undefined
  }

  /** Cut off now, it would have to be paid. */
  isOut(now: number): boolean {
    return this.#isSent && (this.#isPaid || this.#waitsUntil === undefined || now >= this.#waitsUntil)
  }

  /** With its thoughts, after this text. Undefined where no request was made, or where it is made elsewhere. */
  spentAfter(text = this.#partial): Spent | undefined {
    return this.#estimate?.(estimateTokens(text) + Math.ceil((this.#thought ?? 0) / 4), this.prices)
  }

  /** How the log tells of it when nobody waits for its end. */
  cutOff(model: string, message: string): EventOf<'turn.failed'> {
    const error = { kind: 'aborted', message, isRetryable: false } as const
    return { type: 'turn.failed', ...this.#facts, error, partial: this.#partial, model, ...this.spentAfter() }
  }
}
