/** Letters nobody sees: which of them a script needs, and how the others are named. */

/** `U+200B` */
export function codePoint(letter: string): string {
  return `U+${letter.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
}

/** Scripts in which a joiner, or what parts letters, belongs to how a word is spelt. */
const joined = ['Arab', 'Beng', 'Deva', 'Gujr', 'Guru', 'Khmr', 'Knda', 'Mlym', 'Mong', 'Mymr', 'Orya', 'Sinh', 'Syrc']
const letter = `[${[...joined, 'Taml', 'Telu'].map(script => String.raw`\p{Script=${script}}`).join('')}]`
const picture = String.raw`\p{Extended_Pictographic}`

/** Between such letters, and inside of one picture. As a pattern, since it is a part of longer ones. */
export const neededJoiner = [
  `(?<=${letter})[\u200c\u200d](?=${letter})`,
  String.raw`(?<=${picture}[\ufe0f\u{1f3fb}-\u{1f3ff}]?)\u200d(?=${picture})`,
  String.raw`(?<=${picture})\ufe0f`,
].join('|')

export const withoutJoiners = (text: string): string => text.replace(new RegExp(neededJoiner, 'gu'), '')
