/** A judge is a host's code. What is no verdict denies, and says what came in place of one: nothing is allowed by mistake. */
import type { Judge, Verdict } from '../../core/ports.js'
import { shown } from '../../core/shape.js'
import { messageOf } from '../../core/thrown.js'

/** Rejects where a judge gives no verdict; whoever asked denies then. */
export function guardJudge(judge: Judge): Judge {
  return {
    async judge(call) {
      const given: unknown = await asked(judge, call)
      const { decision, rule, reason } = (given ?? {}) as Partial<Record<'decision' | 'rule' | 'reason', unknown>>
      if (!decisions.includes(decision))
        throw new Error(`the judge gave ${shown(given)} where { decision: 'allow', 'ask' or 'deny', rule } is expected`)
      return {
        ...(given as Verdict),
        rule: isText(rule) ? rule : 'judge',
        ...(decision !== 'allow' && { reason: isText(reason) ? reason : 'the judge gave no reason' }),
      } as Verdict
    },
  }
}

async function asked(judge: Judge, call: Parameters<Judge['judge']>[0]): Promise<unknown> {
  try {
    return await judge.judge(call)
  } catch (error) {
    throw error instanceof Error ? error : new Error(messageOf(error))
  }
}

const decisions: readonly unknown[] = ['allow', 'ask', 'deny'] satisfies readonly Verdict['decision'][]
const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''
