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
export const judgedFields: ReadonlySet<string> = new Set([
  ...commandFields,
  ...startFields,
  ...urlFields,
  ...pathFields,
])

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

/** Undefined where there may be others. A schema that does not mention them means the ones it names. */
function declaredIn({ inputSchema }: Declared): Input | undefined {
  const { properties, additionalProperties: others = false, ...more } = inputSchema as Input
  const isOpen = others !== false || openings.some(word => Object.hasOwn(more, word))
  return isRecord(properties) && !isOpen ? properties : undefined
}

const openings = ['patternProperties', 'anyOf', 'oneOf', 'allOf', 'if', '$ref', '$dynamicRef']

export const declaredFields = (spec: Declared): readonly string[] => Object.keys(declaredIn(spec) ?? {})

/** A tool that does not say all of its inputs may take any. */
export function isDeclared(spec: Declared, field: string): boolean {
  const declared = declaredIn(spec)
  return declared === undefined || Object.hasOwn(declared, field)
}

export const saysWhatItTakes = (spec: Declared): boolean => declaredIn(spec) !== undefined

/** The first field that is there for the judge alone. */
export function madeUpField(spec: Declared, input: Input): string | undefined {
  return Object.keys(input).find(field => judgedFields.has(field) && input[field] != null && !isDeclared(spec, field))
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
