/** The bash grammar of core/shell-policy, by unbash. Loaded when the first command line is judged. */
import type { SyntaxNode } from 'unbash'
import type { ShellGrammar } from '../../core/shell/grammar.js'

let loaded: Promise<ShellGrammar> | undefined

export function loadShellGrammar(): Promise<ShellGrammar> {
  loaded ??= import('unbash').then(({ parse, forEachChild }) => ({
    parse,
    children: (node, visit) => forEachChild(node as SyntaxNode, visit),
  }))
  return loaded
}
