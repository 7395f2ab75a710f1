/**
 * Kiro's `allowedTools` beside `tools`: what needs no asking there, out of what the agent has. Who is asked is the caller's
 * to say, so it gives nothing here; alone it is all there is to go by, and read as the tools.
 */

import type { Diagnostic } from '../../ports.js'
import { looseKey } from '../../text/nearest.js'
import type { Entry } from '../block.js'
import { isTool } from '../damage/words/tool-words.js'
import type { Code } from '../diagnostic-codes.js'
import type { Dialect } from '../dialect.js'
import { namesOf } from './field-reader.js'
import { whyUnclear } from './unclear-tools.js'

/** The entries of that kind in a file. */
export function trustedEntries(entries: readonly Entry[], dialect: Dialect): ReadonlySet<Entry> {
  const hasTools = dialect === 'kiro' && entries.some(({ key }) => looseKey(key) === 'tools')
  return new Set(hasTools ? entries.filter(isTrusted) : [])
}

export function isTrusted({ key }: Entry): boolean {
  return looseKey(key) === 'allowedtools'
}

/** Alone in a file of Kiro's that had to be mended, a broken line may have been its `tools`, which are fewer. */
export function isHalfOfTools(entry: Entry, dialect: Dialect, earlier: readonly Diagnostic[]): boolean {
  const isMended = earlier.some(({ code }) => code === 'syntax-repaired' || code === 'stray-line')
  return dialect === 'kiro' && isTrusted(entry) && isMended
}

/** Nothing but tools under a key nobody knows: beside `allowedTools` alone, they are what it had. */
export function listsTools({ value }: Entry): boolean {
  const names = namesOf(value)?.slice(0, maxNames) ?? []
  return names.length > 0 && names.every(name => name.startsWith('@') || isTool(name))
}

const maxNames = 40

/** What is no list of names may have swallowed the line below it, which may be a limit. */
export function reportTrusted({ key, value }: Entry, note: (code: Code, message: string) => void): void {
  // As the product writes it into every new file.
  if (Array.isArray(value) && value.length === 0) return
  const names = value === null ? [] : namesOf(value)
  const isList = names?.every(isTrustedName) && whyUnclear(names) === undefined
  if (isList) note('mode-ignored', `"${key}" is not taken from the file: what needs no asking is the caller’s to say`)
  else note('security-value-unclear', `the value of "${key}" cannot be read for certain: it must be a list of tools`)
}

/** `shell:git`: no name there, either, and a tool's all the same. */
function isTrustedName(name: string): boolean {
  const [, tool = name] = /^(\w{1,60}):[\w-]{1,60}$/.exec(name) ?? []
  return trustedName.test(tool) && (tool === name || isTool(tool))
}

/** Stars and question marks stand in some: `@git/*`, `?ead`. */
const trustedName = /^[\w@*?.-]{1,100}(?:\/[\w*?.-]{1,100})?$/
