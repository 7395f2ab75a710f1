/** `disabledFeatures`: each is a set of tools, and switching it off takes them away. */
import { denyTools, type FieldReader, namesOf, refuse } from './field-reader.js'
import { isFeature, toolsOfFeature } from './tool-sets.js'

export const readDisabledFeatures: FieldReader = (value, given) => {
  const names = namesOf(value)
  if (!names) return refuse(given, 'it must be a list of features')
  const isEmpty = Array.isArray(value) && value.some(item => item === '')
  if (isEmpty || value === '') return refuse(given, 'a name is missing in it')
  const unknown = names.filter(name => !isFeature(name))
  if (unknown.length > 0) return refuse(given, `unknown features: ${unknown.join(', ')}`)
  const denied = names.flatMap(name => toolsOfFeature(name) ?? [])
  given.draft.disabledFeatures = [...new Set([...(given.draft.disabledFeatures ?? []), ...names])]
  denyTools(denied, given)
  if (denied.includes('Task')) {
    given.draft.canSpawn = false
    given.draft.hasSpawnWord = true
  }
}
