/**
 * What an approval leaves behind. "Once" leaves nothing; "this run", "this session" (the whole tree of its root) and
 * "always" leave an allow rule for exactly what was shown. It is a rule like any other: it never beats a deny. The rule is
 * part of the request, so whoever answers knows what longer would mean, or that there is no longer.
 */

import type { PermissionRule } from '../../core/agent-definition.js'
import type { Envelope } from '../../core/events.js'
import type { RunId } from '../../core/message.js'
import type { RuleLayer } from '../../core/permission/permission-rules.js'
import type { CallToJudge, Judge, Verdict } from '../../core/ports.js'
import type { ExplainingJudge } from '../judge/judge.js'

export interface ApprovalRulesOptions {
  readonly judge: ExplainingJudge
  /**
   * Keeps an "always" for later sessions. True: from now on it is among the judge's other rules, until somebody takes it
   * back; anything else, and it counts here for as long as this lives.
   */
  readonly save?: (rule: PermissionRule) => boolean | undefined
}

type Lasting = 'run' | 'session' | 'always'

export class ApprovalRules implements Judge {
  readonly #options: ApprovalRulesOptions
  /** By call, the rules that were or may be shown: a hook's other input is judged too, and its rule is another one. */
  readonly #asked = new Map<string, readonly PermissionRule[]>()
  /**
   * Answers to requests that an earlier process made: their rule is found when the call is judged again. What was shown
   * goes with them, because a hook may give the call another input now.
   */
  readonly #answered = new Map<string, { readonly scope: Lasting; readonly shown: string | undefined }>()
  /** What is saved nowhere that is looked at again. */
  readonly #always: PermissionRule[] = []
  readonly #sessions = new Map<RunId, PermissionRule[]>()
  readonly #runs = new Map<RunId, PermissionRule[]>()

  constructor(options: ApprovalRulesOptions) {
    this.#options = options
  }

  async judge(call: CallToJudge): Promise<Verdict> {
    const verdict = await this.#options.judge.judge(call)
    if (verdict.decision !== 'ask') return verdict
    const rule = await this.#options.judge.ruleFor(call)
    const key = keyOf(call.runId, call.callId)
    const answer = this.#answered.get(key)
    this.#answered.delete(key)
    if (answer && rule && rule.text === answer.shown) this.#keep(call, rule, answer.scope)
    else if (rule) this.#asked.set(key, [...(this.#asked.get(key) ?? []), rule])
    return { ...verdict, lasting: rule?.text ?? false }
  }

  /** The rules of this moment, to be laid beside those of the settings. */
  layers(): readonly RuleLayer[] {
    const allow = (rules: readonly PermissionRule[]) => ({ allow: rules, ask: [], deny: [] })
    return [
      ...(this.#always.length > 0
        ? [{ scope: 'session' as const, origin: 'approved always', rules: allow(this.#always) }]
        : []),
      ...[...this.#sessions].map(([rootId, rules]) => ({
        scope: 'session' as const,
        origin: 'approved for this session',
        rules: allow(rules),
        roots: [rootId],
      })),
      ...[...this.#runs].map(([runId, rules]) => ({
        scope: 'run' as const,
        origin: 'approved for this run',
        rules: allow(rules),
        runs: [runId],
      })),
    ]
  }

  /** A subscriber of the bus. */
  readonly hear = ({ runId, rootId, event }: Envelope): void => {
    if (event.type === 'run.ended') {
      this.#runs.delete(runId)
      for (const known of [this.#asked, this.#answered])
        for (const key of known.keys()) if (key.startsWith(`${runId}/`)) known.delete(key)
    }
    if (event.type !== 'approval.resolved') return
    const key = keyOf(runId, event.callId)
    const rule = this.#asked.get(key)?.find(({ text }) => text === event.lasting)
    this.#asked.delete(key)
    if (event.verdict !== 'allow' || event.scope === 'once') return
    if (rule) this.#keep({ runId, rootId }, rule, event.scope)
    else this.#answered.set(key, { scope: event.scope, shown: event.lasting })
  }

  #keep({ runId, rootId = runId }: Pick<CallToJudge, 'runId' | 'rootId'>, rule: PermissionRule, scope: Lasting): void {
    const add = (to: Map<RunId, PermissionRule[]>, id: RunId) => to.set(id, [...(to.get(id) ?? []), rule])
    if (scope === 'run') add(this.#runs, runId)
    else if (scope === 'session') add(this.#sessions, rootId)
    else this.#keepAlways(rule)
  }

  #keepAlways(rule: PermissionRule): void {
    let isSaved: boolean | undefined
    try {
      isSaved = this.#options.save?.(rule)
    } finally {
      if (!isSaved) this.#always.push(rule)
    }
  }
}

const keyOf = (runId: string, callId: string): string => `${runId}/${callId}`
