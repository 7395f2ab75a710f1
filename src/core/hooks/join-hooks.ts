/** Hooks of two configurations as one: every group of both, each once. Joining only adds guards. */
import type { Json } from '../message.js'
import { isRecord } from '../record.js'
import { canonicalJson } from '../text/text.js'

export function joinHooks(first: Json | undefined, second: Json | undefined): Json | undefined {
  if (!isRecord(first) || !isRecord(second)) return first ?? second
  const added = Object.entries(second).map(([event, groups]) => {
    const known = listOf(first[event])
    const isNew = (group: Json) => !known.some(each => canonicalJson(each) === canonicalJson(group))
    return [event, [...known, ...listOf(groups).filter(isNew)]]
  })
  return { ...first, ...Object.fromEntries(added) }
}

function listOf(value: Json | undefined): readonly Json[] {
  return value === undefined ? [] : Array.isArray(value) ? value : [value]
}
