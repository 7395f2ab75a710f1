/**
 * `[tools]` of a Codex role: switches of a few tools beside all the others, and no list of them. True where it was one, and
 * was read.
 */
import { isRecord } from '../../record.js'
import { looseKey } from '../../text/nearest.js'
import { denyTools, flagOf, type Given, isEnabled, refuse } from './field-reader.js'

export function readCodexTools(value: unknown, given: Given): boolean {
  if (given.dialect !== 'codex-role' || !isRecord(value)) return false
  const switches = Object.entries(value)
  if (switches.length === 0 || !switches.every(([name]) => toolSwitches.has(looseKey(name)))) return false
  for (const [name, setting] of switches) {
    const tools = toolSwitches.get(looseKey(name))!
    const isOn = isRecord(setting) ? isEnabled(setting) : flagOf(setting)
    if (isOn === undefined) refuse(given, `"${name}" must be true or false`)
    else if (!isOn) denyTools(tools, given)
    else if (isRecord(setting) && tools.includes('WebSearch')) readSearch(setting, given)
  }
  return true
}

const toolSwitches: ReadonlyMap<string, readonly string[]> = new Map([
  ['websearch', ['WebSearch']],
  ['websearchrequest', ['WebSearch']],
  ['viewimage', []],
  ['updateplan', ['TodoWrite']],
  ['requestuserinput', ['AskUser']],
  ['experimentalrequestuserinput', ['AskUser']],
])

function readSearch(settings: Readonly<Record<string, unknown>>, given: Given): void {
  if (settings.allowed_domains === undefined) return
  denyTools(['WebSearch'], given)
  given.note('permission-narrowed', 'sites cannot be told apart in a search here: WebSearch is denied')
}
