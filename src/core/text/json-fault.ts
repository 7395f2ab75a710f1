/**
 * What is wrong with a text that is no JSON, for a person: the parser's word and the place as people count it. Never what
 * the text says: parsers quote it, and it may be anything.
 */
export function jsonFault(text: string): string {
  const { said, line, column } = jsonFaultAt(text)
  return `${said} at line ${line}, column ${column}`
}

export function jsonFaultAt(text: string): { readonly said: string; readonly line: number; readonly column: number } {
  const { said, at } = parse(text)
  const before = text.slice(0, at ?? firstBad(text)).split('\n')
  return { said, line: before.length, column: before.at(-1)!.length + 1 }
}

function parse(text: string): { readonly said: string; readonly at?: number } {
  try {
    JSON.parse(text)
    return { said: 'nothing', at: 0 }
  } catch (error) {
    const [, said = 'Something unexpected', at] =
      /^(.*?)(?:, (?:\.\.\.)?"[\s\S]*)?(?: in JSON)?(?: at position (\d+)[\s\S]*)?$/.exec((error as Error).message) ??
      []
    return { said: said.replace(/ of JSON input$/, ''), ...(at !== undefined && { at: Number(at) }) }
  }
}

/** The longest beginning that only lacks an end, found by halving. */
function firstBad(text: string): number {
  if (lacksEnd(text)) return text.length
  // Each half is parsed; nobody looks for a column in so long a text.
  if (text.length > maxHalved) return 0
  let [sound, bad] = [0, text.length]
  while (bad - sound > 1) {
    const middle = (sound + bad) >> 1
    if (lacksEnd(text.slice(0, middle))) sound = middle
    else bad = middle
  }
  return sound
}

const maxHalved = 100_000

function lacksEnd(beginning: string): boolean {
  const { said, at } = parse(beginning)
  return said === 'nothing' || /^(Unexpected end|Unterminated)/.test(said) || (at ?? -1) >= beginning.length
}
