/**
 * `offshoot approvals list|answer|always`: requests of every process on this machine, answered through the store. Answers go
 * to the run's inbox; the first one counts, and only for the very input that was shown. Only what counts is confirmed.
 */

import { randomUUID } from 'node:crypto'
import { Argument, type Command, Option } from 'commander'
import type { MeasuredStore } from '../../../adapters/stores/prune.js'
import type { RunId } from '../../../core/message.js'
import { coversWholeTool, whyNotKept } from '../../../core/permission/approval-rule.js'
import type { ApprovalRequested } from '../../../core/run/run-state.js'
import type { ApprovalScope, InboxItem, RunStore } from '../../../core/run-store.js'
import { commandLine, visible } from '../../../core/text/shell-word.js'
import { readState } from '../../../runtime/logs/run-log.js'
import { type AlwaysOptions, alwaysCommand } from '../../session/always.js'
import { exitCodes } from '../../session/exit-codes.js'
import { whenWords } from '../../session/figures.js'
import { answerWords, type GivenAnswer, takenAnswers, waitingAnswer } from '../../session/given-answers.js'
import { openRunStore, openToLook, withStore } from '../../session/open-store.js'
import { type CommandDeps, refusedInsideRun } from '../command-deps.js'

export interface OpenApproval {
  readonly runId: RunId
  readonly rootId: RunId
  readonly at: number
  readonly request: ApprovalRequested
  /** Given and not yet taken by the run, or out of time: nothing more can be answered. */
  readonly answer?: GivenAnswer
}

export function registerApprovalsCommands(program: Command, deps: CommandDeps): void {
  const approvals = program.command('approvals').description('what waits for an approval, and answering it')
  approvals
    .command('list')
    .description('list open requests, oldest first')
    .option('--json', 'print as JSON')
    .action(async (options: { json?: boolean }) => {
      if (refusedInsideRun(deps, 'looking at approvals')) deps.setExitCode(exitCodes.permission)
      else await withStore(openToLook(deps), deps, store => listApprovals(store, options, deps))
    })
  approvals
    .command('answer')
    .argument('<id>')
    .addArgument(verdictArgument())
    .description('allow or deny a request; the id may be shortened')
    .addOption(
      new Option('--scope <scope>', 'how long an allow holds')
        .choices(['once', 'run', 'session', 'always'])
        .default('once'),
    )
    .option('--reason <text>', 'what the agent is told')
    .action((id: string, verdict: string, options: AnswerOptions) =>
      withStore(openRunStore(deps.env), deps, store => answerApproval(store, id, verdict, options, deps)),
    )
  approvals
    .command('always')
    .description('what was approved "always" in this project, and taking it back')
    .option('--revoke <rule>', 'take this one back')
    .option('--json', 'print as JSON')
    .action((options: AlwaysOptions) => deps.setExitCode(alwaysCommand(options, deps)))
}

/** Completed as these two; other words for them are understood all the same. */
function verdictArgument(): Argument {
  const verdict = new Argument('<verdict>')
  verdict.argChoices = ['allow', 'deny']
  return verdict
}

export async function openApprovals(store: RunStore, now: number): Promise<readonly OpenApproval[]> {
  const open: OpenApproval[] = []
  for (const { runId, rootId } of await store.list({ isEnded: false })) {
    const items = await store.inbox(runId)
    const state = await readState(store, runId)
    for (const { phase, approval: request, startedAt } of state?.calls.values() ?? []) {
      if (phase !== 'asking' || !request) continue
      const answer = waitingAnswer(items, request, now)
      open.push({ runId, rootId, at: startedAt ?? state!.at, request, ...(answer && { answer }) })
    }
  }
  return open.sort((a, b) => a.at - b.at)
}

export async function listApprovals(
  store: MeasuredStore,
  options: { readonly json?: boolean },
  { write, warn, look, now }: CommandDeps,
): Promise<number> {
  const open = await openApprovals(store, now())
  if (options.json) write(`${JSON.stringify(open, null, 2)}\n`)
  else if (open.length === 0) warn('Nothing waits for an approval.\n')
  else
    for (const { at, request, answer, rootId } of open) {
      const [name, context, reason, rule] = [request.name, request.context, request.reason, request.rule].map(visible)
      write(`${look.bold(request.approvalId)}  ${look.dim(whenWords(at, now()))}\n`)
      write(`  ${visible(request.path.join(' / '))} wants ${look.yellow(name!)} ${context}\n`)
      write(`  ${look.dim(`because: ${reason} (${rule})`)}\n`)
      if (answer) write(`  ${answerWords(answer)}. ${await whoTakesIt(store, rootId)}\n`)
      else if (request.lasting !== undefined) write(`  ${look.dim(lastingWords(request.lasting))}\n`)
      write(`  ${look.dim(inputWords(request.input))}\n\n`)
    }
  return exitCodes.ok
}

/** Nobody says yes to an end that was not shown, and not told of. */
function inputWords(input: unknown): string {
  const whole = visible(JSON.stringify(input))
  if (whole.length <= maxInput) return whole
  const missing = (whole.length - maxInput).toLocaleString('en')
  return `${whole.slice(0, maxInput)}…\n  ${missing} characters more; "offshoot approvals list --json" has all of it`
}

const maxInput = 4000

interface AnswerOptions {
  readonly scope: ApprovalScope
  readonly reason?: string
}

const verdicts: Readonly<Record<string, 'allow' | 'deny'>> = {
  allow: 'allow',
  yes: 'allow',
  y: 'allow',
  deny: 'deny',
  no: 'deny',
  n: 'deny',
}

export async function answerApproval(
  store: MeasuredStore,
  id: string,
  verdictText: string,
  { scope, reason }: AnswerOptions,
  deps: CommandDeps,
): Promise<number> {
  if (refusedInsideRun(deps, 'answering approvals')) return exitCodes.permission
  const verdict = verdicts[verdictText.toLowerCase()]
  if (!verdict) {
    deps.warn(`offshoot: "${verdictText}" is neither allow nor deny.\n`)
    return exitCodes.usage
  }
  const found = (await openApprovals(store, deps.now())).filter(({ request }) => request.approvalId.startsWith(id))
  const [one] = found
  if (!one || found.length > 1) return notOne(store, id, found.length, deps)
  if (one.answer) return tooLate(store, one, one.answer, deps)
  const item = answerItem(one.request, verdict, { scope, reason, at: deps.now() })
  await store.post(one.runId, item)
  const given = await answerThatCounts(store, one, deps.now())
  if (given.itemId !== item.id) return tooLate(store, one, given, deps)
  if (verdict === 'allow' && scope !== 'once' && one.request.lasting !== undefined)
    deps.warn(`${lastingWords(one.request.lasting)}\n`)
  const isHeld = await store.isHeld(one.rootId)
  deps.warn(
    `${verdict === 'allow' ? 'Allowed' : 'Denied'}: ${visible(one.request.name)} ${visible(one.request.context)}${isHeld ? '' : `. ${nobodyDrives(one.rootId)}`}\n`,
  )
  return exitCodes.ok
}

/** After a post: the answer the run has taken, or the first of those it will find. */
async function answerThatCounts(store: RunStore, { runId, request }: OpenApproval, now: number): Promise<GivenAnswer> {
  const waiting = waitingAnswer(await store.inbox(runId), request, now)
  const taken = (await takenAnswers(store, runId)).get(request.approvalId)
  return taken ?? waiting ?? { verdict: 'withdrawn', scope: 'once', by: 'runtime' }
}

async function notOne(store: RunStore, id: string, count: number, { warn }: CommandDeps): Promise<number> {
  const settled = count === 0 ? await settledBefore(store, id) : undefined
  if (settled) {
    warn(`offshoot: your answer was not taken. ${visible(id)} was settled before: ${answerWords(settled)}\n`)
    return exitCodes.error
  }
  const found = count > 0 ? `"${id}" could be ${count} requests` : `nothing open is called "${id}"`
  warn(`offshoot: ${found}; "offshoot approvals list" shows them.\n`)
  return exitCodes.usage
}

/** The id of a request begins with that of its run. */
async function settledBefore(store: RunStore, id: string): Promise<GivenAnswer | undefined> {
  const runId = id.split('/')[0] as RunId
  return id.includes('/') ? (await takenAnswers(store, runId)).get(id) : undefined
}

async function tooLate(
  store: MeasuredStore,
  { request, rootId }: OpenApproval,
  answer: GivenAnswer,
  { warn }: CommandDeps,
): Promise<number> {
  const isOver = answer.verdict === 'expired' || answer.verdict === 'withdrawn'
  const next = isOver ? '' : `. That one counts. ${await whoTakesIt(store, rootId)}`
  warn(`offshoot: your answer was not taken. ${visible(request.approvalId)}: ${answerWords(answer)}${next}\n`)
  return exitCodes.error
}

const whoTakesIt = async (store: MeasuredStore, rootId: RunId): Promise<string> =>
  (await store.isHeld(rootId)) ? 'The run has it, or takes it at once.' : nobodyDrives(rootId)

const nobodyDrives = (rootId: RunId): string =>
  `Nobody drives it now: ${commandLine('offshoot', 'runs', 'resume', rootId)}`

function lastingWords(lasting: string | false): string {
  if (lasting === false) return 'An allow counts for once: no rule is narrow enough to keep.'
  const why = whyNotKept(lasting)
  if (why) return `An allow ends with the session that asks, "always" too: ${why}.`
  return coversWholeTool(lasting)
    ? `Longer than once it is kept for the whole tool, whatever its input: ${visible(lasting)}`
    : `Longer than once it is kept as ${visible(lasting)}`
}

const answerItem = (
  { approvalId, callId, inputHash }: ApprovalRequested,
  verdict: 'allow' | 'deny',
  { scope, reason, at }: AnswerOptions & { readonly at: number },
): InboxItem => ({
  id: `answer/${approvalId}/${randomUUID()}`,
  kind: 'answer',
  approvalId,
  callId,
  inputHash,
  verdict,
  scope,
  by: 'user',
  at,
  ...(reason && { reason }),
})
