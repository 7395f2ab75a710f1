/**
 * Where each command of a plain line stands: `cd web && npm test && cd ..`.
 * N1 nothing but commands and pipes, all joined by `&&`: what stands behind a `cd` runs only where that led.
 * N2 each `cd` goes to one plain word. Whatever else could move the shell, or change what `cd` means, makes it no such line,
 *    and then every command may stand anywhere the line goes.
 * N3 the directories are as they were walked, `..` kept: behind a link it leads to one place by name and to another by the
 *    system, and both count (path-policy.ts).
 */
import { nameOf } from '../text/path-text.js'
import type { CommandNode, ShellGrammar, ShellNode } from './grammar.js'

export interface PlainSteps {
  /** The directory each command or pipe stands in. */
  readonly places: ReadonlyMap<ShellNode, string>
  /** Its `cd`s, and where they lead. */
  readonly moves: ReadonlySet<ShellNode>
  readonly visited: readonly string[]
}

export function stepsIn(script: ShellNode, cwd: string, grammar: ShellGrammar): PlainSteps | undefined {
  const joined = joinedIn(script)
  if (joined === undefined) return undefined
  const places = new Map<ShellNode, string>()
  const moves = new Set<ShellNode>()
  const visited: string[] = []
  let at = cwd
  for (const step of joined) {
    places.set(step, at)
    const to = moveOf(step, grammar)
    if (to === undefined && !staysHere(step, grammar)) return undefined
    if (to === undefined) continue
    at = to.startsWith('/') ? to : `${at}/${to}`
    moves.add(step)
    visited.push(at)
  }
  return visited.length > 0 ? { places, moves, visited } : undefined
}

interface Joined extends ShellNode {
  readonly commands: readonly ShellNode[]
  readonly operators?: readonly string[]
}

function joinedIn(script: ShellNode): readonly ShellNode[] | undefined {
  const [statement, ...more] = (script as Joined).commands as readonly (ShellNode & {
    readonly command?: ShellNode
    readonly background?: boolean
    readonly redirects?: readonly unknown[]
  })[]
  if (more.length > 0 || statement?.command?.type !== 'AndOr' || statement.background) return undefined
  const { commands, operators = [] } = statement.command as Joined
  const isPlain = operators.every(operator => operator === '&&') && (statement.redirects ?? []).length === 0
  return isPlain && commands.every(({ type }) => type === 'Command' || type === 'Pipeline') ? commands : undefined
}

/** The word behind a `cd` that is nothing else. */
function moveOf(step: ShellNode, grammar: ShellGrammar): string | undefined {
  if (step.type !== 'Command') return undefined
  const { name, args, redirects } = step as CommandNode
  const [target, ...more] = args
  if (name?.text !== 'cd' || more.length > 0 || redirects.length > 0 || target?.type !== 'Word') return undefined
  let children = 0
  grammar.children(step, () => children++)
  // Its name and its target; a variable set before it would be a third.
  return children === 2 && plainPath.test(target.text) ? target.text : undefined
}

const plainPath = /^[\w./@+][\w./@+-]*$/

/** A pipe runs in shells of its own, so only what is inside a word could still surprise: then it is asked about as ever. */
function staysHere(step: ShellNode, grammar: ShellGrammar): boolean {
  if (step.type === 'Command') {
    const name = (step as CommandNode).name
    if (name === undefined || !/^[\w./-]+$/.test(name.text) || movers.has(nameOf(name.text))) return false
  }
  let stays = true
  grammar.children(step, child => {
    if (child.type === 'Assignment' || (child.type === 'Command' && !staysHere(child, grammar))) stays = false
  })
  return stays
}

/** They move the shell, run text in it, or change what words mean to it. */
const movers: ReadonlySet<string> = new Set(
  `. alias builtin cd chdir command declare dirs emulate enable env eval exec export hash local popd pushd read readonly set
  setopt shopt source trap typeset unalias unset`.split(/\s+/),
)
