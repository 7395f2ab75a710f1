/** `offshoot approvals always`: what was approved "always" in this project, and taking it back. */

import { savedRules } from '../../adapters/ground/saved-rules.js'
import { commandLine, visible } from '../../core/text/shell-word.js'
import { messageOf } from '../../core/thrown.js'
import { type CommandDeps, refusedInsideRun } from '../cli/command-deps.js'
import { exitCodes } from './exit-codes.js'
import { sayDiagnostics } from './say-diagnostics.js'

export interface AlwaysOptions {
  readonly revoke?: string
  readonly json?: boolean
}

export const howToRevoke = `approved "always": ${commandLine('offshoot', 'approvals', 'always', '--revoke')} RULE takes one back`

export function alwaysCommand(options: AlwaysOptions, deps: CommandDeps): number {
  const saved = savedRules(deps)
  if (options.revoke !== undefined) return revoke(options.revoke, saved, deps)
  const { origin, rules } = saved.layer()
  const texts = rules.allow.map(rule => rule.text)
  if (options.json) deps.write(`${JSON.stringify({ origin, allow: texts }, null, 2)}\n`)
  else if (texts.length === 0) deps.warn('Nothing was approved "always" in this project.\n')
  else {
    for (const text of texts) deps.write(`${visible(text)}\n`)
    deps.warn(
      `${origin}\nTo take one back: ${commandLine('offshoot', 'approvals', 'always', '--revoke', visible(texts[0]!))}\n`,
    )
  }
  sayDiagnostics(saved.diagnostics, deps.warn)
  return exitCodes.ok
}

function revoke(text: string, saved: ReturnType<typeof savedRules>, deps: CommandDeps): number {
  if (refusedInsideRun(deps, 'taking back an approval')) return exitCodes.permission
  try {
    if (!saved.revoke(text)) {
      deps.warn(
        `offshoot: "${visible(text)}" was not approved "always" here; "offshoot approvals always" lists what was.\n`,
      )
      return exitCodes.usage
    }
  } catch (error) {
    deps.warn(`offshoot: nothing was changed: ${messageOf(error)}\n`)
    return exitCodes.error
  }
  deps.warn(`${visible(text)} asks again, in sessions that are open as well.\n`)
  return exitCodes.ok
}
