/** The keyboard of a terminal: raw while it is open, every read taken apart into keys. */
import type { ReadStream } from 'node:tty'
import type { KeyPress } from './model/keys.js'
import { KeyReader } from './model/read-keys.js'

/** Terminals mark pastes once they are told to. */
export const bracketedPaste = { on: '\u001b[?2004h', off: '\u001b[?2004l' }

export interface Keyboard {
  /** From now on what comes is thrown away. Ends after a silence, so that a shell does not run the rest of a paste. */
  drain(): Promise<void>
  close(): void
}

const quietMs = 150
const drainMs = 3000

export function openKeyboard(stdin: ReadStream, onKey: (key: KeyPress) => void): Keyboard {
  const reader = new KeyReader()
  let timer: NodeJS.Timeout | undefined
  const press = (keys: readonly KeyPress[]) => {
    for (const key of keys) onKey(key)
  }
  const hear = (chunk: string) => {
    clearTimeout(timer)
    const keys = reader.read(chunk, Date.now())
    if (reader.waitMs !== undefined) timer = setTimeout(() => press(reader.settle()), reader.waitMs)
    press(keys)
  }
  stdin.setEncoding('utf8')
  stdin.setRawMode(true)
  stdin.ref()
  stdin.on('data', hear)
  const hush = () => {
    clearTimeout(timer)
    stdin.off('data', hear)
  }
  return {
    drain: () => {
      hush()
      return untilQuiet(stdin)
    },
    close: () => {
      hush()
      stdin.setRawMode(false)
      stdin.pause()
      stdin.unref()
    },
  }
}

async function untilQuiet(stdin: ReadStream): Promise<void> {
  const end = Date.now() + drainMs
  await new Promise<void>(resolve => {
    const done = () => {
      stdin.off('data', again)
      resolve()
    }
    let timer = setTimeout(done, quietMs)
    const again = () => {
      clearTimeout(timer)
      timer = setTimeout(done, Math.max(0, Math.min(quietMs, end - Date.now())))
    }
    stdin.on('data', again)
    stdin.resume()
  })
}
