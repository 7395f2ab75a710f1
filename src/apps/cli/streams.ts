/**
 * The program's own streams: a reader that has gone away is no error worth a word; an answer that could not be written
 * (a full disk) is one, and the program ends as failed.
 */
import { exitCodes } from './exit-codes.js'

export interface Streams {
  stdout(text: string): void
  readonly stderr: { readonly isTTY?: boolean; write(text: string): unknown }
  readonly env: Readonly<Record<string, string | undefined>>
  /** Called at every Ctrl+C; returns how to stop listening. */
  onInterrupt(hear: () => void): () => void
  /** Called when the process is told to end (SIGTERM), which it then does; returns how to stop listening. */
  onTerminate(hear: () => void): () => void
  /** Called once when nobody reads stdout any more. */
  onBrokenPipe(hear: () => void): void
}

export function processStreams(): Streams {
  let isBroken = false
  let tellBroken = () => {}
  process.stdout.on('error', error => {
    if (isBroken) return
    isBroken = true
    if ((error as { code?: string }).code !== 'EPIPE') failToWrite(error)
    tellBroken()
  })
  process.stderr.on('error', () => {})
  return {
    stdout: text => {
      if (!isBroken) process.stdout.write(text)
    },
    stderr: process.stderr,
    env: process.env,
    onInterrupt(hear) {
      process.on('SIGINT', hear)
      return () => void process.off('SIGINT', hear)
    },
    onTerminate(hear) {
      const last = () => {
        process.off('SIGTERM', last)
        hear()
        // Whoever sent it sees the end it asked for, and nothing is done that could hold it up.
        process.kill(process.pid, 'SIGTERM')
      }
      process.on('SIGTERM', last)
      return () => void process.off('SIGTERM', last)
    },
    onBrokenPipe(hear) {
      tellBroken = hear
      if (isBroken) hear()
    },
  }
}

/** Whatever the program comes to afterwards, nobody got its answer. */
function failToWrite(error: Error): void {
  process.stderr.write(`offshoot: the output could not be written: ${error.message}. Choose another place for it.\n`)
  process.once('exit', () => {
    process.exitCode = exitCodes.error
  })
}
