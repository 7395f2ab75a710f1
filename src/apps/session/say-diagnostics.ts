/** What was found wrong with what a session stands on, once, in few lines: all of it is in `doctor` and `agents lint`. */
import { changedSettings } from '../../adapters/sources/settings.js'
import type { Diagnostic } from '../../core/ports.js'
import { lostRule } from '../../core/settings/settings-slips.js'
import { visible } from '../../core/text/shell-word.js'
import { countWords } from './figures.js'
import { programWords } from './program-words.js'

/** Where they are not what was asked for. */
const shownAtStart = 4

/** What is told in any case, however quiet the rest is to be. */
export const errorsIn = (diagnostics: readonly Diagnostic[]): readonly Diagnostic[] =>
  diagnostics.filter(({ severity }) => severity === 'error')

/**
 * With `-q`: errors, what the command line itself names and cannot have, rules that counted and do so no longer, and rules
 * that bind nothing.
 */
export const toldQuietly = (diagnostics: readonly Diagnostic[]): readonly Diagnostic[] =>
  diagnostics.filter(
    ({ severity, file, code }) =>
      severity === 'error' || refusable.has(file) || code === changedSettings || code === lostRule,
  )

const refusable: ReadonlySet<string | undefined> = new Set([
  '--mcp-config',
  '--permission-mode',
  '--max-budget-usd',
  '--allowedTools',
])

/** `shown`: all of them, for a command that is asked for this very thing. */
export function sayDiagnostics(
  diagnostics: readonly Diagnostic[],
  write: (text: string) => void,
  shown: number = shownAtStart,
): void {
  const warnings = diagnostics.filter(({ severity }) => severity === 'warning')
  // Few are shown: what may be lost comes before what only reads oddly.
  const lost = warnings.filter(({ code }) => code === lostRule)
  const worth = [...errorsIn(diagnostics), ...lost, ...warnings.filter(each => !lost.includes(each))]
  for (const { file, line, message, hint } of worth.slice(0, shown)) {
    const place = file === undefined ? '' : `${file}${line === undefined ? '' : `:${line}`}: `
    // Names in it may come from files that nobody trusts.
    write(`offshoot: ${visible(`${place}${message}${hint ? `; ${programWords(hint)}` : ''}`)}\n`)
  }
  if (worth.length > shown)
    write(
      `offshoot: ${countWords(worth.length - shown, 'more remark')}: "offshoot doctor" and "offshoot agents lint" have them\n`,
    )
}
