/** The program's own streams: a reader that has gone away is no error worth a word. */
export interface Streams {
  stdout(text: string): void
  readonly stderr: { readonly isTTY?: boolean; write(text: string): unknown }
  readonly env: Readonly<Record<string, string | undefined>>
  /** Called at every Ctrl+C; returns how to stop listening. */
  onInterrupt(hear: () => void): () => void
  /** Called once when nobody reads stdout any more. */
  onBrokenPipe(hear: () => void): void
}

export function processStreams(): Streams {
  let isBroken = false
  let tellBroken = () => {}
  process.stdout.on('error', error => {
    if ((error as { code?: string }).code !== 'EPIPE') throw error
    isBroken = true
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
    onBrokenPipe(hear) {
      tellBroken = hear
      if (isBroken) hear()
    },
  }
}
