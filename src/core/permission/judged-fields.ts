/**
 * The inputs by which a call is judged: the names that tools give commands, places, files and addresses. A model may add
 * such a field to any call. What the tool does not declare it does not use, so to judge by it would be to judge another call.
 */
import { isRecord } from '../record.js'
import type { ToolSpec } from '../types.js'

export const commandFields = ['command', 'cmd', 'script']
export const startFields = ['cwd', 'workdir', 'working_directory', 'directory']
export const urlFields = ['url', 'uri', 'href']
export const pathFields = [
  ...['file_path', 'notebook_path', 'path', 'filePath', 'file', 'filename', 'directory', 'dir', 'cwd', 'uri'],
]
const judgedFields = new Set([...commandFields, ...startFields, ...urlFields, ...pathFields])

/** What stands beside a path in a call that changes a file, and is none. */
const contentFields = new Set([
  ...[
    'content',
    'contents',
    'text',
    'body',
    'data',
    'old_string',
    'new_string',
    'new_source',
    'description',
    'encoding',
  ],
])

type Declared = Pick<ToolSpec, 'inputSchema'>
type Input = Readonly<Record<string, unknown>>

function declaredIn({ inputSchema }: Declared): Input | undefined {
  const { properties } = inputSchema as { readonly properties?: unknown }
  return isRecord(properties) ? properties : undefined
}

/** A tool that says nothing about its inputs may take any. */
export function isDeclared(spec: Declared, field: string): boolean {
  const declared = declaredIn(spec)
  return declared === undefined || Object.hasOwn(declared, field)
}

export const saysWhatItTakes = (spec: Declared): boolean => declaredIn(spec) !== undefined

/** The first field that is there for the judge alone. */
export function madeUpField(spec: Declared, input: Input): string | undefined {
  return Object.keys(input).find(field => judgedFields.has(field) && !isDeclared(spec, field))
}

/** Of these fields the one that the tool uses; there may be others in the input. */
export function usedField(spec: Declared, input: Input, fields: readonly string[]): string | undefined {
  return fields.find(field => Object.hasOwn(input, field) && isDeclared(spec, field))
}

/** A text of which nobody knows what it is may be another path. */
export function hasUnknownText(input: Input): boolean {
  return Object.entries(input).some(
    ([field, value]) => typeof value === 'string' && !judgedFields.has(field) && !contentFields.has(field),
  )
}

/** Fields by which the call was judged, and which the tool would read otherwise than they were written. */
export function readOtherwise(written: unknown, read: unknown): string | undefined {
  if (!isRecord(written) || !isRecord(read)) return undefined
  const isOther = (field: string) => JSON.stringify(written[field]) !== JSON.stringify(read[field])
  return Object.keys(written).find(field => judgedFields.has(field) && isOther(field))
}
