/** Ctrl+Z as everywhere: the terminal is the shell's again, and ours when the program goes on. */
import { bracketedPaste } from './keyboard.js'

export const cursor = { show: '\u001b[?25h', hide: '\u001b[?25l' }

/** Stops this process and what shares its group, as the terminal itself would. Ends when it goes on, or cannot stop. */
export function suspend(goOn: () => void): void {
  if (process.platform === 'win32') return
  process.stdin.setRawMode(false)
  process.stdout.write(bracketedPaste.off + cursor.show)
  process.kill(0, 'SIGTSTP')
  // A group that no shell waits for is never stopped, and never told to go on.
  goOn()
}

/** Also after a stop from outside: the shell has set the terminal to its own liking. Returns how to end it. */
export function whenGoingOn(redraw: () => void): { readonly goOn: () => void; close(): void } {
  const goOn = () => {
    process.stdin.setRawMode(true)
    process.stdout.write(bracketedPaste.on + cursor.hide)
    redraw()
  }
  process.on('SIGCONT', goOn)
  return { goOn, close: () => void process.off('SIGCONT', goOn) }
}
