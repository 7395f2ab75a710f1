import { createInterface } from 'node:readline/promises'
import { forTerminal } from '../session/terminal-codes.js'

/** No where nobody is there to be asked. */
export async function askAtTerminal(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) return false
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(es)?$/i.test((await lines.question(forTerminal(`${question} [y/N] `))).trim())
  } finally {
    lines.close()
  }
}
