/** Codex's table of what a role has, on or off. */
import { isRecord } from '../../record.js'
import { didYouMean, looseKey, pieceOf } from '../../text/nearest.js'
import { denyTools, type FieldReader, flagOf, isEnabled, refuse } from './field-reader.js'
import { isNearly, isNearlyOff, isOff, isText } from './told-limits.js'
import { delegationTools, shellTools, toolsOfFeature } from './tool-sets.js'

/** What is switched on there is not given here; what is switched off is taken away where it has a counterpart. */
export const readFeatures: FieldReader = (value, given) => {
  if (!isRecord(value)) return refuse(given, 'it must be a table of switches')
  if (Object.keys(value).length === 0) return refuse(given, 'nothing stands in it')
  const unread: string[] = []
  for (const [name, setting] of Object.entries(value)) {
    const tools = codexFeature(name)
    const flag = isRecord(setting) ? isEnabled(setting) : setting
    const isOn = isOff(flag) ? false : flagOf(flag)
    const [inner] = isRecord(setting) ? Object.entries(setting) : []
    const isTorn = inner !== undefined && isOff(inner[1]) && nearFeature(name + inner[0])
    if (tools === undefined && (isTorn || (isOn !== true && nearFeature(name))))
      return refuse(given, `"${name}" is no feature`)
    if (tools === undefined) unread.push(name)
    else if (isOn === false) {
      denyTools(tools, given)
      if (tools === delegationTools) given.draft.canSpawn = false
    } else if (isOn === undefined) return refuse(given, `"${name.slice(0, 60)}" must be true or false`)
  }
  if (unread.length > 0) given.note('key-unknown', `features that are not read: ${unread.join(', ').slice(0, 200)}`)
}

/** Of a value that broke off nothing is left, and on one that lost its end the next line hangs. */
const isLikelyOff = (flag: unknown): boolean =>
  flag === null ||
  isNearlyOff(flag) ||
  (isText(flag) && ('false'.startsWith(flag) || /^fal\w?$|^(?:false|disabled)(?:\W|.{0,20}: )/.test(flag)))

/** Of the names only Codex has; `shell_tol = false` would leave it a shell, and so would one without its colon. */
const nearFeature = (name: string): boolean => {
  const word = looseKey(name.slice(0, maxKey))
  const isTorn = (feature: string) => 2 * (pieceOf(word, feature)?.kept ?? 0) >= feature.length
  return didYouMean(word, codexFeatures) !== undefined || (!ownFeatures.has(word) && codexFeatures.some(isTorn))
}
/** Somebody's own: they are whole words. */
const ownFeatures: ReadonlySet<string> = new Set(['search', 'agent', 'multi'])
export const codexFeatures = [
  'shelltool',
  'multiagent',
  'multiagentv2',
  'websearch',
  'websearchrequest',
  'applypatch',
  'viewimagetool',
]
/** A name that nobody else has. */
export const isCodexFeature = (name: string): boolean =>
  looseKey(name) !== 'websearch' && codexFeatures.includes(looseKey(name))
const featuresOff = codexFeatures.map(feature => `${feature}false`)

function codexFeature(name: string): readonly string[] | undefined {
  const key = looseKey(name)
  if (key === 'shelltool') return shellTools
  return /^(?:multiagent(?:v\d)?|collab)$/.test(key) ? delegationTools : toolsOfFeature(key)
}

const maxKey = 60

/** Whether one of them is off, or nearly: outside of Codex's files such a table is anybody's. */
export function areFeaturesOff(value: unknown): boolean {
  return (
    isNearly(isText(value) ? value.replace(/[^A-Za-z]/g, '') : value, featuresOff) ||
    (isRecord(value) &&
      Object.entries(value).some(
        ([name, flag]) =>
          isLikelyOff(isRecord(flag) ? (isEnabled(flag) ?? false) : flag) &&
          (codexFeature(name) !== undefined || nearFeature(name)),
      ))
  )
}
