/**
 * Bash: commands with a time limit, ended as a whole.
 * B1 On timeout or abort everything the command started is ended before this returns.
 * B2 Output is bounded; what does not fit lies in a file, and the text says where.
 */
import type { Tool, ToolContext, ToolOutput } from '../../core/ports.js'
import { defineTool } from './define-tool.js'
import { shownPath } from './file-access.js'
import type { CommandEnd, StartedCommand } from './shell-command.js'
import { amountText, endText, leftBehindText, outputText } from './shell-text.js'
import type { Shells } from './shells.js'

interface BashInput {
  readonly command: string
  readonly timeout?: number
  readonly description?: string
  readonly run_in_background?: boolean
}

const defaultMs = 120_000
const maxMs = 600_000

export function createBashTool(shells: Shells): Tool {
  return defineTool<BashInput>({
    spec: {
      name: 'Bash',
      description:
        'Runs a command in bash. The working directory is kept between calls. No terminal and no input. Long output goes to a file. To look at files, prefer Read, Grep and Glob.',
      effect: 'execute',
      inputSchema: {
        type: 'object',
        properties: {
          command: { type: 'string' },
          timeout: {
            type: 'integer',
            minimum: 1,
            maximum: maxMs,
            description: `ms; default ${defaultMs}`,
          },
          description: { type: 'string', description: '5-10 words' },
          run_in_background: { type: 'boolean', description: 'Returns at once; see BashOutput' },
        },
        required: ['command'],
      },
    },
    context: input => input.command,
    run: (input, context) =>
      input.run_in_background ? runInBackground(shells, input, context) : runToEnd(shells, input, context),
  })
}

async function runInBackground(shells: Shells, input: BashInput, context: ToolContext): Promise<ToolOutput> {
  const { id } = await shells.startInBackground(input.command, context)
  return {
    content: `Started in the background as ${id}. Read it with BashOutput, end it with KillShell; it ends with this run.`,
    summary: `started ${id}`,
    leftRunning: { id, isOver: false },
  }
}

async function runToEnd(shells: Shells, input: BashInput, context: ToolContext): Promise<ToolOutput> {
  const started = await shells.start(input.command, context)
  const timeoutMs = Math.min(input.timeout ?? defaultMs, maxMs)
  const end = await endWithin(started, timeoutMs, context)
  if (end === 'aborted') throw context.signal.reason
  const taken = started.take()
  const printed = outputText(taken)
  if (end === 'timeout') {
    const note = `[timed out after ${timeoutMs / 1000} s and was ended, with everything it started. Give a longer timeout (at most ${maxMs}), or use run_in_background]`
    return { content: joinLines([printed, note]), isError: true, summary: 'timed out' }
  }
  return describe({ printed, amount: amountText(taken, printed, 'no output') }, end, shells, context)
}

async function endWithin(
  started: StartedCommand,
  timeoutMs: number,
  { clock, signal }: ToolContext,
): Promise<CommandEnd | 'timeout' | 'aborted'> {
  const over = new AbortController()
  const either = AbortSignal.any([signal, over.signal])
  const waited = clock.sleep(timeoutMs, either).then(
    () => 'timeout' as const,
    () => 'aborted' as const,
  )
  try {
    const first = await Promise.race([started.ended, waited])
    if (typeof first === 'string') await started.end()
    return first
  } finally {
    over.abort()
  }
}

interface Printed {
  readonly printed: string
  readonly amount: string
}

function describe({ printed, amount }: Printed, end: CommandEnd, shells: Shells, context: ToolContext): ToolOutput {
  const isError = end.code !== 0
  const moved = shells.moveTo(end.directory, context)
  const now = shells.directoryOf(context.runId, context.workspace)
  const place = moved === 'same' ? undefined : directoryText(moved, now, end, context)
  const content = joinLines([printed, endText(end), leftBehindText(end), place])
  const summary = isError ? (endText(end) ?? 'failed').replace(/[[\]]/g, '') : amount
  return {
    content: content === '' ? '[no output]' : content,
    summary,
    ...(isError && { isError }),
    // Whatever made it so, the log is to know.
    ...(now !== (context.shellDirectory ?? context.workspace.cwd) && { shellDirectory: now }),
  }
}

function directoryText(moved: 'moved' | 'outside', now: string, end: CommandEnd, context: ToolContext): string {
  if (moved === 'moved') return `[working directory: ${shownPath(now, context.workspace.cwd)}]`
  return `[working directory set back to ${now}: ${end.directory} is outside the workspace]`
}

function joinLines(parts: readonly (string | undefined)[]): string {
  return parts.filter(part => part !== undefined && part !== '').join('\n')
}
