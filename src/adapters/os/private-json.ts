/** A small JSON file of the user's own: read tolerantly, replaced whole, never readable by others. */
import { readFileSync, statSync } from 'node:fs'
import { isRecord } from '../../core/record.js'
import { jsonFault } from '../../core/text/json-fault.js'
import { firstRepeat } from '../../core/text/repeated-keys.js'
import { replacePrivately } from './private-file.js'

/**
 * Undefined when there is none. Throws on JSON that cannot be read, also because a key stands twice in it: what cannot be
 * read must not be overwritten.
 */
export function readPrivateJson(path: string): { readonly [key: string]: unknown } | undefined {
  // Mostly there is none, and this is asked before every call of a tool: a thrown error costs more than a look.
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return undefined
  const text = readIfThere(path)
  if (text === undefined) return undefined
  if (text.trim() === '') return {}
  const value = parse(path, text)
  const twice = firstRepeat(text)
  if (twice) throw new Error(`${path}: "${twice.key}" stands twice (again in line ${twice.line}). Write it once.`)
  if (!isRecord(value)) throw new Error(`${path} is no JSON object`)
  return value
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return undefined
    throw error
  }
}

export function writePrivateJson(path: string, value: unknown): void {
  replacePrivately(path, `${JSON.stringify(value, null, 2)}\n`)
}

function parse(path: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`${path} is no valid JSON: ${jsonFault(text)}. Mend it, or move it away.`, { cause: error })
  }
}
