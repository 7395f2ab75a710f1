/** What bash evaluates once more, or reads differently from our grammar, by the form of a node alone: one sentence for each. */
import type { ShellNode, WordNode, WordPartNode } from './grammar.js'
import { isPlainAnsi, misreadBraces } from './misread.js'

export function risksOf(node: ShellNode): readonly string[] {
  return risks.get(node.type)?.(node as never) ?? []
}

const risks: ReadonlyMap<string, (node: never) => readonly string[]> = new Map<
  string,
  (node: never) => readonly string[]
>([
  ['Word', (node: WordNode) => given(misreadBraces(node), 'braces may make other words of it')],
  ['AnsiCQuoted', (node: WordPartNode) => given(!isPlainAnsi(node), "shells read this escape in $'…' differently")],
  // Bash looks the text up in a catalogue, which may be a file of the project, and expands what it finds.
  ['LocaleString', () => ['$"…" stands for a translation, which can run commands']],
  ['ParameterExpansion', inParameter],
  ['ArithmeticWord', inArithmetic],
  ['TestUnary', inTest],
  ['TestBinary', inTest],
  ['Coproc', () => ['coproc runs beside the shell']],
  // `ls() { … }` makes every later `ls` something else, and one that calls itself need not end.
  ['Function', () => ['a function changes what a name means']],
])

function inParameter({ operation, index, prefix, text }: WordPartNode): readonly string[] {
  const isIndexed = index !== undefined && !/^(\d+|[@*])$/.test(index.value)
  const isUnknown = operation?.type === 'Transform' || operation?.type === 'Unknown'
  const isSliced = operation?.type === 'Slice' && !plainSlice.test(text)
  return [
    ...given(prefix === '!', 'an indirect variable can run commands'),
    ...given(isIndexed, 'an array index can run commands'),
    ...given(isUnknown, 'this expansion can run commands'),
    ...given(isSliced, 'arithmetic can run commands'),
  ]
}

/** Numbers and nothing else: both ends are arithmetic. */
const plainSlice = /^\$\{(?:\w+|[@*])(?:\[(?:\d+|[@*])\])?:\s*-?\d+(?::\s*-?\d+)?\s*\}$/

/** Bash evaluates a variable's text as an expression, and an index in it as a command. */
function inArithmetic({ value }: ShellNode & { readonly value: string }): readonly string[] {
  const isNumber = /^\s*(0[xX][0-9a-fA-F]+|\d+(#[0-9a-zA-Z]+)?)?\s*$/.test(value)
  return given(!isNumber, 'arithmetic on variables can run commands')
}

interface TestNode extends ShellNode {
  readonly operator: string
  readonly left?: WordNode
  readonly right?: WordNode
}

function inTest({ operator, left, right }: TestNode): readonly string[] {
  const isNumber = (word: WordNode | undefined) => /^-?\d+$/.test(word?.text ?? '')
  const isCompared = /^-(eq|ne|lt|le|gt|ge)$/.test(operator)
  return [
    ...given(operator === '-v' || operator === '-R', 'testing a variable can run commands'),
    ...given(isCompared && !(isNumber(left) && isNumber(right)), 'arithmetic on variables can run commands'),
  ]
}

const given = (is: boolean, sentence: string): readonly string[] => (is ? [sentence] : [])
