/** What an agent would get from the main conversation, with the tools of a full installation. */
import { builtInAgents } from '../../src/adapters/sources/built-in-agents.js'
import { createShells } from '../../src/adapters/tools/shells.js'
import { createWorkspaceTools } from '../../src/adapters/tools/workspace-tools.js'
import { prepareBrief } from '../../src/core/brief/brief.js'
import { type Catalog, createCatalog } from '../../src/core/catalog/catalog.js'
import type { RunId } from '../../src/core/message.js'
import { defaultPolicy } from '../../src/core/policy.js'
import type { Brief, Caller, Refusal, Task, ToolSpec } from '../../src/core/types.js'
import { taskTool } from '../../src/task/task.js'

export type { Brief }

export async function prepare(task: Partial<Task>, given?: Catalog): Promise<Brief> {
  return accepted(await prepareOrRefuse(task, given))
}

export async function prepareOrRefuse(task: Partial<Task>, given?: Catalog): Promise<Brief | Refusal> {
  const catalog = given ?? createCatalog((await builtInAgents().load()).agents)
  const shells = createShells({ source: {} })
  const tools = [...createWorkspaceTools({ shells }), taskTool(catalog)].map(tool => tool.spec)
  await shells.close()
  const main = accepted(decide({ agent: 'main' }, catalog, tools))
  return task.agent === 'main' ? main : decide(task, catalog, tools, callerOf(main))
}

function decide(task: Partial<Task>, catalog: Catalog, tools: readonly ToolSpec[], caller?: Caller): Brief | Refusal {
  return prepareBrief({
    task: { prompt: 'Look.', description: 'a look', ...task },
    catalog,
    tools,
    models: [{ id: 'test/model' }],
    policy: { ...defaultPolicy, defaultModel: 'test/model', cwd: '/work' },
    ...(caller ? { caller } : {}),
  })
}

function accepted(brief: Brief | Refusal): Brief {
  if ('refused' in brief) throw new Error(brief.refused)
  return brief
}

function callerOf(main: Brief): Caller {
  const runId = 'main' as RunId
  return {
    runId,
    rootId: runId,
    depth: 0,
    path: main.path,
    tools: main.allowed,
    delegateTools: main.delegateTools,
    canSpawn: main.canSpawn,
    isBackground: false,
    model: main.model,
    chain: main.chain,
    messages: [],
  }
}
