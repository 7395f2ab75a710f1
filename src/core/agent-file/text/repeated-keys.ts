/** Keys that stand twice in an agent file of JSON, and whether a limit may be lost by it. */
import { looseKey } from '../../text/nearest.js'
import { eachRepeat } from '../../text/repeated-keys.js'
import { containers, fieldOf, isSecurityKey } from '../field-table.js'
import { isOrdinaryKey } from '../ordinary-keys.js'

export interface RepeatedKey {
  readonly key: string
  readonly line: number
  /** It limits the agent, stands inside something that does or may hold one that does; and says two things. */
  readonly isLimit: boolean
}

/** The first of each kind: many that limit nothing must not hide one that does. */
export function repeatedKeys(json: string): readonly RepeatedKey[] {
  const limits: RepeatedKey[] = []
  const others: RepeatedKey[] = []
  const isWithin = (isInLimit: boolean, key: string) => isInLimit || isSecurityKey(key)
  eachRepeat(json, false, isWithin, ({ key, line, place, earlier, later }) => {
    const isTable = [earlier, later].some(value => /^[{[]/.test(value))
    const mayHold = isWithin(place, key) || (isTable && couldHoldLimits(key))
    const isLimit = mayHold && earlier !== later
    const kind = isLimit ? limits : others
    if (kind.length < maxFound) kind.push({ key, line, isLimit })
  })
  return [...limits, ...others].sort((a, b) => a.line - b.line)
}

const maxFound = 20

/** An agent by its name, a table of limits: anything but what is known to be none. */
export function couldHoldLimits(key: string): boolean {
  return containers.has(looseKey(key)) || (fieldOf(key) === undefined && !isOrdinaryKey(key))
}
