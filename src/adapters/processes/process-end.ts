/** What the end of a process means: an exit code, a signal and the last lines it printed, as a rule and a sentence. */
import type { ProcessEnd } from '../../core/run-process.js'

export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  /** The last it printed. */
  readonly printed: string
  /** Whether it had said that its loop is over. */
  readonly isDone: boolean
}

export function readExit({ code, signal, printed, isDone }: Exit): ProcessEnd {
  const tail = printed.trim() === '' ? {} : { printed: printed.trim() }
  if (isDone && (code === 0 || signal === 'SIGTERM')) return { rule: 'process-left', message: 'its process has ended' }
  if (outOfMemory.test(printed))
    return { rule: 'out-of-memory', message: 'its process used more memory than it was given', ...tail }
  if (signal === 'SIGXCPU')
    return { rule: 'cpu-limit', message: 'its process used more processor time than it was given', ...tail }
  const how = signal ? `was ended by ${signal}` : `ended with exit code ${code}`
  return { rule: 'process-died', message: `its process ${how}${lastWords(printed)}`, ...tail }
}

const outOfMemory =
  /heap out of memory|fatal process out of memory|allocation failed - process out of memory|std::bad_alloc/i

/** The line that names the error, which Node prints above the stack. */
function lastWords(printed: string): string {
  const lines = printed.split('\n').map(line => line.trim())
  const named = lines.find(line => /^(\w*Error|Error \[\w+\]|FATAL ERROR)\b.*:/.test(line))
  return named ? ` (${named.slice(0, 200)})` : ''
}

/** Keeps the end of what is printed. */
export class Tail {
  #text = ''
  readonly #bound: number

  constructor(bound = 8_192) {
    this.#bound = bound
  }

  readonly push = (chunk: Buffer): void => {
    this.#text = (this.#text + chunk.toString('utf8')).slice(-this.#bound)
  }

  get text(): string {
    return this.#text
  }
}
