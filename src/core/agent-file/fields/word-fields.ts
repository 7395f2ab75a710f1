/** Readers of names, descriptions and the smaller words of a definition. */
import { readEvidenceDemand } from '../../brief/evidence.js'
import { isLooseMode } from '../../brief/mode.js'
import { shownDescription } from '../../roster.js'
import { looseKey, slugOf } from '../../text/nearest.js'
import { codePoint, withoutJoiners } from '../../text/unseen.js'
import type { Entry } from '../block.js'
import { colors } from '../field-shapes.js'
import {
  drop,
  type FieldReader,
  flagOf,
  type Given,
  ignoreMode,
  jsonOf,
  namesOf,
  refuse,
  textOf,
} from './field-reader.js'

export const readName: FieldReader = (value, given) => {
  if (value === null || value === undefined || value === '') return
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') {
    return given.note('name-invalid', `the name must be text, not ${JSON.stringify(value).slice(0, 60)}`)
  }
  if (typeof value !== 'string') given.note('name-converted', `the name ${String(value)} was read as text`)
  const written = String(value).trim()
  // Before it is normalised, which takes quadratic time where signs are heaped on a letter.
  const name = written.length > maxWritten ? written : written.normalize('NFC').trim()
  const fault = nameFault(name)
  // There it is shown, and the file gives the name.
  if ((fault === separated || fault === colon) && isShownOnly(name, given)) {
    given.draft.displayName ??= name.replace(/:(?=\S)/g, ': ')
    return given.note('name-converted', `the name ${fault} and is shown only; the file gives the name`, 'use a dash')
  }
  if (fault === separated && isTitle(name)) {
    given.draft.displayName ??= name
    given.note('name-converted', `the name ${fault}, and was read as "${withDashes(name)}"`, 'use a dash')
    return keepName(withDashes(name), given)
  }
  if (fault !== undefined) return given.note(fault === colon ? 'name-colon' : 'name-invalid', `the name ${fault}`)
  keepName(name, given)
}

/**
 * Copilot shows it, and a title may have a colon (`SE: Security`, `pi:exec`), which is a plugin's elsewhere.
 * opencode calls an agent by its path, and one in its file is another path at most.
 */
function isShownOnly(name: string, { dialect }: Given): boolean {
  if (dialect === 'copilot') return nameFault(name.replace(/[/\\:]/g, '')) === undefined
  return (
    dialect === 'opencode' &&
    name.split(/\/|: ?/).every(part => /^[\p{L}\p{N}_]/u.test(part) && nameFault(part) === undefined)
  )
}

function keepName(name: string, { draft }: Given): void {
  draft.name = name
  const slug = slugOf(name)
  if (slug !== name && slug !== '') draft.aliases = [...(draft.aliases ?? []), slug]
}

/** `UI/UX Designer`, `team/ticket-writer`: with words in it, and a stroke between two of them, it is no path. */
const isTitle = (name: string): boolean =>
  (/^(?! )[\p{L}\p{M}\p{N}_ &+()-]+(?:\/[\p{L}\p{M}\p{N}_ &+()-]+)+$/u.test(name) && / [\p{L}\p{N}_]/u.test(name)) ||
  (/^[A-Za-z][\w-]*\/[A-Za-z][\w-]*$/.test(name) && /\w-/.test(name))
const withDashes = (name: string): string => name.replace(/ *\/ */g, '-')

const separated = 'has a path separator'
const maxName = 128
/** A letter may be written as itself and the signs on it. */
const maxWritten = 4 * maxName

/** What is wrong with a name: it is used in paths, prompts and logs, and must be harmless in all of them. */
export function nameFault(name: string): string | undefined {
  if (name === '') return 'is empty'
  if (name.length > maxName) return `has ${name.length} characters (at most ${maxName})`
  if (reserved.has(name.toLowerCase())) return 'is reserved'
  if (/^[\w -]+$/.test(name)) return undefined
  // Classes of Unicode take long to compile; a plain name must not wait for that.
  const unseen = /[^ -~]/.test(name) ? /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\ufffd]/u.exec(withoutJoiners(name)) : null
  if (unseen) return `has a character that nobody sees (${codePoint(unseen[0])})`
  if (/[/\\]/.test(name)) return separated
  if (name === '.' || name === '..') return 'is a directory'
  if (/[<>`${}]/.test(name)) return 'has characters that other places give a meaning'
  return name.includes(':') ? colon : undefined
}

const colon = 'has a ":"'

const reserved: ReadonlySet<string> = new Set(['__proto__', 'constructor'])

export const readDisplayName: FieldReader = (value, given) => {
  const text = textOf(value)
  if (text === undefined) drop(given, 'text')
  else given.draft.displayName = clean(text).slice(0, maxName)
}

/** What people are shown of it. */
const maxDescription = 8192

export const readDescription: FieldReader = (value, given) => {
  if (value === null || value === undefined) return
  const text = descriptionText(value, given)
  if (text === undefined || text.trim() === '') return
  const isFolded = text.includes('\\') && !text.includes('\n')
  const unfolded = isFolded ? text.replace(/(?:\\r)?\\n/g, '\n').replaceAll('\\t', ' ') : text
  const description = clean(unfolded).trim()
  const raw = given.entry.raw ?? ''
  if (raw.includes('#') && /(?:^|\s)#/.test(raw) && isPlainLine(raw, text)) {
    given.note('value-comment', 'the description ends at " #"')
  }
  if (description.length > shownDescription) {
    const shown = `models are shown the first ${shownDescription}`
    given.note('description-cut', `the description has ${description.length} characters; ${shown}`)
  }
  if (isPlaceholder(description)) {
    given.note('description-placeholder', 'the description is a placeholder: nobody can tell when to use the agent')
  }
  given.draft.description = description.slice(0, maxDescription)
}

/** `description` and `whenToUse`, each a text of its own: what it does, then when to use it. */
export function joinedDescription(a: Entry, b: Entry): Entry | undefined {
  const [what, when] = looseKey(a.key) === 'description' ? [a, b] : [b, a]
  if (looseKey(what.key) !== 'description' || looseKey(when.key) !== 'whentouse') return undefined
  const [first, second] = [textOf(what.value), textOf(when.value)]
  if (first === undefined || second === undefined || first.includes(second)) return undefined
  return { ...what, value: `${first}\n${second}` }
}

/** What a new file says until somebody writes what it is for. */
export const placeholderDescription = (name: string): string => `${placeholder}${name}.`

const placeholder = 'Say in a sentence or two when a task should go to '
export const isPlaceholder = (text: string): boolean => text.startsWith(placeholder)

function descriptionText(value: unknown, given: Given): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') {
    given.note('description-converted', `the description ${String(value)} was read as text`)
    return String(value)
  }
  if (Array.isArray(value) && value.every(item => typeof item === 'string')) {
    given.note('description-converted', 'the description is a list; its items were joined')
    return value.join('\n')
  }
  given.note('description-converted', 'the description is no text and was left out')
  return undefined
}

/** An unquoted one-line value, of which the parser has read only the part before the comment. */
function isPlainLine(raw: string, value: string): boolean {
  return !/^["'|>]/.test(raw) && raw.startsWith(value) && raw.length > value.length
}

/** Control characters have no place in what a model or a terminal is shown. */
export function clean(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f\u202a-\u202e\u2066-\u2069]/g, '')
}

export const readNickname: FieldReader = (value, given) => {
  const name = textOf(Array.isArray(value) ? value[0] : value)
  if (name === undefined) return drop(given, 'text')
  given.draft.nickname = clean(name).slice(0, 64)
  if (Array.isArray(value) && value.length > 1)
    given.note('no-counterpart', `of "${given.entry.key}" the first is used: an agent has one nickname here`)
}

export const readAliases: FieldReader = (value, given) => {
  const names = namesOf(value)
  if (!names) return drop(given, 'a list of names')
  const fine = names.filter(name => nameFault(name) === undefined)
  if (fine.length < names.length) drop(given, 'names without separators and control characters')
  given.draft.aliases = [...(given.draft.aliases ?? []), ...fine]
}

export const readSource: FieldReader = (value, given) => {
  // Roo writes it into every mode.
  if (given.dialect === 'roo' && (value === 'project' || value === 'global')) return
  given.note('key-ignored', 'where an agent comes from is not up to the file')
}

export const readColor: FieldReader = (value, given) => {
  if (value === null) {
    if (given.entry.raw?.startsWith('#'))
      given.note('value-comment', 'an unquoted "#" starts a comment, so the color is empty')
    return
  }
  const color = typeof value === 'string' ? value.trim().toLowerCase() : ''
  // Qwen Code writes it where nobody chose one.
  if (color === 'automatic color') return
  const isKnown = colors.some(each => each === color) || /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/.test(color)
  if (isKnown) given.draft.color = color
  else if (themeColors.has(color))
    given.note('key-unknown', `"${color}" is a color of a theme, which is not known here`)
  else drop(given, `${colors.join(', ')} or a hex value in quotes`)
}

/** What opencode paints by the theme that is chosen there. */
const themeColors: ReadonlySet<string> = new Set('primary secondary accent success warning error info'.split(' '))

export const readBackground: FieldReader = (value, given) => {
  const flag = flagOf(value)
  if (flag === undefined) drop(given, 'true, false')
  else given.draft.isBackground = flag
}

export const readHidden: FieldReader = (value, given) => {
  const flag = flagOf(value)
  if (flag === undefined) drop(given, 'true, false')
  else if (flag) given.draft.isHidden = true
}

export const readForPeople: FieldReader = (value, given) => {
  const flag = flagOf(value)
  if (flag === undefined) drop(given, 'true, false')
  else if (flag) given.draft.isForPeople = true
}

export const readMode: FieldReader = (value, given) => {
  const word = typeof value === 'string' ? value.toLowerCase() : value
  if (word === 'primary') given.draft.isHidden = true
  else if (typeof word === 'string' && isLooseMode(word)) ignoreMode(value, given)
  else if (word !== 'subagent' && word !== 'all') drop(given, 'subagent, primary, all')
}

export const readExecutionMode: FieldReader = (value, given) => {
  const word = typeof value === 'string' ? value.replaceAll('_', '-').toLowerCase() : ''
  if (word === 'process' || word === 'full-codex' || word === 'fullcodex') given.draft.executionMode = 'process'
  else if (word === 'in-process' || word === 'lightweight') given.draft.executionMode = 'in-process'
  else drop(given, 'in-process, process')
}

export const readMemory: FieldReader = (written, given) => {
  const value: unknown = Array.isArray(written) && written.length === 1 ? written[0] : written
  if (flagOf(value) === false || value === 'none' || value === null) return
  if (value === 'user' || value === 'project' || value === 'local') given.draft.memory = value
  else drop(given, 'user, project, local')
}

export const readEvidence: FieldReader = (value, given) => {
  const evidence = jsonOf(value)
  const demand = readEvidenceDemand(evidence)
  if (evidence === undefined || 'fault' in demand)
    return refuse(given, 'fault' in demand ? demand.fault : 'it must be plain data')
  given.draft.evidence = evidence
}
