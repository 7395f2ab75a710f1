/** Readers of what an agent is told and what it hands back. */

import type { InputField, InputType } from '../../agent-definition.js'
import { isOfType } from '../../brief/inputs.js'
import type { Json, JsonSchema } from '../../message.js'
import { isRecord } from '../../record.js'
import { schemaFault } from '../../schema/schema-fault.js'
import { looseKey } from '../../text/nearest.js'
import { inputTypes } from '../field-table.js'
import { drop, type FieldReader, flagOf, type Given, jsonOf, refuse, textOf } from './field-reader.js'

export const readSystemPrompt: FieldReader = (value, given) => {
  const text = textOf(value)
  if (text === undefined) return value === null || value === '' ? undefined : drop(given, 'text')
  if (given.draft.systemPrompt)
    return given.note('key-ignored', `the body is the prompt; "${given.entry.key}" is not used`)
  // To a model the name of a file says nothing.
  if (onlyFile.test(text)) return given.note('prompt-file', `"${given.entry.key}" names a file, which is not read`)
  given.draft.systemPrompt = text
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
  const held = isRecord(value) && isRecord(value.inputs) ? value.inputs : value
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

const maxInputs = 200
const reserved = new Set(['prompt', 'cwd', 'agent_type'])

function inputOf(name: string, spec: unknown, given: Given): InputField | undefined {
  const settings = isRecord(spec) ? spec : { type: spec ?? 'string' }
  const type = typeOf(settings)
  if (!/^[A-Za-z_][\w.-]{0,127}$/.test(name) || reserved.has(name) || type === undefined) {
    given.note(
      'value-invalid',
      `the input "${name}" was left out`,
      `types: ${inputTypes.join(', ')}; not ${[...reserved].join(', ')}`,
    )
    return undefined
  }
  const choices = Array.isArray(settings.enum) ? settings.enum.map(item => jsonOf(item)) : undefined
  const single = type.replace('[]', '') as InputType
  const isChoice = (choice: Json | undefined): choice is Json => choice !== undefined && isOfType(single, choice)
  const usual = settings.default === undefined ? undefined : jsonOf(settings.default)
  const isUsualFine = usual !== undefined && isOfType(type, usual)
  if (usual !== undefined && !isUsualFine)
    given.note('value-invalid', `the default of the input "${name}" is no ${type}`)
  if (choices && !choices.every(isChoice))
    given.note('value-invalid', `the enum of the input "${name}" holds other types`)
  return {
    name,
    type,
    isRequired: flagOf(settings.required) ?? false,
    ...(textOf(settings.description) === undefined ? {} : { description: textOf(settings.description)! }),
    ...(isUsualFine ? { default: usual } : {}),
    ...(choices?.some(isChoice) ? { enum: choices.filter(isChoice) } : {}),
  }
}

function typeOf(settings: Readonly<Record<string, unknown>>): InputType | undefined {
  const word = typeof settings.type === 'string' ? settings.type.trim().toLowerCase() : 'string'
  const item = isRecord(settings.items) ? settings.items.type : undefined
  const full = word === 'array' ? `${typeof item === 'string' ? item : 'string'}[]` : word === 'int' ? 'integer' : word
  return inputTypes.find(type => type === full)
}

export const readOutput: FieldReader = (value, given) => {
  if (!isRecord(value)) return drop(given, '{name, description, schema} or a JSON Schema')
  const isBareSchema =
    looseKey(given.entry.key) === 'outputschema' || (value.schema === undefined && 'properties' in value)
  const schema = jsonOf(isBareSchema ? value : (value.schema ?? null))
  const name = isBareSchema ? undefined : (textOf(value.name) ?? textOf(value.outputName))
  const description = isBareSchema ? undefined : textOf(value.description)
  given.draft.output = {
    name: name !== undefined && /^[A-Za-z_]\w{0,63}$/.test(name) ? name : 'result',
    ...(description === undefined ? {} : { description }),
    ...(isRecord(schema) ? { schema: schema as JsonSchema } : {}),
  }
  if (schema === undefined) given.note('value-invalid', 'the output schema is no plain JSON and was left out')
  // A run of it would be refused: whoever lints the file, and the list of agents, should know before.
  const fault = isRecord(schema) ? schemaFault(schema) : undefined
  if (fault !== undefined) refuse(given, fault)
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
