/**
 * One question, one answer: what `offshoot -p` and a pipe do. Progress goes to stderr, the answer alone to stdout.
 *
 * A1 It never waits for an approval: what needs one is denied, unless `--wait-for-approval` says otherwise.
 * A2 It waits for background children, whose reports may wake the conversation; `--no-wait` leaves them resumable.
 * A3 Ctrl+C once stops the run and keeps what it has; twice leaves at once, and the run can be resumed. SIGTERM, a
 *    terminal or a reader of the stream that goes away leave it as it is. Whatever ends it early, the last words say how
 *    to go on.
 */

import { modeOf } from '../../adapters/ground/policy-settings.js'
import type { Envelope } from '../../core/events.js'
import type { RunId } from '../../core/message.js'
import type { Approver, Subscriber } from '../../core/ports.js'
import { disputedWords, unknownStopWords, unverifiedWords } from '../../core/run/result.js'
import type { RunSummary } from '../../core/run/run-summary.js'
import { commandLine } from '../../core/text/shell-word.js'
import type { Refusal, Result } from '../../core/types.js'
import type { NodeOffshoot } from '../../node.js'
import type { RunHandle } from '../../runtime/run-handle.js'
import { budgetSpent, keptBudget, TreeBudget } from '../session/budget-words.js'
import { withCommand } from '../session/commands-for.js'
import { denialWords } from '../session/denial-words.js'
import { Denials } from '../session/denials.js'
import { exitCodeOf, exitCodes, isLimit, refusalCodeOf } from '../session/exit-codes.js'
import type { SessionFlags } from '../session/flags.js'
import { keptConflict, keptTurns } from '../session/kept-conflict.js'
import { KeptWork } from '../session/kept-work.js'
import type { Session } from '../session/open-session.js'
import { type Paint, paint, wantsColour } from '../session/paint.js'
import { savedWords, unreadWords } from '../session/run-words.js'
import { describePrompt, sessionFacts, withItsOrigin } from '../session/session-facts.js'
import { settleTree } from '../session/settle-tree.js'
import { expandPrompt } from '../session/slash-prompt.js'
import type { Lost, Streams } from '../session/streams.js'
import { TreeFiles } from '../session/tree-files.js'
import { type AnswerWriter, answerWriter, type OutputFormat } from './answer-format.js'
import { progressLines } from './progress-lines.js'
import { rehearseMeanwhile } from './rehearsal.js'

export interface AskRequest {
  /** What the person typed: mentions in it count. */
  readonly prompt?: string
  /** What was piped in: the prompt itself when nothing was typed. */
  readonly context?: string
  readonly cwd: string
  readonly flags: Partial<SessionFlags> & { readonly outputFormat: OutputFormat }
  /** Go on with this run instead of beginning one. */
  readonly resume?: string
}

export async function ask(request: AskRequest, streams: Streams, session: Session): Promise<number> {
  const look = paint(wantsColour(streams.stderr, streams.env))
  const talk = request.flags.quiet ? () => {} : (text: string) => void streams.stderr.write(text)
  const complain = (text: string) => void streams.stderr.write(`${look.red('offshoot:')} ${text}\n`)
  const writer = answerWriter(request.flags.outputFormat, streams.stdout)
  const denials = new Denials()
  const { house } = session
  const budget = new TreeBudget()
  const files = new TreeFiles()
  const kept = new KeptWork()
  const lines = progressLines(talk, look, request.flags.verbose)
  const events = holdEvents(house, [denials.hear, budget.hear, files.hear, kept.hear, lines, writer.hear])
  const endRehearsal = rehearseMeanwhile(house, request.flags.model)
  const started = await begin(house, session, request, { env: streams.env, complain })
  if ('refused' in started) {
    endRehearsal()
    const refused = withCommand(started)
    return refuse(request.flags.model ? refused : withItsOrigin(refused, session), request, writer, complain)
  }
  const facts = await sessionFacts(session, started)
  talk(look.dim(`model ${facts.model}: ${facts.why}\n`))
  writer.begin(facts)
  events.letGo()
  const end = await waitFor(started, request, house, { streams, complain, talk })
  endRehearsal()
  events.close()
  let lost: Lost | undefined
  if (end.result) {
    const tree = await house.list({ rootId: started.id })
    const isLeaving = request.flags.wait === false || end.wasInterrupted
    const changed = await files.of(tree, house)
    writer.end({ result: end.result, tree, files: changed, denials: denials.all, kept: kept.all, isLeaving })
    lost = await streams.lost()
    if (lost) complain(lostWords(lost, started.id))
    if (request.flags.wait === false) sayWhatIsLeft(tree, complain)
  }
  for (const where of kept.all.values()) complain(where)
  sayHowItEnded(started.id, end, { complain, talk, look })
  // Said with the hook's own words otherwise.
  if (request.flags.quiet && end.result?.objection !== undefined) complain(disputedWords(end.result.objection))
  const cut = budget.words()
  if (cut !== undefined) complain(cut)
  if (denials.open.length > 0) complain(denialWords(denials.open, modeOf(session.settings, request.flags)))
  if (!end.result) return exitCodes.unread
  const { wasInterrupted } = end
  const lacksPermission = denials.open.length > 0
  const code = exitCodeOf(end.result, { wasInterrupted, lacksPermission, isBudgetReached: budget.isReached })
  return lost && code === exitCodes.ok ? exitCodes.unread : code
}

/** What happens before the first line is written is kept until then. */
export function holdEvents(offshoot: NodeOffshoot, listeners: readonly Subscriber[]) {
  let held: Envelope[] | undefined = []
  const tell = (envelope: Envelope) => {
    for (const hear of listeners) hear(envelope)
  }
  const close = offshoot.subscribe({}, envelope => {
    if (held) held.push(envelope)
    else tell(envelope)
  })
  const letGo = () => {
    const early = held ?? []
    held = undefined
    for (const envelope of early) tell(envelope)
  }
  return { letGo, close }
}

/** Somebody may answer from another terminal; nobody looks at this one. */
export const approverElsewhere: Approver = { isListening: () => true, present: () => () => {} }

async function begin(
  offshoot: NodeOffshoot,
  session: Session,
  request: AskRequest,
  { env, complain }: Pick<Streams, 'env'> & { complain(text: string): void },
): Promise<RunHandle | Refusal> {
  const { resume, flags } = request
  const trustsProject = flags.trustProject === true
  const typed = await expandPrompt(request.prompt ?? '', { session, env, trustsProject })
  if (typed.refusal) return typed.refusal
  typed.remarks.forEach(complain)
  const prompt = [typed.prompt, request.context ?? ''].filter(Boolean).join('\n\n')
  if (resume !== undefined) {
    const brief = await offshoot.run(resume as RunId).brief()
    const budget = keptBudget(resume, brief?.budget?.usd, flags.maxBudgetUsd)
    const turns = keptTurns(resume, brief?.limits.maxTurns, flags.maxTurns)
    for (const kept of [budget, turns]) if (kept !== undefined) complain(kept)
    return (await keptConflict(session, resume, flags)) ?? offshoot.resume(resume, prompt || undefined)
  }
  return offshoot.start(
    {
      prompt,
      description: describePrompt(request.prompt ?? request.context ?? ''),
      agent: session.agent,
      ...(flags.model && { model: flags.model }),
      ...(flags.maxTurns !== undefined && { maxTurns: flags.maxTurns }),
    },
    { isConversation: flags.wait === false },
  )
}

function refuse(
  refusal: Refusal,
  { resume }: AskRequest,
  writer: AnswerWriter,
  complain: (text: string) => void,
): number {
  const isDriven = refusal.rule === 'claim-lost' && resume !== undefined
  complain(isDriven ? `${refusal.refused}${besideItsDriver(resume)}` : refusal.refused)
  writer.refuse(refusal)
  return refusalCodeOf(refusal)
}

interface End {
  /** Absent when the reader of the stream went away: the run is left as it is. */
  readonly result?: Result
  readonly wasInterrupted: boolean
}

async function waitFor(
  run: RunHandle,
  request: AskRequest,
  house: NodeOffshoot,
  { streams, complain, talk }: { readonly streams: Streams } & Pick<Voice, 'complain' | 'talk'>,
): Promise<End> {
  let interrupts = 0
  const stopListening = streams.onInterrupt(() => {
    interrupts += 1
    if (interrupts > 1) {
      complain(`left at once${goOn(run.id)}`)
      process.exit(exitCodes.interrupted)
    }
    talk(stoppingWords)
    void run.stop('interrupted by the user')
  })
  let isTerminated = false
  const stopMinding = streams.onTerminate(how => {
    isTerminated = true
    complain(`${how}${goOn(run.id)}`)
    return house.close('leave')
  })
  const broken = new Promise<undefined>(resolve => {
    if (request.flags.outputFormat === 'stream-json') streams.onBrokenPipe(() => resolve(undefined))
  })
  // While everything waits for an answer from elsewhere, nothing else keeps the process alive.
  const alive = setInterval(() => {}, 60_000)
  const whole = async () => {
    const result = await run.result
    if (request.flags.wait === false || interrupts > 0) return result
    return (await settleTree(house, run.id)) ?? result
  }
  const ending = whole()
  let result = await Promise.race([ending, broken])
  // A run that was left has no end to tell of, and the process has.
  if (isTerminated) await new Promise(() => {})
  if (!result && (await isOver(run, house, request.flags))) result = await ending
  clearInterval(alive)
  stopListening()
  stopMinding()
  return { ...(result && { result }), wasInterrupted: interrupts > 0 }
}

/** Nothing goes on that was waited for: only the end of the output was not read. */
export async function isOver(
  run: RunHandle,
  offshoot: NodeOffshoot,
  { wait }: { readonly wait?: boolean },
): Promise<boolean> {
  if ((await run.progress())?.status !== 'ended') return false
  return wait === false || (await offshoot.list({ rootId: run.id, isEnded: false })).length === 0
}

/** What `--no-wait` does not wait for: without a word nobody would go on with it. */
function sayWhatIsLeft(tree: readonly RunSummary[], complain: (text: string) => void): void {
  const left = tree.filter(({ status, depth }) => status !== 'ended' && depth > 0)
  for (const { agent, runId } of left.slice(0, mostLeft)) complain(`${agent} is left in the background${goOn(runId)}`)
  if (left.length > mostLeft) complain(`${left.length - mostLeft} more are left: offshoot runs list --unfinished`)
}

const mostLeft = 5

interface Voice {
  complain(text: string): void
  talk(text: string): void
  readonly look: Paint
}

function sayHowItEnded(runId: string, { result, wasInterrupted }: End, { complain, talk, look }: Voice): void {
  if (!result) complain(`${leftWords}${goOn(runId)}`)
  else if (result.outcome === 'completed' && wasInterrupted) complain(`${answeredWords}${goOn(runId)}`)
  else if (result.outcome !== 'completed') {
    const why = result.error ? `: ${result.error.message}` : ''
    complain(`${result.outcome}${why}${result.outcome === 'budget' ? budgetSpent(runId) : goOn(runId)}`)
  }
  if (result?.recoveredFrom) {
    const words = savedWords(result.recoveredFrom)
    if (result.recoveredFrom === 'budget') complain(`${words}${budgetSpent(runId)}`)
    else if (isLimit(result.recoveredFrom)) complain(`${words}${goOn(runId)}`)
    else talk(look.yellow(`${words}\n`))
  }
  if (result?.unknownStop !== undefined) complain(unknownStopWords(result.unknownStop))
  if (result?.verified === false) complain(unverifiedWords(result.unverified ?? []))
  if (result?.unread) complain(unreadWords(result.unread))
}

const stoppingWords =
  'offshoot: stopping the run; what it has is kept. Ctrl+C again leaves at once, and it can be resumed.\n'

const answeredWords = 'interrupted by the user: the answer was there, and what still worked below it was stopped'

export const leftWords = 'nobody reads the output any more, and the run had not ended: it is left as it is'

/** An answer that was paid for is where it can be read again. */
export const lostWords = (lost: Lost, runId: string): string =>
  `${lost === 'unread' ? 'nobody was there to read the answer' : 'the answer is kept'}\n  to read it: ${commandLine('offshoot', 'runs', 'show', '--full', runId)}`

export const goOn = (runId: string): string => `\n  to go on: ${commandLine('offshoot', 'runs', 'resume', runId)}`

/** What can be done with a run that another process drives. */
const besideItsDriver = (runId: string): string =>
  [
    ['to watch it', 'tail', runId],
    ['to tell it something', 'send', runId, 'MESSAGE'],
    ['to stop it', 'stop', runId],
  ]
    .map(([what, ...words]) => `\n  ${what}: ${commandLine('offshoot', 'runs', ...words)}`)
    .join('')
