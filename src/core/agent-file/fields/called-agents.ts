/** Other products' lists of whom an agent may call: they bind it, and let nobody delegate who may not anyway. */

import { isRecord } from '../../record.js'
import { denyTools, type FieldReader, flagOf, namesOf, refuse } from './field-reader.js'
import { areAgentNames, isWithoutAgents } from './told-limits.js'
import { delegationTools } from './tool-sets.js'

/** Copilot's list of whom an agent may call: of those it may call anyway. */
export const readAgents: FieldReader = (value, given) => {
  const { draft, note } = given
  if (isWithoutAgents(value)) {
    draft.canSpawn = false
    return denyTools(delegationTools, given)
  }
  if (isRecord(value)) return refuse(given, '"enabled" must be true or false')
  const names = flagOf(value) === false ? [] : (namesOf(value) ?? [])
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
const plainNames = /^[A-Za-z][\w-]*(?:, ?[A-Za-z][\w-]*)*$/

const nameTask = 'name Task in tools, or say whom it may call there: Task(a, b)'
