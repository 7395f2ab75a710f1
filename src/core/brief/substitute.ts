/**
 * `${name}` in prompts.
 * R1 only names that are own keys of `values` are replaced; anything else (`${HOME}`) is left as it stands.
 * R2 one pass: what a value brings in is never looked at again.
 * R3 a name that is declared but has no value is replaced by nothing.
 */
import type { Json } from '../message.js'

export function substitute(text: string, values: Readonly<Record<string, string | undefined>>): string {
  return text.replace(placeholder, (written, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? '') : written,
  )
}

/** The names that stand in a text as placeholders, known or not. */
export const placeholdersIn = (text: string): readonly string[] =>
  Array.from(text.matchAll(placeholder), ([, name]) => name!)

/** What stands before, between and after the placeholders of a text. */
export const partsAround = (text: string): readonly string[] => text.split(placeholder).filter((_, i) => i % 2 === 0)

/** How an input reads inside a prompt. */
export function inputText(value: Json | undefined): string {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) return value.map(inputText).join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

// Bounded, so that a text full of "${" stays linear.
const placeholder = /\$\{([A-Za-z_][\w.-]{0,127})\}/g
