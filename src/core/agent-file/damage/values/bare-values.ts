/** Values of limits that stand without their keys: in prose, behind a closing quote, in lines that belong to nothing. */
import { toolNames } from '../../../tools/tool-names.js'
import { isSecurityKey } from '../../field-table.js'
import { lettersOf, nearestLimit, proseLimits } from '../keys/near-limits.js'
import type { Place } from '../lines/line-start.js'
import { couldFollow } from '../words/limit-words.js'
import { areMostlyTools, isNearTool, isTool } from '../words/tool-words.js'

/** What can only be the value of a limit, wherever it stands. */
export function valueWithoutKey(place: Place): string | undefined {
  const { text, next, how, isOwn, isPlain, isAbsent } = place
  const item = isOwn ? undefined : (isPlain ? /^\s*- (\S+)$/ : /^- (\S+)$/).exec(text)?.[1]
  if (item !== undefined && isAbsent('tools') && (/^\s/.test(text) ? isTool(item) : toolNames.includes(item)))
    return 'a tool in a list that belongs to no key'
  if (text.includes('tools:') && hungKey.test(text) && isAbsent('tools'))
    return '"tools" hangs on the end of a sentence'
  if (how === 'strict') {
    const isLost = isPlain && !isOwn && isAbsent('tools') && isTornList(text)
    return isLost ? 'a line of nothing but tools' : undefined
  }
  const isAfterQuotes = isOwn && (text.includes('"') || text.includes("'"))
  const key = isAfterQuotes ? keyBehindQuotes.exec(text)?.[1] : undefined
  if (key !== undefined && isSecurityKey(key) && isAbsent(key)) return `"${key}" stands behind a quoted text`
  const behind = isOwn && isAbsent('tools') ? behindQuotes.exec(text) : null
  const [, , word = '', rest = ''] = behind ?? []
  if (
    (rest === '' && word !== '' && /^\w+~?$/.test(word)) ||
    (behind && nearestLimit(lettersOf(word), proseLimits, () => 0) !== undefined)
  )
    return 'a word that hangs on the end of a quoted text'
  if (behind && namesTools(word + rest)) return 'tools that hang on the end of a quoted text'
  if (isOwn && isAbsent('tools') && quotedLine.test(text) && /^\s+\S{1,24}[:=]/.test(next))
    return 'a line behind a quoted text'
  // One that belongs to no map was a part of one.
  const isLine = !isOwn && /^\s/.test(text)
  if (switchWord.test(text) && switchLine.test(text) && (isLine || isAbsent('permissions')))
    return 'a line of a map of permissions'
  if (isLine && /^\s+- outside-roots\s*$/.test(text) && isAbsent('disabledFeatures'))
    return 'a feature that is switched off'
  if (isToolSwitch(place)) return 'a switch of a tool that belongs to no map'
  if (!isOwn && isOddKey(text)) return 'a key that is no name, with the value of a limit'
  if (!isOwn && isAbsent('tools') && /^[&%@!^]/.test(text) && endsInTool(text)) return 'a tool behind noise'
  if (!isOwn && isAbsent('permissionMode') && ownMode.test(text)) return 'a mode behind something that is no key'
  if (!isAbsent('tools')) return undefined
  if (/\btools\s*:\s*\[/i.test(text)) return '"tools" stands inside another value'
  if (isTool(exceptTools.exec(text)?.[1] ?? '')) return 'all tools but some, without a key'
  if (isHungList(text.slice(-maxList)) || (!isOwn && isTornList(text))) return 'a list of tools that belongs to no key'
  const isToolLine = /^[A-Z]\w+(?:\([^)]*\))?,/.test(text) && couldFollow('tools', text, '', 'whole')
  const pieces = text.split(',', 40).map(piece => piece.trim())
  const tools = pieces.filter(piece => toolNames.includes(piece)).length
  // `toolCOGNrep, Glob, LS`: what is left of the key runs into the first of them.
  const isRunInto = tools > 1 && tools === pieces.length - 1 && runInto.test(pieces[0]!)
  return isToolLine || (!isOwn && (isRunInto || isTornToolLine(pieces) || (tools > 2 && 2 * tools >= pieces.length)))
    ? 'a list of tools that belongs to no key'
    : undefined
}

/** `toolAll tools except Edit`, `xools: All tools except Edit`. */
const exceptTools = /(?:[A-Za-z]|\w[:;=]\s?)(?:All(?: available)?(?: tools)?|\*),? (?:except|excluding):? (\w+)/

/** `of two lines!tools: Re`, `使用。tools: R`: whatever has become of its value. */
const hungKey = /[\d!?.,;:\])}>。、！？」）]tools:\s/

const runInto = /^[a-z]+(?:-\w*)?[A-Z\d]\w*$|^to?\b.*[^\w\s.'-]/

/** What is left of the key, and of the first tool: one word, or with a sign behind it that no sentence has there. */
const begun = /^(?:tool?[a-z]*|to?[a-z-]*[A-Z\d]\S*(?: [^\w\s"'(`*-]\S*)?|t [A-Z]\w*|to? [^\w\s"'(`*-].{0,20})$/

/** `toolead, Glob, Grepash`, `t Read, GreSSp`: single words, a tool among them, behind what begins like their key. */
function isTornToolLine([first = '', ...more]: readonly string[]): boolean {
  // `ead, Grep`: nothing else is left.
  const isShort = more.length > 0 && more.length < 8 && more.some(word => toolNames.includes(word))
  if (isShort && [first, ...more].every(word => isTool(word) || isNearTool(word))) return true
  const isBegun = begun.test(first)
  // `tooread, search, edit`: tools that are written small.
  if (isBegun && more.length > 1 && more.every(isTool)) return true
  const areWords = more.slice(0, -1).every(piece => /^\S+$/.test(piece))
  const last = more.at(-1)?.split(/[\s:]/, 1)[0] ?? ''
  return (
    isBegun && areWords && [first.slice(2), ...more.slice(0, -1), last].some(word => toolNames.includes(word.trim()))
  )
}

/** Written as only a tool is. */
const endsInTool = (text: string): boolean => toolNames.includes(/[A-Za-z]+$/.exec(text.slice(-maxList))?.[0] ?? '')

/** Not a sentence that goes on: between its commas stand single words, and one at least is written as only a tool is. */
function namesTools(text: string): boolean {
  const pieces = text.slice(0, maxList).split(',', 40)
  const words = pieces.map(piece => piece.replace(/^[^A-Za-z]+/, '').replace(/^[a-z]{0,5}[:\s]+/, ''))
  return words.every(word => /^\S+$/.test(word.trim())) && words.some(word => toolNames.includes(word.trim()))
}

/** `"…" tools: Read`: whatever has become of its value, the line ended with the quotes. */
const keyBehindQuotes = /^\s*(?:"[^"]*"|'[^']*')\s+([A-Za-z][\w-]*)\s?[:=]/

/** `"…"t`, `"…";tools: Read`: the newline behind it was lost. */
const behindQuotes = /^\s*(["']).*\1([^\s"']{1,20})(.*)$/

/** `[L?0(t: 200k tokens`, ` _8+!jly: true`: two kinds of signs in one word; `**Priority**: 1` and `C++: 17` have one. */
function isOddKey(text: string): boolean {
  const key = oddLine.exec(text)?.[1]?.replace(/^[*_([`]+|[*_)\]`]+$/g, '')
  return key !== undefined && new Set(key.replace(/[\w\u00aa-\uffff-]/g, '')).size > 1
}

const oddLine = /^\s?(?!["'<-])(\S{2,20}):\s(?:\d+(?:[km]? tokens)?|true|false)$/
const quotedLine = /^\s*(["']).*\1\s*$/
/** `LéWMode: dontAsk`, `aSC_%Mode: plan`. */
const ownMode = /[:=]\s*(?:dontAsk|acceptEdits|bypassPermissions)\W{0,3}$|[^\w\s-]\w*ode:\s+plan\s*$/
/** `"*": deny`, `bash: ask`, `deny: [`: no sentence has that. Few lines have one of the words. */
const switchWord = /allow|ask|deny/i
const switchLine =
  /(?:["']\*["']|\b(?:bash|edit|read|write|webfetch|grep|glob|list|task|skill))\s*:\s*(?:allow|ask|deny)\W*$|\b(?:allow|ask|deny)\s*:\s*\[/i

/** `…at scale."ls: Read, Write`, `reads cods: Read, Write`: what is left of the key hangs on a text. */
function isHungList(text: string): boolean {
  const colons = [...text.matchAll(/[:=]\s+/g)].slice(-maxColons)
  return colons.some(({ index, 0: colon }) => {
    const rest = text.slice(index + colon.length)
    const isHung = /(?:[.!?)。」）]\S{0,8}|["'][^"']{0,8})$/.test(text.slice(Math.max(0, index - 9), index))
    if (!isHung && label.test(text.slice(0, index))) return false
    return (isHung || /^\[|,/.test(rest)) && areMostlyTools(rest)
  })
}

/** `Works with: Read, Edit`: a sentence begins with it. */
const label = /(?:^|[:.]\s)\s*[A-Z](?:[a-z]*|[A-Z]+)(?:-\w+)?(?: [\w"'-]+){0,3}$/
const maxList = 2000
const maxColons = 4

/** ` Bash, Read`, `t [Read]`, `toC_09 Read, Grep`: a line of tools, but for what is left of their key. Texts are wrapped further in. */
export function isTornList(text: string): boolean {
  if (/^(?: {2}|\t|- )/.test(text)) {
    if (behindNoise.test(text)) return areMostlyTools(text.slice(text.indexOf('[')))
    const noise = noiseBefore.exec(text)?.[0]
    return noise !== undefined && areMostlyTools(text.slice(noise.length))
  }
  for (let at = 0; at < maxScrap && at < text.length; at++) {
    if (!/[A-Z['"]/.test(text[at]!)) continue
    const rest = text.slice(at)
    const isTold = /^\[|,|\]$/.test(rest) || text.slice(0, at).trim() === '' || signInside.test(text.slice(0, at))
    if (isTold && areMostlyTools(rest)) return true
  }
  return false
}

const maxScrap = 10
const signInside = /\w[\][{}~^%$]\w/
/** Nothing but a list, with signs before it that nobody writes there. */
const behindNoise = /^\s+[^\w\s"'(`<*-][^\s[]{0,7}\s?\[["'].*\]$/

/** `\t:Qpéß Read, Grep`: a sign that no line begins with, and tools with a comma between them. */
const noiseBefore = /^\s+[:;=~^%$&?!][^\s,]{0,8}\s+(?=[A-Z]\w*, ?[A-Z])/

/** `  bash: false` below a text: its key is no map any more. */
function isToolSwitch({ text, isOwn }: Place): boolean {
  const name = isOwn ? undefined : /^\s+["']?([\w*]+)["']?\s*:\s*(?:true|false)\s*$/i.exec(text)?.[1]
  return name !== undefined && (name === '*' || isTool(name))
}
