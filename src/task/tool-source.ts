/** The tools of a house: those its host gave it, and those that delegate. */
import type { Catalog } from '../core/catalog/catalog.js'
import type { Policy } from '../core/policy.js'
import type { Tool } from '../core/ports.js'
import { toolFault } from '../core/tools/tool-faults.js'
import { askCallerTool } from './ask-caller.js'
import { taskTool } from './task.js'
import { taskListTool } from './task-list.js'
import { taskOutputTool } from './task-output.js'
import { taskSendTool } from './task-send.js'
import { taskStopTool } from './task-stop.js'
import { taskWaitTool } from './task-wait.js'

/** Built once for each state of the catalog: what a new run declares is the same object, and so the same bytes. */
export function toolSource(
  catalog: () => Catalog,
  given: readonly Tool[] | (() => readonly Tool[]),
  { resultBytes }: Policy,
): () => ReadonlyMap<string, Tool> {
  const giveOwn = typeof given === 'function' ? given : () => given
  let made:
    | { readonly from: Catalog; readonly own: readonly Tool[]; readonly tools: ReadonlyMap<string, Tool> }
    | undefined
  return () => {
    const from = catalog()
    const own = giveOwn()
    if (made?.from !== from || made.own !== own) {
      const all = [...own, ...delegationTools(from, resultBytes)]
      const fault = own.map(toolFault).find(each => each !== undefined)
      if (fault) throw new Error(`${fault}.`)
      const tools = new Map(all.map(tool => [tool.spec.name, tool]))
      if (tools.size < all.length)
        throw new Error(`two tools have the same name: ${repeated(all).join(', ')}. Rename one of them.`)
      made = { from, own, tools }
    }
    return made.tools
  }
}

function repeated(tools: readonly Tool[]): readonly string[] {
  const names = tools.map(({ spec }) => spec.name)
  return [...new Set(names.filter((name, i) => names.indexOf(name) < i))]
}
const delegationTools = (catalog: Catalog, resultBytes: number): readonly Tool[] => [
  taskTool(catalog),
  taskOutputTool(resultBytes),
  taskWaitTool(resultBytes),
  taskSendTool(),
  taskStopTool(resultBytes),
  taskListTool(),
  askCallerTool(),
]
