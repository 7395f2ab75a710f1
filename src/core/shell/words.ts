/**
 * A word of a command line as the shell would see it after quotes, escapes and braces, with the unknowns of glob.ts
 * where only a running shell could tell: variables, substitutions, wildcards.
 */
import { anyLetter, anyName, anyText, isCertain } from '../text/glob.js'
import { expandBraces } from './braces.js'
import type { AssignmentNode, CommandNode, ShellGrammar, ShellNode, WordNode, WordPartNode } from './grammar.js'

export interface ShellWord {
  /** The resolved text, with unknowns. */
  readonly shape: string
  /** As written, for people and for rules that quote it. */
  readonly source: string
  /** It stands for files that another command finds. */
  readonly found?: FoundFiles
  /** What its unknown beginning, or all of it, comes to for certain: never a ground to allow. */
  readonly settled?: string
}

export interface FoundFiles {
  /** At or below these; none of their names begins with a dash. */
  readonly starts: readonly ShellWord[]
  /** As many words as there are files. */
  readonly isMany: boolean
  /** How their names end. */
  readonly endings: 'all' | readonly string[]
}

export interface WordContext {
  readonly grammar: ShellGrammar
  /** What `$PWD` stands for: a directory, or `.` where the line may move about. */
  readonly here: string
  readonly home?: string
  /** The line changes what wildcards pick. */
  readonly hasLooseWildcards?: boolean
  /** What a loop's variable stands for in its body, where that is certain. */
  readonly loop?: ReadonlyMap<string, string>
  /** What other variables hold, where that is certain, in a line that takes words apart as ever (settled-variables.ts). */
  readonly settled?: ReadonlyMap<string, string>
}

/** One word, or several when braces make more of it. */
export function resolveWord(word: WordNode, context: WordContext): readonly ShellWord[] {
  if (!word.parts?.some(part => part.type === 'BraceExpansion')) return [resolveOne(word, context)]
  const texts = expandBraces(word.text)
  if (!texts) return [{ shape: anyText, source: word.text }]
  return texts.map(text => {
    const single = parseWord(text, context)
    return single ? resolveOne(single, context) : { shape: anyText, source: text }
  })
}

export function resolveAssignment(assignment: AssignmentNode, context: WordContext): ShellWord {
  const { value } = assignment
  const { shape, settled } = value?.type === 'Word' ? resolveOne(value as WordNode, context) : { shape: anyText }
  const named = (text: string) => `${assignment.name}=${text}`
  return { shape: named(shape), source: assignment.text, ...(settled !== undefined && { settled: named(settled) }) }
}

export function isStatic(word: ShellWord): boolean {
  return isCertain(word.shape)
}

/**
 * Whether the shell makes exactly one word of it. What a variable or a substitution gives outside of quotes is taken
 * apart at its blanks, and `"$@"` is many words in its quotes: so only what is known to be one there.
 */
export function isOneWord(word: ShellWord): boolean {
  if (word.found) return !word.found.isMany
  return isStatic(word) || oneInQuotes.test(word.source)
}

/**
 * Plain text; `$NAME`, `${NAME…}` where what follows expands nothing, `$1`, `$?`, `"$*"`; substitutions up to their first
 * bracket.
 */
const oneInQuotes = new RegExp(
  `^(?:[A-Za-z_]\\w*=)?"(?:${[
    String.raw`[^$\`"\\]|\\.`,
    String.raw`\$(?:[A-Za-z_]\w*|[0-9?#$!*-])`,
    String.raw`\$\{#?(?:[A-Za-z_]\w*|[1-9]\d*)(?:[:+=?%#/^,-][^}$\`"'\\]*)?\}`,
    String.raw`\$\([^)"\\]*\)|\`[^\`"\\]*\``,
  ].join('|')})*"$`,
  's',
)

/** Text of a here-document or a string handed to another shell, when nothing in it is expanded first. */
export function literalWord(text: string): ShellWord {
  return { shape: text, source: text }
}

/** Braces left as they are. */
export function resolveOne(word: WordNode, { settled, ...context }: WordContext): ShellWord {
  const plain = { shape: shapeOf(word, context), source: word.text }
  if (!settled?.size || !plain.shape.includes(anyText)) return plain
  const shape = shapeOf(word, { ...context, settled })
  return isCertain(shape) ? { ...plain, settled: shape } : plain
}

function shapeOf(word: WordNode, context: WordContext): string {
  const pieces = word.parts ? word.parts.map((part, index) => resolvePart(part, index, context)) : [word.value]
  // A long run of wildcards says no more than one that stands for anything.
  const shape = pieces.join('').replace(/[\u0002\u0003]{8,}/g, anyName)
  if (assignedHome.test(word.text)) return anyText
  return word.text.startsWith('~') ? expandTilde(shape, word.text, context) : shape
}

/** Bash expands it in an argument that looks like an assignment: `dd if=~/x`. */
const assignedHome = /^[A-Za-z_]\w*=(?:[^:]*:)*~/

function resolvePart(part: WordPartNode, index: number, context: WordContext): string {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return part.value ?? anyText
    case 'DoubleQuoted':
      return part.parts?.map(child => resolvePart(child, -1, context)).join('') ?? anyText
    case 'Glob':
      if (context.hasLooseWildcards) return anyText
      if (part.kind !== 'star' && part.kind !== 'question') return anyLetter
      return part.kind === 'star' ? anyName : anyLetter.repeat(part.text.length)
    case 'SimpleExpansion':
      return knownVariable(part.text.slice(1), context, index < 0) ?? anyText
    case 'ParameterExpansion': {
      const isPlain = !part.operation && !part.prefix && !part.index
      return (isPlain && knownVariable(part.parameter ?? '', context, index < 0)) || anyText
    }
    default:
      // One that spells a dot out may pick `..`.
      return index >= 0 && part.type === 'ExtendedGlob' && !context.hasLooseWildcards && !part.text.includes('.')
        ? anyName
        : anyText
  }
}

/** The two every shell starts with (the walk reports a line that changes them), in quotes a loop's own, and what is settled. */
function knownVariable(name: string, context: WordContext, isQuoted: boolean): string | undefined {
  if (name === 'HOME') return context.home
  if (name === 'PWD') return context.here
  const value = context.settled?.get(name)
  if (isQuoted) return value ?? context.loop?.get(name)
  return value !== undefined && unparted.test(value) ? value : undefined
}

/** Outside of quotes a value is taken apart at its blanks, and picks files. */
const unparted = /^[\w./@%+,-]+$/

/** By how it is written: in `~$HOME` and `~"/x"` it stands for itself, whatever comes of the rest. */
function expandTilde(shape: string, source: string, { home, here }: WordContext): string {
  if (/^~(?:\/|$)/.test(source)) return (home ?? anyText) + shape.slice(1)
  if (/^~\+(?:\/|$)/.test(source)) return here + shape.slice(2)
  // Where another user's home lies only the running system knows. The slash: without one it would lie below the workspace.
  return /^~[\w.-]+(?:\/|$)/.test(source) ? shape.replace(/^[^/]+/, `/${anyText}`) : `/${anyText}`
}

/** Puts one word through the real parser again. */
function parseWord(text: string, { grammar }: WordContext): WordNode | undefined {
  let found: WordNode | undefined
  const visit = (node: ShellNode): void => {
    if (found) return
    if (node.type === 'Command') found = (node as CommandNode).args[0] as WordNode | undefined
    else grammar.children(node, visit)
  }
  visit(grammar.parse(`: ${text}`))
  return found
}
