/** A report on a terminal: prose goes on below itself between words, and of a line of code the end is left out. */
import { fitTo, wrapWords } from '../../session/columns.js'
import { textWidth } from '../../session/text-width.js'

/** Nothing is left out where all of it `isWanted`. */
export function fitReport(text: string, width: number, isWanted: boolean): readonly string[] {
  return text.split('\n').flatMap(line => {
    if (textWidth(line) <= width) return line
    if (codeLine.test(line)) return isWanted ? line : fitTo(line, width).trimEnd()
    const [indent = ''] = /^\s*(?:[-*•]|\d+\.)?\s*/.exec(line)!
    const edge = ' '.repeat(Math.min(textWidth(indent), Math.floor(width / 2)))
    const [first = '', ...rest] = wrapWords(line.slice(indent.length), width - edge.length)
    return [indent + first, ...rest.map(each => edge + each)]
  })
}

/** As the excerpts of our own searches, and any that is set far in. */
const codeLine = /^\s*\d+ \||^(?: {8}|\t)/
