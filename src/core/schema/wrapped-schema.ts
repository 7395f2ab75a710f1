/**
 * A schema as that of the one property of an object, which is what a tool takes.
 *
 * W1 A value fits the schema exactly when an object with that value fits the wrapped one: references lead where they led,
 *    and the dialect is that of the schema.
 * W2 A provider reads the wrapped one without knowing names (`$id`): definitions stand at its root, where they are
 *    looked for, and what refers to the whole refers to one of them.
 */
import type { JsonSchema } from '../message.js'
import { isRecord } from '../record.js'
import { mapRefs, nameless } from './schema-refs.js'

export function wrapSchema(name: string, schema: JsonSchema): JsonSchema {
  const { $schema, ...given } = nameless(schema)
  const { $defs, definitions, ...value } = given
  const whole = freeName($defs)
  const outward: string[] = []
  const moved = mapRefs({ value, $defs, definitions }, ref => {
    if (!isPointer(ref) || inDefinitions.test(ref)) return ref
    outward.push(ref)
    return `#/$defs/${whole}${ref.slice(1)}`
  })
  const isWholeNamed = outward.length > 0
  const defs = { ...(isRecord(moved.$defs) ? moved.$defs : {}), ...(isWholeNamed && { [whole]: moved.value }) }
  return {
    ...($schema !== undefined && { $schema }),
    type: 'object',
    properties: { [name]: isWholeNamed ? { $ref: `#/$defs/${whole}` } : moved.value },
    required: [name],
    additionalProperties: false,
    ...(Object.keys(defs).length > 0 && { $defs: defs }),
    ...(moved.definitions !== undefined && { definitions: moved.definitions }),
  } as JsonSchema
}

const isPointer = (ref: string): boolean => ref === '#' || ref.startsWith('#/')
const inDefinitions = /^#\/(?:(?:\$|%24)defs|definitions)\//

function freeName(taken: unknown): string {
  let name = 'whole'
  while (isRecord(taken) && Object.hasOwn(taken, name)) name += '_'
  return name
}
