/**
 * Kiro's `resources`: the files it puts before an agent, as `file://README.md`, `skill://…` or a record with a `source`.
 * Anything that is not wholly such a list is left to whoever reads our bounds of that name.
 */
import { isRecord } from '../../record.js'
import { looseKey } from '../../text/nearest.js'
import { meantLimit } from '../damage/keys/near-limits.js'
import { holdsLimit } from '../damage/words/limit-words.js'
import { isSecurityKey } from '../field-table.js'

export function areContextFiles(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length <= maxFiles && value.every(item => isAddress(item) || isSource(item))
}

/** Each key of a record is held against every limit. */
const maxFiles = 400
const maxKeys = 20

/** A blank may stand in a file's name; behind one that holds a limit, a line was lost. */
function isAddress(item: unknown): boolean {
  if (typeof item !== 'string' || item.length > maxAddress || !/^[a-z][a-z\d+.-]*:\/\/\S/i.test(item)) return false
  return !/[\n\r]|:\s|:$/.test(item) && !(/\s/.test(item) && holdsLimit(item))
}

const maxAddress = 4096

function isSource(item: unknown): boolean {
  if (!isRecord(item) || typeof item.type !== 'string' || !isAddress(item.source)) return false
  const pairs = Object.entries(item).filter(([key]) => !ownKeys.has(looseKey(key)))
  const isLimit = ([key, each]: readonly [string, unknown]) => isSecurityKey(key) || meantLimit(key, each) !== undefined
  return pairs.length < maxKeys && !pairs.some(isLimit)
}

const ownKeys: ReadonlySet<string> = new Set(
  ['type', 'source', 'name', 'description', 'indexType', 'include', 'exclude', 'autoUpdate'].map(looseKey),
)
