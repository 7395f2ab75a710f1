/**
 * The guards before a call, once more: whoever answered in a person's place did so for another input, of which they have
 * not heard. One that denies it denies the call, and so does one that would change it again.
 */
import type { HookVerdict } from '../../core/hooks/hooks.js'
import * as notices from '../../core/notices.js'
import type { Tool } from '../../core/ports.js'
import { canonicalJson } from '../../core/text/text.js'
import type { CallInHand } from './call-answer.js'
import type { PermissionPorts } from './call-permission.js'
import { beforeTool } from './tool-hooks.js'

export async function hearAgain(
  hand: CallInHand,
  tool: Tool,
  input: unknown,
  { check, hooks }: PermissionPorts,
): Promise<{ readonly context?: string } | { readonly no: string; readonly rule: string }> {
  const faults = await check(tool.spec.inputSchema, input)
  if (faults.length > 0) return { no: notices.invalidHookInput(tool.spec.name, faults), rule: 'hook-input' }
  const said = await beforeTool(hand, input, hooks, '/request/changed')
  if (said.verdict === 'refuse') return { no: said.reason, rule: said.rule ?? 'hook' }
  if (wantsOther(said, input)) return { no: notices.changedTwice, rule: 'hook-changed-twice' }
  return 'context' in said && said.context ? { context: said.context } : {}
}

const wantsOther = (said: HookVerdict, input: unknown): boolean =>
  'input' in said && said.input !== undefined && canonicalJson(said.input) !== canonicalJson(input)
