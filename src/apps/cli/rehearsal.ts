/**
 * While a model far away thinks about its first answer, there is nothing to do here. So what a delegation goes through is
 * played once, in memory, with a model that recites: when the answer comes, V8 has seen the code, and the first child is on
 * its way in two thirds of the time. Nothing of it is stored, told or asked, and it ends where something real happens.
 */
import { dirname } from 'node:path'
import { compiledFile } from '../../adapters/os/package-root.js'
import { noUsage } from '../../core/budget/usage.js'
import type { CallId, Close } from '../../core/message.js'
import type { Model, ModelReply } from '../../core/ports.js'
import type { NodeOffshoot } from '../../node.js'
import { createOffshoot } from '../../offshoot.js'

type Stage = Pick<NodeOffshoot, 'subscribe' | 'tools' | 'judge'> & {
  readonly models: Pick<NodeOffshoot['models'], 'defaultModel' | 'prices'>
}

/** From the first request on, until anything comes back. Whoever calls it closes it. */
export function rehearseMeanwhile(
  house: Stage,
  model = house.models.defaultModel.id,
  file = compiledFile('prices.json'),
): Close {
  // Who thinks here needs the time.
  if (model.startsWith('offline/') || !file) return () => {}
  let end: Close = () => {}
  let hasBegun = false
  const close = house.subscribe({}, ({ event }) => {
    if (hasBegun) return finish()
    if (event.type !== 'turn.started') return
    hasBegun = true
    // The request itself goes out first.
    const timer = setTimeout(() => (end = rehearse(house, file)), requestMs)
    end = () => clearTimeout(timer)
  })
  const finish = () => {
    close()
    end()
  }
  return finish
}
const requestMs = 3

/** Whatever goes wrong with it goes wrong in silence: nobody asked for it. */
function rehearse({ tools: toolsNow, judge, models }: Stage, file: string): Close {
  try {
    const tools = toolsNow()
    const stage = createOffshoot({
      model: reciting(file),
      // Not the agents of the catalog: theirs may be a process or a work tree of their own. The tools of delegation it
      // brings itself, and they are the last.
      tools: tools.slice(
        0,
        tools.findIndex(({ spec }) => spec.name === 'Task'),
      ),
      policy: { defaultModel: models.defaultModel.id, cwd: dirname(file) },
      judge,
    })
    // The table is read once, when it is first asked.
    models.prices.cost(models.defaultModel.id, noUsage).catch(() => {})
    const end = () => void stage.close('leave').catch(() => {})
    const task = { prompt: 'begin', description: 'a rehearsal' }
    stage.start(task).then(run => ('result' in run ? run.result.then(end) : end()), end)
    return end
  } catch {
    return () => {}
  }
}

/** Delegates once; the child reads a few times and reports. Between two lines the event loop has its turn. */
function reciting(file: string): Model {
  return {
    async ask({ runId, rootId, messages, model }): Promise<ModelReply> {
      await new Promise(resolve => setImmediate(resolve))
      const answered = messages.filter(({ role }) => role === 'tool').length
      const line = (runId === rootId ? caller : child)[answered]
      return {
        content: line ? [{ type: 'call', id: `line-${answered}` as CallId, ...line(file) }] : [report],
        finish: line ? 'calls' : 'stop',
        usage: noUsage,
        model,
      }
    },
  }
}

type Line = (file: string) => { readonly name: string; readonly input: unknown }

const report = { type: 'text', text: 'done' } as const
const delegate: Line = () => ({ name: 'Task', input: { description: 'a rehearsal', prompt: 'begin' } })
const read: Line = file => ({ name: 'Read', input: { file_path: file } })
const caller: readonly Line[] = [delegate]
const child: readonly Line[] = [read, read, read]
