/** Looks whether a report is backed as its definition demands: the rules are in core, here only files are looked for. */
import { isAbsolute, relative, resolve } from 'node:path'
import { citedPaths, evidenceFaults, evidenceOf, readEvidenceDemand } from '../../core/brief/evidence.js'
import type { DurableEvent } from '../../core/events.js'
import { finishedReport } from '../../core/run/run-ending.js'
import type { RunState } from '../../core/run/run-state.js'
import type { Workspace } from '../../core/workspace.js'

/** Whether something lies at an absolute path. Must not throw. */
export type FileExists = (path: string) => Promise<boolean>

export async function checkEvidence(
  state: RunState,
  workspace: Workspace,
  fileExists: FileExists | undefined,
): Promise<DurableEvent> {
  const read = readEvidenceDemand(state.brief.evidence)
  const faults = 'fault' in read ? [read.fault] : await missing(read.demand, state, workspace, fileExists)
  return { type: 'evidence.checked', isVerified: faults.length === 0, faults }
}

async function missing(
  demand: Parameters<typeof evidenceFaults>[0],
  state: RunState,
  workspace: Workspace,
  fileExists: FileExists | undefined,
): Promise<readonly string[]> {
  const cited = demand.citedFiles ? citedPaths(finishedReport(state)?.text ?? '') : []
  if (cited.length > 0 && !fileExists) return ['nobody here can tell whether the cited files exist']
  const found = await Promise.all(cited.map(async path => [path, await isThere(path, workspace, fileExists!)] as const))
  return evidenceFaults(demand, evidenceOf(state), new Map(found))
}

/** A file outside the workspace is no evidence: nobody is told whether it exists. */
async function isThere(path: string, { cwd, roots }: Workspace, fileExists: FileExists): Promise<boolean> {
  const full = resolve(cwd, path)
  const isInside = roots.some(root => {
    const below = relative(resolve(cwd, root), full)
    return below !== '' && !below.startsWith('..') && !isAbsolute(below)
  })
  return isInside && (await fileExists(full).catch(() => false))
}
