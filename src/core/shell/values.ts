/** The texts a word may come to when its variables hold what the line says they may hold. */
import { anyText, isCertain } from '../text/glob.js'
import type { CommandNode, OperationNode, ShellNode, WordNode, WordPartNode } from './grammar.js'
import { resolveOne, type WordContext } from './words.js'

/** Texts, with unknowns; none for a variable the line does not set. */
export type Values = (name: string) => readonly string[]

/** At least one text: the plain reading of the word where nothing better is known. */
export function alternatives(word: WordNode, context: WordContext, values: Values): readonly string[] {
  return word.parts ? joined(word.parts, context, values) : [word.value]
}

const maxTexts = 256

function joined(parts: readonly WordPartNode[], context: WordContext, values: Values): readonly string[] {
  let texts: readonly string[] = ['']
  for (const part of parts) {
    const next = partTexts(part, context, values)
    texts = texts.flatMap(text => next.map(end => text + end)).slice(0, maxTexts)
  }
  return texts
}

function partTexts(part: WordPartNode, context: WordContext, values: Values): readonly string[] {
  const plain = () => resolveOne({ type: 'Word', text: part.text, value: '', parts: [part] }, context).shape
  const held = (name: string) => {
    const texts = values(name)
    return texts.length > 0 ? texts : [plain()]
  }
  switch (part.type) {
    case 'SimpleExpansion':
      return held(part.text.slice(1))
    case 'ParameterExpansion': {
      const { operation, parameter = '' } = part
      if (!operation) return held(parameter)
      if (operation.type !== 'Default') return held(parameter).map(text => worked(text, operation))
      return [...held(parameter), ...(operation.operand ? alternatives(operation.operand, context, values) : [])]
    }
    case 'DoubleQuoted':
    case 'LocaleString':
      return part.parts ? joined(part.parts, context, values) : [anyText]
    case 'CommandExpansion':
      return [spoken(part, context, values) ?? anyText]
    default:
      return [plain()]
  }
}

/** `${x%end}`, `${x/from/to}`, `${x:1:2}`, `${x,,}` where all of it is plain text. */
function worked(text: string, { type, operator = '', ...operation }: OperationNode): string {
  if (!isCertain(text)) return anyText
  const { operand, pattern, replacement, offset, length } = operation
  if ([operand, pattern, replacement].some(word => word?.parts !== undefined)) return anyText
  switch (type) {
    case 'Remove': {
      const cut = operand?.value ?? ''
      if (operator.startsWith('#')) return text.startsWith(cut) ? text.slice(cut.length) : text
      return text.endsWith(cut) ? text.slice(0, text.length - cut.length) : text
    }
    case 'Replace': {
      const [from, to] = [pattern?.value ?? '', replacement?.value ?? '']
      return operator === '//' ? text.replaceAll(from, to) : text.replace(from, () => to)
    }
    case 'Slice': {
      const [start, count] = [Number(offset?.value), length ? Number(length.value) : undefined]
      if (Number.isNaN(start) || Number.isNaN(count ?? 0)) return anyText
      const from = text.slice(start)
      return count === undefined ? from : from.slice(0, count)
    }
    case 'CaseModification':
      if (operator === ',,') return text.toLowerCase()
      return operator === '^^' ? text.toUpperCase() : anyText
    default:
      return anyText
  }
}

/** `$(echo text)` is the text. */
function spoken({ script }: WordPartNode, context: WordContext, values: Values): string | undefined {
  const commands: CommandNode[] = []
  const visit = (node: ShellNode): void => {
    if (node.type === 'Command') commands.push(node as CommandNode)
    context.grammar.children(node, visit)
  }
  if (script) visit(script)
  const [only] = commands
  if (!only || commands.length > 1 || !/^(echo|printf)$/.test(only.name?.value ?? '')) return undefined
  const words = only.args.filter((arg): arg is WordNode => arg.type === 'Word' && !/^-|^%s(\\n)?$/.test(arg.value))
  return words.map(word => alternatives(word, context, values)[0] ?? '').join(' ')
}
