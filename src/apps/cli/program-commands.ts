/** Which commands there are. A command's own room is loaded only when its name is on the command line. */
import type { Command } from 'commander'
import type { CommandDeps } from './command-deps.js'
import type { KnownCommand } from './command-guess.js'

export const knownCommands: readonly KnownCommand[] = [
  {
    name: 'runs',
    subcommands: ['list', 'show', 'tail', 'stop', 'resume', 'send', 'export', 'import', 'prune', 'worktrees'],
  },
  { name: 'agents', subcommands: ['list', 'show', 'lint', 'explain', 'new', 'import'] },
  { name: 'approvals', subcommands: ['list', 'answer', 'always'] },
  { name: 'models', subcommands: ['list', 'test'] },
  { name: 'config', subcommands: ['list', 'get', 'set', 'unset'] },
  { name: 'mcp', subcommands: ['list', 'approve'] },
  { name: 'plugins', subcommands: ['list', 'add', 'remove', 'inspect', 'trust'] },
  { name: 'trust', subcommands: [] },
  { name: 'doctor', subcommands: [] },
  { name: 'completion', subcommands: ['bash', 'zsh', 'fish'] },
]

export async function addCommands(program: Command, argv: readonly string[], deps: CommandDeps): Promise<void> {
  const isAll = argv.some(word => ['--help', '-h', 'help', 'completion'].includes(word))
  for (const { name } of knownCommands) if (isAll || argv.includes(name)) await rooms[name]!(program, deps)
}

type Room = (program: Command, deps: CommandDeps) => Promise<void>

const rooms: Readonly<Record<string, Room>> = {
  runs: async (program, deps) => (await import('./runs/runs-command.js')).registerRunsCommands(program, deps),
  approvals: async (program, deps) =>
    (await import('./commands/approvals.js')).registerApprovalsCommands(program, deps),
  config: async (program, deps) => (await import('./commands/config.js')).registerConfigCommands(program, deps),
  mcp: async (program, deps) => (await import('./commands/mcp.js')).registerMcpCommands(program, deps),
  plugins: async (program, deps) => (await import('./commands/plugins.js')).registerPluginsCommands(program, deps),
  trust: async (program, deps) => (await import('./commands/trust.js')).registerTrustCommand(program, deps),
  doctor: async (program, deps) => (await import('./commands/doctor.js')).registerDoctorCommand(program, deps),
  completion: async (program, deps) =>
    (await import('./commands/completion.js')).registerCompletionCommand(program, deps),
  agents: async (program, deps) => (await import('./commands/mount-agents.js')).mountAgents(program, deps),
  models: async (program, deps) => (await import('./commands/mount-agents.js')).mountModels(program, deps),
}
