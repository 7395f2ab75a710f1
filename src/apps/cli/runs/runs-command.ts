/** `offshoot runs …`: options to calls. What each command does is in the file of its name. */

import { type Command, InvalidArgumentError, Option } from 'commander'
import type { MeasuredStore } from '../../../adapters/stores/prune.js'
import type { RunSummary } from '../../../core/run/run-summary.js'
import { exitCodes } from '../../session/exit-codes.js'
import { findRun } from '../../session/find-run.js'
import { repeated } from '../../session/flags.js'
import { openRunStore, openToLook, withStore } from '../../session/open-store.js'
import { type CommandDeps, refusedInsideRun } from '../command-deps.js'
import type { ExportOptions } from './export.js'
import type { ImportOptions } from './import.js'
import { type ListOptions, listRuns } from './list.js'
import type { PruneOptions } from './prune.js'
import type { ResumeOptions } from './steer.js'
import type { WorktreesOptions } from './worktrees.js'

type OnRun = (store: MeasuredStore, run: RunSummary) => Promise<number>

export function registerRunsCommands(program: Command, deps: CommandDeps): void {
  const runs = program.command('runs').description('look at runs, steer them, resume them, clean up')
  const on =
    (isLooking: boolean): Act =>
    async (address, act, closes = false) => {
      if (isLooking && isRefused(deps)) return
      const store = await (isLooking ? openToLook(deps) : openRunStore(deps.env))
      const run = await findRun(store, address)
      if ('fault' in run) {
        deps.warn(`offshoot: ${run.fault}\n`)
        deps.setExitCode(exitCodes.usage)
        await store.close()
        return
      }
      deps.setExitCode(await act(store, run))
      if (!closes) await store.close()
    }
  addLooking(runs, deps, on(true))
  addSteering(runs, deps, on(false))
  addCleaning(runs, deps)
}

/** `closes`: what is done closes the store itself. */
type Act = (address: string, act: OnRun, closes?: boolean) => Promise<void>

/** What other sessions said is closed to tools, and so to what a command of a run has the program show. */
function isRefused(deps: CommandDeps): boolean {
  if (!refusedInsideRun(deps, 'looking at runs')) return false
  deps.setExitCode(exitCodes.permission)
  return true
}

function addLooking(runs: Command, deps: CommandDeps, on: Act): void {
  runs
    .command('list')
    .description('list conversations, newest first')
    .option('--all', 'their children, too')
    .option('--unfinished', 'only what has not ended')
    .option('--agent <name>', 'only runs of this agent')
    .option('--limit <n>', 'at most this many', atLeastOne, 20)
    .option('--ids', 'only their ids, one a line')
    .option('--json', 'print as JSON')
    .action(async (options: ListOptions) => {
      if (!isRefused(deps)) await withStore(openToLook(deps), deps, store => listRuns(store, options, deps))
    })
  runs
    .command('show <run>')
    .description('show a run: its tree with timings, costs, files changed, and its report')
    .option('--full', 'the whole report')
    .option('--json', 'print as JSON')
    .action((address: string, options: { json?: boolean; full?: boolean }) =>
      on(address, async (store, run) => (await import('./show.js')).showRun(store, run, options, deps)),
    )
  runs
    .command('tail <run>')
    .description('follow a run as it works, in whatever process that is')
    .option('--from-start', 'everything from the beginning')
    .option('--json', 'one event a line')
    .action((address: string, options: { json?: boolean; fromStart?: boolean }) =>
      on(address, async (store, run) => (await import('./tail.js')).tailRun(store, run, options, deps)),
    )
  runs
    .command('export <run>')
    .description('write the transcript of a run and its children')
    .addOption(
      new Option('--format <format>', 'sidechain is Claude Code’s')
        .choices(['markdown', 'json', 'sidechain'])
        .default('markdown'),
    )
    .option('--to <folder>', 'where to; a single file goes to stdout without it')
    .option('--only', 'without the children')
    .option('--thoughts', 'with the model’s own reasoning')
    .action((address: string, options: ExportOptions) =>
      on(address, async (store, run) => (await import('./export.js')).exportRun(store, run, options, deps)),
    )
  runs
    .command('import <file>')
    .description('take in a sidechain transcript (Claude Code’s, or exported here), to be resumed')
    .option('--agent <name>', 'who goes on with it; default: whom the transcript names')
    .action(async (file: string, options: ImportOptions) => {
      const store = await openRunStore(deps.env)
      deps.setExitCode(await (await import('./import.js')).importCommand(store, file, options, deps))
    })
}

function addCleaning(runs: Command, deps: CommandDeps): void {
  runs
    .command('prune')
    .description('remove old trees of runs')
    .option('--days <n>', 'without an event for this many days (subagents.retentionDays, or 30)', atLeastZero)
    .option('--max-mb <n>', 'and the oldest, while all together are larger', atLeastZero)
    .option('--unfinished', 'also those that could still be resumed')
    .option('--dry-run', 'only say what would go')
    .option('--json', 'print as JSON')
    .action((options: PruneOptions) =>
      withStore(openRunStore(deps.env), deps, async store =>
        (await import('./prune.js')).pruneCommand(store, options, deps),
      ),
    )
  runs
    .command('worktrees')
    .description('list the worktrees runs have left in this repository; take their work over, or remove them')
    .option('--merge <run>', 'bring its changes here, uncommitted')
    .option('--remove <run>', 'remove it with its branch, unless it holds work that is nowhere else')
    .option(
      '--force',
      'with --remove: whatever it holds; with --merge: what a run at work has so far, and what decides over later sessions',
    )
    .option('--json', 'print as JSON')
    .action((options: WorktreesOptions) =>
      withStore(openToLook(deps), deps, async store =>
        (await import('./worktrees.js')).worktreesCommand(store, options, deps),
      ),
    )
}

function addSteering(runs: Command, deps: CommandDeps, on: Act): void {
  runs
    .command('resume <run> [prompt...]')
    .description('go on with a run that was interrupted, stopped, or has ended')
    .addOption(new Option('--output-format <format>').choices(['text', 'json', 'stream-json']).default('text'))
    .option('--trust-project', 'let agents, hooks and settings of its folder act, this time')
    .option('--settings <file>', 'further settings from a file or JSON (may be repeated)', repeated)
    .option('-q, --quiet', 'no progress on stderr')
    .action((address: string, words: readonly string[], options: ResumeOptions) =>
      on(
        address,
        async (store, run) => (await import('./steer.js')).resumeRun(store, run, words.join(' '), options, deps),
        true,
      ),
    )
  runs
    .command('stop <run> [reason...]')
    .description('stop a run; what it has so far is kept')
    .action((address: string, words: readonly string[]) =>
      on(
        address,
        async (store, run) =>
          (await import('./steer.js')).stopRun(store, run, words.join(' ') || 'stopped by the user', deps),
        true,
      ),
    )
  runs
    .command('send <run> <text...>')
    .description('send a message: read at its next turn, or waking it when it has ended')
    .action((address: string, words: readonly string[]) =>
      on(
        address,
        async (store, run) => (await import('./steer.js')).sendToRun(store, run, words.join(' '), deps),
        true,
      ),
    )
}

function atLeastOne(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError('A whole number from 1 is needed.')
  return Number(text)
}

function atLeastZero(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value) || value < 0)
    throw new InvalidArgumentError('A number from 0 is needed.')
  return value
}
