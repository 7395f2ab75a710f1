/** A typed question a run puts to its caller or the user, and reading what comes back. */
import type { Json } from '../message.js'

/** What a run asks its caller, or the person behind it. */
export interface Question {
  readonly text: string
  readonly type: 'text' | 'number' | 'boolean' | 'choice'
  /** For a choice. */
  readonly options?: readonly string[]
  /** Taken when nobody answers in time. */
  readonly default?: Json
}

/** An answer as text or as a value, in the type that was asked for; or what would have been one. */
export function readAnswer(question: Question, given: unknown): { readonly value: Json } | { readonly fault: string } {
  const value = readers[question.type](given, question)
  return value === undefined ? { fault: `the answer must be ${wanted(question)}` } : { value }
}

/** What kind of answer is wanted, in words. */
export function wanted({ type, options = [] }: Question): string {
  switch (type) {
    case 'text':
      return 'a text'
    case 'number':
      return 'a number'
    case 'boolean':
      return 'yes or no'
    case 'choice':
      return `one of: ${options.join(' | ')}`
  }
}

const readers: { readonly [T in Question['type']]: (given: unknown, question: Question) => Json | undefined } = {
  text: given => (typeof given === 'string' && given.trim() !== '' ? given : undefined),
  number: given => {
    const number = typeof given === 'string' && given.trim() !== '' ? Number(given) : given
    return typeof number === 'number' && Number.isFinite(number) ? number : undefined
  },
  boolean: given => {
    if (typeof given === 'boolean') return given
    const word = String(given).trim().toLowerCase().replace(/[.!]$/, '')
    return yes.has(word) ? true : no.has(word) ? false : undefined
  },
  choice: (given, { options = [] }) => {
    const word = String(given).trim()
    return options.find(option => option === word) ?? options.find(option => plain(option) === plain(word))
  },
}

const yes: ReadonlySet<string> = new Set(['yes', 'y', 'true', 'ok'])
const no: ReadonlySet<string> = new Set(['no', 'n', 'false'])
const plain = (text: string): string => text.trim().toLowerCase()
