/**
 * Antigravity's limits; nobody else has such keys. What is switched on there is the caller's to give here; what is switched
 * off is taken away.
 */
import { editingTools } from '../../tools/tool-names.js'
import { denyTools, type FieldReader, flagOf, ignoreMode, refuse } from './field-reader.js'
import { isAction } from './foreign-rule.js'
import { readPermissions } from './permission-fields.js'
import { isOff } from './told-limits.js'
import { delegationTools, shellTools } from './tool-sets.js'

/** Its word for commands. */
export const readCommandPolicy: FieldReader = (value, given) => {
  if (!isCommandPolicy(value)) return refuse(given, 'valid: allow, ask, off, sandbox')
  if (loosePolicies.has(value)) return ignoreMode(value, given)
  if (value === 'sandbox')
    return given.note(
      'limit-unknown',
      `"${given.entry.key}" does not put its commands into a sandbox`,
      'deny Bash, or run it in one',
    )
  readPermissions({ [value === 'ask' ? 'ask' : 'deny']: shellTools }, given)
  given.note('value-converted', `"${given.entry.key}: ${String(value)}" was read as a rule for commands`)
}

const loosePolicies: ReadonlySet<unknown> = new Set(['allow', 'auto', 'always-proceed', 'eager', 'on', true])

export const isCommandPolicy = (value: unknown): boolean =>
  loosePolicies.has(value) || isAction(value) || value === 'sandbox' || isOff(value)

const switchOf =
  (tools: readonly string[], what: string): FieldReader =>
  (value, given) => {
    const isOn = flagOf(value)
    if (isOn === undefined) return refuse(given, 'it must be true or false')
    if (isOn) return
    denyTools(tools, given)
    if (tools === delegationTools) given.draft.canSpawn = false
    given.note('value-converted', `"${given.entry.key}: false" was read as ${what}`)
  }

/** Its commands go with its tools for writing. */
export const toolSwitches: readonly (readonly [string, FieldReader])[] = [
  ['enablewritetools', switchOf([...editingTools, ...shellTools], 'no editing, and no commands')],
  ['enablemcptools', switchOf(['mcp__*'], 'no tools of servers')],
  ['enablesubagenttools', switchOf(delegationTools, 'no delegation')],
]
