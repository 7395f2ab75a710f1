/**
 * TaskSend: a message to a run of yours. A running one reads it with its next request; one that asked something takes
 * it as the answer; one that has ended is woken by it. The message has an id made from this call, so a crash in between
 * sends it once.
 */

import type { RunId } from '../core/message.js'
import * as notices from '../core/notices.js'
import type { DescendantView, Tool, ToolContext, ToolOutput } from '../core/ports.js'
import { messageFault } from '../core/run/letters.js'
import { readAnswer } from '../core/run/question.js'
import { outcomeWords } from '../core/run/result.js'
import type { InboxItem } from '../core/run-store.js'
import { runAsSender } from '../core/sender-names.js'
import { findRun, readAddress, settleAddress } from './address.js'

export function taskSendTool(): Tool {
  return {
    spec: {
      name: 'TaskSend',
      description:
        'Send a message to a run you started: steers it while it runs, answers its question, or wakes it when it has ended.',
      inputSchema: {
        type: 'object',
        properties: {
          task_id: { type: 'string', description: 'Id or name of the run' },
          message: { type: 'string' },
        },
        required: ['message'],
      },
      effect: 'delegate',
      displayName: 'Task send',
    },
    context: input => readAddress(input) ?? '',
    settle: settleAddress,
    wakes: readAddress,
    // A message is work, and one that has ended is woken by it.
    handsTo: async (input, { delegation }) => {
      const address = readAddress(input)
      return address === undefined ? undefined : (await delegation.find(address))?.summary.agent
    },
    run: async (input, context) => {
      const view = await findRun(input, context)
      if ('content' in view) return view
      const { message } = input as { message: string }
      const fault = messageFault(message)
      if (fault) return { content: fault, isError: true, summary: 'not sent' }
      return view.question ? answer(view.summary.runId, view.question, message, context) : send(view, message, context)
    },
  }
}

async function answer(
  runId: RunId,
  { questionId, question }: NonNullable<DescendantView['question']>,
  message: string,
  { delegation, agent }: ToolContext,
): Promise<ToolOutput> {
  const read = readAnswer(question, message)
  if ('fault' in read)
    return { content: `Run ${runId} waits for an answer, and ${read.fault}.`, isError: true, summary: 'not sent' }
  const { value } = read
  await delegation.send(runId, { id: `reply/${questionId}`, kind: 'reply', questionId, value, by: runAsSender(agent) })
  return { content: `Answered: run ${runId} goes on.`, summary: 'answered' }
}

async function send(view: DescendantView, text: string, context: ToolContext): Promise<ToolOutput> {
  const { runId, agent, status, outcome, recoveredFrom } = view.summary
  const { delegation, callId } = context
  const name = view.nickname ?? agent
  const from = runAsSender(context.agent)
  const item: InboxItem = { id: `message/${context.runId}/${callId}`, kind: 'message', from, text }
  if (status === 'ended') {
    const woken = await delegation.wake(runId, item, callId)
    const ended = outcomeWords(outcome ?? 'ended', recoveredFrom)
    if ('child' in woken) return { content: notices.messageWakes(runId, name, ended), child: woken.child }
    // Another call of this turn wakes it already: the message goes with it.
    if (woken.rule !== 'resume-running')
      return { content: `Not sent: ${woken.refused}`, isError: true, summary: woken.rule }
  }
  const refusal = await delegation.send(runId, item)
  if (refusal) return { content: notices.messageStays(runId, refusal.refused), isError: true, summary: refusal.rule }
  return { content: notices.messageQueued(runId, name), summary: 'queued' }
}
