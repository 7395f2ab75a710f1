/** The tools of this package, made in the process of a run: files, search, shells and the web, with their own state. */
import type { Json } from '../../core/message.js'
import type { NetworkRules } from '../../core/permission/network-policy.js'
import type { Kit, KitPorts } from '../../core/run-process.js'
import { createKeptOutputs } from '../os/kept-outputs.js'
import { createScratch } from '../os/scratch.js'
import type { PathGuard } from '../tools/file-access.js'
import { webFetchBy } from '../tools/judged-fetch.js'
import { createShells } from '../tools/shells.js'
import { createWorkspaceTools } from '../tools/workspace-tools.js'
import { scratchVariable } from './protocol.js'

export interface WorkspaceKitOptions {
  /** Absent: no tool for the web. */
  readonly network?: NetworkRules
  /** Where output that is too long to show is kept. */
  readonly outputs?: string
  /** What settings set for commands. Not in the environment of this process, which is no command. */
  readonly variables?: Readonly<Record<string, string>>
}

export function createKit(options: Json | undefined, { mayUse, mayRead, maySee }: KitPorts): Kit {
  const { network, outputs, variables = {} } = (options ?? {}) as WorkspaceKitOptions
  let rules = network
  // Made by the host, which removes it also when this process is killed.
  const scratch = createScratch(process.env[scratchVariable])
  const shells = createShells({
    scratch,
    source: { ...process.env, ...variables },
    environment: { allow: Object.keys(variables) },
    ...(outputs !== undefined && { outputs: createKeptOutputs(outputs) }),
  })
  return {
    tools: createWorkspaceTools({
      shells,
      guard: Object.assign<PathGuard, Pick<PathGuard, 'many' | 'sees'>>(
        (path, use, { callId }) => mayUse(callId, path, use),
        {
          many: (paths, { callId }) => mayRead(callId, paths),
          sees: (path, realPath, { callId }) => maySee(callId, path, realPath),
        },
      ),
      ...(network && { webFetch: webFetchBy(() => rules ?? nowhere, process.env) }),
    }),
    renew: now => {
      rules = (now as WorkspaceKitOptions | undefined)?.network
    },
    // Before its first command the host knows better, from the log.
    report: (runId, workspace) => ({ directory: shells.hasStood(runId) ? shells.directoryOf(runId, workspace) : null }),
    async close(runId) {
      // The reaper is left to end by itself, with the pipe it holds to this process.
      await shells.endRun(runId)
      await shells.scratch.close()
    },
  }
}

/** Where the host says nothing of the network any more. */
const nowhere: NetworkRules = { allow: [], deny: [], only: [] }
