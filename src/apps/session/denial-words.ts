/**
 * Calls that nobody was there to approve, and how to allow them. What is to be pasted was written by a model: each rule is
 * one quoted word that covers exactly that call, or it is not offered; one for a whole tool is said to be.
 */

import { split } from '../../adapters/ground/policy-settings.js'
import type { PermissionMode } from '../../core/agent-definition.js'
import { coversWholeTool } from '../../core/permission/approval-rule.js'
import { parsePermissionRules } from '../../core/permission/permission-rule.js'
import { hasUnseen, quoteWord, visible } from '../../core/text/shell-word.js'
import type { Denial } from './denials.js'
import { countWords } from './figures.js'

const shown = 10

export function denialWords(open: readonly Denial[], mode: PermissionMode | undefined): string {
  const named = open.slice(0, shown)
  const rules = [...new Set(named.flatMap(({ allowedBy }) => (isForPasting(allowedBy) ? [allowedBy] : [])))]
  const without = named.filter(({ allowedBy }) => !isForPasting(allowedBy)).length
  return [
    headline(open),
    ...named.map(({ agent, name, context }) => `  [${visible(agent)}] ${visible(name)} ${visible(context)}`.trimEnd()),
    ...(open.length > shown ? [`  … and ${open.length - shown} more`] : []),
    ...(rules.length > 0 ? waysToAllow(open, rules, mode) : []),
    ...(without > 0
      ? [
          `  for ${countWords(without, 'call')} no rule could be offered${canWait(open) ? '; --wait-for-approval asks' : ''}`,
        ]
      : []),
  ].join('\n')
}

function waysToAllow(open: readonly Denial[], rules: readonly string[], mode: PermissionMode | undefined) {
  const whole = rules.filter(coversWholeTool)
  return [
    `  to allow ${open.length === 1 ? 'it' : 'them'}, add one of these:`,
    `    --allowedTools ${rules.map(quoteWord).join(' ')}`,
    ...(whole.length > 0 ? [`      (the whole tool, whatever its input: ${whole.join(', ')})`] : []),
    ...(helpsToAcceptEdits(open, mode) ? ['    --permission-mode acceptEdits'] : []),
    ...(canWait(open) ? ['    --wait-for-approval'] : []),
  ]
}

function headline(open: readonly Denial[]): string {
  const [these, they] = open.length === 1 ? ['this call', 'it was'] : ['these calls', 'they were']
  if (open.every(({ isExpired }) => isExpired)) return `nobody answered for ${these} in time, so ${they} not run:`
  return `nobody was there to approve ${these}, so ${they} denied:`
}

/** Whoever waited already is not helped by waiting. */
const canWait = (open: readonly Denial[]): boolean => open.some(({ isExpired }) => !isExpired)

/** Read back from a command line it must be this one rule. */
function isForPasting(rule: string | undefined): rule is string {
  if (rule === undefined || hasUnseen(rule) || split([rule]).length !== 1) return false
  return parsePermissionRules({ allow: [rule] }).faults.length === 0
}

/** It lets edits inside the workspace through, and nothing else. */
function helpsToAcceptEdits(open: readonly Denial[], mode: PermissionMode = 'default'): boolean {
  return mode === 'default' && open.every(({ name, allowedBy }) => edits.has(name) && allowedBy !== undefined)
}

const edits = new Set(['Write', 'Edit', 'MultiEdit', 'NotebookEdit'])
