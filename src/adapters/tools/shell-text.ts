/** What a command printed and how it ended, in words. */
import { keptTreeBytes } from '../os/kept-outputs.js'
import type { OutputCapture } from '../os/output-capture.js'
import { bytesInWords, plural, stripControls } from './plain-text.js'
import type { CommandEnd } from './shell-command.js'

export function outputText(capture: OutputCapture): string {
  const { head, tail, leftOutBytes } = capture.ends()
  if (leftOutBytes === 0) return stripControls(head).trimEnd()
  const note = capture.isUnkept ? keptFull(leftOutBytes) : leftOutText(capture, leftOutBytes)
  return `${stripControls(head).trimEnd()}\n\n[${note}]\n\n${stripControls(tail).trimEnd()}`
}

/** How much there is of it; of what is only shown in part the lines were not counted. */
export function amountText(capture: OutputCapture, printed: string, none: string): string {
  if (printed === '') return none
  const isWhole = capture.ends().leftOutBytes === 0
  return isWhole ? plural(printed.split('\n').length, 'line') : `${bytesInWords(capture.totalBytes)} of output`
}

function leftOutText(capture: OutputCapture, leftOutBytes: number): string {
  const { fault, filePath, keptBytes, isFileCut, totalBytes } = capture
  const leftOut = `${bytesInWords(leftOutBytes)} of ${bytesInWords(totalBytes)} left out here`
  if (filePath === undefined)
    return `${leftOut} and not kept: it could not be stored (${fault}). Print less, or write to a file of your own`
  if (fault === undefined)
    return `${leftOut}; ${isFileCut ? 'the beginning of it' : 'all of it'} is in ${filePath}: use Grep or Read on it`
  return `${leftOut}; only the first ${bytesInWords(keptBytes)} are in ${filePath}: the rest could not be stored (${fault})`
}

/** The tree has kept as much as it may. */
export function keptFull(leftOutBytes: number): string {
  return `${bytesInWords(leftOutBytes)} left out here and not kept: this conversation has kept ${bytesInWords(keptTreeBytes)} of output, which is the most it may (kept-output-limit). Print less, or write to a file of your own`
}

export function endText(end: CommandEnd): string | undefined {
  if (end.error !== undefined) return `[the command could not be started: ${end.error}]`
  if (end.signal !== undefined) return `[ended by ${end.signal}]`
  return end.code === 0 ? undefined : `[exit code ${end.code}]`
}

export function leftBehindText({ leftBehind }: CommandEnd): string | undefined {
  if (leftBehind.length === 0) return undefined
  const names = leftBehind.slice(0, 3).map(({ pid, name }) => `${name} ${pid}`)
  const what = plural(leftBehind.length, 'process goes', 'processes go')
  return `[${what} on in the background (${names.join(', ')}), until this run ends]`
}
