/**
 * Whether a line goes on with a list or a map of a limit that a fence cut in two. A body may begin with an indented list
 * or with code, so the line must fit: a rule below rules, an event or a part of one below hooks.
 */
import { hookEventNames } from '../../hooks/hook-config.js'
import { looseKey } from '../../text/nearest.js'
import { canonicalToolName } from '../../tools/tool-names.js'
import type { Entry } from '../block.js'
import { couldFollow, holdsList, isEntryOfLimit, isPartOfRule, isToolLimit } from '../damage/words/limit-words.js'
import { fieldOf, isKnownKey } from '../field-table.js'
import { isToolTableKey } from '../fields/tool-tables.js'

export function goesOn(line: string, { key, value }: Entry): boolean {
  const [, indent = '', dash = '', rest = ''] = lineShape.exec(line.slice(0, maxLine)) ?? []
  // Only below a key with nothing behind it may a list stand at the left edge.
  if (rest === '' || (indent === '' && (value !== null || dash === ''))) return false
  const text = rest.replace(/\s#.*$/, '').trim()
  const [, , name, inner = ''] = pair.exec(text) ?? []
  return name === undefined ? dash !== '' && isItemOf(key, text) : isPairOf(key, name, inner.trim())
}

const maxLine = 400
const lineShape = /^([ \t]*)(- +)?(\S.*)$/
const pair = /^(["']?)([\w*-]+|(?<=["'])[^"':]+)\1[ \t]*:(?=[ \t]|$)(.*)$/
const oneWord = /^["']?[\w*.:/@-]+(?:\(.*\))?["']?$/

function isItemOf(key: string, text: string): boolean {
  const field = fieldOf(key)
  if (field === undefined || !holdsWords(field)) return false
  return oneWord.test(text) || (isToolLimit(field) && couldFollow(field, text, '', 'whole'))
}

const holdsWords = (field: string): boolean => isToolLimit(field) || holdsList(field) || field === 'permissions'

function isPairOf(key: string, name: string, text: string): boolean {
  const field = fieldOf(key)
  if (field === 'permissions' && looseKey(name) === 'defaultmode') return true
  if (field === 'permissions') return isPartOfRule(name) || isEntryOfLimit(name, text.replace(/^["']|["']$/g, ''))
  if (isToolTableKey(key) || (field !== undefined && isToolLimit(field)))
    return ofTools.test(text) || (/^(?:$|\{)/.test(text) && canonicalToolName(name) !== undefined)
  if (field === 'hooks') return partsOfHooks.has(looseKey(name)) || isEvent(name, text)
  if (field === 'mcpServers') return text === '' || partsOfServers.has(looseKey(name)) || /tools$/i.test(name)
  return isKnownKey(name) || /^["']?\$?\d/.test(text)
}

const ofTools = /^(?:true|false|allow|ask|deny|\[.*)$/

/** Other products have events of their own; what stands below one is never on its line. */
function isEvent(name: string, text: string): boolean {
  const isKnown = hookEventNames.some(event => looseKey(event) === looseKey(name))
  return isKnown || (/^(?:pre|post|before|after|on)[A-Z]/i.test(name) && /^(?:$|[[{])/.test(text))
}

const partsOfHooks: ReadonlySet<string> = new Set(['event', 'matcher', 'hooks', 'type', 'command', 'timeout', 'prompt'])
const partsOfServers: ReadonlySet<string> = new Set([
  ...['command', 'args', 'env', 'url', 'type', 'headers', 'enabled', 'disabled', 'timeout'],
])
