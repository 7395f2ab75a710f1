/**
 * Variables of which it is certain what they hold, behind the place where the line sets them: `D=packages/a; ls "$D/src"`.
 * V1 It is set in one place, to plain text, by a command that does nothing else (`D=a`, `export D=a`) and that runs for
 *    certain before what stands behind it: a statement of its own, or a step before others that are joined by `&&`.
 * V2 Nothing else in the line could set it: no other word of the line has its name in it, nothing sets variables unseen
 *    (bindings.ts), no text is taken for a number, and bash gives the name no meaning of its own. Nor is it said at what
 *    letters words are taken apart.
 * V3 Its value takes away the doubt what a path may be that only ends like a protected one; the path it comes to is judged
 *    beside it, as a guess. It never allows anything.
 */
import { isCertain } from '../text/glob.js'
import type { Bindings } from './bindings.js'
import type { AssignmentNode, CommandNode, ShellNode } from './grammar.js'
import { isDangerousVariable } from './variables.js'
import { resolveAssignment, type WordContext } from './words.js'

export type Settled = ReadonlyMap<string, string>

/** What is settled where a statement or a step begins. */
export function settledIn(
  script: ShellNode,
  text: string,
  context: WordContext,
  bindings: Bindings,
): ReadonlyMap<ShellNode, Settled> {
  const places = new Map<ShellNode, Settled>()
  if (!text.includes('$') || evaluated.test(text) || text.includes('IFS')) return places
  const mayBeSettled = (name: string): boolean =>
    bindings.isSetOnce(name) && !isDangerousVariable(name) && !ofBash.test(name) && isNamedOnce(name, text)
  const setBy = (node: ShellNode | undefined, before: Settled): Settled => {
    const found = assignmentsOf(node, context).flatMap(assignment => {
      const { name, append, index } = assignment
      const { shape, settled = shape } = resolveAssignment(assignment, { ...context, settled: before })
      const value = settled.slice(name.length + 1)
      const isPlain = !append && !index && value !== '' && isCertain(value) && !assignment.text.includes('~')
      return isPlain && mayBeSettled(name) ? [[name, value] as const] : []
    })
    return found.length > 0 ? new Map([...before, ...found]) : before
  }
  let now: Settled = new Map()
  for (const statement of (script as ListNode).commands ?? []) {
    const { command, background } = statement as StatementNode
    places.set(statement, now)
    if (background || !command) continue
    if (command.type === 'Command') now = setBy(command, now)
    else if (command.type === 'AndOr') {
      stepsOf(command as ListNode, now, setBy, places)
      now = setBy((command as ListNode).commands?.[0], now)
    }
  }
  return places
}

interface ListNode extends ShellNode {
  readonly commands?: readonly ShellNode[]
  readonly operators?: readonly string[]
}

interface StatementNode extends ShellNode {
  readonly command?: ShellNode
  readonly background?: boolean
}

/** Behind an `||` only what the first one set: of the others nobody knows whether they ran. */
function stepsOf(
  { commands = [], operators = [] }: ListNode,
  before: Settled,
  setBy: (node: ShellNode | undefined, before: Settled) => Settled,
  places: Map<ShellNode, Settled>,
): void {
  const first = setBy(commands[0], before)
  let now = first
  for (const [at, step] of commands.entries()) {
    if (at === 0) continue
    if (operators[at - 1] !== '&&') now = first
    places.set(step, now)
    if (operators.slice(0, at).every(operator => operator === '&&')) now = setBy(step, now)
  }
}

/** What a command sets that does nothing else. */
function assignmentsOf(node: ShellNode | undefined, { grammar }: WordContext): readonly AssignmentNode[] {
  if (node?.type !== 'Command') return []
  const children: ShellNode[] = []
  grammar.children(node, child => children.push(child))
  const { name } = node as CommandNode
  const own = name?.text === 'export' ? children.slice(1) : children
  if (name !== undefined && name.text !== 'export') return []
  return own.every((child): child is AssignmentNode => child.type === 'Assignment') ? own : []
}

/** Where its name stands besides, it does so as `$name` or `${name}`. */
function isNamedOnce(name: string, text: string): boolean {
  return text.split(new RegExp(String.raw`(?<!\w|\$|\$\{)${name}(?!\w)`)).length === 2
}

/** Where bash may take a text for an expression, which may set any variable. */
const evaluated = /\(\(|\$\[|\w\[|\$\{[^}]*[:[]|-(?:eq|ne|lt|le|gt|ge)\b/

/** It sets them itself, or does not let them be set. */
const ofBash =
  /^(?:_|E?UID|PPID|GROUPS|DIRSTACK|FUNCNAME|LINENO|SECONDS|S?RANDOM|EPOCH\w*|BASH\w*|HIST\w*|COMP\w*|OPT\w*|PIPESTATUS|MAPFILE|REPLY|READLINE\w*|COPROC|HOSTTYPE|HOSTNAME|MACHTYPE|OSTYPE|SHLVL|COLUMNS|LINES|LC_\w+|LANG)$/
