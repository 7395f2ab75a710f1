/** A command with its variables replaced by what the line says they may hold: held against what forbids, and nothing else. */
import type { AssignmentNode, CommandNode, WordNode } from './grammar.js'
import { alternatives, type Values } from './values.js'
import { isStatic, resolveAssignment, type ShellWord, type WordContext } from './words.js'

/** `words` is the plain reading, which is not repeated. */
export function guessedCommands(
  { name, args }: CommandNode,
  words: readonly ShellWord[],
  context: WordContext,
  values: Values,
): readonly (readonly ShellWord[])[] {
  if (!name || words.every(isStatic)) return []
  const choices = [name, ...args].map(word => choicesOf(word, context, values))
  const plain = words.map(word => word.shape).join('\0')
  return combined(choices).filter(line => line.length > 0 && line.map(word => word.shape).join('\0') !== plain)
}

const maxCombined = 32

type Choice = readonly ShellWord[]

function combined(choices: readonly (readonly Choice[])[]): readonly Choice[] {
  const count = choices.reduce((product, one) => product * one.length, 1)
  if (count <= maxCombined)
    return choices.reduce<readonly Choice[]>(
      (lines, one) => lines.flatMap(line => one.map(next => [...line, ...next])),
      [[]],
    )
  // Too many to combine: each value once, beside the first of the others.
  return choices.flatMap((one, index) =>
    one.map(next => choices.flatMap((other, at) => (at === index ? next : (other[0] ?? [])))),
  )
}

/** Each choice is one word, or several when blanks in an unquoted value take it apart. */
function choicesOf(word: WordNode | AssignmentNode, context: WordContext, values: Values): readonly Choice[] {
  if (word.type !== 'Word') return [[resolveAssignment(word as AssignmentNode, context)]]
  const { text, parts } = word as WordNode
  const isSplit = parts?.some(part => /^(SimpleExpansion|ParameterExpansion|CommandExpansion)$/.test(part.type))
  return alternatives(word as WordNode, context, values).map(shape => {
    const pieces = isSplit ? shape.split(/\s+/).filter(piece => piece !== '') : [shape]
    return pieces.map(piece => ({ shape: piece, source: text }))
  })
}
