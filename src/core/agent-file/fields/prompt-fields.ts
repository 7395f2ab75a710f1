/** Readers of what an agent is told and what it hands back. */

import type { InputField, InputType } from '../../agent-definition.js'
import { checkInputs, isOfType } from '../../brief/inputs.js'
import type { Json, JsonSchema } from '../../message.js'
import { isRecord } from '../../record.js'
import { didYouMean, looseKey } from '../../text/nearest.js'
import { inputTypes } from '../field-shapes.js'
import { drop, type FieldReader, flagOf, type Given, jsonOf, textOf } from './field-reader.js'

export const readSystemPrompt: FieldReader = (value, given) => {
  const text = fileIn(value) ?? textOf(value)
  if (text === undefined) return value === null || value === '' ? undefined : drop(given, 'text')
  if (given.draft.systemPrompt)
    return given.note('key-ignored', `the body is the prompt; "${given.entry.key}" is not used`)
  // To a model the name of a file says nothing.
  if (onlyFile.test(text)) return given.note('prompt-file', `"${given.entry.key}" names a file, which is not read`)
  given.draft.systemPrompt = text
}

/** `{file:./x.md}` without quotes is a map to YAML. */
function fileIn(value: unknown): string | undefined {
  const [[key, held] = [], ...others] = isRecord(value) ? Object.entries(value) : []
  return key?.startsWith('file:') && held === null && others.length === 0 ? `{${key}}` : undefined
}

/** opencode's and Kiro's ways to put a prompt elsewhere. */
const onlyFile = /^(?:\{file:[^{}\n]{1,400}\}|file:\/\/\S{1,400})$/

export const readQuery: FieldReader = (value, given) => {
  const query = textOf(value)
  if (query === undefined) drop(given, 'text')
  else given.draft.query = query
}

export const readInitialPrompt: FieldReader = (value, given) => {
  const text = textOf(value)
  if (text === undefined) drop(given, 'text')
  else given.draft.initialPrompt = text
}

export const readCriticalReminder: FieldReader = (value, given) => {
  const text = textOf(value)
  if (text === undefined) drop(given, 'text')
  else given.draft.criticalReminder = text
}

export const readInitialMessages: FieldReader = (value, given) => {
  const messages = Array.isArray(value) ? value.map(messageOf) : [undefined]
  if (messages.some(message => message === undefined)) return drop(given, 'a list of {role: user | assistant, text}')
  given.draft.initialMessages = messages as NonNullable<Given['draft']['initialMessages']>
}

function messageOf(value: unknown): { role: 'user' | 'assistant'; text: string } | undefined {
  if (!isRecord(value)) return undefined
  const role = value.role === 'model' ? 'assistant' : value.role
  const parts = Array.isArray(value.parts) ? value.parts : Array.isArray(value.content) ? value.content : undefined
  const joined = parts?.map(part => (isRecord(part) ? textOf(part.text) : textOf(part)) ?? '').join('\n')
  const text = textOf(value.text) ?? textOf(value.content) ?? textOf(joined)
  return (role === 'user' || role === 'assistant') && text !== undefined ? { role, text } : undefined
}

export const readInputs: FieldReader = (value, given) => {
  if (isRecord(value) && isRecord(value.inputs)) noteUnread(value, ['inputs'], `"${given.entry.key}"`, given)
  const slip = looseKey(given.entry.key) === 'inputconfig' ? slipForInputs(value) : undefined
  if (slip !== undefined)
    return given.note('value-invalid', `"${slip}" in "${given.entry.key}" is not read`, 'did you mean "inputs"?')
  const held = propertiesIn(isRecord(value) && isRecord(value.inputs) ? value.inputs : value)
  const pairs = Array.isArray(held)
    ? held.map(item => [isRecord(item) && typeof item.name === 'string' ? item.name : '', item] as const)
    : isRecord(held)
      ? Object.entries(held)
      : undefined
  if (!pairs || pairs.length > maxInputs || pairs.some(([name]) => name === ''))
    return drop(given, `a map of at most ${maxInputs} inputs: {type, required, description, default, enum}`)
  const fields = pairs.flatMap(([name, spec]) => inputOf(name, spec, given) ?? [])
  if (fields.length > 0) given.draft.inputs = fields
}

/** `inputConfig: {input: {a: …}}`: a map of inputs, and no input of that name. */
function slipForInputs(value: unknown): string | undefined {
  if (!isRecord(value) || value.inputs !== undefined) return undefined
  const isInput = ([key, each]: readonly [string, unknown]) =>
    isRecord(each) || (!keysOfInput.includes(key) && inputTypes.some(type => type === each))
  return Object.keys(value).find(key => {
    const spec = value[key]
    return didYouMean(key, ['inputs']) !== undefined && isRecord(spec) && Object.entries(spec).every(isInput)
  })
}

/** A JSON Schema of them says the same in other words. */
function propertiesIn(value: unknown): unknown {
  if (!isRecord(value) || value.type !== 'object' || !isRecord(value.properties)) return value
  const { properties, required } = value
  const isRequired = (name: string) => Array.isArray(required) && required.includes(name)
  const specs = Object.entries(properties).map(([name, spec]) => [
    name,
    isRecord(spec) && isRequired(name) ? { ...spec, required: true } : spec,
  ])
  return Object.fromEntries(specs)
}

/** What stands in a table and is read by nobody: a slip there would be lost without a word. */
function noteUnread(
  table: Readonly<Record<string, unknown>>,
  known: readonly string[],
  of: string,
  given: Given,
): void {
  const unread = Object.keys(table).filter(key => !known.includes(key))
  for (const key of unread.slice(0, maxUnread)) {
    const meant = didYouMean(key, known)
    const hint = meant === undefined ? `known: ${known.join(', ')}` : `did you mean "${meant}"?`
    given.note('value-invalid', `"${key}" of ${of} is not read`, hint)
  }
}

const maxUnread = 3
const keysOfInput = ['type', 'description', 'required', 'default', 'enum', 'items', 'name', 'title']
const keysOfOutput = ['name', 'outputName', 'description', 'schema']

const maxInputs = 200
const reserved = new Set(['prompt', 'cwd', 'agent_type'])

function inputOf(name: string, spec: unknown, given: Given): InputField | undefined {
  // Told of every table.
  if (/^(?:__proto__|constructor|prototype)$/.test(name)) return undefined
  const settings = isRecord(spec) ? spec : { type: spec ?? 'string' }
  const type = typeOf(settings)
  const hint = whyNoInput(name, type)
  if (type === undefined || hint !== undefined) {
    given.note('value-invalid', `the input "${name}" was left out`, hint)
    return undefined
  }
  noteUnread(settings, keysOfInput, `the input "${name}"`, given)
  if (Array.isArray(settings.enum) && settings.enum.length === 0)
    given.note(
      'value-invalid',
      `the enum of the input "${name}" is empty, and was left out`,
      'list the values it may have',
    )
  const choices = Array.isArray(settings.enum) ? settings.enum.map(item => jsonOf(item)) : undefined
  const single = type.replace('[]', '') as InputType
  const isChoice = (choice: Json | undefined): choice is Json => choice !== undefined && isOfType(single, choice)
  const usual = settings.default === undefined ? undefined : jsonOf(settings.default)
  const isTyped = usual !== undefined && isOfType(type, usual)
  if (usual !== undefined && !isTyped)
    given.note('value-invalid', `the default of the input "${name}" is no ${type}`, `write a ${type}, or leave it out`)
  if (choices && !choices.every(isChoice))
    given.note(
      'value-invalid',
      `the enum of the input "${name}" holds other types`,
      `list values of the type ${single}`,
    )
  const isRequired = flagOf(settings.required)
  if (settings.required !== undefined && isRequired === undefined)
    given.note(
      'value-invalid',
      `whether the input "${name}" is required cannot be read: it counts as optional`,
      'valid: true, false',
    )
  const field: InputField = {
    name,
    type,
    isRequired: isRequired ?? false,
    ...(textOf(settings.description) === undefined ? {} : { description: textOf(settings.description)! }),
    ...(choices?.some(isChoice) ? { enum: choices.filter(isChoice) } : {}),
  }
  if (!isTyped) return field
  // It would refuse every task that leaves the input out.
  if ('values' in checkInputs([field], { [name]: usual })) return { ...field, default: usual }
  const valid = (field.enum ?? []).map(choice => JSON.stringify(choice)).join(', ')
  given.note('value-invalid', `the default of the input "${name}" is none of its enum`, `valid: ${valid.slice(0, 200)}`)
  return field
}

function whyNoInput(name: string, type: InputType | undefined): string | undefined {
  if (type === undefined) return `types: ${inputTypes.join(', ')}`
  if (reserved.has(name)) return `${[...reserved].join(', ')} have a meaning already`
  const isName = /^[A-Za-z_][\w.-]{0,127}$/.test(name)
  return isName ? undefined : 'a name has letters from a to z, digits, _, . and -, and begins with a letter or _'
}

function typeOf(settings: Readonly<Record<string, unknown>>): InputType | undefined {
  const { type } = settings
  // `[string, "null"]` is a text that may be left out.
  const types = Array.isArray(type) ? type.filter(each => each !== 'null') : [type ?? 'string']
  if (types.length !== 1 || typeof types[0] !== 'string') return undefined
  const word = types[0].trim().toLowerCase()
  const item = isRecord(settings.items) ? settings.items.type : undefined
  const full = word === 'array' ? `${typeof item === 'string' ? item : 'string'}[]` : word === 'int' ? 'integer' : word
  return inputTypes.find(each => each === full)
}

export const readOutput: FieldReader = (value, given) => {
  if (!isRecord(value)) return drop(given, '{name, description, schema} or a JSON Schema')
  const isBareSchema =
    looseKey(given.entry.key) === 'outputschema' || (value.schema === undefined && 'properties' in value)
  if (!isBareSchema) noteUnread(value, keysOfOutput, 'the output', given)
  const schema = jsonOf(isBareSchema ? value : (value.schema ?? null))
  const name = isBareSchema ? undefined : (textOf(value.name) ?? textOf(value.outputName))
  const isName = name !== undefined && /^[A-Za-z_]\w{0,63}$/.test(name)
  const description = isBareSchema ? undefined : textOf(value.description)
  given.draft.output = {
    name: isName ? name : 'result',
    ...(description === undefined ? {} : { description }),
    ...(isRecord(schema) ? { schema: schema as JsonSchema } : {}),
  }
  if (name !== undefined && !isName)
    given.note('value-invalid', `the output is called "result", and not "${name}"`, 'a name has letters, digits and _')
  if (schema === undefined)
    given.note('value-invalid', 'the output schema is no plain JSON and was left out', 'write a JSON Schema')
  // Left out, a schema would be kept by nobody.
  else if (schema !== null && !isRecord(schema))
    given.note(
      'output-invalid',
      `the output schema must be written out here, and is ${JSON.stringify(schema).slice(0, 60)}`,
    )
}

export const readCompletion: FieldReader = (value, given) => {
  if (value === 'explicit' || value === 'text') given.draft.completion = value
  else drop(given, 'explicit, text')
}

export const readForkContext: FieldReader = (value, given) => {
  const flag = flagOf(value)
  if (flag !== undefined) given.draft.forkContext = flag ? 'full' : 'none'
  else if (value === 'none' || value === 'summary' || value === 'full') given.draft.forkContext = value
  else drop(given, 'true, false, none, summary, full')
}

export const readOmitInstructions: FieldReader = (value, given) => {
  const flag = flagOf(value)
  if (flag === undefined) drop(given, 'true, false')
  else given.draft.omitInstructions = flag
}
