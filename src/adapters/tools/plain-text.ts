/** Text made safe to show: no terminal codes, one line where one line is wanted. */
import { cutCharacters } from '../../core/text/text.js'

// Operating-system commands (title, clipboard, links), then cursor and colour codes, then short escapes.
const terminalCodes =
  /\x1b[\]PX^_][^\x07\x1b]{0,8192}(?:\x07|\x1b\\)?|\x1b\[[0-9;:<=>?]{0,64}[ -/]{0,8}[@-~]?|\x1b[ -/]{0,8}[0-~]?/g
const controls = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g
const directionMarks = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Without terminal codes and control characters; lines and tabs stay. Linear in its length. */
export function stripControls(text: string): string {
  return withoutOverwritten(text.replace(terminalCodes, '')).replace(controls, '')
}

/** A carriage return goes back to the start of its line: only what was written last is seen, as with progress bars. */
function withoutOverwritten(text: string): string {
  if (!text.includes('\r')) return text
  return text
    .split('\n')
    .map(line => {
      let end = line.length
      while (line[end - 1] === '\r') end--
      return line.slice(end === 0 ? 0 : line.lastIndexOf('\r', end - 1) + 1, end)
    })
    .join('\n')
}

/** One line of at most `limit` characters, for people. */
export function oneLine(text: string, limit: number): string {
  const flat = stripControls(text.slice(0, limit * 4 + 1024).replace(/[\r\n]+/g, ' '))
    .replace(directionMarks, '')
    .replace(/\s+/g, ' ')
    .trim()
  return cutCharacters(flat, limit)
}

export function plural(count: number, noun: string, many = `${noun}s`): string {
  return `${grouped(count)} ${count === 1 ? noun : many}`
}

/** 1,234,567. By hand: the language tables behind toLocaleString take ten milliseconds to load. */
const grouped = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',')

export function bytesInWords(bytes: number): string {
  if (bytes < 1024) return plural(bytes, 'byte')
  const units = ['KB', 'MB', 'GB', 'TB']
  const power = Math.min(Math.floor(Math.log2(bytes) / 10), units.length)
  return `${(bytes / 1024 ** power).toFixed(power > 1 ? 1 : 0)} ${units[power - 1]}`
}
