/** Patterns of opencode's rules: what is one, and what joined commands come to. */
import { isWithin } from '../../text/nearest.js'
import { canonicalToolName } from '../../tools/tool-names.js'
import type { Given } from './field-reader.js'
import { isAction, type Line } from './foreign-rule.js'

/**
 * What is left of `"*"` after a slip would deny next to nothing: a single letter, a star with one more sign, a stray quote.
 * `"/*"` is one unless `"*"` stands beside it.
 */
export function isPattern(pattern: string, isBesideWhole: boolean): boolean {
  if (pattern === '*' || above.test(pattern) || joined.test(pattern)) return true
  if (pattern === '/*') return isBesideWhole
  const isScrap = pattern.length < 2 || (pattern.length === 2 && pattern.includes('*')) || pattern.includes('"*')
  return !isScrap && /[\p{L}\p{N}]/u.test(pattern) && pattern.split('"').length % 2 === 1
}

/** `sh` of `* | sh`: of commands that are joined, what takes something away is about the last one that is told. */
export function endOfJoined(pattern: string): string | undefined {
  const parts = pattern.split(/\s*(?:\|\|?|&&|;)\s*/)
  return parts.length < 2 ? undefined : parts.findLast(part => /\w\w/.test(part) && isPattern(part, false))
}

/** `*;*`, `* && *`, `> *`: about commands that are joined, or write to a file. */
export const joined = /^(?:\* ?(?:;|&&?|\|\|?|>>?|<|`|\$[({]) ?|(?:;|&&?|\|\|?|>>?|<) )\*$/

const above = /^\.\.\/(?:\*\*\/)?\*{1,2}$/

/** Beside a rule for all a single letter is an agent's name. */
export function isPatternOf(name: string, pattern: string, isBesideWhole: boolean): boolean {
  if (wrappers.has(pattern) && canonicalToolName(name) !== 'Task') return false
  if (isPattern(pattern, isBesideWhole)) return true
  return isBesideWhole && canonicalToolName(name) === 'Task' && /^[\p{L}\p{N}]$/u.test(pattern)
}

/** `webfetch: {value: ask}`: no address and no command, but a word for the rule itself. */
const wrappers: ReadonlySet<string> = new Set(['action', 'default', 'mode', 'permission', 'policy', 'value'])

/**
 * `**`, `*.*`: nothing but signs. Who denies or asks by it means all. How much such a pattern allows nobody can say, nor how
 * much one that asks opens where all is denied, and what a scrap of a pattern allows: they give nothing.
 */
export function withPatterns(lines: readonly Line[], { note }: Given): readonly Line[] {
  const whole = new Set(lines.filter(([, pattern]) => pattern === '*').map(([name]) => name))
  const closed = new Set(
    lines.filter(([, pattern, action]) => pattern === '*' && action === 'deny').map(([name]) => name),
  )
  return lines.flatMap((line): readonly Line[] => {
    const [name, pattern, action] = line
    const isPlain = isPatternOf(name, pattern, whole.has(name))
    if (isPlain || !isAction(action) || (action !== 'allow' && !onlySigns.test(pattern))) return [line]
    const isLost = action === 'allow' || (action === 'ask' && (closed.has(name) || closed.has('*')))
    const said = `${name} "${pattern}"`.slice(0, 200)
    if (isLost) note('permission-narrowed', `${said}: what it opens cannot be told, and is not given`, writeStar)
    else note('value-converted', `${said} was read as all of it`, writeStar)
    return isLost ? [] : [[name, '*', action]]
  })
}

const onlySigns = /^(?=.*\*)[*/.]{2,}$/
const writeStar = 'write "*" for all'

/** `webfetch: ask` that slipped into the rules for commands. */
export const isRuleOfItsOwn = (pattern: string): boolean =>
  /^[a-z_]{6,20}$/.test(pattern) && ownRules.some(name => isWithin(1, pattern, name))
const ownRules = ['webfetch', 'websearch', 'external_directory', 'doom_loop', 'todowrite', 'multiedit']
