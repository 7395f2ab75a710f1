/**
 * A fault inside a list or a map is told where the item stands, not at the key far above. Whoever reads a field has its
 * value and no places in it; but its message names the item in quotes, and where only one line below the key has that word
 * as an item or a key, it is that line.
 */
import type { Diagnostic } from '../../ports.js'
import type { FileReading } from '../read-agent-file.js'

export function toldAtItems(reading: FileReading, text: string): FileReading {
  const { diagnostics } = reading
  if (!diagnostics.some(({ message, column }) => column !== undefined && message.includes('"'))) return reading
  const lines = text.slice(0, maxText).split('\n')
  return { ...reading, diagnostics: diagnostics.map((each, at) => (at < maxMoved ? atItsItem(each, lines) : each)) }
}

const maxText = 256 * 1024
const maxMoved = 50
const maxBelow = 200
const keyAlone = /^\s*["']?([\w.-]+)["']?:\s*(?:#.*)?$/

function atItsItem(diagnostic: Diagnostic, lines: readonly string[]): Diagnostic {
  const { line = 0, column, message } = diagnostic
  const key = keyAlone.exec(lines[line - 1]?.slice(0, 200) ?? '')?.[1]
  if (key === undefined || column === undefined) return diagnostic
  const words = [...message.replace(wholeValue, '').matchAll(/"([^"\s]{1,80})"/g)].map(([, word]) => word!)
  // Others are what may be meant.
  const word = words.find(each => each !== key)
  if (word === undefined) return diagnostic
  const below = lines.slice(line, line + maxBelow)
  const end = below.findIndex(text => text.trim() !== '' && !/^(?:\s|- |#)/.test(text))
  const items = end < 0 ? below : below.slice(0, end)
  const found = items.flatMap((text, at) => (isItem(text, word) ? [at] : []))
  if (found.length !== 1) return diagnostic
  return { ...diagnostic, line: line + 1 + found[0]!, column: items[found[0]!]!.search(/\S/) + 1 }
}

/** `"memory" is {"scope":…`: that is about all of it. */
const wholeValue = / is [[{].*$/s

/** `- "Bsh(x)"` is one of `Bsh`, and `mytool: false` of `mytool`. */
function isItem(line: string, word: string): boolean {
  const text = line.trimStart().replace(/^-\s+/, '').replace(/^["']/, '')
  return text.startsWith(word) && /^(?:["'(:,\s]|$)/.test(text.slice(word.length))
}
