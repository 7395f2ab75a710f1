/**
 * The program's own streams. A reader that has gone away is worth a word only to whoever was not done, or if it took
 * nothing at all; an answer that could not be written (a full disk) is an error, and the program ends as failed.
 * What others wrote has no codes for a terminal any more when it leaves here.
 * Node opens /dev/null where stdout is closed (`>&-`): that is told from no other /dev/null.
 */
import { exitCodes } from './exit-codes.js'
import { forTerminal } from './terminal-codes.js'

/** Nobody was there to take a word of it; or the place it was to go to took not all of it. */
export type Lost = 'unread' | 'unwritten'

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
  /** Waits until all that was written is out, or cannot be; undefined where it is. */
  lost(): Promise<Lost | undefined>
}

export function processStreams(): Streams {
  let fault: Error | undefined
  let isTaken = false
  let tellBroken = () => {}
  process.stdout.on('error', error => {
    if (fault) return
    fault = error
    if (codeOf(error) !== 'EPIPE') failToWrite(error)
    tellBroken()
  })
  process.stderr.on('error', () => {})
  const write = (text: string | Buffer) =>
    process.stdout.write(text, error => {
      if (!error) isTaken = true
    })
  return {
    stdout: said => {
      if (fault) return
      const text = forTerminal(said)
      if (isTaken || text.length < pipeBytes) write(text)
      else for (const part of inTwo(text)) write(part)
    },
    stderr: { isTTY: process.stderr.isTTY === true, write: text => process.stderr.write(forTerminal(text)) },
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
      if (fault) hear()
    },
    async lost() {
      await new Promise<void>(resolve => void process.stdout.write('', () => resolve()))
      // Whoever wrote hears of a fault before the stream tells it.
      await new Promise(resolve => setImmediate(resolve))
      if (codeOf(fault) === 'EPIPE') return isTaken ? undefined : 'unread'
      return fault && 'unwritten'
    },
  }
}

const codeOf = (error: NodeJS.ErrnoException | undefined): string | undefined => error?.code

/** Any pipe takes this much at once or not at all: so a reader that has enough is told from one that was not there. */
const pipeBytes = 512

function inTwo(text: string): readonly Buffer[] {
  const bytes = Buffer.from(text)
  return [bytes.subarray(0, pipeBytes), bytes.subarray(pipeBytes)]
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
