/**
 * A house with everything real (SQLite, shells, hooks, a stdio server, processes of runs) and everything faulty. Several
 * hosts may have one open on the same directory; `calm` ends the storm: from then on everything works.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { commandHooks } from '../../src/adapters/hooks/command-hooks.js'
import { mcpHub } from '../../src/adapters/mcp/mcp-hub.js'
import { commandEnvironment } from '../../src/adapters/os/command-environment.js'
import { currentOwner } from '../../src/adapters/os/process-owner.js'
import { createReaper } from '../../src/adapters/os/reaper.js'
import { systemClock } from '../../src/adapters/os/system-clock.js'
import { createRunProcesses } from '../../src/adapters/processes/run-processes.js'
import { createPlainSandbox } from '../../src/adapters/sandboxes/none.js'
import { ajvCheck } from '../../src/adapters/schema/ajv.js'
import { sqliteStore } from '../../src/adapters/stores/sqlite.js'
import { createShells } from '../../src/adapters/tools/shells.js'
import { createWorkspaceTools } from '../../src/adapters/tools/workspace-tools.js'
import { readMcpServers } from '../../src/core/mcp/mcp-config.js'
import { createOffshoot, type Offshoot } from '../../src/offshoot.js'
import { agentsOf, policy } from './agents.js'
import type { Chance } from './chance.js'
import { faultyModel } from './faulty-model.js'
import { faultyHooks, faultyStore, faultyTools } from './faulty-tools.js'

export interface Place {
  readonly directory: string
  /** The program of a run's process. */
  readonly program: string
  /** The MCP server that misbehaves. */
  readonly server: string
}
export interface World {
  readonly offshoot: Offshoot
  calm(): void
  close(how: 'stop' | 'leave'): Promise<void>
}

export const databaseOf = ({ directory }: Place): string => join(directory, 'runs.db')

export async function openWorld(place: Place, chance: Chance): Promise<World> {
  let isCalm = false
  const workspace = join(place.directory, 'work')
  mkdirSync(workspace, { recursive: true })
  writeFileSync(join(workspace, 'shared.txt'), 'a line\n'.repeat(50))
  const reaper = createReaper()
  const shells = createShells()
  const read = readMcpServers(serversOf(place), { origin: 'soak', isPersonal: true })
  const hub = mcpHub({ servers: read.servers, env: process.env, projectDir: workspace, backoffMs: 5, reaper })
  await hub.load()
  const own = createWorkspaceTools({ shells }).map(tool => ({ ...tool, portable: { module: 'offshoot:workspace' } }))
  const database = await sqliteStore({ path: databaseOf(place) })
  const offshoot = createOffshoot({
    store: faultyStore(database, chance, () => isCalm),
    owner: currentOwner(systemClock().id()),
    model: faultyModel(chance, () => isCalm),
    agents: agentsOf({ executionMode: 'process' }, { mcpServers: serversOf(place) as never }),
    tools: () => [...own, ...faultyTools(), ...hub.tools()],
    agentTools: hub.agentTools,
    judge: { judge: () => ({ decision: 'allow', rule: 'soak' }) },
    hooks: commandHooks({
      settings: [{ origin: 'soak', hooks: faultyHooks(join(place.directory, 'hook.sh')).hooks as never }],
      projectDir: workspace,
      env: commandEnvironment(process.env),
      reaper,
    }),
    sandbox: createPlainSandbox({ cwd: workspace }),
    check: ajvCheck(),
    processes: createRunProcesses({ program: place.program, blockedMs: 10_000 }),
    policy: { ...policy, concurrency: 12, cwd: workspace },
    onError: () => {},
  })
  listenBadly(offshoot, chance)
  offshoot.subscribe({}, ({ runId, event }) => {
    if (event.type === 'run.ended') void shells.endRun(runId).catch(() => {})
  })
  return {
    offshoot,
    calm() {
      isCalm = true
    },
    async close(how) {
      await offshoot.close(how)
      await database.close()
      await hub.close()
      await shells.close()
      await reaper.close()
    },
  }
}

const serversOf = ({ server }: Place) => ({ odd: { command: process.execPath, args: [server], timeout: 800 } })

/** Subscribers that throw, and one that takes its time: none of them may matter. */
function listenBadly(offshoot: Offshoot, chance: Chance): void {
  offshoot.subscribe({}, () => {
    if (chance.is(0.05)) throw new Error('the subscriber broke')
  })
  offshoot.subscribe({}, () => {
    if (!chance.is(0.01)) return
    for (const end = performance.now() + 15; performance.now() < end; );
  })
}
