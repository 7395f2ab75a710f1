/** A field that stands in a file under two keys: which of them counts, and what is said of the other. */

import { looseKey, slugOf } from '../text/nearest.js'
import type { Entry } from './block.js'
import { type Code, diagnosticCodes } from './diagnostic-codes.js'
import { type FieldName, fieldTable } from './field-table.js'
import type { Draft, Given } from './fields/field-reader.js'
import { fieldReaders } from './fields/field-readers.js'
import { twoToolLists } from './fields/two-tool-lists.js'
import { joinedDescription } from './fields/word-fields.js'

type Note = (code: Code, message: string, hint?: string) => void
type Origin = Pick<Given, 'dialect' | 'source'>

/** `beside`: the agent has what both say. */
export function saidTwice(
  field: FieldName,
  [first, second]: readonly [Entry, Entry],
  origin: Origin,
  noteAt: (entry: Entry) => Note,
): { readonly counts: Entry; readonly beside?: Entry } {
  const joined = field === 'description' ? joinedDescription(first, second) : undefined
  if (joined) {
    noteAt(second)('value-converted', `"${first.key}" and "${second.key}" were joined`, 'say it all under description')
    return { counts: joined }
  }
  const two = field === 'tools' ? twoToolLists(first, second, origin.dialect) : undefined
  if (two && !isOneMeaning(field, [first, second], origin)) return { counts: two.tools, beside: two.allowed }
  // `steps` above, `maxTurns` below: the key that is the field's own counts.
  const isOwn = fieldTable[field].kind !== 'security' && isOwnKey(field, second) && !isOwnKey(field, first)
  const [counts, other] = isOwn ? [second, first] : [first, second]
  reportTwice(field, [counts, other], origin, noteAt(other))
  return { counts }
}

const isOwnKey = (field: FieldName, { key }: Entry): boolean => looseKey(key) === looseKey(fieldTable[field].keys[0]!)

function reportTwice(field: FieldName, [first, second]: readonly [Entry, Entry], origin: Origin, note: Note): void {
  const isOne = isOneMeaning(field, [first, second], origin)
  if (fieldTable[field].kind === 'security') {
    if (!isOne) note('security-value-unclear', `"${second.key}" says something else than "${first.key}"`)
  } else if (!isOne && wordOf(field, first) !== wordOf(field, second))
    note('key-duplicate', `"${second.key}" says the same as "${first.key}" with another value; "${first.key}" counts`)
}

/** `Feature Developer` and `feature-developer` are one name. */
function wordOf(field: FieldName, { value }: Entry): string {
  return field === 'name' && typeof value === 'string' ? slugOf(value) : JSON.stringify(value)
}

function isOneMeaning(field: FieldName, pair: readonly [Entry, Entry], origin: Origin): boolean {
  const [meaning, other] = pair.map(entry => meaningOf(field, entry, origin))
  return meaning !== undefined && meaning === other
}

/** What its reader makes of it alone: `timeoutMins: 90` is not `timeoutSeconds: 90`. Undefined where it cannot be read. */
function meaningOf(field: FieldName, entry: Entry, origin: Origin): string | undefined {
  const draft: Draft = {}
  let isRead = true
  const note = (code: Code) => {
    isRead &&= diagnosticCodes[code].severity !== 'error'
  }
  fieldReaders[field](entry.value, { entry, ...origin, draft, note })
  const { written: _, ...meant } = draft
  return isRead ? JSON.stringify(meant) : undefined
}
