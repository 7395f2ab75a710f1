/** Whom an agent may call: as we say it, and in other products' lists, which let nobody delegate who may not anyway. */

import { isRecord } from '../../record.js'
import { didYouMean, looseKey } from '../../text/nearest.js'
import { anyNamesOf, denyTools, type FieldReader, flagOf, refuse } from './field-reader.js'
import { areAgentNames, isWithoutAgents } from './told-limits.js'
import { delegationTools } from './tool-sets.js'
import { nameFault } from './word-fields.js'

export const readCanSpawn: FieldReader = (value, given) => {
  const flag = flagOf(value)
  const word = typeof value === 'string' ? value.trim().toLowerCase() : undefined
  const names = anyNamesOf(value)
  given.draft.hasSpawnWord = true
  if (looseKey(given.entry.key) === 'agents') given.draft.isSpawnList = true
  if (flag !== undefined) given.draft.canSpawn = flag
  else if (word === '*' || word === 'all') given.draft.canSpawn = true
  else if (word === 'none') given.draft.canSpawn = false
  else if (names?.some(isLikeSwitch) || (word !== undefined && isLikeSwitch(word))) refuse(given, spawnWords)
  else if (names?.every(name => name === '*' || nameFault(withoutPlugin(name)) === undefined))
    given.draft.canSpawn = names.length === 0 ? false : names.includes('*') ? true : names
  else refuse(given, spawnWords)
}

/** `plugin:folder:name`: what stands before an agent's name is the plugin's. */
const withoutPlugin = (name: string): string => name.replace(/^(?:[\w.-]+:)+(?=[^:])/, '')

const spawnWords = 'it must be true, false or a list of agents'
const switches = ['true', 'false']

/** `fal,se`, `- false`, `never`: no agent is called so, and it would be whom it may call. */
function isLikeSwitch(written: string): boolean {
  const word = written.trim().slice(0, 40).toLowerCase()
  const letters = word.replace(/[^a-z]/g, '')
  // A name in another script, and not `中 false`.
  if (/(?!\p{sc=Latin})\p{L}/u.test(word)) return switches.includes(letters)
  if (/^(?:never|nobody|no|off|maybe|\d+)$/.test(word) || (letters === '' && word !== '*')) return true
  const isPiece = letters.length > 1 && switches.some(each => each.startsWith(letters) || each.endsWith(letters))
  return (
    isPiece ||
    didYouMean(word.split(/[\s,]/)[0]!, switches) !== undefined ||
    didYouMean(letters, switches) !== undefined
  )
}

/** Copilot's list of whom an agent may call: of those it may call anyway. */
export const readAgents: FieldReader = (value, given) => {
  const { draft, note } = given
  if (isWithoutAgents(value)) {
    draft.canSpawn = false
    return denyTools(delegationTools, given)
  }
  if (isRecord(value)) return refuse(given, '"enabled" must be true or false')
  const names = flagOf(value) === false ? [] : (anyNamesOf(value) ?? [])
  if (!draft.canSpawn) {
    // Left open it would be anybody where the agent is the one a person talks to.
    const wasOpen = draft.canSpawn === undefined && !Array.isArray(draft.tools)
    draft.canSpawn = false
    if (names.length > 0 || !wasOpen)
      note(wasOpen ? 'permission-narrowed' : 'key-unknown', `"${given.entry.key}" does not let it delegate`, nameTask)
    return
  }
  const before = draft.canSpawn
  if (names.includes('*') || value === 'all' || value === true) return
  const left = before === true ? names : before.filter(name => names.includes(name))
  draft.canSpawn = left.length === 0 ? false : left
  note('permission-narrowed', `"${given.entry.key}" was read as the agents it may call`)
}

/** What Kimi and others call them. Who delegates nothing anyway may write there what it likes. */
export const readSubagents: FieldReader = (value, given) => {
  const isList = typeof value === 'string' ? plainNames.test(value) : areAgentNames(value)
  if (isList) return readAgents(value, given)
  if (given.draft.canSpawn) return refuse(given, 'it must be a list of agents')
  given.note('key-unknown', `"${given.entry.key}" does not let it delegate`)
}
const plainNames = /^\p{L}[\p{L}\p{M}\p{N}_-]*(?:[,\uff0c\u3001\u060c] ?\p{L}[\p{L}\p{M}\p{N}_-]*)*$/u

const nameTask = 'name Task in tools, or say whom it may call there: Task(a, b)'
