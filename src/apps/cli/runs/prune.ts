/** `runs prune`: old or large trees go. Those that could still be resumed stay, unless asked for. */
import { join } from 'node:path'
import { openGround } from '../../../adapters/ground/ground.js'
import { offshootDirectories } from '../../../adapters/os/directories.js'
import { type GoingTrees, goingTrees, removeOfTrees } from '../../../adapters/os/kept-outputs.js'
import { type MeasuredStore, pruneRuns, type TreeFigures } from '../../../adapters/stores/prune.js'
import type { RunId } from '../../../core/message.js'
import { findSetting, obstacleIn } from '../../../core/settings/settings.js'
import { columns } from '../../session/columns.js'
import { exitCodes } from '../../session/exit-codes.js'
import { countWords, whenWords } from '../../session/figures.js'
import { type CommandDeps, refusedInsideRun } from '../command-deps.js'

export interface PruneOptions {
  /** Default: `subagents.retentionDays`, or 30. */
  readonly days?: number
  readonly maxMb?: number
  readonly unfinished?: boolean
  readonly dryRun?: boolean
  readonly json?: boolean
}

const dayMs = 86_400_000
const usualDays = 30

export async function pruneCommand(store: MeasuredStore, options: PruneOptions, deps: CommandDeps): Promise<number> {
  if (!options.dryRun && refusedInsideRun(deps, 'removing runs')) return exitCodes.permission
  const days = options.days ?? (await configuredDays(deps))
  if (typeof days === 'object') {
    deps.warn(`offshoot: ${days.fault}\n`)
    return exitCodes.usage
  }
  const going = goingTrees(join(offshootDirectories(deps.env).data, 'pruning'))
  const report = await pruneRuns(
    {
      trees: () => store.trees(),
      isHeld: rootId => store.isHeld(rootId),
      remove: rootId => going.note(rootId).then(() => store.remove(rootId)),
    },
    {
      maxAgeMs: days * dayMs,
      ...(options.maxMb !== undefined && { maxBytes: options.maxMb * 1024 * 1024 }),
      includesUnfinished: options.unfinished === true,
      isDryRun: options.dryRun === true,
    },
    deps.now(),
  )
  if (!options.dryRun) await sweep(store, going, deps)
  if (options.json) {
    deps.write(`${JSON.stringify(report, null, 2)}\n`)
    return exitCodes.ok
  }
  const row = (tree: TreeFigures) => [tree.rootId, whenWords(tree.updatedAt, deps.now()), `${kilobytes(tree.bytes)} KB`]
  if (report.removed.length > 0) deps.write(columns(report.removed.map(row)))
  const verb = options.dryRun ? 'would be removed' : 'removed'
  deps.warn(`${countWords(report.removed.length, 'tree')} ${verb} (${kilobytes(report.bytes)} KB).\n`)
  const keep = options.dryRun ? 'would be kept' : 'kept'
  if (report.unfinished.length > 0)
    deps.warn(`${countWords(report.unfinished.length, 'tree')} ${keep}: can still be resumed (--unfinished removes).\n`)
  if (report.held.length > 0) deps.warn(`${countWords(report.held.length, 'tree')} ${keep}: driven by somebody.\n`)
  return exitCodes.ok
}

/** Where settings cannot be read nobody knows how long runs are to be kept, and what is removed is gone. */
async function configuredDays({ cwd, env }: CommandDeps): Promise<number | { readonly fault: string }> {
  const { settings } = await openGround({ cwd, env })
  const obstacle = obstacleIn(settings)
  if (obstacle !== undefined) return { fault: obstacle }
  return (findSetting(settings, 'subagents.retentionDays')?.value as number | undefined) ?? usualDays
}

const kilobytes = (bytes: number): string => (bytes / 1024).toFixed(1)

/** What lies beside the store for the trees that went, now or when this was cut off: kept output, marks of plan mode. */
async function sweep(store: MeasuredStore, going: GoingTrees, { env }: CommandDeps): Promise<void> {
  const { outputs, data } = offshootDirectories(env)
  for (const root of await going.all()) {
    if ((await store.summary(root as RunId)) !== undefined) continue
    for (const directory of [outputs, join(data, 'planning')]) await removeOfTrees(directory, [root])
    await going.forget(root)
  }
}
