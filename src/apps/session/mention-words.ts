/** How `@agent` and `@file` are written in a prompt: plain, in quotes, or with a backslash before what is no plain letter. */

/** With their marks and joiners: Thai and Hindi are not written without. */
const letters = String.raw`\p{L}\p{M}\p{N}_\u200c\u200d`
const escaped = String.raw`\\[^\p{L}\p{N}\n]`
const plain = `(?:[${letters}./~:-]|${escaped})*(?:[${letters}/]|${escaped})`
const mention = new RegExp(String.raw`(?<=^|[\s(])@(?:"(?<quoted>(?:[^"\\\n]|\\[^\n])+)"|(?<plain>${plain}))`, 'gu')
const isPlain = new RegExp(`^[${letters}./~:-]*[${letters}/]$`, 'u')

export interface Mention {
  /** As it was written, with the `@`. */
  readonly written: string
  /** Nobody writes quotes around what is no name of a file. */
  readonly isQuoted: boolean
}

/** What is named, each once. */
export function mentionsIn(text: string): ReadonlyMap<string, Mention> {
  const found = new Map<string, Mention>()
  for (const match of text.matchAll(mention)) {
    const { quoted, plain: word } = match.groups!
    const name = unescaped((quoted ?? word)!)
    const isQuoted = quoted !== undefined || name !== word
    if (!found.has(name) || isQuoted) found.set(name, { written: match[0], isQuoted })
  }
  return found
}

/** A name as it is to be written, so that it is read as that name. */
export const mentionOf = (name: string): string =>
  isPlain.test(name) ? `@${name}` : `@"${name.replace(/["\\]/g, '\\$&')}"`

/** The mention that ends where `before` ends and may go on: what is named so far, and its length. */
export function openMention(before: string): { readonly name: string; readonly length: number } | undefined {
  const match = /(?:^|\s)(@"((?:[^"\\\n]|\\[^\n])*)|@((?:[^\s@"\\]|\\[^\n])*))$/.exec(before)
  return match ? { name: unescaped(match[2] ?? match[3]!), length: match[1]!.length } : undefined
}

const unescaped = (text: string): string => text.replace(/\\([^\p{L}\p{N}\n])/gu, '$1')
