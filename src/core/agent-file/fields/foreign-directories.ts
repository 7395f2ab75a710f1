/**
 * opencode's rules about files outside of the workspace (`external_directory`). The last one that fits counts there, and a
 * rule for all is about those files as well.
 */
import { looseKey } from '../../text/nearest.js'
import { isReachingOut, outsideInOpencode } from '../../tools/outside-roots.js'
import { type Given, leaveReachingOut, switchOffReachingOut } from './field-reader.js'
import type { Line } from './foreign-rule.js'

/** What is closed in part is closed as a whole. */
export function readElsewhere(lines: readonly Line[], { draft, note }: Given): void {
  const own = lines.filter(([name]) => isReachingOut(name))
  const isClosed = own.some(([, , action]) => action === 'deny')
  const last = lines.findLast(([name, pattern]) => (name === '*' || isReachingOut(name)) && pattern === '*')
  if (isClosed || last?.[2] === 'deny') switchOffReachingOut(draft)
  else if (own.some(([, pattern]) => pattern === '*')) leaveReachingOut(draft)
  const open = own.filter(([, , action]) => action !== 'deny')
  if (isClosed && (open.length > 0 || own.some(([, pattern]) => pattern !== '*')))
    note('permission-narrowed', `${outsideInOpencode}: all that lies outside of the workspace is closed to it`)
  else if (open.some(([, , action]) => action === 'allow'))
    note('permission-narrowed', `${outsideInOpencode}: what lies outside of the workspace asks all the same`)
}

/** Why the name of a rule is none: it is nearly that of these rules, or a pattern that lost its tool. */
export function oddName(name: string): string | undefined {
  if (looseKey(name) === looseKey(outsideInOpencode)) return `"${name}" must be written ${outsideInOpencode}`
  return name.includes('/**') ? `"${name}" is no tool` : undefined
}
