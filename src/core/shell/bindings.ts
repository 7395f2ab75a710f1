/**
 * What the variables of a line may hold, as far as the line itself says: assignments, loops, arguments of `set`, text
 * given to `read`.
 * B1 A value counts wherever the variable is used, whether or not the line gets there: it is only held against rules
 *    that forbid.
 * B2 One exception: the variable of a loop over a single word, in its body, when nothing else in the line can set it.
 */
import { setsByCount } from './evaluating.js'
import type {
  AssignmentNode,
  CommandNode,
  LoopNode,
  RedirectNode,
  ShellNode,
  WordNode,
  WordPartNode,
} from './grammar.js'
import { alternatives, type Values } from './values.js'
import type { WordContext } from './words.js'

export interface Bindings {
  readonly values: Values
  /** Set in one place, and nothing in the line could set it unseen. */
  isSetOnce(name: string): boolean
}

/** `before` is what is known outside, when a shell is started inside the line. */
export function readBindings(script: ShellNode, context: WordContext, before: Bindings = noBindings): Bindings {
  const found: Found = { sites: [], isOpaque: false }
  collect(script, context, found)
  const known = new Map<string, readonly string[]>()
  const values: Values = name => known.get(name) ?? before.values(name)
  // A value may be made of others that are set further on, in a loop.
  for (let round = 0; round < rounds; round++)
    for (const site of found.sites) {
      const held = values(site.name)
      const given = site.words.flatMap(word => alternatives(word, context, values))
      const added = site.isAppended ? given.flatMap(text => held.map(start => start + text)) : given
      known.set(site.name, [...new Set([...held, ...added])].slice(0, maxValues))
    }
  const isSetOnce = (name: string) => !found.isOpaque && found.sites.filter(site => site.name === name).length === 1
  return { values, isSetOnce }
}

export const noBindings: Bindings = { values: () => [], isSetOnce: () => false }

const rounds = 3
const maxValues = 256

interface Site {
  readonly name: string
  readonly words: readonly WordNode[]
  readonly isAppended?: boolean
}

interface Found {
  readonly sites: Site[]
  /** Something in the line can set variables in a way that is not seen here. */
  isOpaque: boolean
}

function collect(node: ShellNode, context: WordContext, found: Found): void {
  if (node.type === 'Assignment') found.sites.push(assigned(node as AssignmentNode))
  else if (node.type === 'For' || node.type === 'Select') {
    const { name, wordlist = [] } = node as LoopNode
    found.sites.push({ name: name.value, words: wordlist })
  } else if (node.type === 'Command') collectCommand(node as CommandNode, found)
  else if (node.type === 'Function' || node.type.startsWith('Arithmetic')) found.isOpaque = true
  context.grammar.children(node, child => collect(child, context, found))
}

function assigned({ name, value, append }: AssignmentNode): Site {
  const words = value?.type === 'Word' ? [value as WordNode] : ((value as ListNode | undefined)?.elements ?? [])
  return { name, words: words.filter(word => word.type === 'Word'), isAppended: append === true }
}

interface ListNode extends ShellNode {
  readonly elements?: readonly WordNode[]
}

function collectCommand({ name, args, redirects }: CommandNode, found: Found): void {
  if (!name) return
  const called = name.value
  const words = args.filter((arg): arg is WordNode => arg.type === 'Word')
  if (!isPlain(name) || (setters.test(called) && !setsNothing(called, words))) found.isOpaque = true
  if (/^(export|readonly)$/.test(called) && !words.every(isPlain)) found.isOpaque = true
  const given = /^(read|mapfile|readarray)$/.test(called) ? redirects.flatMap(givenWords) : []
  if (given.length > 0)
    for (const { value } of words) if (/^\w+$/.test(value)) found.sites.push({ name: value, words: given })
  if (called === 'set') for (const at of '123456789@*') found.sites.push({ name: at, words })
  if (called === 'printf' && words[0]?.value === '-v' && words[1])
    found.sites.push({ name: words[1].value, words: words.slice(2) })
  // `declare "x=text"`, with the quotes around all of it, is no assignment to the grammar.
  if (/^(declare|typeset|local|export|readonly)$/.test(called))
    for (const word of words) {
      const equals = isPlain(word) ? word.value.indexOf('=') : -1
      if (equals > 0)
        found.sites.push({ name: word.value.slice(0, equals), words: [plainWord(word.value.slice(equals + 1))] })
    }
}

/** Commands that set variables, or run text that may. */
const setters = new RegExp(
  `^(${'eval source \\. trap alias unset read mapfile readarray printf getopts declare typeset local let wait builtin command coproc enable shopt set'.replaceAll(' ', '|')})$`,
)

/** `set -e`, `printf '%s' x`. */
function setsNothing(called: string, words: readonly WordNode[]): boolean {
  if (called === 'set') return words.length > 0 && words.every(({ text }) => plainSettings.test(text))
  const [format] = words
  return called === 'printf' && format !== undefined && isPlain(format) && isPlainFormat(format.value)
}

const plainSettings = /^(?:-[eux]+o?|-o|pipefail|errexit|nounset)$/
const isPlainFormat = (format: string): boolean => !format.startsWith('-') && !setsByCount(format)

function isPlain({ parts }: { readonly parts?: readonly WordPartNode[] | undefined }): boolean {
  return (parts ?? []).every(part =>
    part.type === 'DoubleQuoted' ? isPlain(part) : part.type === 'Literal' || part.type === 'SingleQuoted',
  )
}

function givenWords({ type, target, body }: RedirectNode): readonly WordNode[] {
  if (type === 'HereString') return target ? [target, ...pieces(target.value)] : []
  return type === 'HereDoc' && body ? pieces(body.text) : []
}

function pieces(text: string): readonly WordNode[] {
  return text.split(/\s+/).flatMap(piece => (piece === '' ? [] : [plainWord(piece)]))
}

function plainWord(value: string): WordNode {
  return { type: 'Word', text: value, value }
}
