/** What a call is about, in few words, for a line that tells what is going on. The transcript has all of it. */

/** Of a search whose pattern is hard to read the words in it. */
export function callWords(name: string, context: string): string {
  if (name !== 'Grep' || context.length <= readable) return context
  const pattern = context.slice(0, most)
  if ((pattern.match(signs)?.length ?? 0) < fewSigns) return context
  const words = new Set(pattern.replace(noWords, ' ').match(word))
  return words.size === 0 ? context : [...words].join(' ')
}

const readable = 24
const most = 2000
const fewSigns = 4
const signs = /[\\()[\]{}|?*+^$]/g
/** Classes of signs, escaped letters, what begins a group, and how often. */
const noWords = /\[\^?\]?(?:\\.|[^\]\\])*\]|\\[A-Za-z]|\(\?(?:[a-z-]*[:)]|<?[=!]|<[^>]*>)|\{\d[\d,]*\}/g
const word = /[\p{L}\p{N}_][\p{L}\p{N}_-]*/gu
