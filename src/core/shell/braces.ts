/** Brace expansion on the text of one word, before any other expansion, as bash does it. */

const maxWords = 256

/** The words in order; undefined when there are too many, or something inside needs a running shell. */
export function expandBraces(text: string): readonly string[] | undefined {
  if (/[$`]/.test(text)) return undefined
  const words: string[] = []
  return expandInto(words, '', text) ? words : undefined
}

/** Adds every word that starts with `done` and goes on with an expansion of `rest`. False past the bound. */
function expandInto(words: string[], done: string, rest: string): boolean {
  const group = firstGroup(rest)
  if (!group) {
    words.push(done + rest)
    return words.length <= maxWords
  }
  const before = done + rest.slice(0, group.start)
  const after = rest.slice(group.end + 1)
  for (const choice of group.choices) {
    const inner: string[] = []
    if (!expandInto(inner, '', choice)) return false
    for (const one of inner) if (!expandInto(words, before + one, after)) return false
  }
  return true
}

interface Group {
  readonly start: number
  readonly end: number
  readonly choices: readonly string[]
}

function firstGroup(text: string): Group | undefined {
  for (let index = 0; index < text.length; index++) {
    const quotedUpTo = skipQuoted(text, index)
    const group = quotedUpTo === index && text[index] === '{' ? readGroup(text, index) : undefined
    if (group) return group
    index = quotedUpTo
  }
  return undefined
}

function readGroup(text: string, start: number): Group | undefined {
  const commas: number[] = []
  let depth = 0
  for (let index = start; index < text.length; index++) {
    const quotedUpTo = skipQuoted(text, index)
    const letter = quotedUpTo === index ? text[index] : undefined
    index = quotedUpTo
    if (letter === '{') depth++
    else if (letter === ',' && depth === 1) commas.push(index)
    else if (letter === '}' && --depth === 0) {
      const choices = commas.length > 0 ? split(text, start, index, commas) : sequence(text.slice(start + 1, index))
      return choices && { start, end: index, choices }
    }
  }
  return undefined
}

function split(text: string, start: number, end: number, commas: readonly number[]): readonly string[] {
  const cuts = [start, ...commas, end]
  return cuts.slice(1).map((cut, index) => text.slice(cuts[index]! + 1, cut))
}

function sequence(body: string): readonly string[] | undefined {
  const match = /^(-?\d{1,9}|[A-Za-z])\.\.(-?\d{1,9}|[A-Za-z])(?:\.\.(-?\d{1,9}))?$/.exec(body)
  if (!match) return undefined
  const areLetters = /[A-Za-z]/.test(match[1]!)
  if (areLetters !== /[A-Za-z]/.test(match[2]!)) return undefined
  const [from, to] = [match[1]!, match[2]!].map(end => (areLetters ? end.charCodeAt(0) : Number(end)))
  const step = Math.max(1, Math.abs(Number(match[3] ?? 1)))
  const count = Math.floor(Math.abs(to! - from!) / step) + 1
  const values = Array.from(
    { length: Math.min(count, maxWords + 1) },
    (_, index) => from! + Math.sign(to! - from!) * step * index,
  )
  return values.map(value => (areLetters ? String.fromCharCode(value) : String(value)))
}

/** The index of the last letter of a quoted stretch that begins here, else the index itself. */
function skipQuoted(text: string, index: number): number {
  const letter = text[index]
  if (letter === '\\') return index + 1
  if (letter !== "'" && letter !== '"') return index
  for (let end = index + 1; end < text.length; end++) {
    if (text[end] === '\\' && letter === '"') end++
    else if (text[end] === letter) return end
  }
  return text.length
}
