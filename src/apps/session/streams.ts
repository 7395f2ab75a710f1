/**
 * The program's own streams. A reader that has gone away is worth a word only to whoever was not done; an answer that
 * could not be written (a full disk) is an error, and the program ends as failed.
 */
import { exitCodes } from './exit-codes.js'

export interface Streams {
  stdout(text: string): void
  readonly stderr: { readonly isTTY?: boolean; write(text: string): unknown }
  readonly env: Readonly<Record<string, string | undefined>>
  /** Called at every Ctrl+C; returns how to stop listening. */
  onInterrupt(hear: () => void): () => void
  /**
   * Called when the process is told to end, with how; what `hear` promises is waited for, for a moment, and then it ends.
   * Returns how to stop listening.
   */
  onTerminate(hear: (how: string) => unknown): () => void
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
      const closes = Object.entries(endings).map(([signal, how]) => onSignal(signal as NodeJS.Signals, () => hear(how)))
      return () => {
        for (const close of closes) close()
      }
    },
    onBrokenPipe(hear) {
      tellBroken = hear
      if (isBroken) hear()
    },
  }
}

/** SIGQUIT is for whoever wants an end at once, and SIGUSR1 is Node's own. */
const endings = { SIGTERM: 'terminated', SIGHUP: 'the terminal went away' }

/** What the last things may take: counting what was asked of a model and not answered. */
const lastMs = 1500

function onSignal(signal: NodeJS.Signals, hear: () => unknown): () => void {
  const last = () => {
    process.off(signal, last)
    // Whoever sent it sees the end it asked for, and nothing that is done before holds it up; a second one ends it at once.
    const end = () => void process.kill(process.pid, signal)
    const timer = setTimeout(end, lastMs)
    void Promise.resolve(hear())
      .catch(() => {})
      .then(() => clearTimeout(timer))
      .then(end)
  }
  process.on(signal, last)
  return () => void process.off(signal, last)
}

/** Whatever the program comes to afterwards, nobody got its answer. */
function failToWrite(error: Error): void {
  process.stderr.write(`offshoot: the output could not be written: ${error.message}. Choose another place for it.\n`)
  process.once('exit', () => {
    process.exitCode = exitCodes.error
  })
}
