/** An option whose value is a JSON object, written on the command line or kept in a file. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { isRecord } from '../../core/record.js'
import { jsonFault } from '../../core/text/json-fault.js'

export type JsonObject = { readonly [key: string]: unknown }
export type JsonArgument =
  | { readonly value: JsonObject; readonly origin: string; readonly text: string }
  | { readonly fault: string }

export function readJsonArgument(option: string, text: string, cwd: string): JsonArgument {
  if (text.trim().startsWith('{')) return parse(text, option, `The value of ${option}`)
  const path = resolve(cwd, text)
  try {
    return parse(readFileSync(path, 'utf8'), path, path)
  } catch (error) {
    const code = (error as { code?: string }).code
    if (code === 'ENOENT') return { fault: `${option}: there is no file ${path}, and "${text}" is no JSON object.` }
    return { fault: `${option}: ${path} cannot be read (${code ?? String(error)}).` }
  }
}

function parse(text: string, origin: string, what: string): JsonArgument {
  try {
    const value: unknown = JSON.parse(text)
    if (!isRecord(value)) return { fault: `${what} must be one JSON object: {…}.` }
    return { value: value as JsonObject, origin, text }
  } catch {
    return { fault: `${what} is no valid JSON: ${jsonFault(text)}.` }
  }
}
