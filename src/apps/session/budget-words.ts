/** What a budget means for whoever waits for the answer: that it cut something short, and what can be done then. */
import { dimensionWord } from '../../core/budget/budget.js'
import type { Envelope, EventOf } from '../../core/events.js'
import { commandLine } from '../../core/text/shell-word.js'

/** Hears when a run below the root could not go on because the budget of the whole tree is used up. */
export class TreeBudget {
  readonly #agents = new Set<string>()
  #reached: EventOf<'budget.reached'> | undefined

  readonly hear = ({ runId, rootId, agent, event }: Envelope): void => {
    if (event.type !== 'budget.reached' || event.purse !== rootId || runId === rootId) return
    this.#reached = event
    this.#agents.add(agent)
  }

  /** For the next answer of the same conversation. */
  forget(): void {
    this.#agents.clear()
    this.#reached = undefined
  }

  get isReached(): boolean {
    return this.#reached !== undefined
  }

  /** Whom it cut short; undefined where it cut nobody. */
  words(): string | undefined {
    if (!this.#reached) return undefined
    const { dimension, granted } = this.#reached
    return `budget reached: the limit of the whole tree for ${dimensionWord(dimension)} is ${granted}, and it cut ${[...this.#agents].join(', ')} short: the answer may be incomplete`
  }
}

/** In place of "to go on": a resume gets nothing more to spend. */
export const budgetSpent = (runId: string): string =>
  `\n  a budget is for the whole life of a run, and a resume does not raise it: begin a new run with a larger one. What this one has done: ${commandLine('offshoot', 'runs', 'show', runId)}`

/** Whoever names another budget must not believe that it counts. */
export function keptBudget(runId: string, granted: number | undefined, asked: number | undefined): string | undefined {
  if (granted === undefined || asked === undefined || asked <= granted) return undefined
  return `--max-budget-usd ${asked} is not had: run ${runId} was granted ${granted} US dollars for its whole life, and a resume does not raise that. Begin a new run with a larger budget.`
}
