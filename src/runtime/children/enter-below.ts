/** Enters the place of a run, and notes where those above it stand: a sandbox need not know of them. */
import type { EnteredWorkspace, Sandbox, Workspace } from '../../core/workspace.js'

export async function enterBelow(
  sandbox: Sandbox,
  run: Omit<Parameters<Sandbox['enter']>[0], 'caller'>,
  caller: Workspace | undefined,
): Promise<EnteredWorkspace> {
  const entered = await sandbox.enter({ ...run, ...(caller && { caller }) })
  if (!caller) return entered
  const { cwd, roots, copies, wrap } = entered
  return {
    ...entered,
    cwd,
    roots,
    ...(copies && { copies }),
    ...callersBelow(caller),
    ...(wrap && { wrap: wrap.bind(entered) }),
    leave: result => entered.leave(result),
  }
}

/** What a run below this caller has above it. */
export function callersBelow(caller: Workspace | undefined): Pick<Workspace, 'callers'> {
  if (!caller) return {}
  const { cwd, roots, callers = [] } = caller
  return { callers: [...callers, { cwd, roots }] }
}
