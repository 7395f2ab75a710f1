/** Values of limits that stand without their keys: in prose, behind a closing quote, in lines that belong to nothing. */
import { TOOL_NAMES } from '../tool-names.js'
import { LIMITS, lettersOf, nearestLimit } from './damage.js'
import { couldFollow, isTool } from './limit-words.js'
import type { Place } from './line-start.js'

/** What can only be the value of a limit, wherever it stands. */
export function valueWithoutKey({ text, next, how, isOwn, isPlain, isAbsent }: Place): string | undefined {
  const item = isPlain && !isOwn ? /^\s+- (\S+)$/.exec(text)?.[1] : undefined
  if (item !== undefined && isTool(item) && isAbsent('tools')) return 'a tool in a list that belongs to no key'
  if (how === 'strict') return undefined
  const behind = isOwn && isAbsent('tools') ? BEHIND_QUOTES.exec(text) : null
  const [, , word = '', rest = ''] = behind ?? []
  if ((rest === '' && /^\w+$/.test(word)) || (behind && nearestLimit(lettersOf(word), LIMITS, () => 0) !== undefined))
    return 'a word that hangs on the end of a quoted text'
  if (isOwn && isAbsent('tools') && QUOTED.test(text) && /^\s+\S{1,24}[:=]/.test(next))
    return 'a line behind a quoted text'
  if (SWITCH.test(text) && SWITCH_LINE.test(text) && isAbsent('permissions')) return 'a line of a map of permissions'
  if (!isAbsent('tools')) return undefined
  if (/\btools\s*:\s*\[/i.test(text)) return '"tools" stands inside another value'
  const isToolLine = /^[A-Z]\w+(?:\([^)]*\))?,/.test(text) && couldFollow('tools', text, '', 'whole')
  const pieces = text.split(',', 40).map(piece => piece.trim())
  const tools = pieces.filter(piece => TOOL_NAMES.includes(piece)).length
  return isToolLine || (!isOwn && tools > 2 && 2 * tools >= pieces.length)
    ? 'a list of tools that belongs to no key'
    : undefined
}

/** `"…"t`, `"…";tools: Read`: the newline behind it was lost. */
const BEHIND_QUOTES = /^\s*(["']).*\1([^\s"']{1,20})(.*)$/
const QUOTED = /^\s*(["']).*\1\s*$/
/** `"*": deny`, `bash: ask`, `deny: [`: no sentence has that. Few lines have one of the words. */
const SWITCH = /allow|ask|deny/i
const SWITCH_LINE =
  /(?:["']\*["']|\b(?:bash|edit|read|write|webfetch|grep|glob|list|task|skill))\s*:\s*(?:allow|ask|deny)\W*$|\b(?:allow|ask|deny)\s*:\s*\[/i
