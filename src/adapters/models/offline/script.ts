/**
 * A role of the scout is a script: a generator that asks for tool results in batches and returns what it has to say.
 * A conversation is replayed into it from the start at every turn, so that the scout keeps no state of its own:
 * what is answered already is handed over, and the first batch with anything unanswered becomes this turn's calls.
 */
export interface Call {
  readonly name: string
  readonly input: { readonly [key: string]: unknown }
}
export interface Answer {
  readonly text: string
  /** An error, a denial, or never asked because the turn had to end: treated as "nothing found". */
  readonly isMissing: boolean
}
/** Yields calls, is handed one answer for each, in order. */
export type Script<Said = string> = Generator<readonly Call[], Said, readonly Answer[]>

const maxRounds = 12

export type Step<Said> =
  | { readonly calls: readonly Call[] }
  | { readonly said: Said; readonly missing: readonly string[] }

/**
 * Advances a script as far as the answers reach. `canCall: false` (grace, no tools) answers every open call with
 * nothing, so that the script ends with what it has. At most `maxRounds` batches are asked for.
 */
export function replay<Said>(script: Script<Said>, answers: Answers, canCall: boolean): Step<Said> {
  const missing: string[] = []
  let state = script.next()
  for (let round = 0; !state.done; round++) {
    const asked = state.value
    const open = unique(asked.filter(call => !answers.has(call)))
    if (open.length > 0 && canCall && round < maxRounds) return { calls: open }
    if (open.length > 0) missing.push(...open.map(call => call.name))
    state = script.next(asked.map(call => answers.get(call) ?? nothing))
  }
  return { said: state.value, missing }
}

/** The same script, searching in a folder wherever it would search the whole workspace. */
export function* within<Said>(folder: string | undefined, script: Script<Said>): Script<Said> {
  if (folder === undefined) return yield* script
  const there = (call: Call): Call =>
    searches.has(call.name) && call.input.path === undefined
      ? { ...call, input: { ...call.input, path: folder } }
      : call
  let state = script.next()
  while (!state.done) state = script.next(yield state.value.map(there))
  return state.value
}

const searches: ReadonlySet<string> = new Set(['Grep', 'Glob', 'LS'])

/** The answers of a conversation, found by what was asked. */
export class Answers {
  private readonly byCall = new Map<string, Answer>()

  add(call: Call, answer: Answer): void {
    this.byCall.set(keyOf(call), answer)
  }
  has(call: Call): boolean {
    return this.byCall.has(keyOf(call))
  }
  get(call: Call): Answer | undefined {
    return this.byCall.get(keyOf(call))
  }
}

export const nothing: Answer = { text: '', isMissing: true }

export function keyOf(call: Call): string {
  const entries = Object.entries(call.input).sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify([call.name, entries])
}

function unique(calls: readonly Call[]): Call[] {
  return [...new Map(calls.map(call => [keyOf(call), call])).values()]
}
