/** One question, one answer: what `offshoot -p` and a pipe do. Progress goes to stderr, the answer alone to stdout. */
import type { Result } from '../../core/types.js'
import type { NodeOffshoot, NodeOptions } from '../../node.js'
import type { RunHandle } from '../../offshoot.js'
import { type AnswerWriter, answerWriter, type OutputFormat, type SessionFacts } from './answer-format.js'
import { exitCodeOf, exitCodes } from './exit-codes.js'
import { paint, wantsColour } from './paint.js'
import { progressLines } from './progress-lines.js'

export interface AskRequest {
  readonly prompt: string
  readonly agent?: string
  readonly model?: string
  readonly format: OutputFormat
  readonly node: NodeOptions
  readonly isQuiet?: boolean
  /** Continue this run with the prompt instead of beginning one. */
  readonly resume?: string
}
export interface AskStreams {
  readonly stdout: (text: string) => void
  readonly stderr: { readonly isTTY?: boolean; write(text: string): unknown }
  readonly env: Readonly<Record<string, string | undefined>>
  /** Called with what to do on Ctrl+C; returns how to stop listening. */
  onInterrupt(stop: () => void): () => void
}

export async function ask(request: AskRequest, streams: AskStreams): Promise<number> {
  const [{ openOffshoot }, { openAgentsOnDisk }] = await Promise.all([
    import('../../node.js'),
    import('../../adapters/sources/agents-on-disk.js'),
  ])
  const { catalog } = await openAgentsOnDisk({ cwd: request.node.cwd ?? process.cwd(), env: streams.env }).load()
  const house = await openOffshoot({ ...request.node, agents: () => catalog })
  try {
    return await askIn(house, request, streams)
  } finally {
    await house.close('leave')
  }
}

async function askIn(house: NodeOffshoot, request: AskRequest, streams: AskStreams): Promise<number> {
  const look = paint(wantsColour(streams.stderr, streams.env))
  const complain = (text: string) => void streams.stderr.write(`${look.red('offshoot:')} ${text}\n`)
  const writer = answerWriter(request.format, streams.stdout)
  const stopHearing = listen(house, request, streams, writer)
  const started = await begin(house, request)
  if ('refused' in started) {
    complain(started.refused)
    return started.rule === 'unknown-agent' || started.rule === 'unknown-run' ? exitCodes.usage : exitCodes.error
  }
  const session = await describeSession(house, started, request)
  if (!request.isQuiet) streams.stderr.write(look.dim(`model ${session.model}: ${session.why}\n`))
  writer.begin(session)
  let wasInterrupted = false
  const stopListening = streams.onInterrupt(() => {
    wasInterrupted = true
    void started.stop('interrupted by the user')
  })
  const result = await started.result
  stopListening()
  stopHearing()
  writer.end(result, session, await treeCost(house, started.id))
  if (result.outcome !== 'completed')
    complain(
      `${result.outcome}${result.error ? `: ${result.error.message}` : ''}. "offshoot runs resume ${started.id}" goes on from here.`,
    )
  return exitCodeOf(result, wasInterrupted)
}

function begin({ offshoot }: NodeOffshoot, { prompt, agent, model, resume }: AskRequest) {
  if (resume !== undefined) return offshoot.resume(resume, prompt)
  return offshoot.start({
    prompt,
    description: 'question from the command line',
    ...(agent && { agent }),
    ...(model && { model }),
  })
}

function listen(
  { offshoot }: NodeOffshoot,
  { isQuiet }: AskRequest,
  { stderr, env }: AskStreams,
  writer: AnswerWriter,
): () => void {
  const lines = isQuiet ? () => {} : progressLines(text => void stderr.write(text), wantsColour(stderr, env))
  return offshoot.subscribe({}, envelope => {
    lines(envelope)
    writer.hear(envelope)
  })
}

async function describeSession(
  { offshoot, models }: NodeOffshoot,
  run: RunHandle,
  request: AskRequest,
): Promise<SessionFacts> {
  const brief = await run.brief()
  const model = brief?.model ?? models.defaultModel.id
  return {
    runId: run.id,
    model,
    why:
      model === models.defaultModel.id && !request.model
        ? models.defaultModel.why
        : (brief?.reasons.find(reason => reason.about === 'model')?.detail ?? 'chosen'),
    cwd: request.node.cwd ?? process.cwd(),
    tools: brief?.allowed ?? [],
    agents: offshoot
      .catalog()
      .offered()
      .map(agent => agent.name),
  }
}

/** What the whole tree has cost; undefined as soon as one price is unknown. */
async function treeCost({ offshoot }: NodeOffshoot, rootId: Result['runId']): Promise<number | undefined> {
  let sum = 0
  for (const run of await offshoot.list({ rootId })) {
    if (run.cost === undefined) return undefined
    sum += run.cost
  }
  return sum
}
