/**
 * `--input-format stream-json`: prompts as JSON lines on stdin, a `result` for each on stdout. One conversation:
 * the first prompt begins it, each next one goes on with it; `{"type":"interrupt"}` ends the answer that is under way.
 */
import { createInterface } from 'node:readline'
import type { Result } from '../../core/types.js'
import type { RunHandle } from '../../runtime/run-handle.js'
import { answerWriter } from './answer-format.js'
import { goOn, holdEvents, isOver, unreadWords } from './ask.js'
import { TreeBudget } from './budget-words.js'
import { Denials } from './denials.js'
import { exitCodeOf, exitCodes, refusalCodeOf } from './exit-codes.js'
import type { SessionFlags } from './flags.js'
import { KeptWork } from './kept-work.js'
import type { Session } from './open-session.js'
import { describePrompt, modelConflict, sessionFacts } from './session-facts.js'
import { settleTree } from './settle-tree.js'
import { expandPrompt } from './slash-prompt.js'
import type { Streams } from './streams.js'
import { TreeFiles } from './tree-files.js'

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
}

/** A reader that goes away leaves the run as it is. */
export async function converse(
  request: ConverseRequest,
  streams: Streams,
  session: Session,
  input: NodeJS.ReadableStream,
): Promise<number> {
  const stand: Stand = { code: exitCodes.ok, waiting: 0 }
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
  const end = await Promise.race([talk(request, streams, session, input, stand), broken])
  if (isTerminated) await new Promise(() => {})
  stopMinding()
  stopListening()
  if (end !== 'broken') return stand.code
  ;(input as { destroy?: () => void }).destroy?.()
  const { run, waiting } = stand
  if (waiting === 0 && (!run || (await isOver(run, session.house, request.flags)))) return stand.code
  lastWords(unreadWords)
  return exitCodes.unread
}

async function talk(
  request: ConverseRequest,
  streams: Streams,
  session: Session,
  input: NodeJS.ReadableStream,
  stand: Stand,
): Promise<void> {
  const writer = answerWriter('stream-json', streams.stdout)
  const denials = new Denials()
  const budget = new TreeBudget()
  const files = new TreeFiles()
  const kept = new KeptWork()
  const events = holdEvents(session.house, [denials.hear, budget.hear, files.hear, kept.hear, writer.hear])
  const { offshoot } = session.house
  const finish = async (result: Result) => {
    const tree = await offshoot.list({ rootId: result.runId })
    writer.end({ result, tree, files: await files.of(tree, session.house), denials: denials.all, kept: kept.all })
    const cut = budget.words()
    if (cut !== undefined) streams.stderr.write(`offshoot: ${cut}\n`)
    const lacksPermission = denials.open.length > 0
    stand.code = exitCodeOf(result, { lacksPermission, isBudgetReached: budget.isReached })
  }
  const answer = async (prompt: string) => {
    const expanded = await expand(prompt, request, streams, session)
    stand.waiting -= 1
    budget.forget()
    if (stand.run) await stand.run.say(expanded)
    else {
      const started = await begin(session, request, { prompt: expanded, description: describePrompt(prompt) })
      if ('refused' in started) {
        writer.refuse(started)
        stand.code = refusalCodeOf(started)
        return
      }
      stand.run = started
      writer.begin(await sessionFacts(session, started))
      events.letGo()
    }
    await finish(await stand.run.result)
  }
  let working = Promise.resolve()
  for await (const line of createInterface({ input })) {
    if (line.trim() === '') continue
    const read = readInputLine(line)
    if ('fault' in read) {
      streams.stderr.write(`offshoot: ${read.fault}; the line is skipped.\n`)
      stand.code = exitCodes.usage
    } else if ('interrupt' in read) await stand.run?.stop('interrupted by the user')
    else {
      stand.waiting += 1
      working = working.then(() => answer(read.prompt))
    }
  }
  await working
  if (stand.run && request.flags.wait !== false) {
    const woken = await settleTree(session.house, stand.run.id)
    if (woken) await finish(woken)
  }
  events.close()
}

/** As with `-p`; what cannot be looked up is said. */
async function expand(
  typed: string,
  { flags }: ConverseRequest,
  { env, stderr }: Streams,
  session: Session,
): Promise<string> {
  const { prompt, remarks } = await expandPrompt(typed, { session, env, trustsProject: flags.trustProject === true })
  for (const remark of remarks) stderr.write(`offshoot: ${remark}\n`)
  return prompt
}

async function begin(
  session: Session,
  { flags, resume }: { readonly flags: Partial<SessionFlags>; readonly resume?: string },
  { prompt, description }: { readonly prompt: string; readonly description: string },
) {
  const { house, agent } = session
  const { model, maxTurns } = flags
  if (resume !== undefined)
    return (await modelConflict(session, resume, model)) ?? house.offshoot.resume(resume, prompt)
  return house.offshoot.start(
    { prompt, description, agent, ...(model && { model }), ...(maxTurns && { maxTurns }) },
    { isConversation: true },
  )
}
