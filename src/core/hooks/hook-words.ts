/**
 * A guard's answer that is almost right: it plainly decides, and nobody would hear it.
 *
 * 1. Said where the event has no such word (`permissionDecision` at the top, `decision: { behavior }` there), in another
 *    spelling (`permission_decision`, `blocked`, `"false"`), within a list or behind other text.
 * 2. A yes that nobody hears approves nothing, and so harms nothing: only what may have been a no counts.
 * 3. What a guard repeats of the call, and what it says for people, is not its answer.
 */
import type { HookEventName } from './hook-config.js'

/** Whether an answer that was read holds a decision that its event has no place for. */
export const decidesUnheard = (event: HookEventName, answer: unknown): boolean => hidesNo(event, answer, '', 0)

/** Whether output that is no answer names a decision all the same. */
export function hidesDecision(event: HookEventName, stdout: string): boolean {
  const text = stdout.trim()
  if (noWord.test(text) || spelledDecision.test(text)) return true
  try {
    return hidesNo(event, JSON.parse(text), '', 0)
  } catch {
    return false
  }
}

const deepest = 8

function hidesNo(event: HookEventName, value: unknown, place: string, depth: number): boolean {
  if (typeof value !== 'object' || value === null || depth > deepest) return false
  if (Array.isArray(value)) return value.some(each => hidesNo(event, each, `${place}[].`, depth + 1))
  return Object.entries(value).some(([key, each]) => {
    const at = `${place}${key}`
    const word = key.replace(/[_-]/g, '').toLowerCase()
    if (isHeard(event, at, each) || asideKey.test(word)) return false
    return mayBeNo(word, each) || hidesNo(event, each, `${at}.`, depth + 1)
  })
}

/** What `readHookEnd` makes something of. */
function isHeard(event: HookEventName, at: string, value: unknown): boolean {
  if (at === 'continue') return typeof value === 'boolean'
  if (at === 'decision') return value === 'block' || value === 'deny' || value === 'approve'
  if (event === 'PreToolUse') return /^hookSpecificOutput\.(permissionDecision|updatedInput)$/.test(at)
  if (at === 'hookSpecificOutput.decision.behavior') return value === 'allow' || value === 'deny'
  return at === 'hookSpecificOutput.decision.updatedInput'
}

function mayBeNo(word: string, value: unknown): boolean {
  if (word === 'updatedinput') return value !== null
  if (typeof value === 'string')
    return noWord.test(value.trim()) || (decisionKey.test(word) && !yesWord.test(value.trim()))
  if (typeof value === 'number') return value === 0 && decisionKey.test(word)
  if (typeof value !== 'boolean') return false
  return value ? noWord.test(word) : decisionKey.test(word) || yesWord.test(word)
}

const decisionKey = /^(permissiondecision|decision|behaviou?r|continue|permission|verdict|hookspecificoutput)$/
const yesWord = /^(allow(ed)?|approved?|yes|true|ok|)$/i
const noWord = /^(deny|denied|block(ed)?|refused?|reject(ed)?|forbid(den)?)$/i
const asideKey = /(reason|message|context|toolinput|toolresponse)$/
const spelledDecision =
  /\b(permission_?decision|hook_?specific_?output)\b|["'](decision|continue|behaviou?r)["']\s*:|^\s*(decision|permission|verdict)\s*[:=]\s*["']?(deny|denied|block)/im
