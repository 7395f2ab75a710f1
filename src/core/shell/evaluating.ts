/**
 * Builtins and assignments that take a text apart once more and run what is substituted in it: a number, a name or an index
 * is an expression to bash, and `a[$(cmd)]` in an expression runs `cmd`. Each answer is the sentence of a doubt.
 */
import type { AssignmentNode, CommandNode, ShellNode, WordNode } from './grammar.js'
import { isStatic, type ShellWord } from './words.js'

export function evaluatedBy(bare: string, words: readonly ShellWord[]): string | undefined {
  const rest = words.slice(1)
  if (declaring.test(bare) && rest.some(word => /^-[a-zA-Z]*[in]/.test(word.shape)))
    return 'a variable that holds a number or a name can run commands when it is set'
  if ((bare === 'test' || bare === '[') && mayTestVariable(rest)) return 'testing a variable can run commands'
  if (bare === 'printf' && formatsOf(rest).some(setsByCount)) return 'printf %n sets a variable'
  return undefined
}

/** What may be its format: the first word that is none of its options, and those before it that may come to nothing. */
function formatsOf(words: readonly ShellWord[]): readonly string[] {
  const first = words.findIndex(
    (word, at) => isStatic(word) && !/^-[v-]/.test(word.shape) && words[at - 1]?.shape !== '-v',
  )
  return words.slice(0, first < 0 ? undefined : first + 1).map(word => word.shape)
}

/** In a format of bash's printf `%n` sets the variable it is given to the number of letters so far: PATH, for one. */
export function setsByCount(format: string): boolean {
  return format.includes('%') && /%[^%a-zA-Z]*[hjlLtz]*n/.test(format.replaceAll('%%', ''))
}

const declaring = /^(declare|typeset|local)$/

/** `-v` and `-R` evaluate their operand; a word that is not known may be one of them where an operator can stand. */
function mayTestVariable(words: readonly ShellWord[]): boolean {
  return words.some((word, index) => {
    if (/^-[vR]$/.test(word.shape)) return true
    const [before, after] = [words[index - 1]?.shape ?? '!', words[index + 1]?.shape ?? ']']
    return !isStatic(word) && /^(!|\(|-a|-o)$/.test(before) && !/^(\]|\)|[=<>]|==|!=|-[a-z]{1,2})$/.test(after)
  })
}

/** A list may set its indices: `a=([x]=1)`. The keys of a table (`declare -A`) are only text. */
export function evaluatedIn({ name, value, index }: AssignmentNode, isTable: boolean): string | undefined {
  const elements = (value as ListNode | undefined)?.elements ?? []
  const isOpen = elements.some(({ text }) => text.startsWith('[') && !/^\[\d+\]/.test(text))
  if ((index && !/^\d+$/.test(index.value)) || (isOpen && !isTable)) return 'an array index can run commands'
  const isNumber = value === undefined || /^\d*$/.test((value as WordNode).value ?? '-')
  return numbers.test(name) && !isNumber ? evaluatedName(name) : undefined
}

interface ListNode extends ShellNode {
  readonly elements?: readonly WordNode[]
}

/** Set in a way that does not show to what. */
export function evaluatedName(name: string): string | undefined {
  return numbers.test(name) ? `${name} is a number to bash, and arithmetic can run commands` : undefined
}

const numbers = /^(SECONDS|SRANDOM|LINENO|EPOCHSECONDS)$/

export function makesTable({ name, args }: CommandNode): boolean {
  return (
    declaring.test(name?.value ?? '') &&
    args.some(arg => /^-[a-zA-Z]*A[a-zA-Z]*$/.test((arg as WordNode).value as string))
  )
}
