/**
 * What an approval leaves behind. "Once" leaves nothing; "this run", "this session" and "always" leave an allow rule for
 * exactly what was shown. It is a rule like any other: it never beats a deny.
 */

import type { PermissionRule } from '../../core/agent-definition.js'
import type { Envelope } from '../../core/events.js'
import type { RuleLayer } from '../../core/permission-rules.js'
import type { CallToJudge, Judge, Verdict } from '../../core/ports.js'
import type { ExplainingJudge } from '../judge.js'

export interface ApprovalRulesOptions {
  readonly judge: ExplainingJudge
  /** Keeps an "always" for later sessions. Must not throw. */
  readonly save?: (rule: PermissionRule) => void
}

export class ApprovalRules implements Judge {
  readonly #options: ApprovalRulesOptions
  readonly #asked = new Map<string, CallToJudge>()
  readonly #session: PermissionRule[] = []
  readonly #runs = new Map<string, PermissionRule[]>()

  constructor(options: ApprovalRulesOptions) {
    this.#options = options
  }

  async judge(call: CallToJudge): Promise<Verdict> {
    const verdict = await this.#options.judge.judge(call)
    if (verdict.decision === 'ask') this.#asked.set(keyOf(call.runId, call.callId), call)
    return verdict
  }

  /** The rules of this moment, to be laid beside those of the settings. */
  layers(): readonly RuleLayer[] {
    const allow = (rules: readonly PermissionRule[]) => ({ allow: rules, ask: [], deny: [] })
    return [
      ...(this.#session.length > 0
        ? [{ scope: 'session' as const, origin: 'approved for this session', rules: allow(this.#session) }]
        : []),
      ...[...this.#runs].map(([runId, rules]) => ({
        scope: 'run' as const,
        origin: 'approved for this run',
        rules: allow(rules),
        runs: [runId as CallToJudge['runId']],
      })),
    ]
  }

  /** A subscriber of the bus. */
  readonly hear = ({ runId, event }: Envelope): void => {
    if (event.type === 'run.ended') {
      this.#runs.delete(runId)
      for (const key of this.#asked.keys()) if (key.startsWith(`${runId}/`)) this.#asked.delete(key)
    }
    if (event.type !== 'approval.resolved') return
    const call = this.#asked.get(keyOf(runId, event.callId))
    this.#asked.delete(keyOf(runId, event.callId))
    if (call && event.verdict === 'allow' && event.scope !== 'once') void this.#keep(call, event.scope)
  }

  async #keep(call: CallToJudge, scope: 'run' | 'session' | 'always'): Promise<void> {
    const rule = await this.#options.judge.ruleFor(call)
    if (!rule) return
    if (scope === 'run') this.#runs.set(call.runId, [...(this.#runs.get(call.runId) ?? []), rule])
    else this.#session.push(rule)
    if (scope === 'always') this.#options.save?.(rule)
  }
}

const keyOf = (runId: string, callId: string): string => `${runId}/${callId}`
