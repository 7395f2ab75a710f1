/**
 * One shape for every tool: its input typed, its words for people bounded, its expected failures as outputs.
 * The runtime checks an input against the schema before the call; this is the one place that trusts it.
 */
import type { Tool, ToolContext, ToolOutput } from '../../core/ports.js'
import type { ToolEffect, ToolSpec } from '../../core/types.js'
import { codeOf, FileRefused } from '../os/real-file.js'
import { oneLine } from './plain-text.js'

export interface ToolParts<Input> {
  readonly spec: ToolSpec
  effectOf?(input: Input): ToolEffect
  /** Path, command…: for people. */
  context(input: Input): string
  /** Throws `ToolFailure` for what the model should read and act on. */
  run(input: Input, context: ToolContext): Promise<ToolOutput>
  /** Throws `ToolFailure` where `run` would, as far as the run may know that by itself. */
  foresee?(input: Input, context: ToolContext): Promise<void>
}

/** What went wrong and what to do next, in words for the model. Anything else thrown is a bug. */
export class ToolFailure extends Error {
  readonly summary: string
  constructor(message: string, summary = 'failed') {
    super(message)
    this.summary = summary
  }
}

export function defineTool<Input>(parts: ToolParts<Input>): Tool {
  const { effectOf, foresee } = parts
  return {
    spec: parts.spec,
    ...(effectOf && { effectOf: (input: unknown) => effectOf(input as Input) }),
    context: input => describe(() => parts.context(input as Input)),
    async run(input, context) {
      context.signal.throwIfAborted()
      try {
        const output = await parts.run(input as Input, context)
        return output.summary === undefined ? output : { ...output, summary: oneLine(output.summary, 50) }
      } catch (error) {
        const failure = asFailure(error)
        if (!failure) throw error
        return outputOf(failure)
      }
    },
    ...(foresee && {
      foresee: (input: unknown, context: ToolContext) =>
        foresee(input as Input, context).catch(error => {
          const failure = asFailure(error)
          return failure && outputOf(failure)
        }) as Promise<ToolOutput | undefined>,
    }),
  }
}

const outputOf = ({ message, summary }: ToolFailure): ToolOutput => ({
  content: message,
  isError: true,
  summary: oneLine(summary, 50),
})

/** Shown before the input is checked, so it may be anything. */
function describe(context: () => string): string {
  try {
    return oneLine(String(context()), 60)
  } catch {
    return ''
  }
}

function asFailure(error: unknown): ToolFailure | undefined {
  if (error instanceof ToolFailure) return error
  if (error instanceof FileRefused) {
    return new ToolFailure(`Refused: ${error.message}. Nothing was read or written.`, 'refused')
  }
  const code = codeOf(error)
  const sentence = code && fileErrors[code]
  if (!sentence) return undefined
  const path = (error as NodeJS.ErrnoException).path
  return new ToolFailure(path && !path.startsWith('/proc/self/fd/') ? `${sentence}: ${path}` : sentence, sentence)
}

const fileErrors: Readonly<Record<string, string>> = {
  ENOENT: 'No such file or directory',
  ENOTDIR: 'A part of this path is a file, not a directory',
  EISDIR: 'This is a directory, not a file',
  EACCES: 'The operating system denies access',
  EPERM: 'The operating system does not permit this',
  EROFS: 'The file system is read-only',
  ENOSPC: 'The disk is full; nothing was changed',
  ENAMETOOLONG: 'The path is too long',
  ELOOP: 'Too many symbolic links on this path',
  EMFILE: 'Too many files are open; try again with fewer calls at once',
  ENXIO: 'This is a device or socket, not a file',
}
