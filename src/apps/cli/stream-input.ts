/**
 * `--input-format stream-json`: prompts as JSON lines on stdin, a `result` for each on stdout. One conversation:
 * the first prompt begins it, each next one goes on with it; `{"type":"interrupt"}` ends the answers to what was read
 * before it: the one that is under way, and those that wait or are just beginning.
 */
import { createInterface } from 'node:readline'
import type { Refusal, Result } from '../../core/types.js'
import type { RunHandle } from '../../runtime/run-handle.js'
import { TreeBudget } from '../session/budget-words.js'
import { withCommand } from '../session/commands-for.js'
import { Denials } from '../session/denials.js'
import { exitCodeOf, exitCodes, refusalCodeOf } from '../session/exit-codes.js'
import type { SessionFlags } from '../session/flags.js'
import { keptConflict } from '../session/kept-conflict.js'
import { KeptWork } from '../session/kept-work.js'
import type { Expanded } from '../session/mentions.js'
import type { Session } from '../session/open-session.js'
import { describePrompt, sessionFacts } from '../session/session-facts.js'
import { settleTree } from '../session/settle-tree.js'
import { expandPrompt } from '../session/slash-prompt.js'
import type { Streams } from '../session/streams.js'
import { TreeFiles } from '../session/tree-files.js'
import { answerWriter } from './answer-format.js'
import { goOn, holdEvents, isOver, leftWords, lostWords } from './ask.js'

export type InputLine = { readonly prompt: string } | { readonly interrupt: true } | { readonly fault: string }

/** One line of input, understood or not. */
export function readInputLine(line: string): InputLine {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return { fault: 'a line is no valid JSON' }
  }
  const { type, message } = (value ?? {}) as {
    readonly type?: unknown
    readonly message?: { readonly content?: unknown }
  }
  if (type === 'interrupt') return { interrupt: true }
  if (type !== 'user') return { fault: `"type" must be "user" or "interrupt", not ${JSON.stringify(type)}` }
  const content = message?.content
  const parts = Array.isArray(content)
    ? (content as readonly { readonly type?: unknown; readonly text?: unknown }[])
    : []
  const foreign = parts.find(part => part?.type !== 'text' || typeof part.text !== 'string')
  if (foreign !== undefined) return { fault: `message.content has a part that is no text (${partWords(foreign)})` }
  const text = typeof content === 'string' ? content : parts.map(part => String(part.text)).join('\n')
  return text.trim() === '' ? { fault: 'message.content holds no text' } : { prompt: text }
}

const partWords = (part: { readonly type?: unknown } | null): string => JSON.stringify(part?.type ?? part).slice(0, 40)

interface ConverseRequest {
  readonly flags: Partial<SessionFlags>
  readonly resume?: string
}

/** How far the conversation is. */
interface Stand {
  run?: RunHandle
  code: number
  /** Prompts that were read and not begun. */
  waiting: number
  /** A line was skipped: whatever is answered well after it, the program did not do all it was told. */
  hasSkipped: boolean
}

const codeOf = ({ code, hasSkipped }: Stand): number => (hasSkipped && code === exitCodes.ok ? exitCodes.usage : code)

/** A reader that goes away leaves the run as it is. */
export async function converse(
  request: ConverseRequest,
  streams: Streams,
  session: Session,
  input: NodeJS.ReadableStream,
): Promise<number> {
  const stand: Stand = { code: exitCodes.ok, waiting: 0, hasSkipped: false }
  const lastWords = (how: string) => {
    const unbegun = stand.waiting > 0 ? `; prompts that were not begun: ${stand.waiting}` : ''
    streams.stderr.write(`offshoot: ${how}${unbegun}${stand.run ? goOn(stand.run.id) : ''}\n`)
  }
  let isTerminated = false
  const stopMinding = streams.onTerminate(how => {
    isTerminated = true
    lastWords(how)
    return session.house.close('leave')
  })
  const stopListening = streams.onInterrupt(() => {
    lastWords('left at once')
    process.exit(exitCodes.interrupted)
  })
  const broken = new Promise<'broken'>(resolve => streams.onBrokenPipe(() => resolve('broken')))
  const end = await Promise.race([new Talk(request, streams, session, stand).hear(input), broken])
  if (isTerminated) await new Promise(() => {})
  stopMinding()
  stopListening()
  if (end !== 'broken') return codeOf(stand)
  ;(input as { destroy?: () => void }).destroy?.()
  const { run, waiting } = stand
  if (waiting === 0 && (!run || (await isOver(run, session.house, request.flags)))) {
    const lost = await streams.lost()
    if (lost && run) streams.stderr.write(`offshoot: ${lostWords(lost, run.id)}\n`)
    return lost && stand.code === exitCodes.ok ? exitCodes.unread : codeOf(stand)
  }
  lastWords(leftWords)
  return exitCodes.unread
}

class Talk {
  readonly #request: ConverseRequest
  readonly #streams: Streams
  readonly #session: Session
  readonly #stand: Stand
  readonly #writer: ReturnType<typeof answerWriter>
  readonly #denials = new Denials()
  readonly #budget = new TreeBudget()
  readonly #files = new TreeFiles()
  readonly #kept = new KeptWork()
  /** One for each prompt that has no result yet. */
  readonly #unanswered = new Set<AbortController>()

  constructor(request: ConverseRequest, streams: Streams, session: Session, stand: Stand) {
    this.#request = request
    this.#streams = streams
    this.#session = session
    this.#stand = stand
    this.#writer = answerWriter('stream-json', streams.stdout)
  }

  async hear(input: NodeJS.ReadableStream): Promise<void> {
    const [house, writer, stand] = [this.#session.house, this.#writer, this.#stand]
    const heard = [this.#denials.hear, this.#budget.hear, this.#files.hear, this.#kept.hear, writer.hear]
    const events = holdEvents(house, heard)
    let working = Promise.resolve()
    for await (const line of createInterface({ input })) {
      if (line.trim() === '') continue
      const read = readInputLine(line)
      if ('fault' in read) {
        this.#say(`${read.fault}; the line is skipped.`)
        stand.hasSkipped = true
      } else if ('interrupt' in read) await this.#interrupt()
      else {
        const stop = new AbortController()
        this.#unanswered.add(stop)
        stand.waiting += 1
        working = working.then(() => this.#answer(read.prompt, stop, events.letGo))
      }
    }
    await working
    if (stand.run && this.#request.flags.wait !== false) {
      const woken = await settleTree(house, stand.run.id)
      if (woken) await this.#finish(woken)
    }
    events.close()
  }

  #say(text: string): void {
    this.#streams.stderr.write(`offshoot: ${text}\n`)
  }

  async #interrupt(): Promise<void> {
    const { run } = this.#stand
    for (const stop of this.#unanswered) stop.abort(interrupted)
    if (this.#unanswered.size > 0) return
    // Something else may have woken it.
    const isUnderWay = run && (await this.#session.house.store.summary(run.id))?.status !== 'ended'
    if (isUnderWay) await run.stop(interrupted)
    else this.#say('an interrupt came when no answer was under way; nothing was stopped.')
  }

  async #answer(prompt: string, interrupt: AbortController, begun: () => void): Promise<void> {
    const stand = this.#stand
    const { signal } = interrupt
    const { prompt: expanded, refusal } = await expand(prompt, this.#request, this.#streams, this.#session)
    stand.waiting -= 1
    this.#budget.forget()
    if (refusal) return this.#refuse(refusal, interrupt)
    if (stand.run) await stand.run.say(expanded)
    else {
      const opening = { prompt: expanded, description: describePrompt(prompt), signal }
      const started = await begin(this.#session, this.#request, opening)
      if ('refused' in started) return this.#refuse(withCommand(started), interrupt)
      stand.run = started
      this.#writer.begin(await sessionFacts(this.#session, started))
      begun()
    }
    const { run } = stand
    // Waited for, so that no stop is left over for the next prompt.
    let stopping: Promise<unknown> | undefined
    const stop = () => {
      stopping = run.stop(interrupted)
    }
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
    const result = await run.result
    this.#unanswered.delete(interrupt)
    await stopping
    await this.#finish(result)
  }

  #refuse(refusal: Refusal, prompt: AbortController): void {
    this.#writer.refuse(refusal)
    this.#stand.code = refusalCodeOf(refusal)
    this.#unanswered.delete(prompt)
  }

  async #finish(result: Result): Promise<void> {
    const { house } = this.#session
    const tree = await house.list({ rootId: result.runId })
    const files = await this.#files.of(tree, house)
    this.#writer.end({ result, tree, files, denials: this.#denials.all, kept: this.#kept.all })
    const cut = this.#budget.words()
    if (cut !== undefined) this.#say(cut)
    const lacksPermission = this.#denials.open.length > 0
    this.#stand.code = exitCodeOf(result, { lacksPermission, isBudgetReached: this.#budget.isReached })
  }
}

const interrupted = 'interrupted by the user'

/** As with `-p`; what cannot be looked up is said. */
async function expand(
  typed: string,
  { flags }: ConverseRequest,
  { env, stderr }: Streams,
  session: Session,
): Promise<Pick<Expanded, 'prompt' | 'refusal'>> {
  const expanded = await expandPrompt(typed, { session, env, trustsProject: flags.trustProject === true })
  for (const remark of expanded.remarks) stderr.write(`offshoot: ${remark}\n`)
  return expanded
}

async function begin(
  session: Session,
  { flags, resume }: { readonly flags: Partial<SessionFlags>; readonly resume?: string },
  {
    prompt,
    description,
    signal,
  }: { readonly prompt: string; readonly description: string; readonly signal: AbortSignal },
) {
  const { house, agent } = session
  const { model, maxTurns } = flags
  if (resume !== undefined) return (await keptConflict(session, resume, flags)) ?? house.resume(resume, prompt)
  return house.start(
    { prompt, description, agent, ...(model && { model }), ...(maxTurns && { maxTurns }) },
    // One that comes later is heard by whoever waits for the answer.
    { isConversation: true, ...(signal.aborted && { signal }) },
  )
}
