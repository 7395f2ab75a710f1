/** `offshoot agents …`: options to calls. What each command does is in the file of its name. */
import type { Command } from 'commander'
import type { Catalog } from '../../../core/catalog/catalog.js'
import type { Brief, Refusal, Task } from '../../../core/types.js'
import { exitCodes } from '../../session/exit-codes.js'
import type { ListOptions } from './list.js'
import type { NewOptions } from './new.js'
import type { AllAgents, Style, TerminalRoom } from './output.js'

export interface AgentsCommandDeps {
  readonly cwd: string
  /** The folder `agents new --user` writes to. */
  readonly userAgentsDir: string
  /** Standard output. */
  readonly write: (text: string) => void
  /** Standard error. */
  readonly warn: (text: string) => void
  readonly setExitCode: (code: number) => void
  /** Colours; leaves text alone when absent. */
  readonly style?: Style
  readonly terminal?: TerminalRoom
  readonly loadAgents: () => Promise<AllAgents>
  /** Says of what is for people alone that it is, and whether it is refused here. Absent: nothing is. */
  readonly isRefused?: (what: string) => boolean
  /** What the agent would get if main called it now. */
  readonly prepareBrief: (task: Task, catalog: Catalog) => Promise<Brief | Refusal>
}

/** 0 done · 1 something is wrong with the agents · 2 wrong use. */
export function registerAgentsCommands(program: Command, deps: AgentsCommandDeps): void {
  const agents = program.command('agents').description('the agents there are: list, show, check, explain, make, import')
  // Each command is loaded when it is called: a start must not pay for parsers it does not use.
  const run = async (act: Promise<number>) => deps.setExitCode(await act)
  agents
    .command('list')
    .description('list the agents a task can go to')
    .option('--all', 'also what is hidden, shadowed, untrusted, switched off or quarantined')
    .option('--names', 'only their names, one a line')
    .option('--json', 'print as JSON')
    .action((options: ListOptions) => run(import('./list.js').then(room => room.listAgents(options, deps))))
  agents
    .command('show <agent>')
    .description('show one agent: where it is from and everything it says')
    .option('--json', 'print as JSON')
    .action((name: string, options: { json?: boolean }) =>
      run(import('./show.js').then(room => room.showAgent(name, options, deps))),
    )
  agents
    .command('explain <agent>')
    .description('what the agent would get: every tool with the rule behind it, model, limits, size of the prompt')
    .option('--prompt <text>', 'the task it would be given', 'Say what you can do.')
    .option('--background', 'as a background run')
    .option('--json', 'print as JSON')
    .action((name: string, options: { prompt: string; background?: boolean; json?: boolean }) =>
      run(import('./explain.js').then(room => room.explainAgent(name, options, deps))),
    )
  addWriting(agents, deps)
}

/** One's own folder is trusted without a word, and a project's is closed to tools: a run's command writes neither. */
function addWriting(agents: Command, deps: AgentsCommandDeps): void {
  const write = async (what: string, act: () => Promise<number>, isWriting = true) =>
    deps.setExitCode(isWriting && deps.isRefused?.(what) ? exitCodes.permission : await act())
  agents
    .command('lint [paths...]')
    .description('check agent files; without paths, all that are found from here')
    .option('--fix', 'put in quotes what needs quotes; never changes what a file means')
    .option('--strict', 'warnings count as errors')
    .option('--all', 'also notes, and files of a folder that are no agents')
    .option('--json', 'print as JSON')
    .action((paths: readonly string[], options: { fix?: boolean; strict?: boolean; all?: boolean; json?: boolean }) =>
      write(
        'mending agent files',
        async () => (await import('./lint.js')).lintAgents(paths, options, deps),
        options.fix === true,
      ),
    )
  agents
    .command('new <name>')
    .description('make a new agent file to start from')
    .option('--user', 'in your own folder instead of the project')
    .option('--description <text>', 'when to use it')
    .option('--tools <list>', 'the tools it may use')
    .option('--force', 'also under the name of another agent, to stand in for it')
    .action((name: string, options: NewOptions) =>
      write('making agents', async () => (await import('./new.js')).newAgent(name, options, deps)),
    )
  agents
    .command('import <path>')
    .description('turn another product’s file, or a folder of them, into ours, and say what is lost')
    .option('--to <folder>', 'where to write it (the project’s .offshoot/agents)')
    .option('--print', 'only print it')
    .option('--force', 'replace a file that is there, or stand in for an agent of that name')
    .action((path: string, options: { to?: string; print?: boolean; force?: boolean }) =>
      write(
        'importing agents',
        async () => (await import('./import.js')).importAgents(path, options, deps),
        !options.print,
      ),
    )
}
