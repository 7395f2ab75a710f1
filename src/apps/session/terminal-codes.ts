/**
 * What a terminal would obey, and who may say it: the last step of all that the program writes. Nobody else's code gets
 * through, whichever file, model or server wrote it; our own colours carry a mark that no text can foresee.
 */

/** Whole ones, as a pattern. What is begun and nowhere ended takes none of the text behind it away. */
export const terminalSequence = String.raw`\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b\n]*(?:\u0007|\u001b\\)|[@-Z\\-_])`

/** A parameter that no code has. New with every start: what lies in a file was written before. */
const ours = String(1e9 + Math.floor(Math.random() * 9e9))

/** A colour of the program itself, as it is written before `forTerminal`. */
export const ownColour = (code: number): string => `\u001b[${ours};${code}m`

const obeyed = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/
const codes = new RegExp(
  String.raw`\u001b\[${ours};(?<own>\d+)m|${terminalSequence}|(?<eight>[\u007f-\u009f])|(?<line>\r(?=[^\n])|\f)|\r(?!\n)|[\u0000-\u0008\u000b\u000e-\u001f]`,
  'g',
)

/**
 * Lines and tabs stay; what overwrites a line or begins a page begins a line. What has eight bits is shown by its number, in the way of JSON: JSON leaves it unescaped, and a
 * document stays as exact as it was.
 */
export function forTerminal(text: string): string {
  if (!obeyed.test(text)) return text
  return text.replace(codes, (...found) => {
    const { own, eight, line } = found.at(-1) as Readonly<Record<string, string | undefined>>
    if (own !== undefined) return `\u001b[${own}m`
    if (line !== undefined) return '\n'
    return eight === undefined ? '' : `\\u${eight.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}
