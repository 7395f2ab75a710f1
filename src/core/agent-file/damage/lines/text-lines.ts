/**
 * Lines at the left edge that belong to no key, in a block that is no YAML. People leave sentences there, labels, lists and
 * examples of a conversation; of a limit without its colon or its line end a few words are left, or a list. So what stands
 * there has to look like text:
 * L1 four words or more that are no list, or as many letters of another script; L2 markup, an item of a list, a label;
 * L3 the end of a sentence.
 */
import { toolNames, withoutPattern } from '../../../tools/tool-names.js'
import { isTool } from '../words/tool-words.js'

export function isTextLine(line: string): boolean {
  const text = line.trim()
  if (text === '' || text.length > maxShort) return true
  if (!/^ ?\S/.test(line)) return !mapLine.test(text)
  const item = listItem.exec(text)?.[1]
  if (item !== undefined) return !toolNames.includes(withoutPattern(item)) && !isAction(item)
  if (markup.test(text) || otherScript.test(text)) return true
  if (isAction(text) || isList(text)) return false
  if (label.test(text)) return true
  return text.split(/\s+/).length >= leastWords || (/\s/.test(text) && sentenceEnd.test(text))
}

const maxShort = 120
const leastWords = 4
const listItem = /^(?:[-*•]|\d{1,2}[.)])\s+(.*)$/
const markup = /^(?:<\/?[A-Za-z]|#|>|```|\*\*|__|\||[-=*]{3,}$)/
const otherScript = /[\u0370-\ud7ff][^\s]*[\u0370-\ud7ff]/
/** `Examples:`, `Context: …`, `user: "…"`. */
const label = /^(?:[A-Z][\w '’-]{1,40}|user|assistant|human|example|context|commentary):(?:\s|$)/
const sentenceEnd = /[.!?…”"'’»*`)]$/

/** Further in a text may be anything but that. */
const mapLine = /^(?:- )?["']?[\w*. -]+["']?\s*:\s*(?:allow|ask|deny|true|false)$/

/** `"*": deny`, `bash: false`, `}`: what maps are made of. */
const isAction = (text: string): boolean =>
  /:\s*(?:allow|ask|deny|true|false)\b\W*$|^[^([{]*[)\]}]\W*$|[([{][^)\]}]*$/.test(text)

/** Words and commas, with a tool among them or at the end of the first. */
function isList(text: string): boolean {
  const pieces = text.split(',').map(piece => piece.trim())
  if (!pieces.slice(1).every(piece => /^\S*$/.test(piece)) || pieces.length < 2) return false
  return pieces.some(piece => isTool(piece)) || toolNames.some(name => pieces[0]!.endsWith(name))
}
