/**
 * The part of a bash syntax tree that judging needs. A real parser is handed in; its nodes are wider than these.
 * Nodes of other types are walked through their children, so nothing that can hold a command is skipped.
 */

export interface ShellGrammar {
  /** Tolerant: faults come back as `errors` on the script they are in. May throw: that counts as not understood. */
  parse(text: string): ShellNode
  /** Direct children in source order, the scripts of substitutions included. */
  children(node: ShellNode, visit: (child: ShellNode) => void): void
}

export interface ShellNode {
  readonly type: string
}

export interface ScriptNode extends ShellNode {
  readonly type: 'Script'
  readonly errors?: readonly unknown[] | undefined
}

export interface WordNode extends ShellNode {
  readonly type: 'Word'
  /** As written. */
  readonly text: string
  /** Quotes removed. */
  readonly value: string
  readonly parts?: readonly WordPartNode[] | undefined
}

export interface WordPartNode extends ShellNode {
  readonly text: string
  readonly value?: string
  readonly kind?: string
  readonly parameter?: string
  readonly prefix?: string | undefined
  readonly index?: WordNode | undefined
  readonly operation?: OperationNode | undefined
  readonly script?: ShellNode | undefined
  readonly expression?: ShellNode | undefined
  readonly parts?: readonly WordPartNode[] | undefined
}

/** What `${x…}` does with the value. */
export interface OperationNode {
  readonly type: string
  readonly operator?: string
  readonly operand?: WordNode | undefined
  readonly pattern?: WordNode
  readonly replacement?: WordNode
  readonly offset?: WordNode
  readonly length?: WordNode | undefined
}

export interface AssignmentNode extends ShellNode {
  readonly type: 'Assignment'
  readonly text: string
  readonly name: string
  readonly append?: boolean
  readonly value?: WordNode | ShellNode | undefined
  readonly index?: WordNode | undefined
}

export interface LoopNode extends ShellNode {
  readonly type: 'For' | 'Select'
  readonly name: WordNode
  readonly wordlist?: readonly WordNode[] | undefined
}

export interface RedirectNode extends ShellNode {
  readonly type: 'Redirect' | 'HereString' | 'HereDoc'
  readonly operator: string
  /** `2>file`: the number. `{name}>file`: the variable that gets one. */
  readonly descriptor?: { readonly name?: string; readonly value?: number } | undefined
  readonly target?: WordNode | undefined
  readonly body?: { readonly text: string }
}

export interface CommandNode extends ShellNode {
  readonly type: 'Command'
  readonly pos: number
  readonly end: number
  readonly name: WordNode | undefined
  readonly args: readonly (WordNode | AssignmentNode)[]
  readonly redirects: readonly RedirectNode[]
}
